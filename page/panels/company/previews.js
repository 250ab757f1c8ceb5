// @ts-check
/** @import { Preview } from "../../wire/messages.js" */
/** @import { Ghost, Ghosts } from "../../model/ghosts.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { Signal } from "../../lib/signal.js";
import { unpacked } from "../../model/packed.js";
import { alternativesOf } from "./alternatives.js";
import { button, dot, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { nameOf, placeOf, workOf } from "../../words/words.js";

/**
 * @typedef {object} Elements
 * @property {HTMLElement} list
 * @property {HTMLElement} section hidden while there is no card
 * @property {HTMLElement} announce read out to those who don't see the cards
 * @property {HTMLElement} badge counts them where the panel is closed
 */

/** Of a proposal on canvases and sheets a card lists so many steps. */
const MAX_STEPS = 6;

/** @typedef {"apply" | "veto"} Verdict */
/** @typedef {{element: HTMLElement, buttons: HTMLButtonElement[], note: HTMLElement, number: HTMLElement, compare: HTMLElement, preview: Preview, isWaiting: boolean}} Card */

/**
 * A card for every proposal, oldest first: who, what for, what it would change; Apply and Dismiss. A card stays
 * until the broker says that the preview is gone.
 */
export class PreviewsPanel {
  /** Emitted when the person wants to see a preview on its sheet. @type {Signal<Preview>} */
  shown = new Signal();
  /** Emitted with the id of the chosen preview; null for none. @type {Signal<string | null>} */
  chosen = new Signal();
  /**
   * Emitted when the person compares: `isBefore` shows the cells as they are without it.
   *
   * @type {Signal<{ id: string, isBefore: boolean }>}
   */
  compared = new Signal();
  /** Emitted once the person's decision is on its way: the keys belong to the cells again. @type {Signal<void>} */
  decided = new Signal();
  #list;
  #section;
  #announce;
  #badge;
  #ghosts;
  #decide;
  #seat;
  /** @type {Map<string, Card>} */
  #cards = new Map();
  /** @type {string | null} */
  #choice = null;

  /**
   * @param {Elements} elements
   * @param {Ghosts} ghosts
   * @param {(shown: Preview, verdict: Verdict, note: string) => boolean} decide false when it can't be sent now
   * @param {Seat} seat
   */
  constructor({ list, section, announce, badge }, ghosts, decide, seat) {
    this.#list = list;
    this.#section = section;
    this.#announce = announce;
    this.#badge = badge;
    this.#ghosts = ghosts;
    this.#decide = decide;
    this.#seat = seat;
    ghosts.changed.subscribe(({ id }) => this.#follow(id));
  }

  /** Make one stand out; null for none. @param {string | null} id */
  choose(id) {
    this.#mark(id);
    if (id) this.#cards.get(id)?.element.scrollIntoView({ block: "nearest" });
  }

  /** A card that is pressed must not move away under the pointer: nothing scrolls. @param {string | null} id */
  #mark(id) {
    this.#choice = id;
    for (const [each, { element }] of this.#cards) element.classList.toggle("is-chosen", each === id);
    this.chosen.emit(id);
    const card = id && this.#cards.get(id);
    if (card) this.#setApart(card.preview);
  }

  /**
   * Alternatives lie over each other: only the chosen one is seen, the oldest while none of them is chosen.
   *
   * @param {Preview} preview one of them, or one that has just gone
   */
  #setApart(preview) {
    if (!preview.altGroup) return;
    const group = alternativesOf(this.#ghosts, preview);
    const seen = group.find(({ id }) => id === this.#choice) ?? group[0];
    for (const each of group) this.#compare(each.id, each !== seen);
  }

  /** @param {string} id @param {boolean} isBefore */
  #compare(id, isBefore) {
    this.#cards.get(id)?.compare.setAttribute("aria-pressed", String(isBefore));
    this.compared.emit({ id, isBefore });
  }

  /** Which of how many alternatives each card is. */
  #number() {
    for (const [id, { number }] of this.#cards) {
      const preview = this.#ghosts.get(id)?.preview;
      const group = preview ? alternativesOf(this.#ghosts, preview) : [];
      number.hidden = group.length < 2;
      number.textContent = T.alternative(group.findIndex((each) => each.id === id) + 1, group.length);
    }
  }

  /**
   * Decide on the chosen preview, or on the newest. A preview that already waits for its answer is left alone.
   *
   * @param {Verdict} verdict
   */
  decide(verdict) {
    const id = this.#choice ?? [...this.#cards.keys()].at(-1);
    if (id) this.#send(id, verdict);
  }

  /**
   * A decision was refused, or its answer is lost: the card can be used again.
   *
   * @param {string} message
   * @param {string} [id] of the preview; every card that waits if there is none
   */
  retry(message, id) {
    for (const [each, card] of this.#cards) {
      if (!card.isWaiting || (id !== undefined && each !== id)) continue;
      this.#wait(card, false);
      card.note.textContent = message;
    }
  }

  /** @param {Card} card @param {boolean} isWaiting for its answer */
  #wait(card, isWaiting) {
    card.isWaiting = isWaiting;
    for (const each of card.buttons) each.disabled = isWaiting || this.#seat.missing("seat") !== "";
  }

