// @ts-check
/** @import { Ask, WebMcpCall } from "./messages.js" */
/** @import { Result } from "./calls.js" */
/** @import { Refusal } from "./refusals.js" */
import { CallRefused, Calls } from "./calls.js";
import { NOT_CONNECTED } from "./refusals.js";

/** What is asked and must not outlive the connection: nothing is kept, nothing is sent again. */
export class Questions {
  #calls = new Calls();
  #send;

  /** @param {(message: Ask | WebMcpCall) => boolean} send Is it on its way? */
  constructor(send) {
    this.#send = send;
  }

  /** A tool that only looks, by the page itself. Rejects with CallRefused. @param {string} tool @param {Result} args */
  ask(tool, args) {
    const id = crypto.randomUUID();
    return this.#open(id, this.#send({ type: "ask", id, tool, args }));
  }

  /** Any tool, by the browser's agent. Rejects with CallRefused. @param {string} tool @param {Result} args */
  webMcp(tool, args) {
    const id = crypto.randomUUID();
    return this.#open(id, this.#send({ type: "web_mcp_call", id, tool, arguments: args }));
  }

  /** @param {string} id @param {Result} result */
  answer(id, result) {
    this.#calls.resolve(id, result);
  }

  /** @param {string} id @param {Refusal} refusal @returns {boolean} Was it a question? */
  refuse(id, refusal) {
    const isOurs = this.#calls.has(id);
    this.#calls.refuse(id, refusal);
    return isOurs;
  }

  /** The connection is over: nobody will answer. */
  abandon() {
    this.#calls.refuseAll(NOT_CONNECTED);
  }

  /** @param {string} id @param {boolean} isOnItsWay @returns {Promise<Result>} */
  #open(id, isOnItsWay) {
    return isOnItsWay ? this.#calls.open(id) : Promise.reject(new CallRefused(NOT_CONNECTED));
  }
}
