// @ts-check
/** @import { Edit } from "./messages.js" */
/** @import { Vault } from "./vault.js" */
import { Held } from "../lib/signal.js";

const PREFIX = "chardesk/edit/";
const DIGITS = 12;

/** A vault that does not open keeps nobody waiting longer than this. */
const PATIENCE_MS = 1000;

/**
 * Unacknowledged edits in the browser, one entry each, so that a keystroke costs one small write and a reload loses
 * nothing. They go into the storage, which has kept them when `save` returns; what it refuses (it holds about 5 MB)
 * goes into the vault. Pages of one origin see each other's; an edit has its effect once, whoever sends it.
 */
export class Drafts {
  /** Did storage and vault both refuse an edit? Then a reload would lose it. @type {Held<boolean>} */
  isFailing = new Held(false);

  #store;
  #vault;
  /** @type {Map<string, string>} */
  #keys = new Map();
  /** Those of them that lie in the vault. @type {Set<string>} */
  #vaulted = new Set();
  #next = 0;

  /** @param {Storage} store @param {Pick<Vault, "all" | "put" | "remove"> | null} [vault] */
  constructor(store, vault = null) {
    this.#store = store;
    this.#vault = vault;
  }

  /** What the storage keeps, oldest first. Entries that can't be read are left where they are. @returns {Edit[]} */
  load() {
    const keys = Array.from({ length: this.#store.length }, (_, n) => this.#store.key(n) ?? "");
    const ours = keys.filter((key) => key.startsWith(PREFIX)).sort();
    this.#count(ours);
    return ours.map((key) => this.#read(key, this.#store.getItem(key))).filter((edit) => edit !== null);
  }

  /** What the vault keeps, oldest first; none if it does not open. @returns {Promise<Edit[]>} */
  async loadVault() {
    if (!this.#vault) return [];
    /** @type {Promise<[key: string, text: string][]>} */
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, []));
    const found = await Promise.race([this.#vault.all(), late]).catch(() => []);
    this.#count(found.map(([key]) => key));
    const readable = found.map(([key, text]) => this.#read(key, text)).filter((edit) => edit !== null);
    for (const { id } of readable) this.#vaulted.add(id);
    return readable;
  }

  /** Which of two is older? Negative: the first. @param {Edit} a @param {Edit} b */
  inOrder(a, b) {
    return (this.#keys.get(a.id) ?? "") < (this.#keys.get(b.id) ?? "") ? -1 : 1;
  }

  /** @param {Edit} edit */
  save(edit) {
    const key = `${PREFIX}${String(this.#next).padStart(DIGITS, "0")}/${edit.id}`;
    const text = JSON.stringify(edit);
    this.#next += 1;
    this.#keys.set(edit.id, key);
    try {
      this.#store.setItem(key, text);
      this.isFailing.set(false);
    } catch {
      void this.#saveInVault(edit.id, key, text);
    }
  }

  /** Is it still kept? Another page may have had it settled; of the vault's that is not known. @param {string} id */
  has(id) {
    return this.#vaulted.has(id) || this.#store.getItem(this.#keys.get(id) ?? "") !== null;
  }

  /** @param {string} id */
  drop(id) {
    const key = this.#keys.get(id);
    this.#keys.delete(id);
    if (key === undefined) return;
    this.#store.removeItem(key);
    if (this.#vaulted.delete(id)) this.#vault?.remove(key).catch(() => undefined);
  }

  /** @param {string} id @param {string} key @param {string} text */
  async #saveInVault(id, key, text) {
    this.#vaulted.add(id);
    try {
      if (!this.#vault) throw new Error("there is no vault");
      await this.#vault.put(key, text);
      this.isFailing.set(false);
      if (!this.#keys.has(id)) await this.#vault.remove(key); // it was settled meanwhile
    } catch {
      this.#vaulted.delete(id);
      this.isFailing.set(true);
    }
  }

  /** New entries come after these. @param {readonly string[]} keys */
  #count(keys) {
    const last = keys.at(-1)?.slice(PREFIX.length, PREFIX.length + DIGITS);
    this.#next = Math.max(this.#next, 1 + Number(last ?? -1));
  }

  /** @param {string} key @param {string | null} text @returns {Edit | null} */
  #read(key, text) {
    try {
      const edit = JSON.parse(text ?? "");
      this.#keys.set(edit.id, key);
      return edit;
    } catch {
      return null;
    }
  }
}
