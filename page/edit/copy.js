// @ts-check
/** @import { Strip } from "../model/cell.js" */
/** @import { Rect } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
import { PLAIN, isOccupied } from "../model/cell.js";
import { whole } from "../model/selection.js";

/** @typedef {(chars: readonly (string | null)[]) => string} Spelling */

/** Rows that a copy may have: a clipboard full of line ends helps nobody. */
export const MAX_COPIED_ROWS = 100_000;

/**
 * The text of a rectangle, one line a row, with wide glyphs whole. Blanks at the end of a line are left out unless
 * they can be seen (a background, inverse, underline, strike); those in it are kept.
 *
 * @param {Rect} rect
 * @param {Cells} cells
 * @param {Spelling} [spelled] how the columns of a line become text
 * @returns {string | null} Null for more than MAX_COPIED_ROWS rows.
 */
export function copied([x, y, width, height], cells, spelled = asTheyAre) {
  if (height > MAX_COPIED_ROWS) return null;
  return Array.from({ length: height }, (_, row) => spelled(line(cells, y + row, x, x + width))).join("\n");
}

/** @param {Cells} cells @param {number} y @param {number} x @param {number} end */
function line(cells, y, x, end) {
  const [from, to] = whole(cells, y, x, end);
  const last = cells.stretches(y, from, to).at(-1)?.[1] ?? from;
  return trimmed(cells.strip(y, from, last));
}

/** @param {Strip} strip */
function trimmed({ chars, styles }) {
  const seen = chars.findLastIndex((char, n) => char === "" || isOccupied(char, styles[n] ?? PLAIN));
  return chars.slice(0, seen + 1);
}

/** @type {Spelling} */
function asTheyAre(chars) {
  return chars.map((char) => char ?? " ").join("");
}
