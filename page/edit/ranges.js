// @ts-check
/** @import { CellStyle, CellsOp, EditOp, MoveOp } from "../wire/messages.js" */
/** @import { At, Rect } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Put } from "./ink.js" */
/** @import { Refusal } from "./refusal.js" */
/** What is done to a selection: one rectangle, or several. */
import { PLAIN } from "../model/cell.js";
import { whole } from "../model/selection.js";
import { columnsOf } from "../model/text.js";
import { erased } from "./erase.js";
import { exact, inked } from "./ink.js";
import { refused } from "./refusal.js";
import { brushed } from "./stroke.js";

/** Columns that one edit may write: with their colours they fit a frame. */
export const MAX_COLUMNS = 50_000;

/**
 * Clears the ranges. One alone may have any size: what is not there costs nothing.
 *
 * @param {Cells} cells
 * @param {readonly Rect[]} ranges
 * @returns {EditOp | Refusal | null} Null when there is nothing.
 */
export function cleared(cells, ranges) {
  const [first, ...others] = ranges;
  if (!first) return null;
  if (!others.length) return erased(first);
  return bounded(ranges, () => exact(columnsIn(cells, ranges).map((put) => ({ ...put, char: null })), cells, "clear"));
}

/**
 * Moves the ranges by columns and rows, whole glyphs; several of them as one edit.
 *
 * @param {Cells} cells
 * @param {readonly Rect[]} ranges
 * @param {At} by
 * @returns {MoveOp | CellsOp | Refusal | null}
 */
export function shifted(cells, ranges, by) {
  const [first, ...others] = ranges;
  if (!first || (!by[0] && !by[1])) return null;
  const [x, y, width, height] = first;
  if (!others.length) return { kind: "move", from: [x, y], size: [width, height], to: [x + by[0], y + by[1]] };
  return bounded(ranges, () => {
    const lifted = columnsIn(cells, ranges);
    return inked([...lifted.map((put) => ({ ...put, char: null })), ...displaced(lifted, by)], cells, "move");
  });
}

/**
 * Lays a copy of the ranges down, columns and rows away.
 *
 * @param {Cells} cells
 * @param {readonly Rect[]} ranges
 * @param {At} by
 * @returns {CellsOp | Refusal | null}
 */
export function duplicated(cells, ranges, by) {
  return bounded(ranges, () => inked(displaced(columnsIn(cells, ranges), by), cells, "duplicate"));
}

/**
 * Typed text over a selection: it is repeated in every row of every range; a wide glyph that would not fit is left out.
 *
 * @param {Cells} cells
 * @param {readonly Rect[]} ranges
 * @param {string} text
 * @param {CellStyle} style
 * @returns {CellsOp | Refusal | null}
 */
export function filledWith(cells, ranges, text, style) {
  const pattern = columnsOf(text);
  if (!pattern.length) return null;
  return bounded(
    ranges,
    () => inked(ranges.flatMap((rect) => repeated(rect, pattern, style)), cells, "fill"),
    ranges.reduce((sum, [, , width, height]) => sum + width * height, 0),
  );
}

/**
 * The style over everything in the ranges, as a brush does it.
 *
 * @param {Cells} cells
 * @param {readonly Rect[]} ranges
 * @param {CellStyle} style
 * @returns {CellsOp | Refusal | null}
 */
export function painted(cells, ranges, style) {
  const columns = ranges.reduce((sum, [, , width, height]) => sum + width * height, 0);
  const places = () =>
    ranges.flatMap(([x, y, width, height]) =>
      Array.from({ length: width * height }, (_, n) => /** @type {At} */ ([x + (n % width), y + Math.floor(n / width)])),
    );
  return bounded(ranges, () => brushed(cells, places(), style), columns);
}

/**
 * The glyphs of the ranges, whole, each once, by y and x.
 *
 * @param {Cells} cells
 * @param {readonly Rect[]} ranges
 * @returns {(Put & { readonly char: string })[]}
 */
export function columnsIn(cells, ranges) {
  /** @type {Map<string, Put & { readonly char: string }>} */
  const found = new Map();
  for (const [x, y, width, height] of ranges) {
    for (let row = y; row < y + height; row++) {
      for (const stretch of cells.stretches(row, x, x + width)) {
        const [from, end] = whole(cells, row, ...stretch);
        const { chars, styles } = cells.strip(row, from, end);
        chars.forEach((char, n) => {
          if (char) found.set(`${from + n},${row}`, { x: from + n, y: row, char, style: styles[n] ?? PLAIN });
        });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.y - b.y || a.x - b.x);
}

/**
 * @template {EditOp} T
 * @param {readonly Rect[]} ranges
 * @param {() => T | null} plan
 * @param {number} [columns] that would be written; unknown when it depends on what is there
 * @returns {T | Refusal | null}
 */
function bounded(ranges, plan, columns = 0) {
  const rows = ranges.reduce((sum, [, , , height]) => sum + height, 0);
  if (columns > MAX_COLUMNS || rows > MAX_COLUMNS) return refused("selection_large", MAX_COLUMNS);
  return plan();
}

/** @template {Put} T @param {readonly T[]} puts @param {At} by */
function displaced(puts, [right, down]) {
  return puts.map((put) => ({ ...put, x: put.x + right, y: put.y + down }));
}

/** @param {Rect} rect @param {readonly string[]} pattern @param {CellStyle} style @returns {Put[]} */
function repeated([x, y, width, height], pattern, style) {
  const row = Array.from({ length: width }, (_, n) => ({ n, char: pattern[n % pattern.length] ?? "" }));
  const fits = row.filter(({ n, char }) => char && (pattern[(n + 1) % pattern.length] !== "" || n + 1 < width));
  return Array.from({ length: height }, (_, down) =>
    fits.map(({ n, char }) => ({ x: x + n, y: y + down, char, style })),
  ).flat();
}
