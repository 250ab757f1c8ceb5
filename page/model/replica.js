// @ts-check
/** @import { Change, Edit, EditOp, Snapshot } from "../wire/messages.js" */
/** @import { Strip } from "./cell.js" */
/** @import { Run } from "./packed.js" */
/** @import { Rect } from "./region.js" */
/** @import { Stretch } from "./scene.js" */
import { Signal } from "../lib/signal.js";
import { covered, unpacked } from "./packed.js";
import { predict } from "./predict.js";
import { Recent } from "./recent.js";
import { meet, touch, union } from "./region.js";
import { Scene } from "./scene.js";

/**
 * What to paint anew. `author` and `color` are those of a commit; with "snapshot" everything may differ.
 *
 * @typedef {object} Changed
 * @property {readonly Rect[]} rects
 * @property {"local" | "remote" | "snapshot"} origin
 * @property {string} [author]
 * @property {string} [color]
 */

/**
 * An edit of ours, what it touches as things are, and the rectangle around that.
 *
 * @typedef {{ readonly edit: Edit, reach: readonly Rect[], bounds: Rect | null }} Pending
 */
/** What a gesture would do to these cells. @typedef {(cells: Scene) => EditOp | null} Sketch */
/** @typedef {{ readonly seq: number, readonly parts: number, received: number, readonly scene: Scene }} Loading */

/**
 * The page's copy of one sheet: what the broker confirmed, and over it what the person did that the broker has
 * not confirmed yet. Reads give what the person sees.
 */
export class Replica {
  /** @type {Signal<Changed>} Told after every change, in the same turn. */
  changed = new Signal();
  /** The newest commit that was applied; 0 before the first snapshot. */
  seq = 0;

  #confirmed = new Scene();
  /** Confirmed and predictions; null when it has to be laid anew, which the next read does. @type {Scene | null} */
  #shown = null;
  /** @type {Map<string, Pending>} In the order they were made. */
  #pending = new Map();
  /** Over all of them; `reach` is what it touched the last time. @type {{ plan: Sketch, reach: readonly Rect[] } | null} */
  #sketch = null;
  #recent = new Recent();
  /** @type {Loading | null} */
  #loading = null;
  /** Changes that came between the parts of a snapshot. @type {Change[]} */
  #held = [];

  /** @param {string} sheetId */
  constructor(sheetId) {
    this.sheetId = sheetId;
  }

  get pendingCount() {
    return this.#pending.size;
  }

