// @ts-check
import { Held } from "./signal.js";

const KEY = "chardesk/preferences";

/** What a person may choose; the first of each is what holds until then. */
export const OPTIONS = /** @type {const} */ ({
  theme: ["system", "light", "dark", "paper", "contrast"],
  font: ["iosevka", "system", "unifont"],
  cells: ["medium", "small", "large", "huge"],
  grid: ["on", "off"],
  rulers: ["on", "off"],
  keys: ["on", "off"],
  paste: ["ask", "text", "ansi", "markdown"],
  greeting: ["due", "done"],
});

/** What 100 % is at each cell size: 1 is a cell of 9 × 20 CSS pixels. */
export const CELL_SCALES = Object.freeze({ small: 0.8, medium: 1, large: 1.25, huge: 1.6 });

/** @typedef {keyof typeof OPTIONS} Name */
/** @typedef {{ readonly [N in Name]: (typeof OPTIONS)[N][number] }} Choices */

/** @type {readonly Name[]} */
const NAMES = /** @type {Name[]} */ (Object.keys(OPTIONS));

/**
 * The person's choices, kept in the browser for all pages of this desk. Whatever the storage holds, every choice is
 * one of its options.
 *
 * @extends {Held<Choices>}
 */
export class Preferences extends Held {
  #store;

  /** @param {Pick<Storage, "getItem" | "setItem">} store */
  constructor(store) {
    super(read(store));
    this.#store = store;
  }

  /** Choose; what is not named stays. @param {Partial<Choices>} choices */
  choose(choices) {
    this.set({ ...this.value, ...choices });
    try {
      this.#store.setItem(KEY, JSON.stringify(this.value));
    } catch {
      // A full or forbidden storage forgets the choice at the next reload, nothing else.
    }
  }

  /** Another page may have chosen meanwhile. */
  reread() {
    const found = read(this.#store);
    if (NAMES.some((name) => found[name] !== this.value[name])) this.set(found);
  }
}

/** @param {Pick<Storage, "getItem">} store @returns {Choices} */
function read(store) {
  const kept = parsed(store);
  const entries = NAMES.map((name) => [name, allowed(name, kept[name])]);
  return /** @type {Choices} */ (Object.fromEntries(entries));
}

/** @param {Name} name @param {unknown} value */
function allowed(name, value) {
  return OPTIONS[name].find((option) => option === value) ?? OPTIONS[name][0];
}

/** @param {Pick<Storage, "getItem">} store @returns {Record<string, unknown>} */
function parsed(store) {
  try {
    return Object(JSON.parse(store.getItem(KEY) ?? "{}"));
  } catch {
    return {};
  }
}
