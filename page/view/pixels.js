// @ts-check
/** @import { CellStyle } from "../wire/messages.js" */
/** @import { Strip } from "../model/cell.js" */
/** @import { Ink } from "./brush.js" */

/** How much of its cell a character's ink covers: blocks all of it, letters about a third. */
const BLOCK_COVER = 1;
const GLYPH_COVER = 0.4;

/** @typedef {readonly [red: number, green: number, blue: number]} Rgb */

/**
 * The far view: one pixel a cell, written into an image that is then stretched over the screen.
 */
export class Pixels {
  #canvas = new OffscreenCanvas(1, 1);
  #probe = probe();
  /** @type {Map<string, Rgb>} */
  #colors = new Map();

  /**
   * @param {{y: number, columns: number, rows: number, strip: (y: number) => Strip | null}} area null: an empty row
   * @param {(style: CellStyle) => Ink} inkOf
   * @param {string} paper the sheet's colour; empty cells are transparent
   * @returns {OffscreenCanvas} `columns` × `rows` pixels
   */
  draw({ y, columns, rows, strip }, inkOf, paper) {
    this.#canvas.width = columns;
    this.#canvas.height = rows;
    const context = this.#canvas.getContext("2d");
    if (!context) return this.#canvas;
    const image = context.createImageData(columns, rows);
    for (let row = 0; row < rows; row++) {
      const cells = strip(y + row);
      if (cells) this.#row(image.data, row * columns * 4, cells, inkOf, paper);
    }
    context.putImageData(image, 0, 0);
    return this.#canvas;
  }

  /** @param {Uint8ClampedArray} data @param {number} at @param {Strip} cells @param {(style: CellStyle) => Ink} inkOf @param {string} paper */
  #row(data, at, { chars, styles }, inkOf, paper) {
    for (let n = 0; n < chars.length; n++, at += 4) {
      const [char, style] = [chars[n], styles[n]];
      if (char === null || char === undefined || !style) continue;
      const ink = inkOf(style);
      const cover = char === " " ? 0 : isBlock(char) ? BLOCK_COVER : GLYPH_COVER;
      if (!ink.back && !cover) continue;
      const back = this.#rgb(ink.back ?? paper);
      const text = this.#rgb(ink.text);
      for (const part of /** @type {const} */ ([0, 1, 2])) data[at + part] = back[part] + (text[part] - back[part]) * cover;
      data[at + 3] = 255;
    }
  }

  /** The browser reads the colour for us, whatever it is written like. @param {string} color @returns {Rgb} */
  #rgb(color) {
    const known = this.#colors.get(color);
    if (known) return known;
    this.#probe.fillStyle = color;
    this.#probe.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = this.#probe.getImageData(0, 0, 1, 1).data;
    this.#colors.set(color, [red, green, blue]);
    return [red, green, blue];
  }
}

/** @param {string} char */
function isBlock(char) {
  return char >= "\u2580" && char <= "\u259f";
}

function probe() {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser has no 2D canvas");
  return context;
}
