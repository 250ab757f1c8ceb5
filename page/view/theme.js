// @ts-check
/** @import { CellStyle } from "../wire/messages.js" */
import { Signal } from "../lib/signal.js";
import { DEFAULT_COLOR } from "../model/cell.js";
import { readable } from "./contrast.js";

/** The words a cell may use instead of a colour; each is a custom property of the same name. */
const TOKENS = ["accent", "info", "success", "warning", "danger", "muted"];
const SURFACES = /** @type {const} */ (["ink", "paper", "desk", "line", "tick", "grid", "mark"]);

/**
 * The colours of the canvas, read from the style sheet's custom properties, and read again when the system
 * turns from light to dark.
 */
export class Theme {
  /** Emitted when every colour may be another. @type {Signal<void>} */
  changed = new Signal();
  /** @type {Map<string, string>} */
  #colors = new Map();

  constructor() {
    this.#read();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.refresh();
    });
  }

  /** Read the colours again: the style sheet has others now. */
  refresh() {
    this.#read();
    this.changed.emit();
  }

  /** A surface's colour. @param {(typeof SURFACES)[number]} name */
  surface(name) {
    return this.#colors.get(name) ?? DEFAULT_COLOR;
  }

  /** What a cell's colour looks like here: words and the default follow the theme. @param {string} color */
  color(color) {
    return this.#colors.get(color) ?? color;
  }

  /** An agent's colour as it can be read here. @param {string} color */
  voice(color) {
    return readable(color, this.surface("paper"), this.surface("ink"));
  }

  /** Colours of a cell, inverse honoured; `back` is null where the sheet shows through. @param {CellStyle} style */
  colors({ color = DEFAULT_COLOR, bgColor, attrs }) {
    const text = this.color(color);
    const back = bgColor === undefined ? null : this.color(bgColor);
    return attrs?.inverse ? { text: back ?? this.surface("paper"), back: text } : { text, back };
  }

  #read() {
    const styles = getComputedStyle(document.documentElement);
    for (const name of [...TOKENS, ...SURFACES]) this.#colors.set(name, styles.getPropertyValue(`--${name}`).trim());
    this.#colors.set(DEFAULT_COLOR, this.surface("ink"));
  }
}
