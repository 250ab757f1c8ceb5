// @ts-check
import { Held } from "../lib/signal.js";

const PREFIX = "chardesk/post/";

/** A line to an agent that the broker has not confirmed. @typedef {{ readonly id: string, readonly to: string, readonly text: string, readonly time: number }} Line */

/**
 * What the person writes to agents, kept in the browser until the broker has it. A line has its effect once, however
 * often and by whichever page it is sent.
 */
export class Posts {
  /** Oldest first. @type {Held<readonly Line[]>} */
  waiting = new Held(/** @type {readonly Line[]} */ ([]));
  #store;
  #send;

  /** @param {Storage} store @param {(line: Line) => void} send now, if the broker is there */
  constructor(store, send) {
    this.#store = store;
    this.#send = send;
    const keys = Array.from({ length: store.length }, (_, n) => store.key(n) ?? "");
    const found = keys.filter((key) => key.startsWith(PREFIX)).map((key) => parsed(store.getItem(key)));
    this.waiting.set(found.filter((line) => line !== null).sort((a, b) => a.time - b.time));
  }

  /** @param {string} to @param {string} text @param {number} time seconds since 1970 */
  write(to, text, time) {
    const line = { id: crypto.randomUUID(), to, text, time };
    try {
      this.#store.setItem(PREFIX + line.id, JSON.stringify(line));
    } catch {
      // A full storage can't keep it over a reload; it goes out all the same.
    }
    this.waiting.set([...this.waiting.value, line]);
    this.#send(line);
  }

  /** The broker is there (again). */
  again() {
    for (const line of this.waiting.value) this.#send(line);
  }

  /** The broker has it, or will not have it. @param {string} id @returns {Line | null} the line, the first time */
  settle(id) {
    const line = this.waiting.value.find((each) => each.id === id) ?? null;
    this.#store.removeItem(PREFIX + id);
    if (line) this.waiting.set(this.waiting.value.filter((each) => each !== line));
    return line;
  }
}

/** @param {string | null} text @returns {Line | null} */
function parsed(text) {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
