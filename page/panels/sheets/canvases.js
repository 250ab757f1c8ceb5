// @ts-check
/** @import { CanvasInfo } from "../../wire/messages.js" */
/** @import { Shelf } from "../../wire/news.js" */
/** @import { Result } from "../../wire/calls.js" */
/** @import { Seat } from "../../parts/seat.js" */
/** @import { Thumbnails } from "../../parts/thumbnails.js" */
import { button, iconButton, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { menu } from "../../parts/menu.js";
import { rename } from "../../parts/naming.js";
import { SlidesList } from "./slides.js";

/**
 * @typedef {object} Desk what the panel asks for; promises reject with an Error whose message is for the person
 * @property {(canvas: string, sheet?: string) => void} open
 * @property {(args: Result) => Promise<unknown>} manage runs canvas_manage as the person
 * @property {() => void} present shows the slides over the whole screen
 * @property {Seat} seat
 */

/** The canvases of the desk with small pictures, the slides of the open one, and what was archived. */
export class CanvasesPanel {
  #list = make("ul", "");
  #archive = make("details", "archive");
  #fault = make("p", "fault");
  #desk;
  #thumbnails;
  #slides;
  /** @type {Shelf | null} */
  #shelf = null;
  #isRenaming = false;

  /** @param {HTMLElement} panel @param {Desk} desk @param {Thumbnails} thumbnails */
  constructor(panel, desk, thumbnails) {
    this.#desk = desk;
    this.#thumbnails = thumbnails;
    this.#slides = new SlidesList({ ...desk, manage: (args) => this.#manage(args) }, thumbnails);
    this.#fault.hidden = true;
    this.#fault.setAttribute("role", "alert");
    const add = desk.seat.needs("seat", iconButton("plus", T.newCanvas, () => undefined));
    menu(add, () => [
      { label: T.newFreeform, act: () => this.#create("freeform") },
      { label: T.newSlides, act: () => this.#create("slides") },
    ]);
    panel.replaceChildren(make("h2", "", T.canvases, add), this.#fault, this.#list, this.#archive);
  }

  /** @param {Shelf} shelf */
  show(shelf) {
    this.#shelf = shelf;
    if (!this.#isRenaming && !this.#slides.isBusy) this.#draw();
  }

  /** Cells of a sheet have changed. @param {string} canvas @param {string} sheet */
  touched(canvas, sheet) {
    const found = this.#shelf?.canvases.find(({ id }) => id === canvas)?.sheets.find(({ id }) => id === sheet);
    if (found) this.#thumbnails.refresh(canvas, found);
  }

  #draw() {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["id"] : undefined;
    const { canvases = [], canvas: active } = this.#shelf ?? {};
    const isOpen = ({ archived = false, id = "" }) => !archived || id === active;
    this.#list.replaceChildren(...canvases.filter(isOpen).map((each) => this.#line(each)));
    this.#drawArchive(canvases.filter((each) => !isOpen(each)));
    if (focused) this.#find(focused)?.focus();
  }

  /** @param {string} id */
  #find(id) {
    return /** @type {HTMLElement | null} */ (this.#list.querySelector(`[data-id="${CSS.escape(id)}"]`));
  }

  /** @param {CanvasInfo} canvas */
  #line(canvas) {
    const { id, name, kind, sheets } = canvas;
    const isActive = id === this.#shelf?.canvas;
    const opener = button("open", "", () => this.#desk.open(id));
    const [first] = sheets;
    if (first) opener.append(this.#thumbnails.of(id, first, "canvas"));
    opener.append(make("span", "name", name));
    opener.dataset["id"] = id;
    if (isActive) opener.setAttribute("aria-current", "page");
    const more = iconButton("more", T.moreOf(name), () => undefined);
    more.classList.add("more");
    more.dataset["id"] = `more ${id}`;
    const head = make("div", "canvas", opener, more);
    head.classList.toggle("is-active", isActive);
    opener.addEventListener("keydown", ({ key }) => key === "F2" && this.#rename(head, canvas));
    head.addEventListener("dblclick", () => this.#rename(head, canvas));
    menu(more, () => this.#actions(head, canvas));
    return make("li", "", head, isActive && kind === "slides" && this.#slides.of(canvas, this.#shelf?.sheet ?? ""));
  }

  /** @param {HTMLElement} head @param {CanvasInfo} canvas */
  #actions(head, canvas) {
    const { id: canvasId, kind } = canvas;
    const { seat } = this.#desk;
    return [
      seat.item("seat", { label: T.rename, act: () => this.#rename(head, canvas) }),
      seat.item("seat", { label: T.duplicate, act: () => void this.#manage({ action: "duplicate", canvasId }) }),
      kind === "slides" && canvasId === this.#shelf?.canvas && { label: T.present, act: () => this.#desk.present() },
      { label: T.openReader, act: () => void open(`/read/${canvasId}`, "_blank", "noopener") },
      seat.item("seat", {
        label: T.archive,
        act: () => void this.#manage({ action: "archive", canvasId, mode: "apply" }),
      }),
    ];
  }

  /** @param {readonly CanvasInfo[]} archived */
  #drawArchive(archived) {
    const lines = archived.map(({ id: canvasId, name }) => {
      const restore = button("text-button", T.restore, () => void this.#manage({ action: "unarchive", canvasId }));
      this.#desk.seat.needs("seat", restore).setAttribute("aria-label", T.restoreOf(name));
      return make("li", "canvas", make("span", "name", name), restore);
    });
    this.#archive.hidden = !archived.length;
    this.#archive.replaceChildren(make("summary", "", T.archived(archived.length)), make("ul", "", ...lines));
  }

  /** @param {"freeform" | "slides"} kind */
  #create(kind) {
    void this.#manage({ action: "create", kind, activate: true });
  }

  /** @param {HTMLElement} line @param {CanvasInfo} canvas */
  #rename(line, { id: canvasId, name: before }) {
    if (this.#desk.seat.missing("seat")) return;
    this.#isRenaming = true;
    rename(line, before, T.newNameOf(before), (name) => {
      this.#isRenaming = false;
      this.#draw();
      this.#find(canvasId)?.focus();
      if (name) void this.#manage({ action: "rename", canvasId, name });
    });
  }

  /** @param {Result} args @returns {Promise<boolean>} Was it done? If not, the panel says why. */
  async #manage(args) {
    this.#fault.hidden = true;
    try {
      await this.#desk.manage(args);
      return true;
    } catch (error) {
      this.#fault.textContent = error instanceof Error ? error.message : String(error);
      this.#fault.hidden = false;
      return false;
    }
  }
}
