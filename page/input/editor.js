// @ts-check
/** @import { EditOp } from "../wire/messages.js" */
/** @import { Cursor, Direction } from "../edit/cursor.js" */
/** @import { Typed } from "../edit/typing.js" */
/** @import { Replica } from "../model/replica.js" */
/** @import { At, Rect } from "../model/region.js" */
/** @import { Selection } from "../model/selection.js" */
import { Signal } from "../lib/signal.js";
import { copied } from "../edit/copy.js";
import { end, entered, home, moved, placed, tabbed } from "../edit/cursor.js";
import { erased } from "../edit/erase.js";
import { pasted } from "../edit/paste.js";
import { backspaced, deleted, typed } from "../edit/typing.js";
import { rectOf, selectionOf, whole } from "../model/selection.js";

/** The whole plane, for a sheet without edges. @type {Rect} */
const PLANE = [-(2 ** 52), -(2 ** 52), 2 ** 53 - 1, 2 ** 53 - 1];

/**
 * Where the person is on a sheet, and what keys and gestures do there. Edits go out through `perform`, which
 * shows them at once; the editor itself changes no cell.
 */
export class Editor {
  /** Emitted when the cursor or the selection moved. @type {Signal<void>} */
  moved = new Signal();
  #perform;
  /** @type {Replica} */
  #cells;
  #room = PLANE;
  /** @type {Cursor} */
  #cursor = { x: 0, y: 0, origin: 0 };
  /** @type {Selection | null} */
  #selection = null;

  /** @param {Replica} cells @param {(op: EditOp) => void} perform */
  constructor(cells, perform) {
    this.#cells = cells;
    this.#perform = perform;
  }

  /**
   * Turn to another sheet.
   *
   * @param {Replica} cells
   * @param {readonly [number, number] | null} size of a slide
   * @param {At} at
   */
  use(cells, size, at) {
    this.#cells = cells;
    this.#room = size ? [0, 0, ...size] : PLANE;
    this.place(at);
  }

  get cursor() {
    return this.#cursor;
  }

  /** Columns of what is under the cursor. */
  get columns() {
    return this.#cells.charAt(this.#cursor.x + 1, this.#cursor.y) === "" ? 2 : 1;
  }

  /** The selected rectangle; null when it is nothing but the cursor. @returns {Rect | null} */
  get selected() {
    return this.#selection && this.#whole(rectOf(this.#selection));
  }

  /** The cursor to a cell, the selection gone. @param {At} at */
  place(at) {
    this.#stand(placed(this.#inside(at), this.#cells));
  }

  /** Select from where the cursor or the selection began to a cell. @param {At} at */
  extend(at) {
    const to = placed(this.#inside(at), this.#cells);
    const anchor = this.#selection?.anchor ?? /** @type {const} */ ([this.#cursor.x, this.#cursor.y]);
    const isPoint = anchor[0] === to.x && anchor[1] === to.y;
    this.#stand(to, isPoint ? null : { anchor, focus: [to.x, to.y] });
  }

  /** @param {Rect | null} rect null selects nothing */
  select(rect) {
    if (!rect) return this.#stand(this.#cursor);
    this.#stand(placed([rect[0], rect[1]], this.#cells), selectionOf(rect));
  }

  /**
   * One step. Without `extends`, a selection collapses.
   *
   * @param {Direction} direction
   * @param {boolean} [isExtending]
   */
  step(direction, isExtending = false) {
    const to = moved(this.#cursor, direction, this.#cells);
    if (isExtending) this.extend([to.x, to.y]);
    else this.place([to.x, to.y]);
  }

  home() {
    this.#stand(home(this.#cursor, this.#cells));
  }

  end() {
    this.#stand(end(this.#cursor, this.#cells));
  }

  enter() {
    this.#stand(entered(this.#cursor, this.#cells));
  }

  tab() {
    this.#stand(tabbed(this.#cursor, this.#cells));
  }

  /** @param {number} columns @param {number} rows */
  shift(columns, rows) {
    this.place([this.#cursor.x + columns, this.#cursor.y + rows]);
  }

  /**
   * Text from the keyboard or an input method, at the cursor or where it was composed.
   *
   * @param {string} text
   * @param {Cursor} [at]
   */
  type(text, at = this.#cursor) {
    const isHere = at.x === this.#cursor.x && at.y === this.#cursor.y;
    this.#do(typed(at, text, this.#cells), isHere);
  }

  /** Clear the selection, or the glyph before the cursor. */
  backspace() {
    if (this.#selection) this.#eraseSelected();
    else this.#do(backspaced(this.#cursor, this.#cells));
  }

  /** Clear the selection, or what is under the cursor. Nothing moves up: a sheet is not a text. */
  delete() {
    if (this.#selection) this.#eraseSelected();
    else this.#do(deleted(this.#cursor, this.#cells));
  }

  /** Everything there is on the sheet. */
  selectAll() {
    this.select(this.#cells.bounds());
  }

  /** The text of the selection, or of the cell under the cursor; null when it is too much. */
  copied() {
    return copied(this.selected ?? [this.#cursor.x, this.#cursor.y, this.columns, 1], this.#cells);
  }

  /** Text of the clipboard, from the selection's corner or the cursor. @param {string} text */
  paste(text) {
    const [x, y] = this.selected ?? [this.#cursor.x, this.#cursor.y];
    const { ops, cursor } = pasted(placed([x, y], this.#cells), text);
    for (const op of ops) this.#perform(op);
    this.#stand(cursor);
  }

  /** @param {Typed} typed @param {boolean} [follows] does the cursor go along? */
  #do({ op, cursor }, follows = true) {
    if (op) this.#perform(op);
    if (follows) this.#stand(cursor);
  }

  #eraseSelected() {
    if (this.selected) this.#perform(erased(this.selected));
    this.moved.emit();
  }

  /** @param {Cursor} cursor @param {Selection | null} [selection] */
  #stand(cursor, selection = null) {
    this.#cursor = cursor;
    this.#selection = selection;
    this.moved.emit();
  }

  /** The nearest cell that is on the sheet. @param {At} at @returns {At} */
  #inside([x, y]) {
    const [left, top, width, height] = this.#room;
    return [Math.min(left + width - 1, Math.max(left, x)), Math.min(top + height - 1, Math.max(top, y))];
  }

  /** A wide glyph that either corner cuts belongs to the selection whole. @param {Rect} rect @returns {Rect} */
  #whole([x, y, width, height]) {
    const ends = [y, y + height - 1].map((row) => whole(this.#cells, row, x, x + width));
    const left = Math.min(...ends.map(([from]) => from));
    return [left, y, Math.max(...ends.map(([, to]) => to)) - left, height];
  }
}
