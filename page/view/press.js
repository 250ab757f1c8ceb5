// @ts-check
/** @import { CellStyle } from "../wire/messages.js" */
/** @import { Strip } from "../model/cell.js" */
/** @import { Ink, Size } from "./brush.js" */
/** @import { Stamp, Stamps } from "./stamps.js" */
/** @import { Typeface } from "./glyphs.js" */
/** @import { Rgbs } from "./rgb.js" */
import { linesUnder } from "./brush.js";

/** A style as the press sees it: colours as an image has them. @typedef {{ text: number, back: number | null, narrow: (cluster: string) => Stamp, wide: (cluster: string) => Stamp }} Look */

/** In device pixels; `right` and `bottom` are outside. @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/**
 * Prints blocks of cells: pixels are put together in memory from stamps and go to the canvas as one image. Does what
 * the brush does, in less than half the time where the browser draws in software. Hot: see tests/bench/page.py.
 *
 * All of the screen is kept in memory: to scroll in it is one copy, while a canvas that is drawn onto itself is copied
 * several times over.
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
  #image = new ImageData(1, 1);
  #pixels = new Uint32Array(1);
  /** What is being painted. @type {Box} */
  #block = { left: 0, top: 0, right: 0, bottom: 0 };
  /** What the canvas does not show yet. @type {Box | null} */
  #unseen = null;
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
    const screen = this.#screen();
    this.#block = {
      left: Math.max(0, left),
      top: Math.max(0, top),
      right: Math.min(screen.width, left + width),
      bottom: Math.min(screen.height, top + height),
    };
    this.#stamps.use(cell);
    this.#looks.clear();
  }

  close() {
    this.#unseen = this.#unseen ? around(this.#unseen, this.#block) : this.#block;
  }

  /** Move what was painted; what comes into sight has to be painted. @param {number} right device pixels @param {number} down */
  scroll(right, down) {
    const { width, height } = this.#screen();
    const by = down * width + right;
    this.#pixels.copyWithin(Math.max(0, -by), Math.max(0, by), Math.min(width * height, width * height + by));
    this.#unseen = { left: 0, top: 0, right: width, bottom: height };
  }

  /** Show on the canvas what was painted since the last time. */
  show() {
    if (!this.#unseen) return;
    const { left, top, right, bottom } = this.#unseen;
    this.#paper.putImageData(this.#image, 0, 0, left, top, right - left, bottom - top);
    this.#unseen = null;
  }

  /** The image of the whole canvas, which may have another size now. */
  #screen() {
    const { width, height } = this.#paper.canvas;
    if (width !== this.#image.width || height !== this.#image.height) {
      this.#image = new ImageData(width, height);
      this.#pixels = new Uint32Array(this.#image.data.buffer);
      this.#unseen = null;
    }
    return this.#image;
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
        this.#print(stamp, text, left + n * cell.width, top);
      }
      for (const [down, height] of linesUnder(style, this.#typeface.baseline, cell.height))
        this.#fill(text, left + start * cell.width, top + down, (end - start) * cell.width, height);
    }
  }

  /** @param {number} color @param {number} left @param {number} top @param {number} width @param {number} height */
  #fill(color, left, top, width, height) {
    const block = this.#block;
    const stride = this.#image.width;
    const x0 = Math.max(block.left, left);
    const x1 = Math.min(block.right, left + width);
    const y1 = Math.min(block.bottom, top + height);
    if (x1 <= x0) return;
    for (let y = Math.max(block.top, top); y < y1; y++) this.#pixels.fill(color, y * stride + x0, y * stride + x1);
  }

  /** @param {Stamp} stamp @param {number} ink @param {number} x of the cell @param {number} y */
  #print({ left, top, width, height, alpha, colors }, ink, x, y) {
    const pixels = this.#pixels;
    const stride = this.#image.width;
    const block = this.#block;
    const from = Math.max(0, block.left - x - left);
    const to = Math.min(width, block.right - x - left);
    const last = Math.min(height, block.bottom - y - top);
    for (let row = Math.max(0, block.top - y - top); row < last; row++) {
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

/** @param {Box} a @param {Box} b @returns {Box} */
function around(a, b) {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

/** Ink over a pixel, red and blue in one go. @param {number} under @param {number} ink @param {number} cover 0 to 255 */
function mixed(under, ink, cover) {
  const some = cover + (cover >> 7); // 0 to 256, so that a shift divides
  const rest = 256 - some;
  const redBlue = ((Math.imul(ink & 0xff00ff, some) + Math.imul(under & 0xff00ff, rest)) >>> 8) & 0xff00ff;
  const green = ((Math.imul(ink & 0x00ff00, some) + Math.imul(under & 0x00ff00, rest)) >>> 8) & 0x00ff00;
  return (0xff000000 | redBlue | green) >>> 0;
}
