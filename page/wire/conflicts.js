// @ts-check
/** @import { Edit, RefusedEdit } from "./messages.js" */
import { Held } from "../lib/signal.js";

const PREFIX = "chardesk/conflict/";

/** An edit made while the broker was away, and why it could not be placed. @typedef {{ edit: Edit, why: string }} Conflict */

/**
 * What the person did offline and the broker refused, since others had changed the cells meanwhile. It is kept in the
 * browser until the person has placed or dropped it.
 */
export class Conflicts {
  /** Oldest first. @type {Held<readonly Conflict[]>} */
  all = new Held(/** @type {readonly Conflict[]} */ ([]));
  #store;

  /** @param {Storage} store */
  constructor(store) {
    this.#store = store;
    const keys = Array.from({ length: store.length }, (_, n) => store.key(n) ?? "");
    const found = keys.filter((key) => key.startsWith(PREFIX)).map((key) => parsed(store.getItem(key)));
    this.all.set(found.filter((each) => each !== null));
  }

  /**
   * A refused edit, if it is one that would be lost. What was done online is the person's to do again at once.
   *
   * @param {RefusedEdit} refusal
   * @param {Edit | null} edit
   * @returns {boolean} Was it kept?
   */
  keep({ message }, edit) {
    if (!edit || edit.base === undefined || !HAS_CELLS.has(edit.op.kind)) return false;
    const conflict = { edit, why: message };
    this.all.set([...this.all.value, conflict]);
    try {
      this.#store.setItem(PREFIX + edit.id, JSON.stringify(conflict));
    } catch {
      // It stays on the screen; that a reload would lose it is said by the drafts, which met the full storage first.
    }
    return true;
  }

  /** It was placed, or the person does not want it. @param {string} id */
  drop(id) {
    this.#store.removeItem(PREFIX + id);
    this.all.set(this.all.value.filter(({ edit }) => edit.id !== id));
  }
}

/** @type {ReadonlySet<Edit["op"]["kind"]>} */
const HAS_CELLS = new Set(/** @type {const} */ (["text", "cells", "erase", "fill", "move", "paste"]));

/** @param {string | null} text @returns {Conflict | null} */
function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
