// @ts-check
/** @import { Edit } from "../wire/messages.js" */
/** @import { Drafts } from "./drafts.js" */
import { Held } from "../lib/signal.js";

/** The edits that the broker has not answered, oldest first. They stay until it has, across reconnects and reloads. */
export class Outbox {
  /** How many there are. @type {Held<number>} */
  count = new Held(0);

  /** @type {Map<string, Edit>} */
  #edits = new Map();
  /** Found in the storage at the start: another page may be sending them too. @type {Set<string>} */
  #adopted = new Set();
  #drafts;

  /** @param {Drafts} drafts */
  constructor(drafts) {
    this.#drafts = drafts;
    for (const edit of drafts.load()) {
      this.#edits.set(edit.id, edit);
      this.#adopted.add(edit.id);
    }
    this.#tell();
  }

  /** @param {Edit} edit */
  add(edit) {
    this.#edits.set(edit.id, edit);
    this.#drafts.save(edit);
    this.#tell();
  }

  /** The answer came. @param {string} id @returns {Edit | null} The edit, the first time only. */
  settle(id) {
    const edit = this.#edits.get(id) ?? null;
    this.#edits.delete(id);
    this.#adopted.delete(id);
    this.#drafts.drop(id);
    if (edit) this.#tell();
    return edit;
  }

  /** @param {string} id */
  get(id) {
    return this.#edits.get(id);
  }

  /** All of them, or those of one sheet. @param {string} [sheet] @returns {Edit[]} */
  list(sheet) {
    return [...this.#edits.values()].filter((edit) => sheet === undefined || edit.sheet === sheet);
  }

  /** All of them under a new epoch, to be sent again. What another page has had settled meanwhile is dropped. @param {number} epoch @returns {Edit[]} */
  again(epoch) {
    for (const id of this.#adopted) if (!this.#drafts.has(id)) this.settle(id);
    for (const edit of this.#edits.values()) this.#edits.set(edit.id, { ...edit, epoch });
    return this.list();
  }

  #tell() {
    this.count.set(this.#edits.size);
  }
}
