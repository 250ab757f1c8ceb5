// @ts-check
/** @import { Rect } from "../model/region.js" */
/** @import { Marks } from "./marks.js" */

/** The frame around what the person has selected. */
export class SelectionMark {
  #marks;
  #frame = document.createElement("div");

  /** @param {Marks} marks */
  constructor(marks) {
    this.#marks = marks;
    this.#frame.className = "selection";
  }

  /** @param {Rect | null} rect grown to whole glyphs by the one who selects */
  show(rect) {
    if (rect) this.#marks.put(this.#frame, rect);
    else this.#marks.remove(this.#frame);
  }
}
