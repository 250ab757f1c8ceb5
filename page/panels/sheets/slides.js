// @ts-check
/** @import { CanvasInfo, SheetInfo } from "../../wire/messages.js" */
/** @import { Result } from "../../wire/calls.js" */
/** @import { Seat } from "../../parts/seat.js" */
/** @import { Thumbnails } from "../../parts/thumbnails.js" */
import { button, iconButton, make, named } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { menu } from "../../parts/menu.js";
import { rename } from "../../parts/naming.js";
import { askForSize } from "./sizing.js";

/**
 * @typedef {object} Deck
 * @property {(canvas: string, sheet?: string) => void} open
 * @property {(args: Result) => Promise<boolean>} manage
 * @property {() => void} present
 * @property {Seat} seat
 */

/** The slides of the open canvas: in order, moved by dragging or with Alt and the arrow keys. */
export class SlidesList {
  #deck;
  #thumbnails;
  /** Is a name being given or a slide dragged, so that nothing may be drawn anew? */
  isBusy = false;

  /** @param {Deck} deck @param {Thumbnails} thumbnails */
  constructor(deck, thumbnails) {
    this.#deck = deck;
    this.#thumbnails = thumbnails;
  }

  /** @param {CanvasInfo} canvas @param {string} shown the sheet that is shown */
  of(canvas, shown) {
    const lines = canvas.sheets.map((sheet, n) => this.#line(canvas, sheet, n, sheet.id === shown));
    const add = this.#deck.seat.needs("seat", button("text-button", T.addSlide, () => this.#add(canvas, shown)));
    const present = button("text-button", T.present, () => this.#deck.present());
    return make("div", "", make("ol", "slides", ...lines), make("div", "slides-foot", add, present));
  }

  /** @param {CanvasInfo} canvas @param {string} after */
  #add({ id: canvasId, sheets }, after) {
    const size = sheets.find(({ id }) => id === after)?.size;
    void this.#deck.manage({ action: "create_page", canvasId, afterPageId: after, ...(size && { size }) });
  }

  /** @param {CanvasInfo} canvas @param {SheetInfo} sheet @param {number} n @param {boolean} isShown */
  #line(canvas, sheet, n, isShown) {
    const name = sheet.name || T.slide(n + 1);
    const opener = button("open", "", () => this.#deck.open(canvas.id, sheet.id));
    opener.append(
      make("span", "number", String(n + 1)),
      " ", // so that what is seen is read as it is called
      this.#thumbnails.of(canvas.id, sheet, "slide"),
      make("span", "name", name),
    );
    opener.dataset["id"] = sheet.id;
    named(opener, T.slideNamed(n + 1, name));
    opener.title = T.moveHint;
    if (isShown) opener.setAttribute("aria-current", "true");
    const more = iconButton("more", T.moreOf(name), () => undefined);
    more.classList.add("more");
    more.dataset["id"] = `more ${sheet.id}`;
    const line = make("li", "canvas is-sheet", opener, more);
    line.classList.toggle("is-active", isShown);
    opener.addEventListener("keydown", (event) => this.#keys(event, line, canvas, n));
    menu(more, () => this.#actions(line, canvas, n));
    this.#draggable(line, canvas, n);
    return line;
  }

  /** @param {KeyboardEvent} event @param {HTMLElement} line @param {CanvasInfo} canvas @param {number} n */
  #keys(event, line, canvas, n) {
    const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (event.key === "F2") this.#rename(line, canvas, n);
    if (step === undefined) return;
    event.preventDefault();
    this.#move(canvas, n, n + step);
  }

  /** @param {HTMLElement} line @param {CanvasInfo} canvas @param {number} n */
  #actions(line, canvas, n) {
    const { id: canvasId, sheets } = canvas;
    const pageId = sheets[n]?.id ?? "";
    return [
      { label: T.rename, act: () => this.#rename(line, canvas, n) },
      { label: T.duplicate, act: () => void this.#deck.manage({ action: "duplicate_page", canvasId, pageId }) },
      { label: T.resize, act: () => askForSize(canvas, n, (args) => this.#deck.manage(args)) },
      { label: T.moveUp, act: () => this.#move(canvas, n, n - 1), isDisabled: n === 0 },
      { label: T.moveDown, act: () => this.#move(canvas, n, n + 1), isDisabled: n === sheets.length - 1 },
      {
        label: T.deleteSlide,
        act: () => void this.#deck.manage({ action: "delete_page", canvasId, pageId, mode: "apply" }),
        isDisabled: sheets.length === 1,
      },
    ].map((item) => this.#deck.seat.item("seat", item));
  }

  /** @param {CanvasInfo} canvas @param {number} from @param {number} to */
  #move({ id: canvasId, sheets }, from, to) {
    const pageId = sheets[from]?.id;
    if (this.#deck.seat.missing("seat")) return;
    if (!pageId || to === from || to < 0 || to >= sheets.length) return;
    void this.#deck.manage({ action: "reorder_page", canvasId, pageId, index: to });
  }

  /** @param {HTMLElement} line @param {CanvasInfo} canvas @param {number} n */
  #rename(line, { id: canvasId, sheets }, n) {
    if (this.#deck.seat.missing("seat")) return;
    const { id: pageId, name: before } = sheets[n] ?? { id: "", name: "" };
    const content = [...line.childNodes];
    this.isBusy = true;
    rename(line, before, T.newNameOf(before || T.slide(n + 1)), (name) => {
      this.isBusy = false;
      line.replaceChildren(...content);
      line.querySelector("button")?.focus();
      if (name) void this.#deck.manage({ action: "rename_page", canvasId, pageId, name });
    });
  }

  /** @param {HTMLElement} line @param {CanvasInfo} canvas @param {number} n */
  #draggable(line, canvas, n) {
    line.draggable = true;
    line.addEventListener("dragstart", ({ dataTransfer }) => {
      this.isBusy = true;
      dataTransfer?.setData(TYPE, String(n));
    });
    line.addEventListener("dragend", () => (this.isBusy = false));
    line.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes(TYPE)) return;
      event.preventDefault();
      line.classList.add("is-target");
    });
    line.addEventListener("dragleave", () => line.classList.remove("is-target"));
    line.addEventListener("drop", (event) => {
      event.preventDefault();
      this.isBusy = false;
      line.classList.remove("is-target");
      this.#move(canvas, Number(event.dataTransfer?.getData(TYPE)), n);
    });
  }
}

/** Only a slide of this list is dropped here. */
const TYPE = "application/x-chardesk-slide";
