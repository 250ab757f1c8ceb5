// @ts-check
/** @import { Rect } from "../model/region.js" */
/** @import { Marks } from "./marks.js" */
import { Frames } from "./frames.js";

/** The frames around what the person has selected. */
export class SelectionMark {
  #frames;

  /** @param {Marks} marks */
  constructor(marks) {
    this.#frames = new Frames(marks, "selection");
  }

  /** @param {readonly Rect[]} ranges grown to whole glyphs by the one who selects */
  show(ranges) {
    this.#frames.show(ranges);
  }
}
