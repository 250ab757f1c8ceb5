// @ts-check
/** @import { EditOp } from "../wire/messages.js" */
/** @import { ToolName, Way } from "./tools.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Replica } from "../model/replica.js" */
/** @import { At, Rect } from "../model/region.js" */
/** @import { Refusal } from "./refusal.js" */
/** @import { Editor } from "./editor.js" */
/** @import { Toolbox } from "./toolbox.js" */
import { picked } from "./picked.js";
import { duplicated, shifted } from "./ranges.js";
import { between } from "./stroke.js";
import { PLANS, isDrawing, isEdit } from "./tools.js";

/** Keys that are held while a tool is used. @typedef {{ readonly isShift?: boolean, readonly isAdding?: boolean, readonly isCopying?: boolean }} Held */

/** What goes on between a press and its release. @typedef {{ to: (at: At, held: Held) => void, end: () => void, cancel: () => void }} Gesture */

/** The hand has no gesture of its own: it moves the view. @typedef {Exclude<ToolName, "hand">} Gesturing */

/**
 * One gesture at a time, with whatever tool is in hand: what it would do is shown while it goes on, done at its end, and
 * forgotten when it is cancelled.
 */
export class Gestures {
  #toolbox;
  #editor;
  #replica;
  /** @type {Gesture | null} */
  #now = null;

  /** @param {{ toolbox: Toolbox, editor: Editor, replica: () => Replica }} parts */
  constructor({ toolbox, editor, replica }) {
    this.#toolbox = toolbox;
    this.#editor = editor;
    this.#replica = replica;
    toolbox.changed.subscribe(() => this.cancel());
  }

  get isOn() {
    return this.#now !== null;
  }

  /** @param {At} at @param {Held} [held] */
  begin(at, held = {}) {
    this.cancel();
    const { tool } = this.#toolbox;
    if (tool === "hand") return;
    this.#now = this.#begun(tool, at, held);
  }

  /** @param {At} at @param {Held} [held] */
  to(at, held = {}) {
    this.#now?.to(at, held);
  }

  end() {
    const ended = this.#now;
    this.#now = null;
    ended?.end();
  }

  /** As if it had not begun. @returns {boolean} Was there one? */
  cancel() {
    const cancelled = this.#now;
    this.#now = null;
    cancelled?.cancel();
    return cancelled !== null;
  }

  /** @param {Gesturing} tool @param {At} at @param {Held} held @returns {Gesture} */
  #begun(tool, at, held) {
    if (isDrawing(tool)) return this.#stroke(PLANS[tool], at, held);
    if (tool === "picker") return this.#pick(at);
    const isOnSelection = tool === "select" && !held.isShift && !held.isAdding && this.#editor.covers(at);
    return isOnSelection ? this.#drag(at, held) : this.#marquee(at, held);
  }

  /**
   * @param {(typeof PLANS)[keyof typeof PLANS]} plan
   * @param {At} at
   * @param {Held} held
   * @returns {Gesture}
   */
  #stroke(plan, at, held) {
    const { room } = this.#editor;
    /** @type {Way} */
    let way = { path: [at], isShift: held.isShift ?? false, room };
    const planned = (/** @type {Cells} */ cells) => plan(cells, way, this.#toolbox.options);
    this.#show(planned);
    return {
      to: (next, { isShift = false }) => {
        const last = way.path.at(-1) ?? next;
        way = { ...way, path: [...way.path, ...between(last, next).slice(1)], isShift };
        this.#show(planned);
      },
      end: () => this.#finish(planned),
      cancel: () => this.#replica().sketch(null),
    };
  }

  /** What is selected goes along with the pointer. @param {At} start @param {Held} held @returns {Gesture} */
  #drag(start, held) {
    const { ranges, cursor } = this.#editor;
    /** @type {At} */
    let by = [0, 0];
    let isCopying = held.isCopying ?? false;
    return {
      to: ([x, y], now) => {
        by = [x - start[0], y - start[1]];
        isCopying = now.isCopying ?? false;
        this.#show((cells) => (isCopying ? duplicated : shifted)(cells, ranges, by));
        this.#editor.selectAllOf(displaced(ranges, by));
      },
      end: () => {
        this.#replica().sketch(null);
        this.#editor.selectAllOf(ranges);
        if (by[0] || by[1]) this.#editor.displace(by, isCopying);
        else this.#editor.place(start);
      },
      cancel: () => {
        this.#replica().sketch(null);
        this.#editor.place([cursor.x, cursor.y]);
        this.#editor.selectAllOf(ranges);
      },
    };
  }

  /** @param {At} at @param {Held} held @returns {Gesture} */
  #marquee(at, { isShift, isAdding }) {
    const { ranges, cursor } = this.#editor;
    if (isShift) this.#editor.extend(at);
    else if (isAdding) this.#editor.placeBeside(at);
    else this.#editor.place(at);
    return {
      to: (next) => this.#editor.extend(next),
      end: () => undefined,
      cancel: () => {
        this.#editor.place([cursor.x, cursor.y]);
        this.#editor.selectAllOf(ranges);
      },
    };
  }

  /** @param {At} at @returns {Gesture} */
  #pick(at) {
    const { options } = this.#toolbox;
    let last = at;
    return {
      to: (next) => (last = next),
      end: () => {
        this.#toolbox.set({ ...options, ...picked(this.#replica(), last) });
        this.#toolbox.goBack();
      },
      cancel: () => undefined,
    };
  }

  /** @param {(cells: Cells) => EditOp | Refusal | null} plan */
  #show(plan) {
    this.#replica().sketch((cells) => {
      const op = plan(cells);
      return isEdit(op) ? op : null;
    });
  }

  /** @param {(cells: Cells) => EditOp | Refusal | null} plan */
  #finish(plan) {
    this.#replica().sketch(null);
    this.#editor.do(plan(this.#replica()));
  }
}

/** @param {readonly Rect[]} ranges @param {At} by @returns {Rect[]} */
function displaced(ranges, [right, down]) {
  return ranges.map(([x, y, width, height]) => [x + right, y + down, width, height]);
}
