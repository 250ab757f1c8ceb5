// @ts-check
/** @import { Rect } from "./region.js" */
import { clipped, touch, union } from "./region.js";

/** Places that are remembered; more are put together with the nearest. */
const MAX_PLACES = 100;

/** What others changed where the person was not looking, as places to go to: oldest first. */
export class Unseen {
  /** @type {Rect[]} */
  #places = [];

  get places() {
    return /** @type {readonly Rect[]} */ (this.#places);
  }

  /**
   * A change by somebody else.
   *
   * @param {readonly Rect[]} rects
   * @param {Rect | null} visible what the person sees; null while the page is hidden
   */
  add(rects, visible) {
    const missed = union(rects.filter((rect) => !visible || !clipped(rect, visible)));
    if (!missed) return;
    /** @type {Rect} */
    const grown = [missed[0] - 1, missed[1] - 1, missed[2] + 2, missed[3] + 2];
    const near = this.#places.filter((place) => touch(place, grown));
    const whole = union([...near, missed]) ?? missed;
    this.#places = [...this.#places.filter((place) => !near.includes(place)), whole];
    if (this.#places.length > MAX_PLACES) this.#places.splice(0, 2, union(this.#places.slice(0, 2)) ?? whole);
  }

  /** The person looks here: these places are no longer missed. @param {Rect} visible @returns {Rect[]} */
  look(visible) {
    const seen = this.#places.filter((place) => clipped(place, visible));
    this.#places = this.#places.filter((place) => !seen.includes(place));
    return seen;
  }

  clear() {
    this.#places = [];
  }
}
