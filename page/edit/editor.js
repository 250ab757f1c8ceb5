// @ts-check
/** @import { CellStyle, EditOp } from "../wire/messages.js" */
/** @import { Cursor, Direction } from "./cursor.js" */
/** @import { Format } from "./material.js" */
/** @import { Refusal } from "./refusal.js" */
/** @import { Typed } from "./typing.js" */
/** @import { Replica } from "../model/replica.js" */
/** @import { At } from "../model/region.js" */
import { Signal } from "../lib/signal.js";
import { connected } from "./connected.js";
import { placed } from "./cursor.js";
import { asciiTextOf, terminalTextOf, textOf } from "./excerpt.js";
import { pasted } from "./paste.js";
import { cleared, duplicated, filledWith, painted, shifted } from "./ranges.js";
import { fromRich, toRich } from "./rich.js";
import { backspaced, deleted, typed } from "./typing.js";
import { PLAIN } from "../model/cell.js";
import { leftOut } from "../model/clusters.js";
import { union } from "../model/region.js";
import { leftOutOfLines } from "../model/text.js";
import { Standing } from "./standing.js";

/** Where a duplicate lies from its original. @type {At} */
const BESIDE = [2, 1];

/** @type {Readonly<Record<Direction, At>>} */
const NUDGES = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/**
 * What keys and commands do at the cursor and to the selection. Edits go out through `perform`, which shows them at
 * once; the editor itself changes no cell.
 */
export class Editor extends Standing {
  /** What could not be done. @type {Signal<Refusal>} */
  refused = new Signal();
  /** Characters of what was typed or pasted that no cell can hold, told once a text. @type {Signal<readonly string[]>} */
  leftOut = new Signal();
  /** What typed text looks like. @type {CellStyle} */
  style = PLAIN;
  /** Does typed text make room for itself? */
  isInserting = false;
  #perform;

  /** @param {Replica} cells @param {(op: EditOp) => void} perform */
  constructor(cells, perform) {
    super(cells);
    this.#perform = perform;
  }

  /**
   * Text from the keyboard or an input method, at the cursor or where it was composed. A selection is filled with it.
   *
   * @param {string} text
   * @param {Cursor} [at]
   */
  type(text, at = this.cursor) {
    const isHere = at.x === this.cursor.x && at.y === this.cursor.y;
    if (isHere && this.ranges.length) {
      this.do(filledWith(this.cells, this.ranges, text, this.style));
      this.#tell(leftOut(text));
    } else this.#do(typed(at, text, this.cells, this), isHere);
  }

  /** Clear the selection, or the glyph before the cursor. */
  backspace() {
    if (this.ranges.length) this.#clear();
    else this.#do(backspaced(this.cursor, this.cells, this));
  }

  /** Clear the selection, or what is under the cursor. Nothing moves up unless one inserts: a sheet is not a text. */
  delete() {
    if (this.ranges.length) this.#clear();
    else this.#do(deleted(this.cursor, this.cells, this));
  }

  toggleInsertion() {
    this.isInserting = !this.isInserting;
    this.moved.emit();
  }

  /** Move the selection, or the glyph under the cursor, by one cell. @param {Direction} direction */
  nudge(direction) {
    this.displace(NUDGES[direction]);
  }

  /** Move what is selected, or lay a copy of it down, and go along. @param {At} by @param {boolean} [isCopy] */
  displace(by, isCopy = false) {
    const ranges = this.meant;
    if (!this.do((isCopy ? duplicated : shifted)(this.cells, ranges, by))) return;
    this.selectAllOf(ranges.map(([x, y, width, height]) => [x + by[0], y + by[1], width, height]));
  }

  duplicate() {
    this.displace(BESIDE, true);
  }

  /** Select the whole drawing that the glyph under the cursor belongs to. */
  selectConnected() {
    this.selectAllOf(connected(this.cells, [this.cursor.x, this.cursor.y]));
  }

  /** Give what is selected a look. @param {CellStyle} style */
  paint(style) {
    this.do(painted(this.cells, this.ranges, style));
  }

  /** What would go onto the clipboard; `text` is null when it is too much. */
  copied() {
    return { text: textOf(this.cells, this.meant), rich: toRich(this.cells, this.meant) };
  }

  /** What is selected with colours, as a terminal shows it; null when it is too much. */
  copiedForTerminal() {
    return terminalTextOf(this.cells, this.meant);
  }

  /** What is selected in the letters of ASCII, column for column; null when it is too much. */
  copiedAsAscii() {
    return asciiTextOf(this.cells, this.meant);
  }

  /**
   * Material of the clipboard, from the selection's corner or the cursor. What is left out of material that only the
   * broker can read, the broker tells.
   *
   * @param {string} text
   * @param {Format} [format]
   */
  paste(text, format = "text") {
    const at = this.#corner();
    if (format !== "text") return void this.do({ kind: "paste", at, material: text, format });
    const { ops, cursor } = pasted(placed(at, this.cells), text);
    for (const op of ops) this.#perform(op);
    this.stand(cursor);
    this.#tell(leftOutOfLines(text));
  }

  /** Cells of the clipboard, to the same place. @param {string} rich @returns {boolean} Were they any? */
  pasteRich(rich) {
    return this.do(fromRich(this.cells, this.#corner(), rich));
  }

  /** Carry out a plan, if it is one. @param {EditOp | Refusal | null} plan @returns {boolean} Was it? */
  do(plan) {
    if (plan?.kind === "refused") this.refused.emit(plan);
    if (plan === null || plan.kind === "refused") return false;
    this.#perform(plan);
    return true;
  }

  /** @returns {At} */
  #corner() {
    const [x, y] = union(this.ranges) ?? [this.cursor.x, this.cursor.y];
    return [x, y];
  }

  /** @param {Typed} typed @param {boolean} [follows] does the cursor go along? */
  #do({ op, cursor, leftOut: lost = [] }, follows = true) {
    if (op) this.#perform(op);
    if (follows) this.stand(cursor);
    this.#tell(lost);
  }

  /** @param {readonly string[]} chars */
  #tell(chars) {
    if (chars.length) this.leftOut.emit(chars);
  }

  #clear() {
    this.do(cleared(this.cells, this.ranges));
    this.moved.emit();
  }
}
