// @ts-check
/** @import { Edit, EditOp, RefusedEdit } from "./messages.js" */
import { Held } from "../lib/signal.js";

const PREFIX = "chardesk/conflict/";

/**
 * An edit that could not be placed, and why. `order` grows from the oldest on; `placedBy` is the edit that tries it
 * again and was not answered when this was written down.
 *
 * @typedef {{ readonly edit: Edit, readonly why: string, readonly order: number, readonly placedBy?: string }} Conflict
 */

/** @type {ReadonlySet<EditOp["kind"]>} */
const HAS_CELLS = new Set(/** @type {const} */ (["text", "cells", "erase", "fill", "move", "paste"]));

/**
 * Would an edit be lost if it were refused? What was done online is the person's to do again at once.
 *
 * @param {Edit | null} edit
 * @returns {edit is Edit}
 */
export function mayBeLost(edit) {
  return edit?.base !== undefined && HAS_CELLS.has(edit.op.kind);
}

/**
 * What the person did offline and the broker refused, since others had changed the cells meanwhile. It is kept in the
 * browser until the broker has placed it or the person has dropped it. Pages of one origin see each other's.
 */
export class Conflicts {
  /** Oldest first. @type {Held<readonly Conflict[]>} */
  all = new Held(/** @type {readonly Conflict[]} */ ([]));
  #store;
  /** What the storage would not take, newer than what it has. @type {Map<string, Conflict>} */
  #unstored = new Map();

  /** @param {Storage} store */
  constructor(store) {
    this.#store = store;
    this.read();
  }

  /** Is a key of the storage one of these? @param {string | null} key null: all of it is meant */
  static isIn(key) {
    return key === null || key.startsWith(PREFIX);
  }

  /** The storage may have changed: another page writes there too. */
  read() {
    const keys = Array.from({ length: this.#store.length }, (_, n) => this.#store.key(n) ?? "");
    const stored = keys.filter((key) => key.startsWith(PREFIX)).map((key) => parsed(this.#store.getItem(key)));
    const found = new Map(stored.filter((each) => each !== null).map((each) => [each.edit.id, each]));
    for (const [id, conflict] of this.#unstored) found.set(id, conflict);
    this.all.set([...found.values()].sort((a, b) => a.order - b.order));
  }

  /**
   * A refused edit, if it is one that would be lost, or one that tried to place such a one.
   *
   * @param {RefusedEdit} refusal
   * @param {Edit | null} edit
   * @returns {boolean} Is it kept?
   */
  keep({ id, message: why }, edit) {
    const tried = this.#triedBy(id);
    if (tried) this.#put({ edit: tried.edit, order: tried.order, why });
    else if (mayBeLost(edit)) this.#put({ edit, why, order: 1 + (this.all.value.at(-1)?.order ?? 0) });
    else return false;
    return true;
  }

  /**
   * Tries to place some of them again, over what others did. Each stays until the broker has answered.
   *
   * @param {readonly Conflict[]} some
   * @param {(op: EditOp) => Edit | null} perform
   */
  place(some, perform) {
    for (const { edit, why, order } of some) {
      const placedBy = perform(edit.op)?.id;
      if (placedBy === undefined) return;
      this.#put({ edit, why, order, placedBy });
    }
  }

  /** The broker has an edit of ours: what it placed is no conflict any more. @param {string} id */
  placed(id) {
    const tried = this.#triedBy(id);
    if (tried) this.drop([tried]);
  }

  /** The person does not want them. @param {readonly Conflict[]} some */
  drop(some) {
    for (const { edit } of some) {
      this.#unstored.delete(edit.id);
      this.#store.removeItem(PREFIX + edit.id);
    }
    const gone = new Set(some.map(({ edit }) => edit.id));
    this.all.set(this.all.value.filter(({ edit }) => !gone.has(edit.id)));
  }

  /** @param {string} id */
  #triedBy(id) {
    return this.all.value.find(({ placedBy }) => placedBy === id);
  }

  /** @param {Conflict} conflict */
  #put(conflict) {
    const { id } = conflict.edit;
    try {
      this.#store.setItem(PREFIX + id, JSON.stringify(conflict));
      this.#unstored.delete(id);
    } catch {
      // It stays on the screen; that a reload would lose it is said by the drafts, which met the full storage first.
      this.#unstored.set(id, conflict);
    }
    const known = this.all.value.some(({ edit }) => edit.id === id);
    const all = this.all.value.map((each) => (each.edit.id === id ? conflict : each));
    this.all.set(known ? all : [...all, conflict]);
  }
}

/** @param {string | null} text @returns {Conflict | null} */
function parsed(text) {
  try {
    const found = JSON.parse(text ?? "null");
    return found && { ...found, order: found.order ?? 0 };
  } catch {
    return null;
  }
}
