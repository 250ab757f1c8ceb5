// @ts-check
/** @import { Rect } from "../../model/region.js" */
/** @import { Changed, Replica } from "../../model/replica.js" */
import { Signal } from "../../lib/signal.js";
import { Unseen } from "../../model/unseen.js";

const KEY = "chardesk/seen";

/** Sheets that are remembered; those that were not opened for the longest time are forgotten first. */
const MAX_SHEETS = 100;

/** A change is written down this long after it came, with what comes meanwhile, and when the page goes. */
const PAUSE_MS = 1000;

const PERSON = "person";

/** Up to which commit a sheet was followed, and what of that nobody has looked at. @typedef {{ readonly seq: number, readonly places: readonly Rect[] }} Followed */

/**
 * What others changed while the person looked elsewhere or was away. It is remembered for each sheet in the browser;
 * when a sheet is there again, the broker is asked what happened since.
 */
export class Missed {
  /** The places are others; `seen` are those that have just come into sight. @type {Signal<{ readonly seen: readonly Rect[] }>} */
  changed = new Signal();
  #unseen = new Unseen();
  #store;
  #ask;
  #visible;
  /** @type {Replica | null} */
  #watched = null;
  #unwatch = () => {};
  /** Null: this browser has not shown the sheet before. @type {number | null} */
  #seq = null;
  /** Has the broker yet to say what happened since `#seq`? */
  #isBehind = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {object} parts
   * @param {Pick<Storage, "getItem" | "setItem">} parts.store
   * @param {(tool: string, args: Readonly<Record<string, unknown>>) => Promise<Readonly<Record<string, unknown>>>} parts.ask
   * @param {() => Rect | null} parts.visible what the person sees; null while the page is hidden
   */
  constructor({ store, ask, visible }) {
    this.#store = store;
    this.#ask = ask;
    this.#visible = visible;
  }

  /** Oldest first. */
  get places() {
    return this.#unseen.places;
  }

  /** Another sheet is shown. @param {Replica} replica */
  watch(replica) {
    this.keep();
    this.#unwatch();
    const before = this.#followed().get(replica.sheetId);
    [this.#watched, this.#seq, this.#isBehind] = [replica, before?.seq ?? null, false];
    this.#unseen.clear();
    for (const place of before?.places ?? []) this.#unseen.add([place], null);
    this.#unwatch = replica.changed.subscribe((changed) => this.#hear(replica, changed));
    this.changed.emit({ seen: this.#seen() });
  }

  /** The person may see other cells now. */
  look() {
    const seen = this.#seen();
    if (!seen.length) return;
    this.changed.emit({ seen });
    this.#keepSoon();
  }

  /** Writes down how far the sheet was followed. The page may go at any time after. */
  keep() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#watched || this.#seq === null) return;
    const all = this.#followed();
    all.delete(this.#watched.sheetId);
    all.set(this.#watched.sheetId, { seq: this.#seq, places: this.places });
    try {
      this.#store.setItem(KEY, JSON.stringify([...all].slice(-MAX_SHEETS)));
    } catch {
      // A full or forbidden storage forgets what was seen, nothing else.
    }
  }

  /** @param {Replica} replica @param {Changed} changed */
  #hear(replica, { rects, origin }) {
    if (replica.seq === 0) return; // its cells have not come yet
    if (origin === "snapshot" && this.#seq !== null && replica.seq > this.#seq) return void this.#catchUp(replica);
    const before = this.places;
    if (origin === "remote") this.#unseen.add(rects, this.#visible());
    if (!this.#isBehind) this.#seq = replica.seq;
    if (this.places !== before) this.changed.emit({ seen: [] });
    this.#keepSoon();
  }

  /** @param {Replica} replica */
  async #catchUp(replica) {
    this.#isBehind = true;
    const args = { pageId: replica.sheetId, sinceRevision: this.#seq };
    const answer = await this.#ask("canvas_read", args).catch((refusal) => refusal);
    if (replica !== this.#watched) return;
    const { changed, code } = answer;
    // A desk that has been put back to an earlier time has no such revision: what happened there is not known.
    if (!changed && code !== "revision_gone") return;
    for (const { bounds, author } of changed ?? []) if (author !== PERSON) this.#unseen.add([bounds], null);
    [this.#isBehind, this.#seq] = [false, replica.seq];
    this.changed.emit({ seen: this.#seen() });
    this.#keepSoon();
  }

  /** What of the places is in sight; it is missed no longer. */
  #seen() {
    const visible = this.#visible();
    return visible ? this.#unseen.look(visible) : [];
  }

  #keepSoon() {
    this.#timer ??= setTimeout(() => this.keep(), PAUSE_MS);
  }

  /** By sheet, the one that was opened last at the end. @returns {Map<string, Followed>} */
  #followed() {
    try {
      return new Map(JSON.parse(this.#store.getItem(KEY) ?? "[]"));
    } catch {
      return new Map();
    }
  }
}
