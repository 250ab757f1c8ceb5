// @ts-check
/** @import { Options, ToolName } from "./tools.js" */
import { Signal } from "../lib/signal.js";
import { FIRST_OPTIONS, TOOLS } from "./tools.js";

/** Which tool is in the person's hand, and what it draws with. */
export class Toolbox {
  /** Emitted when the tool or an option is another. @type {Signal<void>} */
  changed = new Signal();
  /** @type {ToolName} */
  #tool = "text";
  /** @type {ToolName} What the eyedropper goes back to. */
  #before = "text";
  #options = FIRST_OPTIONS;

  get tool() {
    return this.#tool;
  }

  get options() {
    return this.#options;
  }

  /** Does what is typed go onto the sheet? Otherwise letters choose tools. */
  get isTyping() {
    return this.#tool === "text";
  }

  /** @param {ToolName} tool */
  choose(tool) {
    if (tool === this.#tool) return;
    [this.#before, this.#tool] = [this.#tool, tool];
    this.changed.emit();
  }

  /** The tool before this one again. */
  goBack() {
    this.choose(this.#before);
  }

  /** The tool of a key, if it is one's. @param {string} key @returns {boolean} Was it? */
  chooseByKey(key) {
    const found = TOOLS.find((tool) => tool.key === key);
    if (found) this.choose(found.name);
    return found !== undefined;
  }

  /** What is not named stays. @param {Partial<Options>} options */
  set(options) {
    this.#options = { ...this.#options, ...options };
    this.changed.emit();
  }
}
