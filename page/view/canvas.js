// @ts-check
/** @import { Rect } from "../model/region.js" */
/** @import { Strip } from "../model/cell.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Typeface } from "./glyphs.js" */
/** @import { Viewport } from "./viewport.js" */
/** @import { Ink } from "./brush.js" */
/** @import { CellStyle } from "../wire/messages.js" */
import { clipped } from "../model/region.js";
import { Brush } from "./brush.js";
import { Pixels } from "./pixels.js";
import { Press } from "./press.js";
import { Rgbs } from "./rgb.js";
import { Stamps } from "./stamps.js";
import { DirtyRows } from "./dirty.js";
import { GLYPH_MIN_WIDTH } from "./viewport.js";

/** A point of light where every tenth column meets every fifth row, so that an empty sheet has a scale. */
const DOT_COLUMNS = 10;
const DOT_ROWS = 5;

/**
 * What a sheet is to the painter.
 * @typedef {object} Source
 * @property {(y: number, x0: number, x1: number) => Strip} strip
 * @property {() => Rect | null} bounds
 * @property {readonly [number, number] | null} size of a slide; null is endless
 */

/** @typedef {{x: number, y: number, dx: number, dy: number, width: number, height: number}} Camera */

/**
 * Paints cells on one opaque canvas. It repaints only what was invalidated, and on a pan what came into
 * sight. Glyphs may reach one cell over their own, so a change repaints its neighbours too: a partial repaint
 * gives the same pixels as a full one.
 */
export class CellCanvas {
  #canvas;
  #viewport;
  #typeface;
  #theme;
  #paper;
  #brush;
  /** What paints blocks of cells. @type {Brush | Press} */
  #block;
  #pixels;
  #dirty = new DirtyRows();
  /** @type {Source | null} */
  #source = null;
  /** @type {Camera | null} The camera of what is on the canvas; null when nothing of it can be kept. */
  #painted = null;
  /** @type {Map<CellStyle, Ink>} */
  #inks = new Map();

  /** @param {HTMLCanvasElement} canvas @param {Viewport} viewport @param {Typeface} typeface @param {Theme} theme */
  constructor(canvas, viewport, typeface, theme) {
    const paper = canvas.getContext("2d", { alpha: false });
    if (!paper) throw new Error("this browser has no 2D canvas");
    this.#canvas = canvas;
    this.#viewport = viewport;
    this.#typeface = typeface;
    this.#theme = theme;
    this.#paper = paper;
    const inkOf = (/** @type {CellStyle} */ style) => this.#ink(style);
    const rgbs = new Rgbs();
    this.#pixels = new Pixels(rgbs);
    this.#brush = new Brush(paper, typeface, inkOf);
    const parts = { typeface, rgbs, stamps: new Stamps(typeface) };
    this.#block = rgbs.isTrue ? new Press(paper, parts, inkOf) : this.#brush;
  }

  /** @param {Source | null} source what to paint from now on */
  show(source) {
    this.#source = source;
    this.#painted = null;
  }

