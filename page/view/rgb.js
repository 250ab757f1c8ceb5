// @ts-check
/** @import { Rgb } from "./contrast.js" */
import { parsed } from "./contrast.js";

/** Colours as numbers. The browser reads for us what is not written as `#rrggbb`. */
export class Rgbs {
  #probe = probe();
  /** @type {Map<string, Rgb>} */
  #known = new Map();

  /** @param {string} color @returns {Rgb} */
  of(color) {
    const known = this.#known.get(color);
    if (known) return known;
    const found = parsed(color) ?? this.#read(color);
    this.#known.set(color, found);
    return found;
  }

  /** Can pixels be read back as they were drawn? Browsers that hide from trackers answer noise. */
  get isTrue() {
    return String(this.#read("#0c2238")) === "12,34,56" && String(this.#read("#fedc9a")) === "254,220,154";
  }

  /** @param {string} color @returns {Rgb} */
  #read(color) {
    this.#probe.fillStyle = color;
    this.#probe.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = this.#probe.getImageData(0, 0, 1, 1).data;
    return [red, green, blue];
  }
}

function probe() {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser has no 2D canvas");
  return context;
}
