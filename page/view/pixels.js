// @ts-check
/** @import { CellStyle } from "../wire/messages.js" */
/** @import { Strip } from "../model/cell.js" */
/** @import { Ink } from "./brush.js" */
/** @import { Rgb } from "./contrast.js" */
/** @import { Rgbs } from "./rgb.js" */

/** Lines of an image that make one row of cells, where there is room for them; else it is one. */
const FINE = 4;

/** The lowest cell, in device pixels, that is drawn in fine lines. */
const FINE_MIN_HEIGHT = 6;

/**
 * How much ink each line of a cell shows. Text leaves its first and last open, so that rows stay apart; lines
 * that run down do not, so that boxes hold together.
 */
const INK = {
  blank: [0, 0, 0, 0],
  glyph: [0, 0.5, 0.5, 0],
  level: [0, 0.7, 0, 0],
  upright: [0.6, 0.6, 0.6, 0.6],
  block: [1, 1, 1, 1],
};

/**
 * The far view: a column of a few pixels for every cell, written into an image that is then stretched over the
 * screen.
 */
export class Pixels {
  #canvas = new OffscreenCanvas(1, 1);
  #rgbs;

  /** @param {Rgbs} rgbs */
  constructor(rgbs) {
    this.#rgbs = rgbs;
  }

  /**
   * @param {{y: number, columns: number, rows: number, strip: (y: number) => Strip | null}} area null: an empty row
   * @param {number} height of a cell in device pixels
   * @param {(style: CellStyle) => Ink} inkOf
   * @param {string} paper the sheet's colour; empty cells are transparent
   * @returns {OffscreenCanvas} one pixel wide a cell
   */
  draw({ y, columns, rows, strip }, height, inkOf, paper) {
    const lines = height < FINE_MIN_HEIGHT ? 1 : FINE;
    this.#canvas.width = columns;
    this.#canvas.height = rows * lines;
    const context = this.#canvas.getContext("2d");
    if (!context) return this.#canvas;
    const image = context.createImageData(columns, rows * lines);
    for (let row = 0; row < rows; row++) {
      const cells = strip(y + row);
      if (cells) this.#row(image, row, lines, cells, inkOf, paper);
    }
    context.putImageData(image, 0, 0);
    return this.#canvas;
  }

  /**
   * @param {ImageData} image
   * @param {number} row
   * @param {number} lines
   * @param {Strip} cells
   * @param {(style: CellStyle) => Ink} inkOf
   * @param {string} paper
   */
  #row({ data, width }, row, lines, { chars, styles }, inkOf, paper) {
    for (let n = 0; n < chars.length; n++) {
      const [char, style] = [chars[n], styles[n]];
      if (char === null || char === undefined || !style) continue;
      const ink = inkOf(style);
      const covers = coversOf(char);
      if (!ink.back && covers === INK.blank) continue;
      const back = this.#rgbs.of(ink.back ?? paper);
      const text = this.#rgbs.of(ink.text);
      for (let line = 0; line < lines; line++) {
        const cover = covers[lines === 1 ? 1 : line] ?? 0;
        if (!cover && !ink.back) continue;
        mixInto(data, ((row * lines + line) * width + n) * 4, back, text, cover);
      }
    }
  }
}

/** @param {Uint8ClampedArray} data @param {number} at @param {Rgb} back @param {Rgb} text @param {number} cover */
function mixInto(data, at, back, text, cover) {
  for (const part of /** @type {const} */ ([0, 1, 2])) data[at + part] = back[part] + (text[part] - back[part]) * cover;
  data[at + 3] = 255;
}

/** @param {string} char */
function coversOf(char) {
  if (char === " ") return INK.blank;
  if (char < "\u2500" || char > "\u259f") return INK.glyph;
  if (char >= "\u2580") return INK.block;
  return "─━═┄┅┈┉╌╍╴╶╸╺╼╾".includes(char) ? INK.level : INK.upright;
}
