// @ts-check
/** @import { Theme } from "./theme.js" */
/** @import { Viewport } from "./viewport.js" */

/** A label and its tick need this many CSS pixels. */
const COLUMN_LABEL_PX = 54;
const ROW_LABEL_PX = 60;

/** The rulers without their border: stage.css has 24 and 48 px for them. */
const TOP_PX = 23;
const LEFT_PX = 47;

const FONT_PX = 10;
const FONT = '"Iosevka Chardesk", ui-monospace, "DejaVu Sans Mono", monospace';

/** @typedef {{x: number, y: number}} Cell */

/** The rulers above and beside the sheet: coordinates, and marks for the caret and the pointer. */
export class Rulers {
  #top;
  #left;
  #viewport;
  #theme;
  /** @type {Cell | null} */
  #caret = null;
  /** @type {Cell | null} */
  #pointer = null;

  /**
   * @param {HTMLCanvasElement} top
   * @param {HTMLCanvasElement} left
   * @param {Viewport} viewport
   * @param {Theme} theme
   */
  constructor(top, left, viewport, theme) {
    this.#top = strip(top);
    this.#left = strip(left);
    this.#viewport = viewport;
    this.#theme = theme;
  }

  /** @param {{caret?: Cell | null, pointer?: Cell | null}} marks what is not named stays */
  mark({ caret = this.#caret, pointer = this.#pointer }) {
    this.#caret = caret;
    this.#pointer = pointer;
  }

  paint() {
    const { ratio, cell, origin, size } = this.#viewport;
    const [, , columns, rows] = this.#viewport.visible();
    const { x, y } = origin;
    this.#paintOne(
      this.#top,
      "x",
      { width: size.width, height: TOP_PX },
      x,
      columns,
      cell.width / ratio,
      COLUMN_LABEL_PX,
    );
    this.#paintOne(
      this.#left,
      "y",
      { width: LEFT_PX, height: size.height },
      y,
      rows,
      cell.height / ratio,
      ROW_LABEL_PX,
    );
  }

  /**
   * @param {CanvasRenderingContext2D} paper
   * @param {"x" | "y"} axis
   * @param {{width: number, height: number}} size CSS pixels
   * @param {number} first @param {number} count cells on the screen
   * @param {number} step CSS pixels a cell
   * @param {number} space CSS pixels a label needs
   */
  #paintOne(paper, axis, size, first, count, step, space) {
    const { ratio } = this.#viewport;
    fitCanvas(paper.canvas, size, ratio);
    paper.setTransform(ratio, 0, 0, ratio, 0, 0);
    paper.fillStyle = this.#theme.surface("desk");
    paper.fillRect(0, 0, size.width, size.height);
    this.#paintMarks(paper, axis, size, step);
    const major = nice(space / step);
    const minor = major % 5 === 0 ? major / 5 : major;
    for (let n = Math.ceil(first / minor) * minor; n <= first + count; n += minor) {
      this.#paintTick(paper, axis, size, n, n % major === 0, step);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} paper
   * @param {"x" | "y"} axis
   * @param {{width: number, height: number}} size
   * @param {number} n
   * @param {boolean} isMajor
   * @param {number} step
   */
  #paintTick(paper, axis, size, n, isMajor, step) {
    const at = this.#at(axis, n);
    const long = isMajor ? 8 : 4;
    const hair = 1 / this.#viewport.ratio;
    paper.fillStyle = this.#theme.surface("tick");
    if (axis === "x") paper.fillRect(at, size.height - long, hair, long);
    else paper.fillRect(size.width - long, at, long, hair);
    if (!isMajor) return;
    paper.fillStyle = this.#theme.color("muted");
    paper.font = `${FONT_PX}px ${FONT}`;
    paper.textBaseline = "middle";
    paper.textAlign = axis === "x" ? "center" : "right";
    const middle = at + Math.min(step, 24) / 2;
    if (axis === "x") paper.fillText(String(n), middle, size.height / 2 - 3);
    else paper.fillText(String(n), size.width - 11, middle + 0.5, size.width - 14);
  }

  /**
   * @param {CanvasRenderingContext2D} paper
   * @param {"x" | "y"} axis
   * @param {{width: number, height: number}} size
   * @param {number} step
   */
  #paintMarks(paper, axis, size, step) {
    const marks = [
      { cell: this.#pointer, color: this.#theme.surface("line") },
      { cell: this.#caret, color: this.#theme.surface("mark") },
    ];
    for (const { cell, color } of marks) {
      if (!cell) continue;
      paper.fillStyle = color;
      const at = this.#at(axis, cell[axis]);
      if (axis === "x") paper.fillRect(at, 0, Math.max(2, step), size.height);
      else paper.fillRect(0, at, size.width, Math.max(2, step));
    }
  }

  /** Where a column or row begins, in CSS pixels. @param {"x" | "y"} axis @param {number} n */
  #at(axis, n) {
    const { x, y } = this.#viewport.origin;
    const { left, top } = this.#viewport.place(axis === "x" ? n : x, axis === "y" ? n : y);
    return (axis === "x" ? left : top) / this.#viewport.ratio;
  }
}

/** The smallest of 1, 2, 5, 10 × a power of ten that is no less. @param {number} value */
export function nice(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return ([1, 2, 5].find((digit) => digit * power >= value) ?? 10) * power;
}

/** @param {HTMLCanvasElement} canvas */
function strip(canvas) {
  const paper = canvas.getContext("2d", { alpha: false });
  if (!paper) throw new Error("this browser has no 2D canvas");
  return paper;
}

/**
 * As many pixels as the screen has there, none of them stretched. Only when it differs: setting a size clears a canvas.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {{width: number, height: number}} size CSS pixels
 * @param {number} ratio
 */
export function fitCanvas(canvas, size, ratio) {
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  if (canvas.width === width && canvas.height === height) return;
  canvas.width = width;
  canvas.height = height;
  canvas.style.width = `${width / ratio}px`;
  canvas.style.height = `${height / ratio}px`;
}
