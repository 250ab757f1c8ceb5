// @ts-check
/** @import { Rect } from "../../model/region.js" */
/** @import { Result } from "../../wire/calls.js" */
import { button, make, named } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { toolIcon } from "./icons.js";

/** Matches that are fetched; the count says if there are more. */
const MAX_MATCHES = 500;

/** Typing goes on this long before the broker is asked. */
const PAUSE_MS = 150;

/**
 * @typedef {object} Desk
 * @property {(tool: string, args: Result) => Promise<Result>} ask
 * @property {() => Result} sheet which sheet is searched, as arguments of a tool
 * @property {(matches: readonly Rect[], current: number) => void} mark
 * @property {(rect: Rect) => void} show
 * @property {() => void} release gives the keys back to the sheet
 */

/** The search box: the broker searches exact cells, the page marks what it found and steps through it. */
export class SearchPanel {
  element;
  #desk;
  #field = make("input", "");
  #count = make("output", "");
  #regex = option(".*", T.findRegex);
  #exact = option("Aa", T.findCase);
  /** @type {Rect[]} */
  #matches = [];
  #current = -1;
  #hasMore = false;
  /** Which question was asked last: answers to older ones come too late. */
  #asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Desk} desk */
  constructor(desk) {
    this.#desk = desk;
    this.#field.type = "search";
    this.#field.placeholder = T.find;
    named(this.#field, T.find);
    this.#count.setAttribute("aria-live", "polite");
    const steps = [
      icon("up", T.findPrevious, () => this.step(-1)),
      icon("down", T.findNext, () => this.step(1)),
    ];
    const close = button("icon", "✕", () => this.close());
    named(close, T.findClose);
    this.element = make("div", "search", this.#field, this.#count, this.#exact, this.#regex, ...steps, close);
    this.element.setAttribute("role", "search");
    this.element.dataset["region"] = "";
    this.element.hidden = true;
    this.#listen();
  }

  /** Open it, or go to its field; what is given stands there. @param {string} [query] */
  open(query) {
    this.element.hidden = false;
    if (query) this.#field.value = query;
    this.#field.select();
    this.#field.focus();
    if (this.#field.value) void this.#search();
  }

  close() {
    this.element.hidden = true;
    this.#asked += 1;
    this.#take([], false);
    this.#desk.release();
  }

  /** To the next match, or the one before, round and round. @param {1 | -1} by */
  step(by) {
    if (this.element.hidden) return this.open();
    if (!this.#matches.length) return;
    this.#go((this.#current + by + this.#matches.length) % this.#matches.length);
  }

  #listen() {
    this.#field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#search(), PAUSE_MS);
    });
    for (const each of [this.#regex, this.#exact]) each.addEventListener("click", () => void this.#search());
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing) return;
    const meant = KEYS[event.shiftKey ? `Shift+${event.key}` : event.key];
    if (!meant || (event.key === "Enter" && event.target !== this.#field)) return;
    event.preventDefault();
    event.stopPropagation();
    if (meant === "close") this.close();
    else this.step(meant === "next" ? 1 : -1);
  }

  async #search() {
    const asked = ++this.#asked;
    const query = this.#field.value;
    if (!query.trim()) return this.#take([], false);
    try {
      const { matches, hasMore } = await this.#all(query, asked);
      if (asked === this.#asked) this.#take(matches, hasMore);
    } catch (error) {
      if (asked === this.#asked) this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** The matches page by page. @param {string} query @param {number} asked */
  async #all(query, asked) {
    const args = {
      ...this.#desk.sheet(),
      query,
      regex: isOn(this.#regex),
      ignoreCase: !isOn(this.#exact),
    };
    /** @type {Rect[]} */
    const matches = [];
    let after = null;
    do {
      const found = /** @type {{ matches: { bounds: Rect }[], next: [number, number] | null }} */ (
        await this.#desk.ask("canvas_search", { ...args, ...(after && { after }) })
      );
      matches.push(...found.matches.map(({ bounds }) => bounds));
      after = found.next;
    } while (after && matches.length < MAX_MATCHES && asked === this.#asked);
    return { matches, hasMore: Boolean(after) };
  }

  /** @param {Rect[]} matches @param {boolean} hasMore */
  #take(matches, hasMore) {
    this.#matches = matches;
    this.#hasMore = hasMore;
    this.element.classList.remove("is-refused");
    this.#go(matches.length ? 0 : -1);
  }

  /** @param {string} message */
  #fail(message) {
    this.#take([], false);
    this.element.classList.add("is-refused");
    this.#count.textContent = message;
  }

  /** @param {number} current */
  #go(current) {
    this.#current = current;
    const total = `${this.#matches.length}${this.#hasMore ? "+" : ""}`;
    this.#count.textContent = this.#field.value.trim() ? `${current + 1} / ${total}` : "";
    this.#desk.mark(this.#matches, current);
    const match = this.#matches[current];
    if (match) this.#desk.show(match);
  }
}

/** @type {Readonly<Record<string, "next" | "previous" | "close">>} */
const KEYS = {
  Enter: "next",
  "Shift+Enter": "previous",
  F3: "next",
  "Shift+F3": "previous",
  Escape: "close",
};

/** @param {string} sign @param {string} label */
function option(sign, label) {
  const element = button("icon attr", sign, () => element.setAttribute("aria-pressed", String(!isOn(element))));
  named(element, label);
  element.setAttribute("aria-pressed", "false");
  return element;
}

/** @param {HTMLElement} element */
function isOn(element) {
  return element.getAttribute("aria-pressed") === "true";
}

/** @param {"up" | "down"} name @param {string} label @param {() => void} act */
function icon(name, label, act) {
  const element = button("icon", "", act);
  element.append(toolIcon(name));
  named(element, label);
  return element;
}
