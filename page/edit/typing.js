// @ts-check
/** @import { CellStyle, EditOp } from "../wire/messages.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Cursor } from "./cursor.js" */
import { PLAIN, intern } from "../model/cell.js";
import { missing } from "../model/clusters.js";
import { joined } from "../model/predict.js";
import { columnsOf } from "../model/text.js";
import { clamped, placed } from "./cursor.js";
import { closedUp } from "./insertion.js";

/**
 * What a key means: an edit, if it changes cells, where the cursor is afterwards, and the characters that no cell can
 * hold.
 *
 * @typedef {{ readonly op: EditOp | null, readonly cursor: Cursor, readonly leftOut?: readonly string[] }} Typed
 */

const ZWJ = "\u200d";
/** Controls, and halves of surrogate pairs. */
const NO_CHARACTERS = /[\x00-\x1f\x7f-\x9f\ud800-\udfff]/gu;

/** How typed text lands: in a style, over what is there or making room. @typedef {{ readonly style?: CellStyle, readonly isInserting?: boolean }} Manner */

/**
 * Text from the keyboard or an input method; controls and line ends in it are left out. An emoji whose parts come one
 * by one grows together: a joiner is held until the next part is there, and a part that joins what stands before the
 * cursor says `compose`. A mark with nothing to join changes nothing.
 *
 * @param {Cursor} cursor
 * @param {string} text
 * @param {Pick<Cells, "charAt">} cells
 * @param {Manner} [manner]
 * @returns {Typed}
 */
export function typed(cursor, text, cells, manner = {}) {
  const { held = "", ...free } = cursor;
  const all = held + text.replace(NO_CHARACTERS, "");
  const shown = all.endsWith(ZWJ) ? all.slice(0, -1) : all;
  /** @type {Cursor} */
  const resting = shown === all ? free : { ...free, held: ZWJ };
  const before = joined(cells, [cursor.x, cursor.y], shown);
  const joint = before?.char ?? "";
  const columns = columnsOf(joint + shown);
  const lost = missing(joint + held + text, columns.join("") + (resting.held ?? ""));
  if (!before && !columns.length) return { op: null, cursor: resting, leftOut: lost };
  return {
    op: textOp(cursor, shown, manner, before !== null),
    cursor: { ...resting, x: clamped((before?.x ?? cursor.x) + columns.length) },
    leftOut: lost,
  };
}

/**
 * Clears the cluster before the cursor and goes there; in empty space it only goes. While inserting, what follows
 * comes along.
 *
 * @param {Cursor} cursor
 * @param {Cells} cells
 * @param {Manner} [manner]
 * @returns {Typed}
 */
export function backspaced({ x, y, origin }, cells, manner = {}) {
  const columns = cells.charAt(x - 1, y) === "" ? 2 : 1;
  const cursor = { ...placed([x - columns, y], cells), origin: Math.min(origin, clamped(x - columns)) };
  return { op: cleared(cursor, columns, cells, manner), cursor };
}

/**
 * Clears the cluster under the cursor, which stays.
 *
 * @param {Cursor} cursor
 * @param {Cells} cells
 * @param {Manner} [manner]
 * @returns {Typed}
 */
export function deleted({ x, y, origin }, cells, manner = {}) {
  const cursor = { x, y, origin };
  return { op: cleared(cursor, cells.charAt(x + 1, y) === "" ? 2 : 1, cells, manner), cursor };
}

/**
 * @param {Cursor} cursor
 * @param {number} columns
 * @param {Cells} cells
 * @param {Manner} manner
 * @returns {EditOp | null}
 */
function cleared({ x, y }, columns, cells, { isInserting }) {
  if (isInserting) return closedUp(cells, [x, y], columns);
  return cells.charAt(x, y) === null ? null : { kind: "erase", at: [x, y], size: [columns, 1] };
}

/** @param {Cursor} cursor @param {string} text @param {Manner} manner @param {boolean} compose @returns {EditOp} */
function textOp({ x, y }, text, { style = PLAIN, isInserting = false }, compose) {
  const isPlain = intern(style) === PLAIN;
  const how = { ...(!isPlain && { style }), ...(compose && { compose }), ...(isInserting && { overwrite: false }) };
  return { kind: "text", at: [x, y], text, ...how };
}
