// @ts-check
/** @import { Edit, EditOp, RefusedEdit } from "./messages.js" */
/** @import { Result } from "./calls.js" */
/** @import { Drafts } from "./drafts.js" */
/** @import { Refusal } from "./refusals.js" */
import { Held } from "../lib/signal.js";
import { Calls } from "./calls.js";

/** What means something else later on. @type {ReadonlySet<EditOp["kind"]>} */
const AT_ONCE = new Set(/** @type {const} */ (["undo", "redo"]));

/**
 * The edits that the broker has not answered, oldest first. They stay until it has, across reconnects and reloads.
 */
export class Outbox {
  /** How many there are. @type {Held<number>} */
  count = new Held(0);

  /** @type {Map<string, Edit>} */
  #edits = new Map();
  /** Found in the storage at the start: another page may be sending them too. @type {Set<string>} */
  #adopted = new Set();
  /** What the person saw when an edit was made, of those that were sent at once. @type {Map<string, number>} */
  #bases = new Map();
  #calls = new Calls();
  #drafts;
  /** Resolves when everything that was kept is here. @type {Promise<void>} */
  ready;

  /** @param {Drafts} drafts */
  constructor(drafts) {
    this.#drafts = drafts;
    this.#adopt(drafts.load());
    this.ready = drafts.loadVault().then((edits) => this.#adopt(edits));
  }

  /**
   * An edit that is sent at once has no base: it wins over what crosses with it. If it is sent again, it has one, since
   * much may have happened by then.
   *
   * @param {Edit} edit
   * @param {number} seq up to where the person saw the sheet; 0 if not at all
   */
  add(edit, seq) {
    this.#edits.set(edit.id, edit);
    if (seq) this.#bases.set(edit.id, seq);
    this.#drafts.save(seq ? { ...edit, base: seq } : edit);
    this.count.set(this.#edits.size);
  }

  /** What the broker will answer to an edit. Rejects with CallRefused. @param {string} id @returns {Promise<Result>} */
  answer(id) {
    return this.#calls.open(id);
  }

  /** The broker did an edit. Again, nothing happens. @param {string} id @param {Result} result */
  settle(id, result) {
    this.#drop(id);
    this.#calls.resolve(id, result);
  }

  /**
   * The broker refused an edit.
   *
   * @param {string} id
   * @param {Refusal} refusal
   * @returns {Edit | null} The edit, the first time only.
   */
  refuse(id, refusal) {
    this.#calls.refuse(id, refusal);
    return this.#drop(id);
  }

  /**
   * Does an edit stay although it was refused? One that crossed with the loss of the seat is sent when the seat is
   * back, but for a call, since its caller has gone on by then; what was drawn and found the disk full is sent when
   * the disk takes it.
   *
   * @param {RefusedEdit} refusal
   */
  keeps({ id, code }) {
    const kind = this.#edits.get(id)?.op.kind ?? "call";
    return kind !== "call" && (code === "replaced" || (code === "store_failed" && !AT_ONCE.has(kind)));
  }

  /** All of them, or those of one sheet. @param {string} [sheet] @returns {Edit[]} */
  list(sheet) {
    return [...this.#edits.values()].filter((edit) => sheet === undefined || edit.sheet === sheet);
  }

  /**
   * All of them under a new epoch, to be sent again. What another page has had settled meanwhile is dropped.
   *
   * @param {number} epoch
   * @returns {Edit[]}
   */
  again(epoch) {
    for (const id of this.#adopted) if (!this.#drafts.has(id)) this.#drop(id);
    for (const edit of this.#edits.values()) {
      const base = edit.base ?? this.#bases.get(edit.id);
      this.#edits.set(edit.id, { ...edit, epoch, ...(base !== undefined && { base }) });
    }
    return this.list();
  }

  /** Edits of an earlier time take their places among those that are here. @param {readonly Edit[]} edits */
  #adopt(edits) {
    for (const edit of edits) this.#adopted.add(edit.id);
    const all = [...this.#edits.values(), ...edits].sort((a, b) => this.#drafts.inOrder(a, b));
    this.#edits = new Map(all.map((edit) => [edit.id, edit]));
    this.count.set(this.#edits.size);
  }

  /** @param {string} id */
  #drop(id) {
    const edit = this.#edits.get(id) ?? null;
    this.#edits.delete(id);
    this.#bases.delete(id);
    this.#adopted.delete(id);
    this.#drafts.drop(id);
    this.count.set(this.#edits.size);
    return edit;
  }
}
