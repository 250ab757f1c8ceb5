// @ts-check
/** @import { FromPage, Hello, PROTOCOL, ToPage, Welcome } from "./messages.js" */
/** @import { Credentials } from "./credentials.js" */
/** @import { Socket } from "./socket.js" */
import { spelled } from "../lib/bytes.js";
import { Held, Signal } from "../lib/signal.js";

/**
 * - connecting: the first welcome has not come
 * - live: this page holds the seat; edits go out at once
 * - offline: the broker is away; edits are kept and go out later
 * - read_only: another page holds the seat, or this page is a reader
 * - locked: the browser has neither a code nor a token that the broker knows; `chardesk open` prints an address with
 *   a code
 * - outdated: the broker is of another build; reload, when nothing is unsent
 *
 * @typedef {"connecting" | "live" | "offline" | "read_only" | "locked" | "outdated"} State
 */

/** What the broker says to a page that it has let in. @typedef {Exclude<ToPage, { type: "welcome" | "seat_lost" | "seat_free" | "reload" }>} Said */

/** @type {PROTOCOL} */
const PROTOCOL_SPOKEN = 1;
/** What the broker closes with when it knows neither code nor token. */
const NOT_LET_IN = 4401;

/** How the page stands with the broker: getting in, holding the seat or not, and what ends it. */
export class Session {
  /** @type {Held<State>} */
  state = new Held(/** @type {State} */ ("connecting"));
  /** The broker let the page in; `state` follows when everybody has heard of it. @type {Signal<Welcome>} */
  admitted = new Signal();
  /** @type {Signal<Said>} */
  said = new Signal();
  /** The connection is over: what was asked on it gets no answer. @type {Signal<void>} */
  over = new Signal();
  /** What the broker tells this holding of the seat by. */
  epoch = 0;
  #socket;
  #credentials;
  #wantsSeat = false;

  /**
   * @param {Socket} socket
   * @param {Credentials} credentials
   * @param {NonNullable<Hello["kind"]>} kind
   */
  constructor(socket, credentials, kind) {
    this.#socket = socket;
    this.#credentials = credentials;
    this.kind = kind;
    socket.opened.subscribe(() => this.#hello());
    socket.message.subscribe((text) => this.#receive(JSON.parse(text)));
    socket.closed.subscribe(({ code }) => this.#lost(code));
  }

  get isLive() {
    return this.state.value === "live";
  }

  /** Begins, or tries again after the browser was let in. */
  start() {
    if (this.state.value === "outdated") return;
    if (!this.#credentials.proof()) return this.state.set("locked");
    if (this.state.value === "locked") this.state.set("connecting");
    this.#socket.start();
  }

  /** Tries to connect now rather than later. */
  hurry() {
    this.#socket.hurry();
  }

  /** Takes the seat, from the page that holds it if there is one, with a connection of its own. The answer is a welcome. */
  takeSeat() {
    this.#wantsSeat = true;
    if (this.state.value !== "read_only") return;
    this.over.emit();
    this.#socket.renew();
  }

  /** @param {FromPage} message @returns {boolean} Is it on its way? */
  send(message) {
    return this.#socket.send(spelled(message));
  }

  #hello() {
    const proof = this.#credentials.proof();
    this.send({ type: "hello", protocol: PROTOCOL_SPOKEN, kind: this.kind, ...proof, takeSeat: this.#wantsSeat });
  }

  /** @param {ToPage} message */
  #receive(message) {
    switch (message.type) {
      case "welcome":
        return this.#welcomed(message);
      case "seat_lost":
        return this.state.set("read_only");
      case "seat_free":
        return this.takeSeat();
      case "reload":
        return this.#isOutdated();
      default:
        return this.said.emit(message);
    }
  }

  /** @param {Welcome} welcome */
  #welcomed(welcome) {
    if (welcome.protocol !== PROTOCOL_SPOKEN) return this.#isOutdated();
    this.#credentials.accepted(welcome.token);
    this.#wantsSeat = false;
    this.epoch = welcome.epoch;
    this.admitted.emit(welcome);
    this.state.set(welcome.seat ? "live" : "read_only");
  }

  #isOutdated() {
    this.#socket.stop();
    this.over.emit();
    this.state.set("outdated");
  }

  /** @param {number} code */
  #lost(code) {
    this.over.emit();
    if (code === NOT_LET_IN) this.#notLetIn();
    else if (this.state.value !== "connecting") this.state.set("offline");
  }

  /** A code that is too old leaves the token, if there is one; after that there is nothing to try. */
  #notLetIn() {
    this.#credentials.refused();
    if (this.#credentials.proof()) return;
    this.#socket.stop();
    this.state.set("locked");
  }
}
