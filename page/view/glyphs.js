// @ts-check
/** @import { Attrs } from "../wire/messages.js" */
/** @import { Shape } from "./shape.js" */
import { Signal } from "../lib/signal.js";
import { shapeOf } from "./boxes.js";

/**
 * Iosevka first (half an em wide, so CJK is exactly two cells), the system's monospace, CJK and emoji by name,
 * Unifont for what nobody has: named families come before the browser's own fallback, generic ones would hide it.
 */
const FAMILIES = [
  '"Iosevka Chardesk"',
  "ui-monospace",
  '"SF Mono"',
  '"Cascadia Mono"',
  '"DejaVu Sans Mono"',
  '"Liberation Mono"',
  '"Noto Sans Mono CJK SC"',
  '"Noto Sans CJK SC"',
  '"PingFang SC"',
  '"Hiragino Sans"',
  '"Microsoft YaHei"',
  '"Malgun Gothic"',
  '"Apple Color Emoji"',
  '"Segoe UI Emoji"',
  '"Noto Color Emoji"',
  '"Unifont Chardesk"',
  "monospace",
].join(", ");

/** Fonts are measured at this size: large enough that hinting does not round what is compared. */
const PROBE_PX = 200;

/**
 * Fonts are scaled in fixed point, so an advance comes out a hair under the cell and, being cut to quarters of a
 * pixel, a glyph deep in a run would sit a quarter off. A hair over stays put for thousands of columns.
 */
const HAIR = 1 + 2 ** -15;

/** A glyph of another font may be this much wider than the cell before it is fitted by itself. */
const TOLERANCE = 0.004;

/** What is known of clusters is forgotten all at once beyond this many; a screen holds far fewer kinds. */
const MAX_KINDS = 20_000;

/**
 * How much to shrink a cluster, and where it starts, in device pixels.
 *
 * @typedef {{ across: number, down: number, shift: number }} Fit
 */

/**
 * The type of the canvas at one cell size: which fonts, where the baseline is, which characters can be drawn
 * in one go because each is exactly one cell wide, and how every other cluster is made to fit.
 */
export class Typeface {
  /** Emitted when fonts arrived and everything has to be painted again. @type {Signal<void>} */
  changed = new Signal();
  #probe = context(1, 1);
  #families = FAMILIES;
  #width = 0;
  #height = 0;
  /** @type {[string, string, string, string]} */
  #fonts = ["", "", "", ""];
  #baseline = 0;
  /** Which UTF-16 units are one cell wide in every face: 0 unknown, 1 yes, 2 no. */
  #even = new Uint8Array(0x10000);
  /** @type {Map<string, Fit>} */
  #fits = new Map();
  /** @type {Map<string, { path: Path2D, shape: Shape } | null>} */
  #shapes = new Map();

  constructor() {
    document.fonts.addEventListener("loadingdone", () => this.refresh());
    void document.fonts.load(`16px "Iosevka Chardesk"`).catch(() => undefined);
  }

  /** Measure again: fonts came, or the style sheet names another one first. */
  refresh() {
    const first = getComputedStyle(document.documentElement).getPropertyValue("--cell-font").trim();
    this.#families = first ? `${first}, ${FAMILIES}` : FAMILIES;
    this.#even.fill(0);
    this.#measure();
    this.changed.emit();
  }

  /** Get ready for cells of this size. @param {number} width whole device pixels @param {number} height */
  use(width, height) {
    if (width === this.#width && height === this.#height) return;
    [this.#width, this.#height] = [width, height];
    this.#shapes.clear();
    this.#measure();
  }

  /** The baseline of a row, in device pixels under its top. */
  get baseline() {
    return this.#baseline;
  }

  /** @param {Attrs | undefined} attrs @returns {string} for `context.font` */
  font(attrs) {
    return this.#fonts[face(attrs)];
  }

  /** Is this one UTF-16 unit that fills exactly one cell, so that it can be part of a run? @param {string} char */
  isEven(char) {
    if (char.length !== 1) return false;
    const code = char.charCodeAt(0);
    if (this.#even[code] === 0) this.#even[code] = this.#measuresEven(char) ? 1 : 2;
    return this.#even[code] === 1;
  }

  /**
   * How to draw a cluster in `columns` cells: centred, and smaller if it is too wide.
   *
   * @param {string} cluster
   * @param {number} columns
   * @param {Attrs | undefined} attrs
   * @returns {Fit}
   */
  fit(cluster, columns, attrs) {
    const key = `${face(attrs)}${columns}${cluster}`;
    const known = this.#fits.get(key);
    if (known) return known;
    if (this.#fits.size > MAX_KINDS) this.#fits.clear();
    const space = columns * this.#width;
    this.#probe.font = this.font(attrs);
    const wide = this.#probe.measureText(cluster).width;
    const across = wide > space ? space / wide : 1;
    // Half as shrunk in height: what is made for two cells is easier to read condensed than tiny.
    const fit = { across, down: Math.sqrt(across), shift: (space - wide * across) / 2 };
    this.#fits.set(key, fit);
    return fit;
  }

  /** A character that is drawn by procedure, ready to paint; null if a font draws it. @param {string} char */
  shape(char) {
    const known = this.#shapes.get(char);
    if (known !== undefined) return known;
    if (this.#shapes.size > MAX_KINDS) this.#shapes.clear();
    const shape = shapeOf(char, this.#width, this.#height);
    const entry = shape && { shape, path: pathOf(shape) };
    this.#shapes.set(char, entry);
    return entry;
  }

  /** The size at which an M is exactly one cell wide, and the baseline that centres tall letters with their tails. */
  #measure() {
    this.#probe.font = `${PROBE_PX}px ${this.#families}`;
    const { width } = this.#probe.measureText("M");
    const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = this.#probe.measureText("dj");
    const scale = width ? (this.#width / width) * HAIR : 0;
    this.#baseline = Math.round((this.#height + (up - down) * scale) / 2);
    const size = `${PROBE_PX * scale}px ${this.#families}`;
    this.#fonts = [size, `bold ${size}`, `italic ${size}`, `italic bold ${size}`];
    this.#fits.clear();
  }

  /** @param {string} char */
  #measuresEven(char) {
    this.#probe.font = `${PROBE_PX}px ${this.#families}`;
    const unit = this.#probe.measureText("M").width;
    return Math.abs(this.#probe.measureText(char).width / unit - 1) < TOLERANCE;
  }
}

/** @param {Attrs | undefined} attrs @returns {0 | 1 | 2 | 3} */
function face(attrs) {
  if (!attrs) return 0;
  if (attrs.italic) return attrs.bold ? 3 : 2;
  return attrs.bold ? 1 : 0;
}

/** @param {number} width @param {number} height @returns {OffscreenCanvasRenderingContext2D} */
function context(width, height) {
  const paper = new OffscreenCanvas(width, height).getContext("2d");
  if (!paper) throw new Error("this browser has no 2D canvas");
  return paper;
}

/** One path, filled once: parts that overlap don't darken where the shape is translucent. @param {Shape} shape */
function pathOf({ fills, dots, strokes }) {
  const path = new Path2D();
  for (const [left, top, width, height] of fills) path.rect(left, top, width, height);
  for (const [x, y, radius] of dots) {
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
  }
  for (const { from, to, corner } of strokes) {
    path.moveTo(...from);
    if (corner) path.arcTo(...corner, ...to, Math.min(Math.abs(to[0] - corner[0]), Math.abs(from[1] - corner[1])));
    path.lineTo(...to);
  }
  return path;
}
