// @ts-check
/** @import { CellStyle, CellsOp } from "../wire/messages.js" */
/** @import { At } from "../model/region.js" */
/** @import { Room } from "./standing.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Put } from "./ink.js" */
/** @import { Refusal } from "./refusal.js" */
import { PLAIN } from "../model/cell.js";
import { isFree } from "../model/room.js";
import { clusterWidth } from "../model/width.js";
import { inked } from "./ink.js";
import { refused } from "./refusal.js";

/** Cells that one area may have: more is hardly meant, and takes longer than a blink. */
export const MAX_AREA_CELLS = 50_000;

/** Columns that are looked at together. */
const STRETCH = 32;

/** Neighbouring places of a row, half-open. @typedef {{ readonly y: number, readonly x: number, readonly end: number }} Span */

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
  const spans = alike(cells, at, room);
  if (!spans) return refused("area_open", MAX_AREA_CELLS);
  return inked(tiled(spans, glyph, style), cells, "area");
}

/**
 * The connected places that look alike: every span as long as it goes.
 *
 * @param {Cells} cells
 * @param {At} start
 * @param {Room} room
 * @returns {Span[] | null} Null when they go on for ever, or are too many.
 */
function alike(cells, start, room) {
  const looks = new Looks(cells, start, room);
  /** @type {Span[]} */
  const found = [];
  let count = 0;
  /** @type {At[]} */
  const seeds = [start];
  for (let seed = seeds.pop(); seed; seed = seeds.pop()) {
    if (!looks.isNew(...seed)) continue;
    const span = looks.take(...seed, MAX_AREA_CELLS - count);
    if (!span) return null;
    found.push(span);
    count += span.end - span.x;
    for (const beside of [span.y - 1, span.y + 1]) seeds.push(...looks.seeds(span, beside));
  }
  return found;
}

/** Which places look like the first one, and which of those were taken. Hot: asked some times for each place. */
class Looks {
  #cells;
  #room;
  /** @type {Map<number, Map<number, Uint8Array>>} 1 for what is alike and new, by row and stretch of it. */
  #rows = new Map();
  /** @type {{ char: string, style: CellStyle } | null} Null for what is free. */
  #wanted;

  /** @param {Cells} cells @param {At} start @param {Room} room */
  constructor(cells, [x, y], room) {
    this.#cells = cells;
    this.#room = room;
    this.#wanted = looksOf(cells.strip(y, x - 1, x + 1), 1);
  }

  /** @param {number} x @param {number} y */
  isNew(x, y) {
    return this.#stretch(x, y)[x - STRETCH * Math.floor(x / STRETCH)] === 1;
  }

  /**
   * Takes all that is new around a place in its row.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} most
   * @returns {Span | null} Null if it is longer, or leads out of a room without an edge.
   */
  take(x, y, most) {
    let [start, end] = [x, x + 1];
    while (end - start <= most && this.isNew(start - 1, y)) start -= 1;
    while (end - start <= most && this.isNew(end, y)) end += 1;
    if (end - start > most || (!this.#room.hasEdge && leadsOut(start, end, y, this.#room))) return null;
    for (let at = start; at < end; at++) this.#stretch(at, y)[at - STRETCH * Math.floor(at / STRETCH)] = 0;
    return { y, x: start, end };
  }

  /** One place of every span in row `y` that touches this one. @param {Span} span @param {number} y @returns {At[]} */
  seeds({ x, end }, y) {
    /** @type {At[]} */
    const found = [];
    let wasNew = false;
    for (let at = x; at < end; at++) {
      const isNew = this.isNew(at, y);
      if (isNew && !wasNew) found.push([at, y]);
      wasNew = isNew;
    }
    return found;
  }

  /** @param {number} x @param {number} y @returns {Uint8Array} */
  #stretch(x, y) {
    const column = Math.floor(x / STRETCH);
    let row = this.#rows.get(y);
    if (!row) this.#rows.set(y, (row = new Map()));
    let stretch = row.get(column);
    if (!stretch) row.set(column, (stretch = this.#looked(column * STRETCH, y)));
    return stretch;
  }

  /** @param {number} left @param {number} y @returns {Uint8Array} */
  #looked(left, y) {
    const strip = this.#cells.strip(y, left - 1, left + STRETCH);
    const stretch = new Uint8Array(STRETCH);
    for (let n = 0; n < STRETCH; n++) {
      if (this.#room.hasEdge && leadsOut(left + n, left + n + 1, y, this.#room)) continue;
      const looks = looksOf(strip, n + 1);
      if (looks?.char === this.#wanted?.char && looks?.style === this.#wanted?.style) stretch[n] = 1;
    }
    return stretch;
  }
}

/**
 * The glyph that a column belongs to; null where nothing is to be seen.
 *
 * @param {{ chars: readonly (string | null)[], styles: readonly CellStyle[] }} strip
 * @param {number} n
 */
function looksOf({ chars, styles }, n) {
  const left = chars[n] === "" ? n - 1 : n;
  const [char = null, style = PLAIN] = [chars[left], styles[left]];
  return char === null || isFree(char, style) ? null : { char, style };
}

/** @param {number} x @param {number} end @param {number} y @param {Room} room */
function leadsOut(x, end, y, { rect: [left, top, width, height] }) {
  return x < left || y < top || end > left + width || y >= top + height;
}

/** Glyphs side by side in every span; a last odd column is left out. @param {Span[]} spans @param {string} glyph @param {CellStyle} style @returns {Iterable<Put>} */
function* tiled(spans, glyph, style) {
  const width = clusterWidth(glyph);
  for (const { y, x, end } of spans)
    for (let at = x; at + width <= end; at += width) yield { x: at, y, char: glyph, style };
}
