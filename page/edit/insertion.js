// @ts-check
/** @import { CellsOp } from "../wire/messages.js" */
/** @import { At } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
import { PLAIN } from "../model/cell.js";
import { isFree } from "../model/room.js";
import { exact } from "./ink.js";

/**
 * Takes columns out, as Backspace does while inserting: what follows moves up to the next gap of two empty columns,
 * which grows, so that a border behind it stays where it is.
 *
 * @param {Cells} cells
 * @param {At} at
 * @param {number} columns
 * @returns {CellsOp | null} Null when there is nothing.
 */
export function closedUp(cells, [x, y], columns) {
  const end = Math.max(x + columns, cells.stretches(y, x).at(-1)?.[1] ?? x);
  const { chars, styles } = cells.strip(y, x + columns, end);
  const free = chars.map((char, n) => isFree(char, styles[n] ?? PLAIN));
  const gap = free.findIndex((isEmpty, n) => isEmpty && (free[n + 1] ?? true));
  const count = gap < 0 ? chars.length : gap;
  const moved = Array.from({ length: count + columns }, (_, n) => ({
    x: x + n,
    y,
    char: n < count ? (chars[n] ?? null) : null,
    style: styles[n] ?? PLAIN,
  }));
  return exact(moved.filter(({ char }) => char !== ""), cells, "typing");
}
