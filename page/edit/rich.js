// @ts-check
/** @import { CellStyle, CellsOp } from "../wire/messages.js" */
/** @import { At, Rect } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
import { graphemes, clusterWidth } from "../model/width.js";
import { stored } from "../model/clusters.js";
import { inked } from "./ink.js";
import { columnsIn } from "./ranges.js";
import { union } from "../model/region.js";

/** The type under which cells lie on the clipboard, beside their text. */
export const RICH_TYPE = "application/x-chardesk-cells";

/** Glyphs of one copy; a larger one travels as text alone. */
export const MAX_RICH_GLYPHS = 50_000;

/** A glyph from the corner of what was copied. @typedef {readonly [x: number, y: number, char: string, style: number]} Item */

/**
 * The ranges as text that `fromRich` reads: glyphs with their looks and links.
 *
 * @param {Cells} cells
 * @param {readonly Rect[]} ranges
 * @returns {string | null} Null for nothing, or too much.
 */
export function toRich(cells, ranges) {
  const corner = union(ranges);
  const rows = ranges.reduce((sum, [, , , height]) => sum + height, 0);
  const glyphs = corner && rows <= MAX_RICH_GLYPHS ? columnsIn(cells, ranges) : [];
  if (!corner || !glyphs.length || glyphs.length > MAX_RICH_GLYPHS) return null;
  const styles = [...new Set(glyphs.map(({ style }) => style))];
  const numbers = new Map(styles.map((style, n) => [style, n]));
  const items = glyphs.map(({ x, y, char, style }) => [x - corner[0], y - corner[1], char, numbers.get(style)]);
  return JSON.stringify({ chardesk: 1, styles, items });
}

/**
 * Copied cells laid down with their corner at a place; blanks between them leave what is there.
 *
 * @param {Cells} cells
 * @param {At} at
 * @param {string} text from a clipboard: anybody may have put it there
 * @returns {CellsOp | null} Null when it is not what `toRich` makes.
 */
export function fromRich(cells, [x, y], text) {
  const found = parsed(text);
  if (!found) return null;
  const puts = found.items.map(([right, down, char, number]) => ({
    x: x + right,
    y: y + down,
    char,
    style: found.styles[number] ?? {},
  }));
  return inked(puts, cells, "paste");
}

/** @param {string} text @returns {{ styles: CellStyle[], items: Item[] } | null} */
function parsed(text) {
  try {
    const { chardesk, styles, items } = JSON.parse(text);
    const isOurs = chardesk === 1 && Array.isArray(styles) && Array.isArray(items) && items.length <= MAX_RICH_GLYPHS;
    return isOurs && styles.every(isObject) && items.every(isItem) ? { styles, items } : null;
  } catch {
    return null;
  }
}

/** @param {unknown} value @returns {value is object} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} item @returns {item is Item} */
function isItem(item) {
  if (!Array.isArray(item) || item.length !== 4) return false;
  const [x, y, char, number] = item;
  const isPlaced = [x, y, number].every((each) => Number.isSafeInteger(each) && each >= 0 && each < 2 ** 31);
  return isPlaced && typeof char === "string" && isGlyph(char);
}

/** @param {string} char */
function isGlyph(char) {
  return graphemes(char).length === 1 && stored(char)[0] === char && clusterWidth(char) > 0;
}
