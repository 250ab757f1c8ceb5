// @ts-check
/** @import { Preview } from "../wire/messages.js" */
/** @import { Run } from "./packed.js" */
/** @import { Rect } from "./region.js" */
import { Signal } from "../lib/signal.js";
import { unpacked } from "./packed.js";
import { union } from "./region.js";

/**
 * A preview and its cells as runs of columns; empty columns are ones that it would clear.
 *
 * @typedef {{ readonly preview: Preview, readonly runs: readonly Run[] }} Ghost
 */

/** What is proposed and not decided, by preview id; the newest lies on top. */
export class Ghosts {
  /**
   * Told when one came, changed or went, with what it covers or covered.
   *
   * @type {Signal<{ readonly id: string, readonly rects: readonly Rect[] }>}
   */
  changed = new Signal();

  /** @type {Map<string, Ghost>} Oldest first. */
  #byId = new Map();

  /** Adds one, or puts it in the place of the one with the same id. @param {Preview} preview */
  put(preview) {
    const before = this.#byId.get(preview.id)?.preview.bounds;
    this.#byId.set(preview.id, { preview, runs: unpacked(preview.cells) });
    this.#tell(preview.id, before ? [before, preview.bounds] : [preview.bounds]);
  }

  /** @param {string} id @returns {boolean} Was it there? */
  remove(id) {
    const ghost = this.#byId.get(id);
    if (!ghost) return false;
    this.#byId.delete(id);
    this.#tell(id, [ghost.preview.bounds]);
    return true;
  }

  /** After a new welcome: the broker says again which there are. */
  clear() {
    for (const id of [...this.#byId.keys()]) this.remove(id);
  }

  /** Removes those whose time is over. @param {number} nowS Seconds since 1970, as `expiresAt` counts. */
  expire(nowS) {
    for (const { preview } of this.list()) if (preview.expiresAt <= nowS) this.remove(preview.id);
  }

  /** @param {string} id @returns {Ghost | null} */
  get(id) {
    return this.#byId.get(id) ?? null;
  }

  /** Oldest first; of one sheet, if one is named. @param {string} [sheet] @returns {Ghost[]} */
  list(sheet) {
    return [...this.#byId.values()].filter(({ preview }) => sheet === undefined || preview.sheet === sheet);
  }

  /**
   * The topmost ghost with a column there.
   *
   * @param {string} sheet
   * @param {number} x
   * @param {number} y
   * @returns {Ghost | null}
   */
  at(sheet, x, y) {
    return this.list(sheet).findLast(({ runs }) => runs.some((run) => has(run, x, y))) ?? null;
  }

  /** The rectangle around all of a sheet's ghosts. @param {string} sheet */
  bounds(sheet) {
    return union(this.list(sheet).map(({ preview }) => preview.bounds));
  }

  /** @param {string} id @param {readonly Rect[]} rects */
  #tell(id, rects) {
    this.changed.emit({ id, rects });
  }
}

/** @param {Run} run @param {number} x @param {number} y */
function has(run, x, y) {
  return run.y === y && x >= run.x && x < run.x + run.chars.length;
}