  /** These cells look different now. @param {readonly Rect[]} rects */
  invalidate(rects) {
    for (const [x, y, width, height] of rects) {
      const seen = clipped([x - 1, y - 1, width + 2, height + 2], this.#viewport.visible());
      if (seen) this.#dirty.add(seen);
    }
  }

  /** Everything looks different now: other colours, other fonts. */
  invalidateAll() {
    this.#inks.clear();
    this.#painted = null;
  }

  /** Bring the canvas up to date. Cheap when nothing changed. */
  paint() {
    const { width, height } = this.#viewport.cell;
    if (width < GLYPH_MIN_WIDTH) return this.#paintFar();
    this.#typeface.use(width, height);
    this.#brush.start();
    this.#follow();
    for (const block of this.#dirty.take()) this.#paintBlock(block);
    this.#block.show();
  }

  /** Keep what a pan leaves in sight, and mark the rest. */
  #follow() {
    const camera = { ...this.#viewport.origin, ...this.#viewport.cell };
    const before = this.#painted;
    this.#painted = camera;
    const isZoomed = before?.width !== camera.width || before.height !== camera.height;
    if (!before || isZoomed) return this.#dirty.add(this.#viewport.visible());
    const right = (camera.x - before.x) * camera.width + camera.dx - before.dx;
    const down = (camera.y - before.y) * camera.height + camera.dy - before.dy;
    if (right || down) this.#scroll(right, down);
  }

  /** @param {number} right device pixels @param {number} down */
  #scroll(right, down) {
    const [x, y, columns, rows] = this.#viewport.visible();
    const { width, height } = this.#viewport.cell;
    const across = Math.min(columns, Math.ceil(Math.abs(right) / width) + 1);
    const along = Math.min(rows, Math.ceil(Math.abs(down) / height) + 1);
    if (across >= columns || along >= rows) return this.#paintBlock([x, y, columns, rows]);
    this.#block.scroll(right, down);
    if (right) this.#paintBlock([right > 0 ? x + columns - across : x, y, across, rows]);
    if (down) this.#paintBlock([x, down > 0 ? y + rows - along : y, columns, along]);
  }

  /** @param {Rect} block */
  #paintBlock([x, y, columns, rows]) {
    const { cell } = this.#viewport;
    const { left, top } = this.#viewport.place(x, y);
    this.#block.open(left, top, columns * cell.width, rows * cell.height, cell);
    for (let row = 0; row < rows; row++) this.#ground(y + row, x, x + columns, left, top + row * cell.height);
    const strips = Array.from({ length: rows + 2 }, (_, row) =>
      this.#source?.strip(y + row - 1, x - 1, x + columns + 1),
    );
    for (const layer of /** @type {const} */ (["backs", "glyphs"])) {
      strips.forEach(
        (strip, row) => strip && this.#block[layer](strip, left - cell.width, top + (row - 1) * cell.height, cell),
      );
    }
    this.#block.close();
  }

  /**
   * The sheet under the cells, and the desk beside a slide.
   *
   * @param {number} y
   * @param {number} x0
   * @param {number} x1
   * @param {number} left
   * @param {number} top
   */
  #ground(y, x0, x1, left, top) {
    const { width, height } = this.#viewport.cell;
    const [columns, rows] = this.#source?.size ?? [Infinity, Infinity];
    const isEndless = columns === Infinity;
    const sheet = isEndless ? [x0, x1] : y < 0 || y >= rows ? [x0, x0] : [Math.max(0, x0), Math.min(columns, x1)];
    const [from = x0, to = x1] = sheet;
    if (from > x0 || to < x1) this.#block.fill(this.#theme.surface("desk"), left, top, (x1 - x0) * width, height);
    if (to <= from) return;
    this.#block.fill(this.#theme.surface("paper"), left + (from - x0) * width, top, (to - from) * width, height);
    if (y % DOT_ROWS !== 0) return;
    const dot = Math.max(1, Math.round(this.#viewport.ratio));
    for (let x = Math.ceil(from / DOT_COLUMNS) * DOT_COLUMNS; x < to; x += DOT_COLUMNS) {
      this.#block.fill(this.#theme.surface("grid"), left + (x - x0) * width, top, dot, dot);
    }
  }

  /** Every cell a pixel, stretched. Cells may be fractions of a pixel here, so it is always all of it. */
  #paintFar() {
    this.#painted = null;
    this.#dirty.take();
    const { width, height } = this.#viewport.cell;
    this.#brush.start();
    this.#farGround();
    const bounds = this.#source?.bounds();
    const area = bounds && clipped(bounds, this.#viewport.visible());
    if (!area || !this.#source) return;
    const [x, y, columns, rows] = area;
    const strip = (/** @type {number} */ row) => this.#source?.strip(row, x, x + columns) ?? null;
    const image = this.#pixels.draw(
      { y, columns, rows, strip },
      height,
      (style) => this.#ink(style),
      this.#theme.surface("paper"),
    );
    const { left, top } = this.#viewport.place(x, y);
    this.#paper.imageSmoothingEnabled = width < 2; // larger pixels are to be seen as such, smaller ones not to be lost
    this.#paper.drawImage(image, left, top, columns * width, rows * height);
  }

  #farGround() {
    const { width, height } = this.#canvas;
    const size = this.#source?.size;
    this.#brush.fill(this.#theme.surface(size ? "desk" : "paper"), 0, 0, width, height);
    if (!size) return;
    const { left, top } = this.#viewport.place(0, 0);
    const { width: w, height: h } = this.#viewport.cell;
    this.#brush.fill(this.#theme.surface("paper"), left, top, size[0] * w, size[1] * h);
  }

  /** @param {CellStyle} style */
  #ink(style) {
    const known = this.#inks.get(style);
    if (known) return known;
    const ink = this.#theme.colors(style);
    this.#inks.set(style, ink);
    return ink;
  }
}
