// @ts-check
/** @import { Activity } from "../wire/messages.js" */
import { Signal } from "../lib/signal.js";
import { button, dot, make } from "./dom.js";
import { nameOf, toolName } from "./words.js";

/** Lines that are kept; the journal has them all. */
const MAX_LINES = 200;

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** @typedef {{activity: Activity, count: number, element: HTMLElement}} Line */

/** What happened, newest first. What one author does with one tool in a row is one line. */
export class ActivityPanel {
  /** Emitted when the person wants to see where it was. @type {Signal<Activity>} */
  shown = new Signal();
  /** Emitted when the person takes an operation back. @type {Signal<Activity>} */
  undone = new Signal();
  #list;
  /** @type {Line | null} */
  #newest = null;

  /** @param {HTMLElement} list */
  constructor(list) {
    this.#list = list;
    list.replaceChildren(make("li", "none", "Nothing yet."));
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
    this.#list.querySelector(".none")?.remove();
    while (this.#list.children.length > MAX_LINES) this.#list.lastElementChild?.remove();
  }

  /** @param {Activity} activity @param {number} count */
  #line(activity, count) {
    const { author, appliedBy, color, tool, why, time, bounds } = activity;
    const times = count > 1 && ` × ${count}`;
    const by = appliedBy !== author && (appliedBy === "person" ? ", accepted" : `, by ${appliedBy}`);
    const what = make(
      "span",
      "what",
      make("b", "", nameOf(author)),
      tool !== author && ` ${toolName(tool)}`,
      times,
      by,
    );
    const when = make("time", "", CLOCK.format(time * 1000));
    when.dateTime = new Date(time * 1000).toISOString();
    const acts = make(
      "span",
      "acts",
      bounds && button("text-button", "Show", () => this.shown.emit(activity)),
      count === 1 && button("text-button", "Undo", () => this.undone.emit(activity)),
    );
    const line = make("li", "", dot(color), what, when, acts, why && make("span", "why", why));
    return line;
  }
}

/** @param {Activity} a @param {Activity} b */
function isSameRun(a, b) {
  return (
    a.author === b.author && a.appliedBy === b.appliedBy && a.tool === b.tool && a.sheet === b.sheet && !a.why && !b.why
  );
}
