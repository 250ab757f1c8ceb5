// @ts-check
/** @import { Rect } from "../model/region.js" */
/** @import { Marks } from "./marks.js" */
import { union } from "../model/region.js";

/** Rectangles of one change that flash one by one; more flash as one, around all of them. */
const MAX_PARTS = 8;

/** Flashes at once: a script that commits a hundred times a second must not fill the page with elements. */
const MAX_FLASHES = 24;

/** Lights up what somebody else changed, in their colour, and lets it fade. The style sheet says how and how long. */
export class Flashes {
  #marks;
  /** @type {Set<HTMLElement>} */
  #lit = new Set();

  /** @param {Marks} marks */
  constructor(marks) {
    this.#marks = marks;
  }

  /** @param {readonly Rect[]} rects @param {string} color */
  light(rects, color) {
    const whole = union(rects);
    if (!whole) return;
    for (const rect of rects.length > MAX_PARTS ? [whole] : rects) this.#lightOne(rect, color);
  }

  /** @param {Rect} rect @param {string} color */
  #lightOne(rect, color) {
    const [oldest] = this.#lit;
    if (this.#lit.size >= MAX_FLASHES && oldest) this.#end(oldest);
    const element = document.createElement("div");
    element.className = "flash";
    element.style.setProperty("--agent", color);
    element.addEventListener("animationend", () => this.#end(element));
    this.#lit.add(element);
    this.#marks.put(element, rect);
  }

  /** @param {HTMLElement} element */
  #end(element) {
    this.#lit.delete(element);
    this.#marks.remove(element);
  }
}
