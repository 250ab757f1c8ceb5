// @ts-check

const FIRST_MS = 50;
const LONGEST_MS = 15_000;

/** Waits between attempts: doubling from 50 ms to 15 s, times 1 to 1.5 so that pages don't come back in step. */
export class Backoff {
  #baseMs = FIRST_MS;
  #random;

  /** @param {() => number} random From 0 to 1. */
  constructor(random) {
    this.#random = random;
  }

  /** How long to wait before the next attempt. */
  nextMs() {
    const ms = this.#baseMs * (1 + this.#random() / 2);
    this.#baseMs = Math.min(LONGEST_MS, this.#baseMs * 2);
    return ms;
  }

  reset() {
    this.#baseMs = FIRST_MS;
  }
}
