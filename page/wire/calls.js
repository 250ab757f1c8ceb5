// @ts-check
/** @import { Refusal } from "./refusals.js" */

/** @typedef {Readonly<Record<string, unknown>>} Result */

/** What a call rejects with: a refusal with its code and what to do next. */
export class CallRefused extends Error {
  /** @param {Refusal} refusal */
  constructor({ code, message, nextStep, details }) {
    super(message);
    this.name = "CallRefused";
    this.code = code;
    this.nextStep = nextStep;
    this.details = details;
  }
}

/** Questions that wait for their answer, by id. Every one is answered once. */
export class Calls {
  /** @type {Map<string, { resolve: (result: Result) => void, reject: (error: CallRefused) => void }>} */
  #open = new Map();

  /** @param {string} id @returns {Promise<Result>} */
  open(id) {
    return new Promise((resolve, reject) => this.#open.set(id, { resolve, reject }));
  }

  /** @param {string} id */
  has(id) {
    return this.#open.has(id);
  }

  /** @param {string} id @param {Result} result */
  resolve(id, result) {
    this.#open.get(id)?.resolve(result);
    this.#open.delete(id);
  }

  /** @param {string} id @param {Refusal} refusal */
  refuse(id, refusal) {
    this.#open.get(id)?.reject(new CallRefused(refusal));
    this.#open.delete(id);
  }

  /** @param {Refusal} refusal */
  refuseAll(refusal) {
    for (const id of [...this.#open.keys()]) this.refuse(id, refusal);
  }
}
