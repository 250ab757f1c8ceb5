// @ts-check
/** @import { State } from "../wire/session.js" */
import { T } from "../words/language.js";

/**
 * What a control needs:
 * - edit: that the person may change cells here, now or once the broker is back
 * - seat: that this page holds the seat and the broker is there
 *
 * @typedef {"edit" | "seat"} Need
 */

/** @typedef {HTMLButtonElement | HTMLSelectElement | HTMLInputElement} Control */

/** @type {Readonly<Record<State, readonly Need[]>>} */
const MISSING = {
  connecting: ["edit", "seat"],
  live: [],
  offline: ["seat"],
  read_only: ["edit", "seat"],
  locked: ["edit", "seat"],
  outdated: ["seat"],
};

/** Controls that this page may not use now are disabled, and say why. */
export class Seat {
  #root;
  /** @type {State} */
  #state = "connecting";

  /** @param {ParentNode} [root] */
  constructor(root = document) {
    this.#root = root;
  }

  /** @param {State} state */
  show(state) {
    this.#state = state;
    for (const element of this.#root.querySelectorAll("[data-needs]")) this.#bar(/** @type {Control} */ (element));
  }

  /** Why something can't be done now; "" if it can. @param {Need} need */
  missing(need) {
    return MISSING[this.#state].includes(need) ? T.missing[this.#state] : "";
  }

  /** @template {Control} C @param {Need} need @param {C} element @returns {C} */
  needs(need, element) {
    element.dataset["needs"] = need;
    this.#bar(element);
    return element;
  }

  /** A line of a menu, which is open for so short a time that it is asked once. @template {{ label: string, isDisabled?: boolean }} I @param {Need} need @param {I} item */
  item(need, item) {
    const hint = this.missing(need);
    return hint ? { ...item, isDisabled: true, hint } : item;
  }

  /** @param {Control} element */
  #bar(element) {
    const reason = this.missing(element.dataset["needs"] === "edit" ? "edit" : "seat");
    const wasBarred = element.dataset["title"] !== undefined;
    if (!reason && !wasBarred) return;
    element.dataset["title"] ??= element.title;
    element.disabled = reason !== "";
    element.title = reason || (element.dataset["title"] ?? "");
    element.ariaDescription = reason;
    if (!reason) delete element.dataset["title"];
  }
}
