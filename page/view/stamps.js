// @ts-check
/** @import { Attrs } from "../wire/messages.js" */
/** @import { Size } from "./brush.js" */
/** @import { Typeface } from "./glyphs.js" */
/** @import { Rgb } from "./contrast.js" */
import { Brush } from "./brush.js";

/** Pixels of stamps that are kept; beyond, all are forgotten. A screen of text has some ten thousand. */
const MAX_PIXELS = 4 * 2 ** 20;

/**
 * Systems draw light text a little bolder than dark text, so there are stamps for four lights of ink. They are drawn in
 * these colours: none is a grey, so that a grey emoji is told from a glyph in the colour of the ink.
 *
 * @type {readonly Rgb[]}
 */
const INKS = [
  [0, 0, 72],
  [72, 72, 176],
  [176, 176, 96],
  [255, 255, 176],
];

/** A pixel that is farther from the ink than this has a colour of its own. */
const TOLERANCE = 24;

/** Under this much ink a pixel's colour was rounded too much to tell. */
const TELLING_ALPHA = 64;

/**
 * A cluster's pixels, without what is empty around them. Where `colors` is null the ink gives the colour and `alpha` how
 * much of it; else the glyph has colours of its own, as an emoji does.
 *
 * @typedef {object} Stamp
 * @property {number} left of the cell's left top corner, in device pixels; it may be negative
 * @property {number} top
 * @property {number} width
 * @property {number} height
 * @property {Uint8Array} alpha 0 to 255, row by row
 * @property {Uint32Array | null} colors as an image has them
 */

/** Clusters drawn once by the brush, and kept as pixels: of one cell size, in every face. */
export class Stamps {
  #typeface;
  #paper = readable();
  #brush;
  #ink = "";
  /** @type {Size} */
  #cell = { width: 0, height: 0 };
  /** @type {Map<string, Map<string, Stamp>>} */
  #drawers = new Map();
  #pixels = 0;

  /** @param {Typeface} typeface */
  constructor(typeface) {
    this.#typeface = typeface;
    this.#brush = new Brush(this.#paper, typeface, () => ({ text: this.#ink, back: null }));
    typeface.changed.subscribe(() => this.forget());
  }

  /** Get ready for cells of this size. @param {Size} cell whole device pixels */
  use({ width, height }) {
    if (width !== this.#cell.width || height !== this.#cell.height) this.forget();
    this.#cell = { width, height };
    if (this.#pixels > MAX_PIXELS) this.forget();
  }

  /** All of them will be drawn anew: fonts came. */
  forget() {
    this.#drawers.clear();
    this.#pixels = 0;
  }

  /**
   * What makes stamps of clusters of so many columns in one face and ink; ask anew after `use`.
   *
   * @param {number} columns
   * @param {Attrs | undefined} attrs
   * @param {Rgb} ink
   * @returns {(cluster: string) => Stamp}
   */
  of(columns, attrs, ink) {
    const shade = Math.min(INKS.length - 1, Math.floor(luminance(ink) * INKS.length));
    const key = `${columns} ${shade} ${this.#typeface.font(attrs)}`;
    /** @type {Map<string, Stamp>} */
    const drawer = this.#drawers.get(key) ?? new Map();
    this.#drawers.set(key, drawer);
    return (cluster) => {
      const known = drawer.get(cluster);
      if (known) return known;
      const stamp = this.#drawn(cluster, columns, attrs, INKS[shade] ?? [0, 0, 0]);
      drawer.set(cluster, stamp);
      this.#pixels += stamp.alpha.length;
      return stamp;
    };
  }

  /** @param {string} cluster @param {number} columns @param {Attrs | undefined} attrs @param {Rgb} ink @returns {Stamp} */
  #drawn(cluster, columns, attrs, ink) {
    const { width, height } = this.#cell;
    // One cell more on every side: as far as a glyph may reach.
    const [across, down] = [(columns + 2) * width, 3 * height];
    const { canvas } = this.#paper;
    if (canvas.width < across) canvas.width = across;
    if (canvas.height < down) canvas.height = down;
    this.#paper.clearRect(0, 0, across, down);
    this.#ink = `rgb(${ink.join()})`;
    this.#brush.start();
    const style = attrs ? { attrs: { bold: attrs.bold ?? false, italic: attrs.italic ?? false } } : {};
    const chars = [cluster, ...Array(columns - 1).fill("")];
    this.#brush.glyphs({ chars, styles: chars.map(() => style) }, width, height, this.#cell);
    return trimmed(this.#paper.getImageData(0, 0, across, down), width, height, ink);
  }
}

/** @param {ImageData} image @param {number} x of the cell in it @param {number} y @param {Rgb} ink @returns {Stamp} */
function trimmed({ data, width, height }, x, y, ink) {
  let [left, top, right, bottom] = [width, height, 0, 0];
  let isColored = false;
  for (let at = 3, n = 0; at < data.length; at += 4, n++) {
    const alpha = data[at] ?? 0;
    if (!alpha) continue;
    const [column, row] = [n % width, Math.floor(n / width)];
    [left, top] = [Math.min(left, column), Math.min(top, row)];
    [right, bottom] = [Math.max(right, column + 1), Math.max(bottom, row + 1)];
    if (alpha > TELLING_ALPHA) isColored ||= ink.some((part, k) => Math.abs((data[at - 3 + k] ?? 0) - part) > TOLERANCE);
  }
  if (right <= left) return { left: 0, top: 0, width: 0, height: 0, alpha: new Uint8Array(0), colors: null };
  const box = { left, top, width: right - left, height: bottom - top };
  const all = new Uint32Array(data.buffer);
  const colors = cut(all, width, box);
  const alpha = Uint8Array.from(colors, (color) => color >>> 24);
  return { ...box, left: left - x, top: top - y, alpha, colors: isColored ? colors : null };
}

/** @param {Uint32Array} pixels @param {number} stride @param {{left: number, top: number, width: number, height: number}} box */
function cut(pixels, stride, { left, top, width, height }) {
  const found = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = (top + row) * stride + left;
    found.set(pixels.subarray(from, from + width), row * width);
  }
  return found;
}

/** 0 to 1, as bright as it looks. @param {Rgb} color */
function luminance([red, green, blue]) {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

function readable() {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser has no 2D canvas");
  return context;
}
