// @ts-check
/** @import { Rect } from "../model/region.js" */
/** @import { Viewport } from "./viewport.js" */
import { clipped } from "../model/region.js";

/**
 * Keeps elements over the cells they belong to: selection, ghosts' frames, flashes, the caret. They are ordinary
 * elements, so style sheets animate them and a pan moves them without painting.
 */
export class Marks {
  #layer;
  #viewport;
  /** @type {Map<HTMLElement, Rect>} */
  #places = new Map();

  /** @param {HTMLElement} layer @param {Viewport} viewport */
  constructor(layer, viewport) {
    this.#layer = layer;
    this.#viewport = viewport;
    viewport.changed.subscribe(() => this.#placeAll());
  }

  /** Put an element over a rectangle, or move it there. @param {HTMLElement} element @param {Rect} rect */
  put(element, rect) {
    this.#places.set(element, rect);
    this.#place(element, rect);
    if (element.parentNode !== this.#layer) this.#layer.append(element);
  }

  /** Take it away; again, nothing happens. @param {HTMLElement} element */
  remove(element) {
    this.#places.delete(element);
    element.remove();
  }

  #placeAll() {
    for (const [element, rect] of this.#places) this.#place(element, rect);
  }

  /**
   * Only what is near the screen: a rectangle of a million columns is no element.
   *
   * @param {HTMLElement} element
   * @param {Rect} rect
   */
  #place(element, rect) {
    const [x, y, columns, rows] = this.#viewport.visible();
    const near = clipped(rect, [x - columns, y - rows, 3 * columns, 3 * rows]);
    element.hidden = !near;
    if (!near) return;
    const { left, top } = this.#viewport.place(near[0], near[1]);
    const { width, height } = this.#viewport.cell;
    const { ratio } = this.#viewport;
    element.style.transform = `translate(${left / ratio}px, ${top / ratio}px)`;
    element.style.width = `${(near[2] * width) / ratio}px`;
    element.style.height = `${(near[3] * height) / ratio}px`;
  }
}
