// @ts-check
/** @import { Shown, Viewport } from "./messages.js" */
/** @import { Rect } from "../model/region.js" */
/** @import { World } from "./socket.js" */

/** The viewport is told at most four times a second; the last one always is. */
const PAUSE_MS = 250;

/** Tells the broker what the person sees: `shown` when it grew, the viewport in measured steps. */
export class Sight {
  #world;
  #send;
  /** @type {{ readonly sheet: string, readonly seq: number }} */
  #told = { sheet: "", seq: -1 };
  /** @type {Viewport | null} */
  #next = null;
  #isPausing = false;

  /**
   * @param {Pick<World, "setTimeout">} world
   * @param {(message: Shown | Viewport) => boolean} send Is it on its way?
   */
  constructor(world, send) {
    this.#world = world;
    this.#send = send;
  }

  /** On a new connection nothing is told yet. */
  forget() {
    this.#told = { sheet: "", seq: -1 };
  }

  /** @param {string} sheet @param {number} seq */
  shown(sheet, seq) {
    if (sheet === this.#told.sheet && seq === this.#told.seq) return;
    if (this.#send({ type: "shown", sheet, seq })) this.#told = { sheet, seq };
  }

  /** @param {string} sheet @param {Rect} rect @param {Rect | null} selection */
  viewport(sheet, rect, selection) {
    this.#next = { type: "viewport", sheet, rect, ...(selection && { selection }) };
    if (!this.#isPausing) this.#tell();
  }

  #tell() {
    if (this.#next) this.#send(this.#next);
    this.#isPausing = this.#next !== null;
    this.#next = null;
    if (this.#isPausing) this.#world.setTimeout(() => this.#tell(), PAUSE_MS);
  }
}
