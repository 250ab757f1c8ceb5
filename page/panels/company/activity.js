// @ts-check
/** @import { Activity } from "../../wire/messages.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { Signal } from "../../lib/signal.js";
import { button, dot, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { byWhom, deedOf, nameOf, workOf } from "../../words/words.js";

/** Lines that are kept; the journal has them all. */
const MAX_LINES = 200;

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** @typedef {{activity: Activity, count: number, element: HTMLElement}} Line */
/** @typedef {{ title: HTMLElement, list: HTMLElement }} Elements */

/** What happened, newest first, of everybody or of one author. What one does with one tool in a row is one line. */
export class ActivityPanel {
  /** Emitted when the person wants to see where it was. @type {Signal<Activity>} */
  shown = new Signal();
  /** Emitted when the person takes an operation back. @type {Signal<Activity>} */
  undone = new Signal();
  /** Emitted with the author whose operations are all to be taken back. @type {Signal<string>} */
  allUndone = new Signal();
  #list;
  #filter = make("select", "filter", new Option(T.everybody, ""));
  #undoAll = button("text-button", T.undoAll, () => this.allUndone.emit(this.#filter.value));
  #seat;
  /** @type {Line | null} */
  #newest = null;

  /** @param {Elements} elements @param {Seat} seat */
  constructor({ title, list }, seat) {
    this.#seat = seat;
    seat.needs("seat", this.#undoAll);
    this.#list = list;
    list.replaceChildren(make("li", "none", T.nothingYet));
    this.#filter.setAttribute("aria-label", T.filterBy);
    this.#filter.addEventListener("change", () => this.#sift());
    this.#undoAll.hidden = true;
    title.append(make("span", "acts", this.#undoAll, this.#filter));
  }

  /** @param {Activity} activity told again after a reconnect, it is shown once */
  add(activity) {
    if (this.#newest && activity.seq <= this.#newest.activity.seq) return;
    const before = this.#newest;
    const goesOn = before !== null && isSameRun(before.activity, activity);
    const count = goesOn ? before.count + 1 : 1;
    const element = this.#line(activity, count);
    if (goesOn) before.element.replaceWith(element);
    else this.#list.prepend(element);
    this.#newest = { activity, count, element };
    this.#know(activity.author);
    this.#siftOne(element);
    this.#list.querySelector(".none")?.remove();
    while (this.#list.children.length > MAX_LINES) this.#list.lastElementChild?.remove();
  }

  /** @param {string} author */
  #know(author) {
    if ([...this.#filter.options].some(({ value }) => value === author)) return;
    this.#filter.append(new Option(nameOf(author), author));
  }

  #sift() {
    const { value: author } = this.#filter;
    this.#undoAll.hidden = !author;
    this.#undoAll.setAttribute("aria-label", T.undoAllBy(nameOf(author)));
    for (const line of this.#list.children) if (line instanceof HTMLElement) this.#siftOne(line);
  }

  /** @param {HTMLElement} line */
  #siftOne(line) {
    line.hidden = this.#filter.value !== "" && line.dataset["author"] !== this.#filter.value;
  }

  /** @param {Activity} activity @param {number} count */
  #line(activity, count) {
    const { author, appliedBy, color, tool, why, time, bounds } = activity;
    const times = count > 1 && ` × ${count}`;
    const by = appliedBy !== author && `, ${byWhom(appliedBy)}`;
    const what = make(
      "span",
      "what",
      make("b", "", nameOf(author)),
      ` ${deedOf(tool)}`,
      times,
      by,
    );
    what.title = what.textContent ?? ""; // a long one is cut
    const when = make("time", "", CLOCK.format(time * 1000));
    when.dateTime = new Date(time * 1000).toISOString();
    const acts = make(
      "span",
      "acts",
      bounds && this.#act(T.show, T.showOf(nameOf(author), workOf(tool)), () => this.shown.emit(activity)),
      count === 1 && this.#undo(activity),
    );
    const line = make("li", "", dot(color), what, when, acts, why && make("span", "why", why));
    line.dataset["author"] = author;
    return line;
  }

  /** @param {Activity} activity */
  #undo(activity) {
    const whole = T.undoOf(nameOf(activity.author), workOf(activity.tool));
    return this.#seat.needs("seat", this.#act(T.undo, whole, () => this.undone.emit(activity)));
  }

  /** @param {string} label @param {string} whole what it says to those who don't see the line @param {() => void} act */
  #act(label, whole, act) {
    const element = button("text-button", label, act);
    element.setAttribute("aria-label", whole);
    return element;
  }
}

/** @param {Activity} a @param {Activity} b */
function isSameRun(a, b) {
  return (
    a.author === b.author && a.appliedBy === b.appliedBy && a.tool === b.tool && a.sheet === b.sheet && !a.why && !b.why
  );
}
