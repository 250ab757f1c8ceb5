// @ts-check
/** @import { Rect } from "../model/region.js" */
/** @import { Stretch } from "../model/scene.js" */

/**
 * What has to be painted again: one stretch of columns a row. Stretches of one row are joined, gap and all:
 * changes lie together, and a row is cheap.
 */
export class DirtyRows {
  /** @type {Map<number, Stretch>} */
  #rows = new Map();

  /** @param {Rect} rect clipped to the screen: the cost follows its rows */
  add([x, y, width, height]) {
    for (let row = y; row < y + height; row++) this.#rows.set(row, joined(this.#rows.get(row), [x, x + width]));
  }

  /** Everything that was added since the last time, as few rectangles that don't share a row. @returns {Rect[]} */
  take() {
    /** @type {{y: number, height: number, stretch: Stretch}[]} */
    const blocks = [];
    for (const [y, stretch] of [...this.#rows].sort(([a], [b]) => a - b)) {
      const last = blocks.at(-1);
      if (last && last.y + last.height === y) {
        last.height += 1;
        last.stretch = joined(last.stretch, stretch);
      } else blocks.push({ y, height: 1, stretch });
    }
    this.#rows.clear();
    return blocks.map(({ y, height, stretch: [x0, x1] }) => [x0, y, x1 - x0, height]);
  }
}

/** @param {Stretch | undefined} a @param {Stretch} b @returns {Stretch} */
function joined(a, b) {
  return a ? [Math.min(a[0], b[0]), Math.max(a[1], b[1])] : b;
}
