// @ts-check
/** @import { CanvasInfo, SheetInfo } from "../wire/messages.js" */
/** @import { Shelf } from "../wire/news.js" */
import { button, iconButton, make } from "./dom.js";

/**
 * @typedef {object} Desk what the panel asks for; promises reject with an Error whose message is for the person
 * @property {(canvas: string, sheet?: string) => void} open
 * @property {() => Promise<unknown>} create
 * @property {(canvas: string, name: string) => Promise<unknown>} rename
 */

/** The canvases of the desk, and the sheets of the open one if it is made of slides. */
export class SheetsPanel {
  #list = make("ul", "");
  #fault = make("p", "fault");
  #desk;
  /** @type {Shelf | null} */
  #shelf = null;
  #isRenaming = false;

  /** @param {HTMLElement} panel @param {Desk} desk */
  constructor(panel, desk) {
    this.#desk = desk;
    this.#fault.hidden = true;
    this.#fault.setAttribute("role", "alert");
    const add = iconButton("plus", "New canvas", () => void this.#try(desk.create()));
    panel.replaceChildren(make("h2", "", "Canvases", add), this.#fault, this.#list);
  }

  /** @param {Shelf | null} shelf */
  show(shelf) {
    this.#shelf = shelf;
    if (!this.#isRenaming) this.#draw();
  }

  #draw() {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["id"] : undefined;
    const { canvases = [], canvas: active } = this.#shelf ?? {};
    const shown = canvases.filter((each) => !each.archived || each.id === active);
    this.#list.replaceChildren(...shown.flatMap((each) => this.#canvas(each)));
    if (focused) this.#list.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.dispatchEvent(new Event("refocus"));
  }

  /** @param {CanvasInfo} canvas @returns {HTMLElement[]} */
  #canvas({ id, name, sheets }) {
    const isActive = id === this.#shelf?.canvas;
    const rename = iconButton("pen", `Rename ${name}`, () => this.#rename(line, id, name));
    rename.classList.add("rename");
    const line = this.#line(id, name, isActive, () => this.#desk.open(id));
    line.append(rename);
    line.addEventListener("dblclick", () => this.#rename(line, id, name));
    const slides = isActive && sheets.length > 1 ? sheets.map((sheet, n) => this.#slide(id, sheet, n)) : [];
    return [line, ...slides];
  }

  /** @param {string} canvas @param {SheetInfo} sheet @param {number} n */
  #slide(canvas, { id, name }, n) {
    const line = this.#line(id, name || `Slide ${n + 1}`, id === this.#shelf?.sheet, () => this.#desk.open(canvas, id));
    line.classList.add("is-sheet");
    return line;
  }

  /** @param {string} id @param {string} name @param {boolean} isActive @param {() => void} open */
  #line(id, name, isActive, open) {
    const opener = button("open", name, open);
    opener.dataset["id"] = id;
    opener.addEventListener("refocus", () => opener.focus());
    if (isActive) opener.setAttribute("aria-current", "page");
    const line = make("li", "canvas", opener);
    line.classList.toggle("is-active", isActive);
    return line;
  }

  /** @param {HTMLElement} line @param {string} id @param {string} name */
  #rename(line, id, name) {
    const field = make("input", "");
    field.value = name;
    field.setAttribute("aria-label", `New name of ${name}`);
    this.#isRenaming = true;
    this.#fault.hidden = true;
    const end = (/** @type {boolean} */ isMeant) => {
      if (!this.#isRenaming) return;
      this.#isRenaming = false;
      const meant = field.value.trim();
      this.#draw();
      if (isMeant && meant !== name) void this.#try(this.#desk.rename(id, meant));
    };
    field.addEventListener("keydown", ({ key, isComposing }) => {
      if (!isComposing && (key === "Enter" || key === "Escape")) end(key === "Enter");
    });
    field.addEventListener("blur", () => end(true));
    line.replaceChildren(field);
    field.select();
  }

  /** @param {Promise<unknown>} asked */
  async #try(asked) {
    this.#fault.hidden = true;
    try {
      await asked;
    } catch (error) {
      this.#fault.textContent = error instanceof Error ? error.message : String(error);
      this.#fault.hidden = false;
    }
  }
}
