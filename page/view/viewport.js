// @ts-check
/** @import { Rect } from "../model/region.js" */
import { Signal } from "../lib/signal.js";
import { clipped } from "../model/region.js";

/** A slide's. @typedef {readonly [columns: number, rows: number]} Size */

/** A cell at 100 % in CSS pixels: Iosevka is half an em wide, so this is an 18 px font on a 20 px line. */
export const CELL_WIDTH = 9;
export const CELL_HEIGHT = 20;

export const MIN_ZOOM = 0.1;
export const MAX_ZOOM = 8;

/** Only fitting goes further out than MIN_ZOOM, so that a large picture is seen whole. */
export const FIT_MIN_ZOOM = 0.01;

/** Under this many device pixels a cell shows no glyph, only a dot of colour. */
export const GLYPH_MIN_WIDTH = 5;

/** The camera looks past no cell that there can be, so that every number stays exact. */
const LAST = Number.MAX_SAFE_INTEGER;

/**
 * The camera: which cells are on the screen, and where. Pure arithmetic, no DOM.
 *
 * The origin is a whole cell and an offset in device pixels inside it, so a pan at x = 10^15 is as exact as
 * one at 0. While glyphs are drawn a cell is a whole number of device pixels: cell n then starts at exactly
 * n × cell width and lines join. Smaller cells may be fractions, so that zooming out stays smooth.
 */
export class Viewport {
  /** Emitted after every change of place, zoom or size. @type {Signal<void>} */
  changed = new Signal();
  #zoom = 1;
  #scale = 1;
  #ratio = 1;
  #width = 0;
  #height = 0;
  /** CSS pixels at the bottom that something lies over. */
  #covered = 0;
  #x = 0;
  #y = 0;
  #dx = 0;
  #dy = 0;

  /** 1 is 100 %. */
  get zoom() {
    return this.#zoom;
  }

  /** Device pixels per CSS pixel. */
  get ratio() {
    return this.#ratio;
  }

