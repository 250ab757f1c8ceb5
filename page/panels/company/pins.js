// @ts-check
/** @import { PinInfo } from "../../wire/messages.js" */
/** @import { Rect } from "../../model/region.js" */
/** @import { Gesture } from "../../wire/link.js" */
/** @import { Marks } from "../../view/marks.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { dialog } from "../../parts/dialog.js";
import { button, iconButton, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { placeOf } from "../../words/words.js";

/**
 * @typedef {object} Board
 * @property {HTMLElement} title where the button goes
 * @property {HTMLElement} list
 * @property {Marks} marks
 * @property {() => { sheet: string, rect: Rect } | null} selected what would be pinned now
 * @property {(gesture: Gesture) => boolean} decide
 * @property {(place: { canvas: string, sheet: string, bounds: Rect }) => void} goTo
 * @property {(message: string) => void} say
 * @property {Seat} seat
 */

/** Rectangles that the person points agents at: a list, and a frame around each on its sheet. */
export class PinsPanel {
  #board;
  #sheet = "";
  /** @type {readonly PinInfo[]} */
  #pins = [];
  /** @type {HTMLElement[]} */
  #frames = [];

  /** @param {Board} board */
  constructor(board) {
    this.#board = board;
    board.title.append(make("span", "acts", board.seat.needs("seat", button("text-button", T.pinSelection, () => this.pin()))));
  }

  /** @param {{ pins?: readonly PinInfo[], sheet?: string }} news what is not named stays */
  show({ pins = this.#pins, sheet = this.#sheet }) {
    this.#pins = pins;
    this.#sheet = sheet;
    const lines = pins.length ? pins.map((pin) => this.#line(pin)) : [make("li", "none", T.noPins)];
    this.#board.list.replaceChildren(...lines);
    this.#frame();
  }

  /** Pin what is selected, with a note for the agents. */
  pin() {
    const chosen = this.#board.selected();
    if (!chosen) return this.#board.say(T.selectFirst);
    const note = make("input", "");
    note.maxLength = 280;
    const form = make(
      "form",
      "",
      make("label", "", T.pinNote, note),
      make("div", "dialog-foot", make("button", "button primary", T.pin)),
    );
    const sheet = dialog(T.pinTitle(placeOf(chosen.rect)), form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#board.decide({ type: "pin", ...chosen, note: note.value.trim() })) sheet.close();
      else this.#board.say(T.notConnected);
    });
    note.focus();
  }

  /** @param {PinInfo} pin */
  #line({ id, canvas, sheet, rect, note }) {
    const words = note || placeOf(rect);
    const show = button("text-button place", T.show, () => this.#board.goTo({ canvas, sheet, bounds: rect }));
    show.setAttribute("aria-label", T.showPin(words));
    const remove = iconButton("close", T.unpin(words), () => this.#board.decide({ type: "unpin", id }));
    return make("li", "pin", make("span", "name", words), show, this.#board.seat.needs("seat", remove));
  }

  #frame() {
    for (const frame of this.#frames) this.#board.marks.remove(frame);
    this.#frames = this.#pins
      .filter(({ sheet }) => sheet === this.#sheet)
      .map(({ rect, note }) => {
        const frame = make("div", "pin-frame", make("span", "pin-tag", note || T.pin));
        this.#board.marks.put(frame, rect);
        return frame;
      });
  }
}
