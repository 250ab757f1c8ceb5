// @ts-check
/** @import { Strip } from "./cell.js" */
/** @import { At, Rect } from "./region.js" */
/** @import { Stretch } from "./scene.js" */

/**
 * What selections and edits read: a Replica or a Scene.
 *
 * @typedef {object} Cells
 * @property {(y: number, x0: number, x1: number) => Strip} strip
 * @property {(x: number, y: number) => string | null} charAt
 * @property {(y: number, from?: number, to?: number) => Stretch[]} stretches
 */

/**
 * A rectangle between two columns that both belong to it.
 *
 * @typedef {{ readonly anchor: At, readonly focus: At }} Selection
 */

/** The rectangle of a selection. @param {Selection} selection @returns {Rect} */
export function rectOf({ anchor, focus }) {
  const left = Math.min(anchor[0], focus[0]);
  const top = Math.min(anchor[1], focus[1]);
  return [left, top, Math.abs(anchor[0] - focus[0]) + 1, Math.abs(anchor[1] - focus[1]) + 1];
}

/** The selection that covers a rectangle. @param {Rect} rect @returns {Selection} */
export function selectionOf([x, y, width, height]) {
  return { anchor: [x, y], focus: [x + width - 1, y + height - 1] };
}

/**
 * Columns `x .. end` of row `y`, grown so that no wide glyph is cut at either end: what a selection means there.
 *
 * @param {Pick<Cells, "charAt">} cells
 * @param {number} y
 * @param {number} x
 * @param {number} end
 * @returns {Stretch}
 */
export function whole(cells, y, x, end) {
  return [cells.charAt(x, y) === "" ? x - 1 : x, cells.charAt(end, y) === "" ? end + 1 : end];
}
