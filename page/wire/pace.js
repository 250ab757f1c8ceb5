// @ts-check
/** @import { World } from "./socket.js" */
import { Held } from "../lib/signal.js";

/** An answer that takes longer is a slow one. */
const SLOW_MS = 1000;

/** A slow link that nothing was sent on for so long may be a good one by now. */
const FORGOTTEN_MS = 5000;

/**
 * Does the broker take long to answer? Slow is a link from the moment on when something waits too long, until an
 * answer comes in time, or nothing was sent for a while.
 */
export class Pace {
  /** @type {Held<boolean>} */
  isSlow = new Held(/** @type {boolean} */ (false));
  #world;
  /** When what waits was sent, oldest first. @type {Map<string, number>} */
  #sent = new Map();
  /** @type {number | null} */
  #timer = null;

  /** @param {Pick<World, "setTimeout" | "clearTimeout" | "nowMs">} world */
  constructor(world) {
    this.#world = world;
  }

  /** @param {string} id */
  sent(id) {
    this.#sent.set(id, this.#world.nowMs());
    if (this.#sent.size === 1) this.#look();
  }

  /** @param {string} id */
  answered(id) {
    const since = this.#sent.get(id);
    if (since === undefined) return;
    this.#sent.delete(id);
    if (this.#isInTime(since) && this.#isInTime(this.#oldest)) this.isSlow.set(false);
    this.#look();
  }

  /** The connection is over: how fast it was says nothing about the next. */
  forget() {
    this.#sent.clear();
    this.isSlow.set(false);
    this.#look();
  }

  get #oldest() {
    return this.#sent.values().next().value ?? Infinity;
  }

  /** @param {number} since */
  #isInTime(since) {
    return this.#world.nowMs() - since < SLOW_MS;
  }

  /** Looks again when the oldest will have waited too long, or when what is known will be too old. */
  #look() {
    if (this.#timer !== null) this.#world.clearTimeout(this.#timer);
    this.#timer = null;
    const rest = this.#oldest + SLOW_MS - this.#world.nowMs();
    if (rest <= 0) this.isSlow.set(true);
    else if (this.#sent.size) this.#timer = this.#world.setTimeout(() => this.#look(), rest);
    else if (this.isSlow.value) this.#timer = this.#world.setTimeout(() => this.isSlow.set(false), FORGOTTEN_MS);
  }
}
