// @ts-check
/** @import { CellStyle, CellsOp } from "../wire/messages.js" */
/** @import { At } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Put } from "./ink.js" */
import { PLAIN, intern } from "../model/cell.js";
import { clusterWidth } from "../model/width.js";
import { exact, inked } from "./ink.js";

/**
 * The places from one to another in a straight line, both included.
 *
 * @param {At} from
 * @param {At} to
 * @returns {At[]}
 */
export function between([x0, y0], [x1, y1]) {
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
  if (!steps) return [[x0, y0]];
  const at = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ n) =>
    a + Math.round(((b - a) * n) / steps);
  return Array.from({ length: steps + 1 }, (_, n) => [at(x0, x1, n), at(y0, y1, n)]);
}

/**
 * A glyph wherever the path leads. A wide one stands in every other column, counted from the first.
 *
 * @param {Cells} cells
 * @param {readonly At[]} path
 * @param {string} glyph
 * @param {CellStyle} style
 * @returns {CellsOp | null} Null when nothing would be different.
 */
export function penciled(cells, path, glyph, style) {
  const width = clusterWidth(glyph);
  const first = path[0]?.[0] ?? 0;
  const snapped = (/** @type {number} */ x) => x - ((((x - first) % width) + width) % width);
  return inked(path.map(([x, y]) => ({ x: snapped(x), y, char: glyph, style })), cells, "pencil");
}

/**
 * Clears what the path leads over; glyphs go whole.
 *
 * @param {Cells} cells
 * @param {readonly At[]} path
 * @returns {CellsOp | null}
 */
export function rubbed(cells, path) {
  const puts = path.flatMap(([x, y]) => glyphAt(cells, x, y).map((column) => ({ ...column, char: null })));
  return exact(puts, cells, "eraser");
}

/**
 * The style over whatever the path leads over: glyphs keep their character and their link, all else is the style's,
 * so that a plain one takes colours away. A background is put on empty places too.
 *
 * @param {Cells} cells
 * @param {readonly At[]} path
 * @param {CellStyle} style
 * @returns {CellsOp | null}
 */
export function brushed(cells, path, style) {
  return exact(path.flatMap(([x, y]) => coated(cells, x, y, style)), cells, "brush");
}

/** @param {Cells} cells @param {number} x @param {number} y @param {CellStyle} style @returns {Put[]} */
function coated(cells, x, y, style) {
  const [glyph] = glyphAt(cells, x, y);
  if (!glyph) return style.bgColor ? [{ x, y, char: " ", style: { bgColor: style.bgColor } }] : [];
  const { href } = glyph.style;
  return [{ ...glyph, style: intern({ ...style, ...(href && { href }) }) }];
}

/** The columns of the glyph at a place, the one with its character first; none where nothing stands. @param {Cells} cells @param {number} x @param {number} y */
function glyphAt(cells, x, y) {
  const left = cells.charAt(x, y) === "" ? x - 1 : x;
  const { chars, styles } = cells.strip(y, left, left + 2);
  if (!chars[0]) return [];
  const column = { x: left, y, char: chars[0], style: styles[0] ?? PLAIN };
  return chars[1] === "" ? [column, { ...column, x: left + 1 }] : [column];
}
