// @ts-check
/** @import { EraseOp } from "../wire/messages.js" */
/** @import { Rect } from "../model/region.js" */

/** Clears a rectangle; glyphs that reach into it go whole. @param {Rect} rect @returns {EraseOp} */
export function erased([x, y, width, height]) {
  return { kind: "erase", at: [x, y], size: [width, height] };
}