  /** @param {string} id */
  #follow(id) {
    const ghost = this.#ghosts.get(id);
    const gone = this.#cards.get(id)?.preview;
    if (ghost) this.#put(ghost);
    else this.#forget(id);
    const preview = ghost?.preview ?? gone;
    if (preview) this.#setApart(preview);
    this.#section.hidden = this.#badge.hidden = this.#cards.size === 0;
    this.#badge.textContent = String(this.#cards.size);
    this.#number();
  }

  /** @param {Ghost} ghost */
  #put({ preview }) {
    const known = this.#cards.get(preview.id);
    const card = this.#card(preview);
    this.#cards.set(preview.id, card);
    if (known) known.element.replaceWith(card.element);
    else this.#list.append(card.element);
    this.#announce.textContent = `${proposalOf(preview)}: ${preview.why || placeOf(preview.bounds)}`;
  }

  /** @param {string} id */
  #forget(id) {
    const element = this.#cards.get(id)?.element;
    const hadFocus = element?.contains(document.activeElement);
    const neighbour = element?.nextElementSibling ?? element?.previousElementSibling;
    element?.remove();
    this.#cards.delete(id);
    if (hadFocus) neighbour?.querySelector("button")?.focus();
    if (this.#choice === id) this.choose(null);
  }

  /** @param {Preview} preview @returns {Card} */
  #card(preview) {
    const note = make("p", "warns");
    note.setAttribute("role", "status");
    const buttons = [
      button("button primary", T.apply, () => this.#send(preview.id, "apply")),
      button("button", T.dismiss, () => this.#send(preview.id, "veto")),
    ].map((each) => this.#seat.needs("seat", each));
    const place = button("text-button place", T.show, () => this.shown.emit(preview));
    place.setAttribute("aria-label", T.showOf(nameOf(preview.author), workOf(preview.tool)));
    const field = make("input", "veto-note");
    const compare = this.#compareButton(preview.id);
    const foot = make(
      "div",
      "card-foot",
      ...buttons,
      make("span", "card-more", this.#noteButton(preview.id, field), compare),
    );
    const head = make(
      "div",
      "card-head",
      dot(preview.color),
      make("span", "name", nameOf(preview.author)),
      make("span", "tool", workOf(preview.tool)),
      place,
    );
    const why = preview.why && make("p", "why", preview.why);
    const number = make("p", "counts alternative");
    const element = make(
      "li",
      "card",
      head,
      why,
      number,
      preview.request && make("p", "why", T.asks(nameOf(preview.author))),
      make("p", "counts", whereOf(preview)),
      ...preview.arranges.slice(0, MAX_STEPS).map((step) => make("p", "counts", T.arranges[step.kind](step))),
      preview.arranges.length > MAX_STEPS && make("p", "counts", T.moreSteps(preview.arranges.length - MAX_STEPS)),
      losses(preview),
      note,
      field,
      foot,
    );
    element.style.setProperty("--agent", preview.color);
    element.setAttribute("aria-label", proposalOf(preview));
    element.addEventListener("focusin", () => this.#mark(preview.id));
    element.addEventListener("pointerenter", () => this.chosen.emit(preview.id));
    element.addEventListener("pointerleave", () => this.chosen.emit(this.#choice));
    element.classList.toggle("is-chosen", this.#choice === preview.id);
    return { element, buttons, note, number, compare, preview, isWaiting: false };
  }

  /**
   * Dismissing with a reason: the agent reads it when it tries to apply.
   *
   * @param {string} id
   * @param {HTMLInputElement} field
   */
  #noteButton(id, field) {
    field.hidden = true;
    field.maxLength = 280;
    field.placeholder = field.ariaLabel = T.vetoNote;
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter" && !event.isComposing) this.#send(id, "veto", field.value.trim());
    });
    const opener = button("text-button", T.withNote, () => {
      if (!field.hidden) return this.#send(id, "veto", field.value.trim());
      field.hidden = false;
      field.focus();
    });
    return this.#seat.needs("seat", opener);
  }

  /** @param {string} id */
  #compareButton(id) {
    const element = button("text-button", T.before, () => {
      this.#compare(id, element.getAttribute("aria-pressed") !== "true");
    });
    element.setAttribute("aria-pressed", "false");
    element.title = T.beforeHint;
    return element;
  }

  /** @param {string} id @param {Verdict} verdict @param {string} [words] for the agent */
  #send(id, verdict, words = "") {
    const card = this.#cards.get(id);
    const shown = this.#ghosts.get(id)?.preview;
    if (!card || !shown || card.isWaiting) return;
    const isSent = this.#decide(shown, verdict, words);
    this.#wait(card, isSent);
    card.note.textContent = isSent ? "" : this.#seat.missing("seat") || T.notConnected;
    if (isSent) this.decided.emit();
  }
}

/** @param {Preview} preview */
function proposalOf({ author, tool }) {
  return T.proposes(nameOf(author), workOf(tool));
}

/** On which canvas, and where and how much on it if it changes cells there. @param {Preview} preview */
function whereOf({ canvasName, sheetName, cells, bounds }) {
  const columns = unpacked(cells).reduce((sum, { chars }) => sum + chars.length, 0);
  const place = columns > 0 && `${placeOf(bounds)}, ${T.cells(columns)}`;
  return [[canvasName, sheetName].filter(Boolean).join(" › "), place].filter(Boolean).join(": ");
}

/** What was there before and would be lost. @param {Preview} preview */
function losses({ overwritten, cleared, styled }) {
  const parts = [
    overwritten && T.overwrites(overwritten),
    cleared && T.clears(cleared),
    styled && T.restyles(styled),
  ].filter(Boolean);
  return parts.length > 0 && make("p", "warns", parts.join(", "));
}
