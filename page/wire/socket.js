// @ts-check
import { Signal } from "../lib/signal.js";
import { Backoff } from "./backoff.js";

/**
 * What a socket needs of the browser, handed in so that tests can play it.
 *
 * @typedef {object} World
 * @property {new (url: string) => WebSocket} WebSocket
 * @property {() => Promise<boolean>} isThere Does the broker answer? Never rejects.
 * @property {(callback: () => void, ms: number) => number} setTimeout
 * @property {(id: number) => void} clearTimeout
 * @property {() => number} nowMs
 * @property {() => number} random
 */

/** A connection that lived this long was a good one: the next attempt comes soon. */
const GOOD_LIFE_MS = 5000;

/**
 * Where the connection is. Every state but `Stopped` leads to an open socket sooner or later.
 *
 * @typedef {{ kind: "stopped" }} Stopped
 * @typedef {{ kind: "waiting", timer: number }} Waiting
 * @typedef {{ kind: "probing" }} Probing
 * @typedef {{ kind: "opening", socket: WebSocket }} Opening
 * @typedef {{ kind: "open", socket: WebSocket, sinceMs: number }} Open
 * @typedef {Stopped | Waiting | Probing | Opening | Open} State
 */

/**
 * A WebSocket that comes back. It asks over HTTP whether the broker is there before it opens the socket: Chromium
 * makes a page wait up to seconds after failed WebSockets, not after failed requests.
 */
export class Socket {
  /** @type {Signal<void>} */
  opened = new Signal();
  /** @type {Signal<string>} */
  message = new Signal();
  /**
   * An attempt failed or a connection ended; `code` is the WebSocket's, 1006 when there was none.
   *
   * @type {Signal<{ readonly code: number }>}
   */
  closed = new Signal();

  /** @type {State} */
  #state = { kind: "stopped" };
  #url;
  #world;
  #backoff;

  /** @param {string} url @param {World} world */
  constructor(url, world) {
    this.#url = url;
    this.#world = world;
    this.#backoff = new Backoff(world.random);
  }

  /** Begins to connect. Does nothing while it is at it or open. */
  start() {
    if (this.#state.kind === "stopped") void this.#probe();
  }

  /** Tries now instead of later: the page came to the front, or the network is back. */
  hurry() {
    if (this.#state.kind !== "waiting") return;
    this.#world.clearTimeout(this.#state.timer);
    this.#backoff.reset();
    void this.#probe();
  }

  /** Ends the connection and the attempts. `closed` is not told. */
  stop() {
    const state = this.#state;
    this.#state = { kind: "stopped" };
    if (state.kind === "waiting") this.#world.clearTimeout(state.timer);
    if (state.kind === "opening" || state.kind === "open") state.socket.close();
  }

  /** Leaves the connection for a new one. `closed` is not told. */
  renew() {
    this.stop();
    this.start();
  }

  /** @param {string} text @returns {boolean} Is the socket open, so that the text is on its way? */
  send(text) {
    if (this.#state.kind !== "open") return false;
    this.#state.socket.send(text);
    return true;
  }

  async #probe() {
    /** @type {Probing} */
    const probing = { kind: "probing" };
    this.#state = probing;
    const isThere = await this.#world.isThere();
    if (this.#state !== probing) return;
    if (isThere) this.#open();
    else this.#lost(1006);
  }

  #open() {
    const socket = new this.#world.WebSocket(this.#url);
    this.#state = { kind: "opening", socket };
    // Events of a socket that was given up are nobody's business any more.
    const isCurrent = () => "socket" in this.#state && this.#state.socket === socket;
    socket.onopen = () => isCurrent() && this.#isOpen(socket);
    socket.onmessage = ({ data }) => isCurrent() && this.message.emit(data);
    socket.onclose = ({ code }) => isCurrent() && this.#lost(code);
  }

  /** @param {WebSocket} socket */
  #isOpen(socket) {
    this.#state = { kind: "open", socket, sinceMs: this.#world.nowMs() };
    this.opened.emit();
  }

  /** @param {number} code */
  #lost(code) {
    const { nowMs, setTimeout } = this.#world;
    if (this.#state.kind === "open" && nowMs() - this.#state.sinceMs >= GOOD_LIFE_MS) this.#backoff.reset();
    const timer = setTimeout(() => void this.#probe(), this.#backoff.nextMs());
    this.#state = { kind: "waiting", timer };
    this.closed.emit({ code });
  }
}
