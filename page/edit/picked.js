// @ts-check
/** @import { At } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Options } from "./tools.js" */
import { PLAIN, intern } from "../model/cell.js";

/**
 * What the eyedropper takes up: the glyph, if there is one to see, and how it looks. A link is not a look.
 *
 * @param {Cells} cells
 * @param {At} at
 * @returns {Pick<Options, "style"> & Partial<Pick<Options, "glyph">>}
 */
export function picked(cells, [x, y]) {
  const left = cells.charAt(x, y) === "" ? x - 1 : x;
  const { chars, styles } = cells.strip(y, left, left + 1);
  const { href: _, ...look } = styles[0] ?? PLAIN;
  const glyph = chars[0];
  return { style: intern(look), ...(glyph?.trim() && { glyph }) };
}
