// @ts-check
/** @import { At, Rect } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */

/** Glyphs that a connected drawing may have before the search for more of it ends. */
export const MAX_CONNECTED = 20_000;

/**
 * Everything visible that touches the glyph at a place, also at a corner, and what touches that: a box with its lines
 * and words beside them.
 *
 * @param {Cells} cells
 * @param {At} start
 * @returns {Rect[]} One rectangle for each stretch of a row, equal ones under each other joined; none in empty space.
 */
export function connected(cells, start) {
  /** @type {Map<number, Set<number>>} */
  const rows = new Map();
  const places = [start];
  for (const [x, y] of places) {
    const row = rows.get(y) ?? new Set();
    rows.set(y, row);
    if (row.has(x) || !isSeen(cells, x, y)) continue;
    row.add(x);
    if (places.length < 8 * MAX_CONNECTED) places.push(...around(x, y));
  }
  return stacked([...rows].sort(([a], [b]) => a - b).flatMap(([y, row]) => stretches(y, row)));
}

/** @param {Cells} cells @param {number} x @param {number} y */
function isSeen(cells, x, y) {
  const char = cells.charAt(x, y);
  return char === "" || Boolean(char?.trim());
}

/** @param {number} x @param {number} y @returns {At[]} */
function around(x, y) {
  return [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => /** @type {At} */ ([x + right, y + down])));
}

/** @param {number} y @param {Set<number>} columns @returns {Rect[]} */
function stretches(y, columns) {
  /** @type {[number, number, number, number][]} */
  const found = [];
  for (const x of [...columns].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && last[0] + last[2] === x) last[2] += 1;
    else found.push([x, y, 1, 1]);
  }
  return found;
}

/** @param {readonly Rect[]} rects from top to bottom @returns {Rect[]} */
function stacked(rects) {
  /** @type {Map<string, [number, number, number, number]>} The lowest of each kind that may still grow. */
  const open = new Map();
  /** @type {[number, number, number, number][]} */
  const found = [];
  for (const [x, y, width, height] of rects) {
    const above = open.get(`${x},${width}`);
    if (above && above[1] + above[3] === y) above[3] += height;
    else {
      /** @type {[number, number, number, number]} */
      const rect = [x, y, width, height];
      found.push(rect);
      open.set(`${x},${width}`, rect);
    }
  }
  return found;
}
