// @ts-check
/** @import { At, Rect } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
import { MAX_COORDINATE } from "../model/region.js";

/**
 * Where the person types. `origin` is the column that Enter returns to; `held` is typed text that shows only with
 * what follows it (a joiner). A cursor never stands on the right half of a wide glyph.
 *
 * @typedef {{ readonly x: number, readonly y: number, readonly origin: number, readonly held?: string }} Cursor
 */

/** @typedef {"left" | "right" | "up" | "down"} Direction */

/** Columns that the Tab key moves. */
export const TAB_COLUMNS = 2;

/**
 * A cursor put somewhere by a click: on the left half if there is a wide glyph; a new line begins there.
 *
 * @param {At} at
 * @param {Pick<Cells, "charAt">} cells
 * @returns {Cursor}
 */
export function placed(at, cells) {
  const [x, y] = snapped([clamped(at[0]), clamped(at[1])], cells);
  return { x, y, origin: x };
}

/**
 * One step of an arrow key, by cluster.
 *
 * @param {Cursor} cursor
 * @param {Direction} direction
 * @param {Pick<Cells, "charAt">} cells
 * @returns {Cursor}
 */
export function moved(cursor, direction, cells) {
  const [dx, dy] = STEPS[direction];
  const isWide = cells.charAt(cursor.x + 1, cursor.y) === "";
  return placed([cursor.x + (dx > 0 && isWide ? 2 : dx), cursor.y + dy], cells);
}

/**
 * The next line: the column where this one began, one row down.
 *
 * @param {Cursor} cursor
 * @param {Pick<Cells, "charAt">} cells
 * @returns {Cursor}
 */
export function entered(cursor, cells) {
  return { ...placed([cursor.origin, cursor.y + 1], cells), origin: cursor.origin };
}

/**
 * Two columns on; the line stays the same.
 *
 * @param {Cursor} cursor
 * @param {Pick<Cells, "charAt">} cells
 * @returns {Cursor}
 */
export function tabbed(cursor, cells) {
  return { ...placed([cursor.x + TAB_COLUMNS, cursor.y], cells), origin: cursor.origin };
}

/**
 * The first column of the text around the cursor; from there, the first of the whole row.
 *
 * @param {Cursor} cursor
 * @param {Cells} cells
 * @returns {Cursor}
 */
export function home(cursor, cells) {
  const texts = textsOf(cursor.y, cells);
  const here = texts.findLast(([from, to]) => from < cursor.x && cursor.x <= to);
  return { ...placed([(here ?? texts[0])?.[0] ?? cursor.origin, cursor.y], cells), origin: cursor.origin };
}

/**
 * The column after the text around the cursor; from there, after the last of the whole row.
 *
 * @param {Cursor} cursor
 * @param {Cells} cells
 * @returns {Cursor}
 */
export function end(cursor, cells) {
  const texts = textsOf(cursor.y, cells);
  const here = texts.find(([from, to]) => from <= cursor.x && cursor.x < to);
  return { ...placed([(here ?? texts.at(-1))?.[1] ?? cursor.x, cursor.y], cells), origin: cursor.origin };
}

/**
 * To the beginning of the next word, or of the one before; at the last one, to its end.
 *
 * @param {Cursor} cursor
 * @param {"left" | "right"} direction
 * @param {Cells} cells
 * @returns {Cursor}
 */
export function byWord(cursor, direction, cells) {
  const words = wordsOf(cursor.y, cells);
  const found =
    direction === "left"
      ? words.findLast(([from]) => from < cursor.x)?.[0]
      : (words.find(([from]) => from > cursor.x)?.[0] ?? words.findLast(([, to]) => to > cursor.x)?.[1]);
  return found === undefined ? cursor : { ...placed([found, cursor.y], cells), origin: cursor.origin };
}

/**
 * Up or down to where a run of filled or of empty rows ends in this column; in endless emptiness, nowhere.
 *
 * @param {Cursor} cursor
 * @param {"up" | "down"} direction
 * @param {Cells & { bounds(): Rect | null }} cells
 * @returns {Cursor}
 */
export function byRun(cursor, direction, cells) {
  const [, top = 0, , rows = 0] = cells.bounds() ?? [];
  const step = direction === "up" ? -1 : 1;
  const isSeen = (/** @type {number} */ y) => Boolean(cells.charAt(cursor.x, y)?.trim());
  const isRun = isSeen(cursor.y) && isSeen(cursor.y + step);
  let y = direction === "up" ? Math.min(cursor.y, top + rows) : Math.max(cursor.y, top - 1);
  while (y + step >= top && y + step < top + rows && isSeen(y + step) === isRun) y += step;
  const edge = isRun ? y : y + step;
  return edge < top || edge >= top + rows ? cursor : placed([cursor.x, edge], cells);
}

/** @param {number} value */
export function clamped(value) {
  return Math.max(-MAX_COORDINATE, Math.min(MAX_COORDINATE, Math.trunc(value)));
}

/** @type {Record<Direction, At>} */
const STEPS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** @param {At} at @param {Pick<Cells, "charAt">} cells @returns {At} */
function snapped([x, y], cells) {
  return [cells.charAt(x, y) === "" ? x - 1 : x, y];
}

/**
 * The stretches of a row as a reader sees them: one empty column between words does not part them.
 *
 * @param {number} y
 * @param {Cells} cells
 */
function textsOf(y, cells) {
  /** @type {[number, number][]} */
  const texts = [];
  for (const [from, to] of cells.stretches(y)) {
    const last = texts.at(-1);
    if (last && from - last[1] <= 1) last[1] = to;
    else texts.push([from, to]);
  }
  return texts;
}

/** The words of a row: what stands between blanks. @param {number} y @param {Cells} cells */
function wordsOf(y, cells) {
  return cells.stretches(y).flatMap(([x, end]) => {
    const { chars } = cells.strip(y, x, end);
    const starts = chars.flatMap((char, n) => (isInk(char) && !isInk(chars[n - 1] ?? null) ? [n] : []));
    return starts.map((from) => {
      const length = chars.slice(from).findIndex((char) => !isInk(char));
      return /** @type {const} */ ([x + from, length < 0 ? end : x + from + length]);
    });
  });
}

/** @param {string | null} char */
function isInk(char) {
  return char === "" || Boolean(char?.trim());
}
