// @ts-check
/** @import { Cells, CellStyle, Columns } from "../wire/messages.js" */
/** @import { Strip } from "./cell.js" */
/** @import { Rect } from "./region.js" */
import { PLAIN, intern } from "./cell.js";

/** @typedef {Strip & { readonly y: number, readonly x: number }} Run Columns from `x` on of row `y`. */

/**
 * Cells as they travel, as runs with interned styles. Pieces of a row that touch become one run.
 *
 * @param {Cells} cells
 * @returns {Run[]}
 */
export function unpacked(cells) {
  const styles = cells.styles.map(intern);
  /** @type {{ y: number, x: number, chars: (string | null)[], styles: CellStyle[] }[]} */
  const runs = [];
  for (const [y, pieces] of cells.rows) {
    for (const [x, columns, number] of pieces) {
      const chars = unpackedColumns(columns);
      const filled = chars.map((char) => (char === null ? PLAIN : (styles[number] ?? PLAIN)));
      const last = runs.at(-1);
      if (last && last.y === y && last.x + last.chars.length === x) {
        for (const char of chars) last.chars.push(char);
        for (const style of filled) last.styles.push(style);
      } else runs.push({ y, x, chars, styles: filled });
    }
  }
  return runs;
}

/** The rectangles that runs cover, one a run. @param {readonly Run[]} runs @returns {Rect[]} */
export function covered(runs) {
  return runs.map(({ y, x, chars }) => [x, y, chars.length, 1]);
}

/** @param {Columns} columns @returns {(string | null)[]} */
function unpackedColumns(columns) {
  if (typeof columns === "number") return new Array(columns).fill(null);
  return typeof columns === "string" ? Array.from(columns) : [...columns];
}
