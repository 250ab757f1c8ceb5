// @ts-check
/** @import { CellStyle, EditOp } from "../wire/messages.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Cursor } from "./cursor.js" */
import { PLAIN, intern } from "../model/cell.js";
import { joined } from "../model/predict.js";
import { columnsOf } from "../model/text.js";
import { clamped, placed } from "./cursor.js";

/**
 * What a key means: an edit, if it changes cells, and where the cursor is afterwards.
 *
 * @typedef {{ readonly op: EditOp | null, readonly cursor: Cursor }} Typed
 */

const ZWJ = "\u200d";
const CONTROLS = /[\x00-\x1f\x7f-\x9f]/g;

/**
 * Text from the keyboard or an input method; controls and line ends in it are dropped. An emoji whose parts come one
 * by one grows together: a joiner is held until the next part is there, and a part that joins what stands before the
 * cursor says `compose`. A mark with nothing to join changes nothing.
 *
 * @param {Cursor} cursor
 * @param {string} text
 * @param {Pick<Cells, "charAt">} cells
 * @param {CellStyle} [style]
 * @returns {Typed}
 */
export function typed(cursor, text, cells, style = PLAIN) {
  const { held = "", ...free } = cursor;
  const all = held + text.replace(CONTROLS, "");
  const shown = all.endsWith(ZWJ) ? all.slice(0, -1) : all;
  const resting = shown === all ? free : { ...free, held: ZWJ };
  const before = joined(cells, [cursor.x, cursor.y], shown);
  const columns = columnsOf((before?.char ?? "") + shown);
  if (!before && !columns.length) return { op: null, cursor: resting };
  return {
    op: textOp(cursor, shown, style, before !== null),
    cursor: { ...resting, x: clamped((before?.x ?? cursor.x) + columns.length) },
  };
}

/**
 * Clears the cluster before the cursor and goes there; in empty space it only goes.
 *
 * @param {Cursor} cursor
 * @param {Pick<Cells, "charAt">} cells
 * @returns {Typed}
 */
export function backspaced({ x, y, origin }, cells) {
  const columns = cells.charAt(x - 1, y) === "" ? 2 : 1;
  const cursor = { ...placed([x - columns, y], cells), origin: Math.min(origin, clamped(x - columns)) };
  return { op: cleared(cursor, columns, cells), cursor };
}

/**
 * Clears the cluster under the cursor, which stays.
 *
 * @param {Cursor} cursor
 * @param {Pick<Cells, "charAt">} cells
 * @returns {Typed}
 */
export function deleted({ x, y, origin }, cells) {
  const cursor = { x, y, origin };
  return { op: cleared(cursor, cells.charAt(x + 1, y) === "" ? 2 : 1, cells), cursor };
}

/** @param {Cursor} cursor @param {number} columns @param {Pick<Cells, "charAt">} cells @returns {EditOp | null} */
function cleared({ x, y }, columns, cells) {
  return cells.charAt(x, y) === null ? null : { kind: "erase", at: [x, y], size: [columns, 1] };
}

/** @param {Cursor} cursor @param {string} text @param {CellStyle} style @param {boolean} compose @returns {EditOp} */
function textOp({ x, y }, text, style, compose) {
  const isPlain = intern(style) === PLAIN;
  return { kind: "text", at: [x, y], text, ...(!isPlain && { style }), ...(compose && { compose }) };
}
