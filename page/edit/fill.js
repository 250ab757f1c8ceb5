// @ts-check
/** @import { CellStyle, FillOp } from "../wire/messages.js" */
/** @import { Rect } from "../model/region.js" */

/**
 * Gives the characters of a rectangle a style; null when the style says nothing.
 *
 * @param {Rect} rect
 * @param {CellStyle} style
 * @returns {FillOp | null}
 */
export function filled([x, y, width, height], style) {
  return Object.keys(style).length ? { kind: "fill", at: [x, y], size: [width, height], style } : null;
}
