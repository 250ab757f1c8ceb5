// @ts-check
/** @import { Rect } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
import { union } from "../model/region.js";
import { Scene } from "../model/scene.js";
import { clusterWidth } from "../model/width.js";
import { ansiOf } from "./ansi.js";
import { asciiOf } from "./ascii.js";
import { MAX_COPIED_ROWS, copied } from "./copy.js";
import { columnsIn } from "./ranges.js";

/**
 * What of a sheet is copied: a rectangle and the cells in it, of which several ranges leave some out.
 *
 * @param {Cells} cells
 * @param {readonly Rect[]} ranges
 * @returns {{ rect: Rect, cells: Cells } | null} Null for no range, or more than MAX_COPIED_ROWS rows.
 */
export function excerpt(cells, ranges) {
  const rect = union(ranges);
  if (!rect || rect[3] > MAX_COPIED_ROWS) return null;
  return { rect, cells: ranges.length === 1 ? cells : only(cells, ranges) };
}

/** The ranges as plain text. @param {Cells} cells @param {readonly Rect[]} ranges @returns {string | null} */
export function textOf(cells, ranges) {
  const found = excerpt(cells, ranges);
  return found && copied(found.rect, found.cells);
}

/** The ranges in the letters of ASCII. @param {Cells} cells @param {readonly Rect[]} ranges @returns {string | null} */
export function asciiTextOf(cells, ranges) {
  const found = excerpt(cells, ranges);
  return found && copied(found.rect, found.cells, asciiOf);
}

/** The ranges as a terminal shows them. @param {Cells} cells @param {readonly Rect[]} ranges @returns {string | null} */
export function terminalTextOf(cells, ranges) {
  const found = excerpt(cells, ranges);
  return found && ansiOf(found.rect, found.cells);
}

/** @param {Cells} cells @param {readonly Rect[]} ranges */
function only(cells, ranges) {
  const scene = new Scene();
  for (const { x, y, char, style } of columnsIn(cells, ranges)) {
    const chars = clusterWidth(char) === 2 ? [char, ""] : [char];
    scene.put(y, x, { chars, styles: chars.map(() => style) });
  }
  return scene;
}
