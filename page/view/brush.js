// @ts-check
/** @import { CellStyle } from "../wire/messages.js" */
/** @import { Strip } from "../model/cell.js" */
/** @import { Typeface } from "./glyphs.js" */
/** @import { Shape } from "./shape.js" */
/** @typedef {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} Paper */
/** @typedef {{ text: string, back: string | null }} Ink */
/** @typedef {{ width: number, height: number }} Size device pixels */

/**
 * Draws rows of cells. Hot: a full screen is some ten thousand cells, so text of equal style goes out in runs
 * and the context's state is only touched when it changes.
 */
export class Brush {
  #paper;
  #typeface;
  #inkOf;
  #font = "";
  #color = "";

  /**
   * @param {Paper} paper
   * @param {Typeface} typeface
   * @param {(style: CellStyle) => Ink} inkOf
   */
  constructor(paper, typeface, inkOf) {
    this.#paper = paper;
    this.#typeface = typeface;
    this.#inkOf = inkOf;
  }

  /** To be called before painting: a resized canvas has forgotten its state. */
  start() {
    this.#font = this.#color = "";
    this.#paper.textBaseline = "alphabetic";
    this.#paper.textRendering = "optimizeSpeed"; // no kerning, no ligatures: `->` stays two cells
    this.#paper.fontKerning = "none";
  }

  /**
   * Begin a block, in device pixels. What is painted until `close` shows inside it only.
   *
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} height
   */
  open(left, top, width, height) {
    this.#paper.save();
    this.#paper.beginPath();
    this.#paper.rect(left, top, width, height);
    this.#paper.clip();
    this.start();
  }

  close() {
    this.#paper.restore();
    this.start();
  }

  /** Move what was painted; what comes into sight has to be painted. @param {number} right device pixels @param {number} down */
  scroll(right, down) {
    this.#paper.drawImage(this.#paper.canvas, -right, -down);
  }

  /** What was painted is on the canvas already: the press needs to be told. */
  show() {}

  /** @param {string} color @param {number} left @param {number} top @param {number} width @param {number} height */
  fill(color, left, top, width, height) {
    this.#use(color);
    this.#paper.fillRect(left, top, width, height);
  }

  /**
   * One row's backgrounds, from a point in device pixels.
   *
   * @param {Strip} strip
   * @param {number} left
   * @param {number} top
   * @param {Size} cell
   */
  backs({ styles }, left, top, cell) {
    for (let start = 0, end = 0; start < styles.length; start = end) {
      const style = styles[start];
      if (!style) return;
      while (end < styles.length && styles[end] === style) end += 1;
      const { back } = this.#inkOf(style);
      if (back) this.fill(back, left + start * cell.width, top, (end - start) * cell.width, cell.height);
    }
  }

  /**
   * One row's glyphs. They may reach a little over the row and its ends.
   *
   * @param {Strip} strip
   * @param {number} left
   * @param {number} top
   * @param {Size} cell
   */
  glyphs({ chars, styles }, left, top, cell) {
    for (let start = 0, end = 0; start < chars.length; start = end) {
      const style = styles[start];
      if (!style) return;
      while (end < chars.length && styles[end] === style) end += 1;
      this.#span(chars, start, end, style, this.#inkOf(style), left, top, cell);
    }
  }

  /**
   * The glyphs of neighbouring columns of one style.
   * @param {readonly (string | null)[]} chars @param {number} start @param {number} end
   * @param {CellStyle} style @param {Ink} ink @param {number} left @param {number} top @param {Size} cell
   */
  #span(chars, start, end, style, ink, left, top, cell) {
    let run = "";
    let from = start;
    for (let n = start; n < end; n++) {
      const char = chars[n];
      if (char === null || char === undefined || char === " ") {
        if (run) run += " ";
        else from = n + 1;
      } else if (this.#typeface.isEven(char) && !this.#typeface.shape(char)) {
        run += char;
      } else {
        this.#text(run, style, ink, left + from * cell.width, top);
        if (char) this.#cluster(char, chars[n + 1] === "" ? 2 : 1, style, ink, left + n * cell.width, top);
        [run, from] = ["", n + 1];
      }
    }
    this.#text(run, style, ink, left + from * cell.width, top);
    for (const [down, height] of linesUnder(style, this.#typeface.baseline, cell.height))
      this.fill(ink.text, left + start * cell.width, top + down, (end - start) * cell.width, height);
  }

  /** @param {string} run @param {CellStyle} style @param {Ink} ink @param {number} left @param {number} top */
  #text(run, style, ink, left, top) {
    if (!run) return;
    this.#use(ink.text, this.#typeface.font(style.attrs));
    this.#paper.fillText(run, left, top + this.#typeface.baseline);
  }

  /**
   * @param {string} char
   * @param {number} columns
   * @param {CellStyle} style
   * @param {Ink} ink
   * @param {number} left
   * @param {number} top
   */
  #cluster(char, columns, style, ink, left, top) {
    const drawn = this.#typeface.shape(char);
    if (drawn) return this.#shape(drawn, ink, left, top);
    const { across, down, shift } = this.#typeface.fit(char, columns, style.attrs);
    this.#use(ink.text, this.#typeface.font(style.attrs));
    const baseline = top + this.#typeface.baseline;
    if (across === 1) return this.#paper.fillText(char, left + shift, baseline);
    this.#paper.save();
    this.#paper.translate(left + shift, baseline);
    this.#paper.scale(across, down);
    this.#paper.fillText(char, 0, 0);
    this.#paper.restore();
  }

  /** @param {{path: Path2D, shape: Shape}} drawn @param {Ink} ink @param {number} left @param {number} top */
  #shape({ path, shape }, ink, left, top) {
    this.#use(ink.text);
    this.#paper.globalAlpha = shape.alpha;
    for (const [x, y, width, height] of shape.fills) this.#paper.fillRect(left + x, top + y, width, height);
    if (shape.strokes.length || shape.dots.length) this.#path(path, shape, ink, left, top);
    this.#paper.globalAlpha = 1;
  }

  /** @param {Path2D} path @param {Shape} shape @param {Ink} ink @param {number} left @param {number} top */
  #path(path, { strokes, pen }, ink, left, top) {
    this.#paper.translate(left, top);
    if (strokes.length) {
      this.#paper.strokeStyle = ink.text;
      this.#paper.lineWidth = pen;
      this.#paper.stroke(path);
    } else {
      this.#paper.fill(path);
    }
    this.#paper.translate(-left, -top);
  }

  /** @param {string} color @param {string} [font] */
  #use(color, font) {
    if (color !== this.#color) this.#paper.fillStyle = this.#color = color;
    if (font && font !== this.#font) this.#paper.font = this.#font = font;
  }
}

/** @type {readonly (readonly [number, number])[]} */
const NO_LINES = [];

/**
 * Underline, strike and the line under a link: how far under the cell's top, and how thick, in device pixels.
 *
 * @param {CellStyle} style
 * @param {number} baseline
 * @param {number} height of the cell
 * @returns {readonly (readonly [down: number, thick: number])[]}
 */
export function linesUnder({ attrs, href }, baseline, height) {
  if (!attrs && !href) return NO_LINES;
  const pen = Math.max(1, Math.round(height / 18));
  /** @type {[number, number][]} */
  const lines = [];
  if (attrs?.underline || href) lines.push([Math.min(baseline + 2 * pen, height - pen), pen]);
  if (attrs?.strike) lines.push([baseline - Math.round(height * 0.24), pen]);
  return lines;
}
