// @ts-check
/** @import { CellStyle, CellsOp } from "../wire/messages.js" */
/** @import { At } from "../model/region.js" */
/** @import { Room } from "./standing.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Refusal } from "./refusal.js" */
import { PLAIN } from "../model/cell.js";
import { isFree } from "../model/room.js";
import { clusterWidth } from "../model/width.js";
import { inked } from "./ink.js";
import { refused } from "./refusal.js";

/** Cells that one area may have: more is hardly meant, and takes longer than a blink. */
export const MAX_AREA_CELLS = 50_000;

/**
 * A glyph over everything that is like the cell at a place and connected with it in rows and columns. Empty cells and
 * plain blanks are alike; others are if they look the same.
 *
 * @param {Cells} cells
 * @param {At} at
 * @param {{ glyph: string, style: CellStyle, room: Room }} how
 * @returns {CellsOp | Refusal | null} Null when nothing would be different.
 */
export function flooded(cells, at, { glyph, style, room }) {
  const places = alike(cells, at, room);
  if (!places) return refused("area_open", MAX_AREA_CELLS);
  return inked(tiled(places, clusterWidth(glyph)).map(([x, y]) => ({ x, y, char: glyph, style })), cells, "area");
}

/**
 * The connected places that look alike.
 *
 * @param {Cells} cells
 * @param {At} start
 * @param {Room} room
 * @returns {At[] | null} Null when they go on for ever, or are too many.
 */
function alike(cells, start, room) {
  const wanted = looks(cells, start);
  const seen = new Set([String(start)]);
  const places = [start];
  for (const [x, y] of places) {
    if (places.length > MAX_AREA_CELLS || (!room.hasEdge && isOutside([x, y], room))) return null;
    for (const next of neighbours(x, y)) {
      if (room.hasEdge && isOutside(next, room)) continue;
      if (seen.has(String(next)) || looks(cells, next) !== wanted) continue;
      seen.add(String(next));
      places.push(next);
    }
  }
  return places;
}

/** What makes cells alike, as something that `===` compares. @param {Cells} cells @param {At} at */
function looks(cells, [x, y]) {
  const left = cells.charAt(x, y) === "" ? x - 1 : x;
  const { chars, styles } = cells.strip(y, left, left + 1);
  const [char = null, style = PLAIN] = [chars[0], styles[0]];
  return isFree(char, style) ? "" : char + JSON.stringify(style);
}

/** @param {number} x @param {number} y @returns {At[]} */
function neighbours(x, y) {
  return [
    [x, y - 1],
    [x + 1, y],
    [x, y + 1],
    [x - 1, y],
  ];
}

/** @param {At} at @param {Room} room */
function isOutside([x, y], { rect: [left, top, width, height] }) {
  return x < left || y < top || x >= left + width || y >= top + height;
}

/** Places for glyphs of this width, side by side in every row; a last odd column is left out. @param {At[]} places @param {number} width */
function tiled(places, width) {
  if (width === 1) return places;
  const sorted = [...places].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  /** @type {At[]} */
  const found = [];
  for (const [n, [x, y]] of sorted.entries()) {
    const [last, after] = [found.at(-1), sorted[n + 1]];
    const isTaken = last?.[1] === y && last[0] === x - 1;
    if (!isTaken && after?.[1] === y && after[0] === x + 1) found.push([x, y]);
  }
  return found;
}
