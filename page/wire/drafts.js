// @ts-check
/** @import { Edit } from "../wire/messages.js" */
import { Held } from "../lib/signal.js";

const PREFIX = "chardesk/edit/";
const DIGITS = 12;

/**
 * Unacknowledged edits in the browser's storage, one entry each, so that a keystroke costs one small write and a
 * reload loses nothing. Pages of one origin see each other's; an edit has its effect once, whoever sends it.
 */
export class Drafts {
  /** Did the storage refuse an edit (full, or not allowed)? Then a reload would lose it. @type {Held<boolean>} */
  isFailing = new Held(false);

  #store;
  /** @type {Map<string, string>} */
  #keys = new Map();
  #next = 0;

  /** @param {Storage} store */
  constructor(store) {
    this.#store = store;
  }

  /** What is kept, oldest first. Entries that can't be read are left where they are. @returns {Edit[]} */
  load() {
    const keys = Array.from({ length: this.#store.length }, (_, n) => this.#store.key(n) ?? "");
    const ours = keys.filter((key) => key.startsWith(PREFIX)).sort();
    this.#next = 1 + Number(ours.at(-1)?.slice(PREFIX.length, PREFIX.length + DIGITS) ?? -1);
    return ours.map((key) => this.#read(key)).filter((edit) => edit !== null);
  }

  /** @param {Edit} edit */
  save(edit) {
    const key = `${PREFIX}${String(this.#next).padStart(DIGITS, "0")}/${edit.id}`;
    this.#next += 1;
    try {
      this.#store.setItem(key, JSON.stringify(edit));
      this.#keys.set(edit.id, key);
      this.isFailing.set(false);
    } catch {
      this.isFailing.set(true);
    }
  }

  /** Is it still in the storage? Another page may have had it settled. @param {string} id */
  has(id) {
    return this.#store.getItem(this.#keys.get(id) ?? "") !== null;
  }

  /** @param {string} id */
  drop(id) {
    const key = this.#keys.get(id);
    if (key !== undefined) this.#store.removeItem(key);
    this.#keys.delete(id);
  }

  /** @param {string} key @returns {Edit | null} */
  #read(key) {
    try {
      const edit = JSON.parse(this.#store.getItem(key) ?? "");
      this.#keys.set(edit.id, key);
      return edit;
    } catch {
      return null;
    }
  }
}
