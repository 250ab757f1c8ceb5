// @ts-check
/** @import { Cursor, Direction } from "./cursor.js" */
/** @import { Replica } from "../model/replica.js" */
/** @import { At, Rect } from "../model/region.js" */
/** @import { Selection } from "../model/selection.js" */
import { Signal } from "../lib/signal.js";
import { byRun, byWord, end, entered, home, moved, placed, tabbed } from "./cursor.js";
import { clipped } from "../model/region.js";
import { rectOf, selectionOf, whole } from "../model/selection.js";

/** The whole plane, for a sheet without edges. @type {Rect} */
const PLANE = [-(2 ** 52), -(2 ** 52), 2 ** 53 - 1, 2 ** 53 - 1];

/**
 * Where a sheet ends; an endless one has no edge, and beyond its content empty cells go on for ever.
 *
 * @typedef {{ readonly rect: Rect, readonly hasEdge: boolean }} Room
 */

/** Where the person is on a sheet: the cursor, and what is selected. */
export class Standing {
  /** Emitted when the cursor or the selection moved. @type {Signal<void>} */
  moved = new Signal();
  /** @protected @type {Replica} */
  cells;
  #room = PLANE;
  /** @type {Cursor} */
  #cursor = { x: 0, y: 0, origin: 0 };
  /** @type {Selection | null} What moves with the focus. */
  #selection = null;
  /** Ranges beside it, grown to whole glyphs. @type {readonly Rect[]} */
  #others = [];

  /** @param {Replica} cells */
  constructor(cells) {
    this.cells = cells;
  }

  /**
   * Turn to another sheet.
   *
   * @param {Replica} cells
   * @param {readonly [number, number] | null} size of a slide
   * @param {At} at
   */
  use(cells, size, at) {
    this.cells = cells;
    this.#room = size ? [0, 0, ...size] : PLANE;
    this.place(at);
  }

  get cursor() {
    return this.#cursor;
  }

  /** Columns of what is under the cursor. */
  get columns() {
    return this.cells.charAt(this.#cursor.x + 1, this.#cursor.y) === "" ? 2 : 1;
  }

  /** @returns {Room} */
  get room() {
    const hasEdge = this.#room !== PLANE;
    return { rect: hasEdge ? this.#room : (this.cells.bounds() ?? [0, 0, 0, 0]), hasEdge };
  }

  /** The rectangle selected last; null when nothing but the cursor is. @returns {Rect | null} */
  get selected() {
    return this.#selection ? this.#whole(rectOf(this.#selection)) : (this.#others.at(-1) ?? null);
  }

  /** Everything selected, the last one at the end. @returns {readonly Rect[]} */
  get ranges() {
    return this.#selection ? [...this.#others, this.#whole(rectOf(this.#selection))] : this.#others;
  }

  /** What is selected, or the cell under the cursor. @returns {readonly Rect[]} */
  get meant() {
    const { ranges } = this;
    return ranges.length ? ranges : [[this.#cursor.x, this.#cursor.y, this.columns, 1]];
  }

  /** Is a cell selected? @param {At} at */
  covers([x, y]) {
    return this.ranges.some((rect) => clipped(rect, [x, y, 1, 1]));
  }

  /** The cursor to a cell, the selection gone. @param {At} at */
  place(at) {
    this.stand(placed(this.#inside(at), this.cells));
  }

  /** The cursor to a cell; what is selected stays so, and a new range begins here. @param {At} at */
  placeBeside(at) {
    this.#others = this.ranges;
    this.#selection = null;
    this.#cursor = placed(this.#inside(at), this.cells);
    this.moved.emit();
  }

  /** Select from where the cursor or the selection began to a cell. @param {At} at */
  extend(at) {
    const to = placed(this.#inside(at), this.cells);
    const anchor = this.#selection?.anchor ?? /** @type {const} */ ([this.#cursor.x, this.#cursor.y]);
    const isPoint = anchor[0] === to.x && anchor[1] === to.y;
    this.stand(to, isPoint ? null : { anchor, focus: [to.x, to.y] }, this.#others);
  }

  /** @param {Rect | null} rect null selects nothing */
  select(rect) {
    if (!rect) return this.stand(this.#cursor);
    this.stand(placed([rect[0], rect[1]], this.cells), selectionOf(rect));
  }

  /** Select these, as they are: the cursor goes to the last one. @param {readonly Rect[]} ranges */
  selectAllOf(ranges) {
    const last = ranges.at(-1);
    if (last) this.stand(placed([last[0], last[1]], this.cells), selectionOf(last), ranges.slice(0, -1));
  }

  /** Everything there is on the sheet. */
  selectAll() {
    this.select(this.cells.bounds());
  }

  /** One step. @param {Direction} direction @param {boolean} [isExtending] else a selection collapses */
  step(direction, isExtending = false) {
    this.#go(moved(this.#cursor, direction, this.cells), isExtending);
  }

  /** To the next word, or to the end of a run. @param {Direction} direction @param {boolean} [isExtending] */
  jump(direction, isExtending = false) {
    const isAcross = direction === "left" || direction === "right";
    const to = isAcross ? byWord(this.#cursor, direction, this.cells) : byRun(this.#cursor, direction, this.cells);
    this.#go(to, isExtending);
  }

  /** @param {boolean} [isExtending] */
  home(isExtending = false) {
    this.#go(home(this.#cursor, this.cells), isExtending, true);
  }

  /** @param {boolean} [isExtending] */
  end(isExtending = false) {
    this.#go(end(this.#cursor, this.cells), isExtending, true);
  }

  enter() {
    this.stand(entered(this.#cursor, this.cells));
  }

  tab() {
    this.stand(tabbed(this.#cursor, this.cells));
  }

  /** @param {number} columns @param {number} rows @param {boolean} [isExtending] */
  shift(columns, rows, isExtending = false) {
    this.#go({ ...this.#cursor, x: this.#cursor.x + columns, y: this.#cursor.y + rows }, isExtending);
  }

  /**
   * @protected
   * @param {Cursor} cursor
   * @param {Selection | null} [selection]
   * @param {readonly Rect[]} [others]
   */
  stand(cursor, selection = null, others = []) {
    this.#cursor = cursor;
    this.#selection = selection;
    this.#others = others;
    this.moved.emit();
  }

  /** @param {Cursor} to @param {boolean} isExtending @param {boolean} [keepsOrigin] does Enter still return to the same column? */
  #go(to, isExtending, keepsOrigin = false) {
    if (isExtending) this.extend([to.x, to.y]);
    else if (keepsOrigin) this.stand(to);
    else this.place([to.x, to.y]);
  }

  /** The nearest cell that is on the sheet. @param {At} at @returns {At} */
  #inside([x, y]) {
    const [left, top, width, height] = this.#room;
    return [Math.min(left + width - 1, Math.max(left, x)), Math.min(top + height - 1, Math.max(top, y))];
  }

  /** A wide glyph that either corner cuts belongs to the selection whole. @param {Rect} rect @returns {Rect} */
  #whole([x, y, width, height]) {
    const ends = [y, y + height - 1].map((row) => whole(this.cells, row, x, x + width));
    const left = Math.min(...ends.map(([from]) => from));
    return [left, y, Math.max(...ends.map(([, to]) => to)) - left, height];
  }
}