  /** The screen in CSS pixels. */
  get size() {
    return { width: this.#width, height: this.#height };
  }

  /** One cell in device pixels. */
  get cell() {
    return cellAt(this.#scale * this.#zoom * this.#ratio);
  }

  /** The first cell of the screen, and how many device pixels of it are off the screen. */
  get origin() {
    return { x: this.#x, y: this.#y, dx: Math.round(this.#dx), dy: Math.round(this.#dy) };
  }

  /** @param {number} width CSS pixels @param {number} height @param {number} ratio */
  resize(width, height, ratio) {
    if (width === this.#width && height === this.#height && ratio === this.#ratio) return;
    const before = this.cell;
    [this.#width, this.#height, this.#ratio] = [width, height, ratio];
    const { width: w, height: h } = this.cell;
    this.#dx *= w / before.width;
    this.#dy *= h / before.height;
    this.changed.emit();
  }

  /** What 100 % is: 1 for cells of 9 × 20 CSS pixels. The left top corner stays. @param {number} scale */
  scale(scale) {
    if (scale === this.#scale) return;
    const before = this.cell;
    this.#scale = scale;
    const { width, height } = this.cell;
    this.#dx *= width / before.width;
    this.#dy *= height / before.height;
    this.changed.emit();
  }

  /** Tools lie over the lowest part of the screen: the cursor and what is fitted stay above it. @param {number} covered CSS pixels */
  cover(covered) {
    this.#covered = covered < this.#height / 2 ? covered : 0;
  }

  /** Where a cell's left top corner is, in device pixels from the screen's. @param {number} x @param {number} y */
  place(x, y) {
    const { width, height } = this.cell;
    const { x: x0, y: y0, dx, dy } = this.origin;
    return { left: (x - x0) * width - dx, top: (y - y0) * height - dy };
  }

  /** The cell under a point of the screen. @param {number} left CSS pixels @param {number} top */
  at(left, top) {
    const { width, height } = this.cell;
    const { x, y, dx, dy } = this.origin;
    return {
      x: x + Math.floor((left * this.#ratio + dx) / width),
      y: y + Math.floor((top * this.#ratio + dy) / height),
    };
  }

  /** Every cell of which any part is on the screen. @returns {Rect} */
  visible() {
    const { width, height } = this.cell;
    const { x, y, dx, dy } = this.origin;
    const columns = Math.ceil((this.#width * this.#ratio + dx) / width);
    const rows = Math.ceil((this.#height * this.#ratio + dy) / height);
    return [x, y, Math.max(1, columns), Math.max(1, rows)];
  }

  /** Move the camera right and down. @param {number} right CSS pixels @param {number} down */
  pan(right, down) {
    if (!Number.isFinite(right) || !Number.isFinite(down)) return;
    this.#shift(right * this.#ratio, down * this.#ratio);
    this.changed.emit();
  }

  /**
   * Zoom so that what is under a point stays there. Anything but a positive number is ignored.
   * @param {number} factor
   * @param {number} left CSS pixels
   * @param {number} top
   */
  zoomBy(factor, left = this.#width / 2, top = this.#height / 2) {
    if (!(factor > 0 && factor < Infinity)) return;
    const before = this.cell;
    const least = Math.min(MIN_ZOOM, this.#zoom);
    this.#zoom = Math.min(MAX_ZOOM, Math.max(least, this.#zoom * factor));
    const { width, height } = this.cell;
    const [px, py] = [left * this.#ratio, top * this.#ratio];
    const dx = ((this.#dx + px) / before.width) * width - px;
    const dy = ((this.#dy + py) / before.height) * height - py;
    this.#dx = this.#dy = 0;
    this.#shift(dx, dy);
    this.changed.emit();
  }

  /** @param {number} zoom 1 is 100 % @param {number} [left] CSS pixels @param {number} [top] */
  zoomTo(zoom, left, top) {
    this.zoomBy(zoom / this.#zoom, left, top);
  }

  /** Put a cell in the middle of the screen. @param {number} x @param {number} y */
  center(x, y) {
    [this.#x, this.#y, this.#dx, this.#dy] = [x, y, 0, 0];
    const { width, height } = this.cell;
    this.#shift((width - this.#width * this.#ratio) / 2, (height - this.#height * this.#ratio) / 2);
    this.changed.emit();
  }

  /** Put a cell into the left top corner, a margin away from it. @param {number} x @param {number} y */
  corner(x, y) {
    [this.#x, this.#y, this.#dx, this.#dy] = [x, y, 0, 0];
    const { width, height } = this.cell;
    this.#shift(-2 * width, -height);
    this.changed.emit();
  }

  /** Show all of a rectangle as large as it goes, but no larger than this zoom. @param {Rect | null} rect @param {number} [most] */
  fit(rect, most = 1) {
    if (!rect) return this.reset();
    const [x, y, columns, rows] = rect;
    const across = this.#width / ((columns + 4) * CELL_WIDTH * this.#scale);
    const open = this.#height - this.#covered;
    const down = open / ((rows + 2) * CELL_HEIGHT * this.#scale);
    this.#zoom = Math.min(most, Math.max(FIT_MIN_ZOOM, Math.min(across, down)));
    const { width: w, height: h } = this.cell;
    const isOver = columns * w > this.#width * this.#ratio || rows * h > open * this.#ratio;
    if (isOver && w >= GLYPH_MIN_WIDTH) this.#zoom *= roundedDown(this.#scale * this.#zoom * this.#ratio);
    const { width, height } = this.cell;
    [this.#x, this.#y, this.#dx, this.#dy] = [x, y, 0, 0];
    this.#shift((columns * width - this.#width * this.#ratio) / 2, (rows * height - open * this.#ratio) / 2);
    this.changed.emit();
  }

  /**
   * Bring a rectangle to the middle, smaller if it has to be. Nothing moves if all of it is on the screen.
   *
   * @param {Rect} rect
   */
  show(rect) {
    const [x, y, columns, rows] = rect;
    const [left, top, across, down] = this.visible();
    const isThere = x > left && y > top && x + columns < left + across && y + rows < top + down;
    if (isThere) return;
    if (columns + 2 > across || rows + 2 > down) return this.fit(rect);
    this.center(x + Math.floor(columns / 2), y + Math.floor(rows / 2));
  }

  /**
   * The first look at a sheet: a slide whole; an endless one at its origin, or where its cells are.
   *
   * @param {Size | null} size
   * @param {Rect | null} bounds
   */
  open(size, bounds) {
    if (size) return this.fit([0, 0, ...size]);
    this.reset();
    if (bounds && !clipped(bounds, this.visible())) this.corner(bounds[0], bounds[1]);
  }

  /** 100 % with cell (0, 0) in the corner. */
  reset() {
    this.#zoom = 1;
    this.corner(0, 0);
  }

  /**
   * Move no more than it takes to have a cell and a margin of two on the screen.
   *
   * @param {number} x
   * @param {number} y
   */
  reveal(x, y) {
    const { width, height } = this.cell;
    const { left, top } = this.place(x, y);
    const right = outside(left - 2 * width, left + 3 * width, this.#width * this.#ratio);
    const down = outside(top - height, top + 2 * height, (this.#height - this.#covered) * this.#ratio);
    if (right || down) this.pan(right / this.#ratio, down / this.#ratio);
  }

  /** What `restore` takes: plain JSON. */
  saved() {
    return { x: this.#x, y: this.#y, zoom: this.#zoom };
  }

  /** @param {{x: number, y: number, zoom: number}} camera one that `saved` made; others are ignored */
  restore({ x, y, zoom }) {
    if (!Number.isSafeInteger(x) || !Number.isSafeInteger(y) || !(zoom >= FIT_MIN_ZOOM && zoom <= MAX_ZOOM)) return;
    [this.#x, this.#y, this.#dx, this.#dy, this.#zoom] = [x, y, 0, 0, zoom];
    this.changed.emit();
  }

  /** @param {number} right device pixels @param {number} down */
  #shift(right, down) {
    const { width, height } = this.cell;
    [this.#x, this.#dx] = carried(this.#x, this.#dx + right, width, this.#width * this.#ratio);
    [this.#y, this.#dy] = carried(this.#y, this.#dy + down, height, this.#height * this.#ratio);
  }
}

/** @param {number} scale device pixels per CSS pixel at 100 % */
function cellAt(scale) {
  const width = CELL_WIDTH * scale;
  const height = CELL_HEIGHT * scale;
  if (Math.round(width) < GLYPH_MIN_WIDTH) return { width, height };
  return { width: Math.round(width), height: Math.round(height) };
}

/** The factor after which no cell is rounded up: in a wide picture half a pixel a cell is much. @param {number} scale */
function roundedDown(scale) {
  const [width, height] = [CELL_WIDTH * scale, CELL_HEIGHT * scale];
  return Math.min(Math.floor(width) / width, Math.floor(height) / height);
}

/**
 * Whole cells go over into the origin.
 *
 * @param {number} origin
 * @param {number} offset
 * @param {number} size
 * @param {number} screen device pixels
 * @returns {[number, number]}
 */
function carried(origin, offset, size, screen) {
  const cells = Math.floor(offset / size);
  const moved = origin + cells;
  const last = LAST - Math.floor(screen / size);
  if (moved > last || moved < -LAST) return [moved < 0 ? -LAST : last, 0];
  return [moved, offset - cells * size];
}

/**
 * How far to move so that [start, end) is inside [0, size); the start wins when both don't fit.
 *
 * @param {number} start
 * @param {number} end
 * @param {number} size
 */
function outside(start, end, size) {
  if (start < 0) return start;
  return end > size ? Math.min(end - size, start) : 0;
}
