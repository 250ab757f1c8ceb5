// @ts-check
/** @import { Rect } from "../model/region.js" */

/**
 * What has to be painted again: one stretch of columns a row. Stretches of one row are joined, gap and all:
 * changes lie together, and a row is cheap.
 */
export class DirtyRows {
  /** @type {Map<number, [x0: number, x1: number]>} */
  #rows = new Map();

  /** @param {Rect} rect clipped to the screen: the cost follows its rows */
  add([x, y, width, height]) {
    for (let row = y; row < y + height; row++) {
      const known = this.#rows.get(row);
      if (known) [known[0], known[1]] = [Math.min(known[0], x), Math.max(known[1], x + width)];
      else this.#rows.set(row, [x, x + width]);
    }
  }

  /** Everything that was added since the last time. @returns {[y: number, x0: number, x1: number][]} */
  take() {
    const rows = Array.from(this.#rows, ([y, [x0, x1]]) => /** @type {[number, number, number]} */ ([y, x0, x1]));
    this.#rows.clear();
    return rows;
  }
}
