// @ts-check
/** @import { State } from "../wire/session.js" */
import { button, make } from "../parts/dom.js";
import { T } from "../words/language.js";

/**
 * How the page stands with the broker: a pill that is always there, a banner when the person can do something
 * about it, and the gate for a browser that is not let in.
 */
export class ConnectionPanel {
  #pill;
  #banner;
  #gate;
  #acts;
  /** A page that only looks never had the seat to lose. */
  #isOnlooker = document.documentElement.dataset["kind"] !== "canvas";
  /** @type {State} */
  #state = "connecting";
  #unsent = 0;
  #isStorageFailing = false;
  #isDiskRefusing = false;
  #isSlow = false;

  /**
   * @param {{pill: HTMLElement, banner: HTMLElement, gate: HTMLElement}} elements
   * @param {{takeSeat: () => void, save: () => void}} acts what a banner offers
   */
  constructor({ pill, banner, gate }, acts) {
    this.#pill = pill;
    this.#banner = banner;
    this.#gate = gate;
    this.#acts = acts;
  }

  /**
   * What is not named stays.
   *
   * @param {{state?: State, unsent?: number, isStorageFailing?: boolean, isDiskRefusing?: boolean, isSlow?: boolean}} news
   */
  show({
    state = this.#state,
    unsent = this.#unsent,
    isStorageFailing = this.#isStorageFailing,
    isDiskRefusing = this.#isDiskRefusing,
    isSlow = this.#isSlow,
  }) {
    [this.#state, this.#unsent, this.#isSlow] = [state, unsent, isSlow];
    [this.#isStorageFailing, this.#isDiskRefusing] = [isStorageFailing, isDiskRefusing];
    this.#pill.dataset["state"] = state;
    const waits = state !== "live" && unsent > 0;
    const word = this.#isOnlooker && state === "read_only" ? T.reading : T.states[state];
    const text = isSlow ? T.slow(word) : waits ? T.unsent(word, unsent) : word;
    // Said again it would be read out again, with every letter that is typed.
    if (this.#pill.textContent !== text) this.#pill.textContent = text;
    this.#pill.title = isSlow ? T.slowHint : text;
    this.#pill.classList.toggle("is-slow", isSlow);
    this.#gate.hidden = state !== "locked";
    const banner = this.#message();
    this.#banner.hidden = !banner;
    this.#banner.replaceChildren(...(banner ?? []));
  }

  /** @returns {Node[] | null} */
  #message() {
    if (this.#isStorageFailing) return [make("span", "", T.storageFull), button("button", T.saveAsFile, this.#acts.save)];
    if (this.#isDiskRefusing) return [make("span", "", T.diskRefuses(this.#unsent))];
    if (this.#state === "read_only" && !this.#isOnlooker)
      return [make("span", "", T.seatElsewhere), button("button", T.takeOver, this.#acts.takeSeat)];
    if (this.#state === "outdated")
      return [make("span", "", T.updated(this.#unsent)), button("button", T.reload, () => location.reload())];
    return null;
  }
}