  /** The edits that were predicted and not settled, oldest first. */
  pending() {
    return Array.from(this.#pending.values(), ({ edit }) => edit);
  }

  /**
   * Columns `x0 .. x1` of row `y`; a half of a wide glyph at the edge shows as such.
   *
   * @param {number} y
   * @param {number} x0
   * @param {number} x1
   * @returns {Strip}
   */
  strip(y, x0, x1) {
    return this.#scene().strip(y, x0, x1);
  }

  /**
   * The cluster at a column, "" on the right half of a wide one, null where nothing is.
   *
   * @param {number} x
   * @param {number} y
   */
  charAt(x, y) {
    return this.#scene().charAt(x, y);
  }

  /**
   * What row `y` holds between two columns, as half-open stretches from left to right.
   *
   * @param {number} y
   * @param {number} [from]
   * @param {number} [to]
   * @returns {Stretch[]}
   */
  stretches(y, from, to) {
    return this.#scene().stretches(y, from, to);
  }

  /** The smallest rectangle around what there is to see; null on an empty sheet. */
  bounds() {
    return this.#scene().bounds();
  }

  /** Paints an edit of ours at once. The same id again is ignored. @param {Edit} edit */
  predict(edit) {
    if (this.#pending.has(edit.id)) return;
    const base = this.#scene();
    const scene = this.#pending.size ? base : base.fork();
    const reach = predict(scene, edit.op);
    this.#pending.set(edit.id, { edit, reach, bounds: union(reach) });
    this.#shown = this.#sketch ? null : scene;
    this.#tell({ rects: reach, origin: "local" });
  }

  /**
   * Shows what a gesture would do, over everything else, until the next call. It is planned anew whenever what is
   * under it changes, and is no edit: nothing is pending.
   *
   * @param {Sketch | null} plan
   */
  sketch(plan) {
    const rects = this.#sketch?.reach ?? [];
    if (!plan && !this.#sketch) return;
    this.#sketch = plan && { plan, reach: [] };
    this.#shown = null;
    this.#tell({ rects, origin: "local" });
  }

  /**
   * Takes a commit, ours (`ack`) or another's. It may come twice or late: it is applied once, and never over
   * a newer one.
   *
   * @param {Change} change
   */
  confirm(change) {
    if (this.#loading) this.#held.push(change);
    else this.#take(change);
  }

  /** An edit of ours is done and changed nothing here: its prediction goes. @param {string} id */
  settle(id) {
    const rects = this.#withdraw(id);
    if (rects.length) this.#tell({ rects: this.#laidAnew(rects), origin: "local" });
  }

  /** An edit of ours was refused: its prediction goes. @param {string} id */
  refuse(id) {
    this.settle(id);
  }

  /**
   * One frame of a snapshot. With the last one it takes the place of what was confirmed; predictions stay.
   *
   * @param {Snapshot} snapshot
   */
  loadPart({ seq, part, parts, cells }) {
    if (part === 0 || this.#loading?.seq !== seq) this.#loading = { seq, parts, received: 0, scene: new Scene() };
    for (const run of unpacked(cells)) this.#loading.scene.put(run.y, run.x, run);
    this.#loading.received += 1;
    if (this.#loading.received === parts) this.#swapIn(this.#loading);
  }

  /** @param {Loading} loaded */
  #swapIn({ seq, scene }) {
    const before = this.bounds();
    this.#loading = null;
    this.#confirmed = scene;
    this.#shown = null;
    this.#recent.reset(seq);
    this.seq = seq;
    const rects = [before, this.bounds()].filter((rect) => rect !== null);
    this.#tell({ rects, origin: "snapshot" });
    for (const change of this.#held.splice(0)) this.#take(change);
  }

  /** @param {Change} change */
  #take(change) {
    const ours = change.ack === undefined ? [] : this.#withdraw(change.ack);
    const runs = this.#recent.knows(change.seq) ? [] : unpacked(change.cells);
    if (runs.length) this.#apply(change.seq, runs);
    const rects = this.#laidAnew([...covered(runs), ...ours]);
    const { author, color } = change;
    this.#tell({ rects, origin: ours.length ? "local" : "remote", author, color });
  }

  /** @param {number} seq @param {Run[]} runs */
  #apply(seq, runs) {
    for (const commit of this.#recent.add({ seq, runs }))
      for (const run of commit.runs) this.#confirmed.put(run.y, run.x, run);
    this.seq = Math.max(this.seq, seq);
    this.#shown = null;
  }

  /** Takes an edit off the pending ones. @param {string} id @returns {readonly Rect[]} Its reach. */
  #withdraw(id) {
    const found = this.#pending.get(id);
    this.#pending.delete(id);
    if (found) this.#shown = null;
    return found?.reach ?? [];
  }

  /**
   * The rectangles, and the reach of every prediction whose outcome may differ with them.
   *
   * @param {readonly Rect[]} rects
   */
  #laidAnew(rects) {
    let all = [...rects];
    let around = union(all);
    for (const { reach, bounds } of this.#pending.values()) {
      if (!around || !bounds || !touch(bounds, around) || !meet(reach, all)) continue;
      all = all.concat(reach);
      around = union([around, bounds]);
    }
    return all;
  }

  /** Hot: every read asks. Laying anew costs a fork and the pending edits, once after a burst of confirmations. */
  #scene() {
    if (this.#shown) return this.#shown;
    const scene = this.#pending.size || this.#sketch ? this.#confirmed.fork() : this.#confirmed;
    for (const pending of this.#pending.values()) {
      pending.reach = predict(scene, pending.edit.op);
      pending.bounds = union(pending.reach);
    }
    if (this.#sketch) this.#sketch.reach = sketched(scene, this.#sketch.plan);
    return (this.#shown = scene);
  }

  /** A gesture's sketch may look different after any change. @param {Changed} changed */
  #tell(changed) {
    if (!this.#sketch) return this.changed.emit(changed);
    const before = this.#sketch.reach;
    this.#scene();
    this.changed.emit({ ...changed, rects: [...changed.rects, ...before, ...this.#sketch.reach] });
  }
}

/** @param {Scene} scene It is written on. @param {Sketch} plan @returns {readonly Rect[]} */
function sketched(scene, plan) {
  const op = plan(scene);
  return op ? predict(scene, op) : [];
}
