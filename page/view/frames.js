// @ts-check
/** @import { Rect } from "../model/region.js" */
/** @import { Marks } from "./marks.js" */

/** Frames at once; what is beyond is not framed: nobody could tell them apart. */
const MAX_FRAMES = 400;

/** Elements of one kind over rectangles. */
export class Frames {
  #marks;
  #className;
  /** @type {HTMLElement[]} */
  #elements = [];

  /** @param {Marks} marks @param {string} className */
  constructor(marks, className) {
    this.#marks = marks;
    this.#className = className;
  }

  /** @param {readonly Rect[]} rects @param {number} [current] the one that stands out */
  show(rects, current = -1) {
    const shown = rects.slice(0, MAX_FRAMES);
    for (const element of this.#elements.splice(shown.length)) this.#marks.remove(element);
    for (const [n, rect] of shown.entries()) {
      const element = (this.#elements[n] ??= document.createElement("div"));
      element.className = n === current ? `${this.#className} is-current` : this.#className;
      this.#marks.put(element, rect);
    }
  }
}
