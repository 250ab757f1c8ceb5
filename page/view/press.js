// @ts-check
/** @import { CellStyle } from "../wire/messages.js" */
/** @import { Strip } from "../model/cell.js" */
/** @import { Ink, Size } from "./brush.js" */
/** @import { Stamp, Stamps } from "./stamps.js" */
/** @import { Typeface } from "./glyphs.js" */
/** @import { Rgbs } from "./rgb.js" */
import { linesUnder } from "./brush.js";

/** A style as the press sees it: colours as an image has them. @typedef {{ text: number, back: number | null, narrow: (cluster: string) => Stamp, wide: (cluster: string) => Stamp }} Look */

/**
 * Prints blocks of cells: pixels are put together in memory from stamps and go to the canvas as one image. Does what
 * the brush does, in less than half the time where the browser draws in software. Hot: see tests/bench/page.py.
 *
 * An image's pixels are written as 32-bit numbers, red in the lowest byte: every machine that runs a browser is
 * little-endian.
 */
export class Press {
  #paper;
  #typeface;
  #stamps;
  #rgbs;
  #inkOf;
  /** Grows to the largest block, and is used for all. */
  #buffer = new ArrayBuffer(0);
  #image = new ImageData(1, 1);
  #pixels = new Uint32Array(1);
  #left = 0;
  #top = 0;
  /** @type {Map<CellStyle, Look>} */
  #looks = new Map();

  /**
   * @param {CanvasRenderingContext2D} paper
   * @param {{ typeface: Typeface, stamps: Stamps, rgbs: Rgbs }} parts
   * @param {(style: CellStyle) => Ink} inkOf
   */
  constructor(paper, { typeface, stamps, rgbs }, inkOf) {
    this.#paper = paper;
    this.#typeface = typeface;
    this.#stamps = stamps;
    this.#rgbs = rgbs;
    this.#inkOf = inkOf;
  }

  /**
   * Begin a block, in device pixels. What is painted until `close` shows inside it only.
   *
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} height
   * @param {Size} cell
   */
  open(left, top, width, height, cell) {
    const bytes = width * height * 4;
    if (this.#buffer.byteLength < bytes) this.#buffer = new ArrayBuffer(bytes);
    this.#image = new ImageData(new Uint8ClampedArray(this.#buffer, 0, bytes), width, height);
    this.#pixels = new Uint32Array(this.#buffer, 0, width * height);
    [this.#left, this.#top] = [left, top];
    this.#stamps.use(cell);
    this.#looks.clear();
  }

  close() {
    this.#paper.putImageData(this.#image, this.#left, this.#top);
  }

  /** @param {string} color @param {number} left @param {number} top @param {number} width @param {number} height */
  fill(color, left, top, width, height) {
    this.#fill(this.#number(color), left, top, width, height);
  }

  /** One row's backgrounds: as the brush's. @param {Strip} strip @param {number} left @param {number} top @param {Size} cell */
  backs({ styles }, left, top, cell) {
    for (let start = 0, end = 0; start < styles.length; start = end) {
      const style = styles[start];
      if (!style) return;
      while (end < styles.length && styles[end] === style) end += 1;
      const { back } = this.#look(style);
      if (back !== null) this.#fill(back, left + start * cell.width, top, (end - start) * cell.width, cell.height);
    }
  }

  /** One row's glyphs: as the brush's. @param {Strip} strip @param {number} left @param {number} top @param {Size} cell */
  glyphs({ chars, styles }, left, top, cell) {
    for (let start = 0, end = 0; start < chars.length; start = end) {
      const style = styles[start];
      if (!style) return;
      while (end < chars.length && styles[end] === style) end += 1;
      const { text, narrow, wide } = this.#look(style);
      for (let n = start; n < end; n++) {
        const char = chars[n];
        if (!char || char === " ") continue;
        const stamp = chars[n + 1] === "" ? wide(char) : narrow(char);
        this.#print(stamp, text, left + n * cell.width - this.#left, top - this.#top);
      }
      for (const [down, height] of linesUnder(style, this.#typeface.baseline, cell.height))
        this.#fill(text, left + start * cell.width, top + down, (end - start) * cell.width, height);
    }
  }

  /** @param {number} color @param {number} left @param {number} top @param {number} width @param {number} height */
  #fill(color, left, top, width, height) {
    const stride = this.#image.width;
    const x0 = Math.max(0, left - this.#left);
    const x1 = Math.min(stride, left - this.#left + width);
    const y1 = Math.min(this.#image.height, top - this.#top + height);
    if (x1 <= x0) return;
    for (let y = Math.max(0, top - this.#top); y < y1; y++) this.#pixels.fill(color, y * stride + x0, y * stride + x1);
  }

  /** @param {Stamp} stamp @param {number} ink @param {number} x of the cell in the image @param {number} y */
  #print({ left, top, width, height, alpha, colors }, ink, x, y) {
    const pixels = this.#pixels;
    const stride = this.#image.width;
    const from = Math.max(0, -x - left);
    const to = Math.min(width, stride - x - left);
    const last = Math.min(height, this.#image.height - y - top);
    for (let row = Math.max(0, -y - top); row < last; row++) {
      let source = row * width + from;
      let target = (y + top + row) * stride + x + left + from;
      for (const end = row * width + to; source < end; source++, target++) {
        const cover = alpha[source] ?? 0;
        if (cover === 0) continue;
        const color = colors ? (colors[source] ?? 0) : ink;
        pixels[target] = cover === 255 ? color : mixed(pixels[target] ?? 0, color, cover);
      }
    }
  }

  /** @param {CellStyle} style @returns {Look} */
  #look(style) {
    const known = this.#looks.get(style);
    if (known) return known;
    const { text, back } = this.#inkOf(style);
    const ink = this.#rgbs.of(text);
    /** @type {Look} */
    const look = {
      text: this.#number(text),
      back: back === null ? null : this.#number(back),
      narrow: this.#stamps.of(1, style.attrs, ink),
      wide: this.#stamps.of(2, style.attrs, ink),
    };
    this.#looks.set(style, look);
    return look;
  }

  /** @param {string} color */
  #number(color) {
    const [red, green, blue] = this.#rgbs.of(color);
    return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
  }
}

/** Ink over a pixel, red and blue in one go. @param {number} under @param {number} ink @param {number} cover 0 to 255 */
function mixed(under, ink, cover) {
  const some = cover + (cover >> 7); // 0 to 256, so that a shift divides
  const rest = 256 - some;
  const redBlue = ((Math.imul(ink & 0xff00ff, some) + Math.imul(under & 0xff00ff, rest)) >>> 8) & 0xff00ff;
  const green = ((Math.imul(ink & 0x00ff00, some) + Math.imul(under & 0x00ff00, rest)) >>> 8) & 0x00ff00;
  return (0xff000000 | redBlue | green) >>> 0;
}
