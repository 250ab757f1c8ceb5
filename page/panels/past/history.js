// @ts-check
/** @import { Result } from "../../wire/calls.js" */
/** @import { Entry } from "./operation.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { confirmed, dialog } from "../../parts/dialog.js";
import { button, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { differenceView, operationView } from "./operation.js";
import { deedOf, nameOf } from "../../words/words.js";

/** Entries that are asked for at once. */
const PAGE = 50;

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });

/** @typedef {{ name: string, seq: number, author: string }} Tag */
/** @typedef {(tool: string, args: Result) => Promise<Result>} Call */
/** @typedef {{ ask: Call, callTool: Call }} Desk `ask` only looks, `callTool` is the person's doing */

/**
 * The timeline of the sheet that is shown: what was done, tags, two moments compared, and the way back to one.
 *
 * @param {Desk} desk
 * @param {Seat} seat
 */
export function openHistory(desk, seat) {
  new Timeline(desk, seat).open();
}

class Timeline {
  #desk;
  #seat;
  #list = make("ol", "moments");
  #tags = make("ul", "tags");
  #pane = make("div", "history-pane", make("p", "fine", T.historyHint));
  #from = make("select", "");
  #to = make("select", "");
  #older = button("text-button", T.older, () => void this.#try(() => this.#more()));
  /** Where the older entries begin; null at the end. @type {number | null | undefined} */
  #before = undefined;

  /** @param {Desk} desk @param {Seat} seat */
  constructor(desk, seat) {
    this.#desk = desk;
    this.#seat = seat;
    this.#pane.tabIndex = 0;
    this.#pane.setAttribute("role", "region");
    this.#pane.setAttribute("aria-label", T.history);
    this.#from.setAttribute("aria-label", T.compareFrom);
    this.#to.setAttribute("aria-label", T.compareTo);
    this.#to.append(new Option(T.now, ""));
  }

  open() {
    const compare = button("button", T.compare, () => void this.#try(() => this.#compare()));
    const name = make("input", "");
    name.maxLength = 80;
    name.placeholder = name.ariaLabel = T.tagName;
    const form = make("form", "tag-form", name, this.#seat.needs("seat", make("button", "button", T.tagNow)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#try(async () => {
        await this.#desk.callTool("canvas_history", { action: "tag", name: name.value });
        name.value = "";
        await this.#showTags();
      });
    });
    const bar = make("div", "compare", this.#from, make("span", "", "→"), this.#to, compare);
    const side = make("div", "history-side", form, this.#tags, this.#list, this.#older);
    dialog(T.history, bar, make("div", "history", side, this.#pane)).classList.add("is-wide");
    void this.#try(() => Promise.all([this.#showTags(), this.#more()]));
  }

  /** What is refused is said in the pane. @param {() => Promise<unknown>} act */
  async #try(act) {
    try {
      await act();
    } catch (error) {
      this.#pane.replaceChildren(make("p", "fault", error instanceof Error ? error.message : String(error)));
    }
  }

  async #more() {
    const older = this.#before ? { before: this.#before } : {};
    const { entries, next } = await this.#desk.ask("canvas_history", { action: "log", limit: PAGE, ...older });
    for (const entry of /** @type {Entry[]} */ (entries)) this.#add(entry);
    this.#before = /** @type {number | null | undefined} */ (next) ?? null;
    this.#older.hidden = this.#before === null;
  }

  /** @param {Entry} entry */
  #add({ seq, operationId, author, tool, why, time }) {
    const words = T.didThis(nameOf(author), deedOf(tool));
    this.#offer(`#${seq} ${words}`, String(seq));
    const show = button("moment", "", () => void this.#try(() => this.#show(operationId)));
    const when = make("time", "", WHEN.format(new Date(time)));
    show.append(make("span", "seq", `#${seq}`), make("span", "what", words, why && make("span", "why", why), when));
    const back = button("text-button", T.restoreThis, () => void this.#try(() => this.#restore(seq, `#${seq}`)));
    this.#seat.needs("seat", back).setAttribute("aria-label", T.restoreTo(`#${seq}`));
    this.#list.append(make("li", "", show, back));
  }

  /** A moment that can be compared. @param {string} label @param {string} value */
  #offer(label, value) {
    this.#from.append(new Option(label, value));
    this.#to.append(new Option(label, value));
  }

  async #showTags() {
    const { tags } = await this.#desk.ask("canvas_history", { action: "list_tags" });
    this.#tags.replaceChildren(...(/** @type {Tag[]} */ (tags)).map((tag) => this.#tag(tag)));
  }

  /** @param {Tag} tag */
  #tag({ name, seq }) {
    const back = button("text-button", T.restoreThis, () => void this.#try(() => this.#restore(name, name)));
    const drop = button("text-button", T.drop, () => {
      void this.#try(async () => {
        await this.#desk.callTool("canvas_history", { action: "drop_tag", name });
        await this.#showTags();
      });
    });
    const compare = button("text-button", T.compare, () => void this.#try(() => this.#difference(name, "")));
    this.#seat.needs("seat", back).setAttribute("aria-label", T.restoreTo(name));
    this.#seat.needs("seat", drop).setAttribute("aria-label", T.dropTag(name));
    compare.setAttribute("aria-label", T.compareWithNow(name));
    return make("li", "", make("b", "", name), make("span", "seq", `#${seq}`), compare, back, drop);
  }

  #compare() {
    return this.#difference(this.#from.value, this.#to.value);
  }

  /** @param {string} from a tag or a revision @param {string} to "" for now */
  async #difference(from, to) {
    const moments = { from: moment(from), ...(to && { to: moment(to) }) };
    this.#fill(differenceView(await this.#desk.ask("canvas_history", { action: "diff", ...moments })));
  }

  /** @param {string} operationId */
  async #show(operationId) {
    this.#fill(operationView(await this.#desk.ask("canvas_history", { action: "show", operationId })));
  }

  /** @param {readonly Node[]} content */
  #fill(content) {
    this.#pane.replaceChildren(...content);
    this.#pane.scrollTop = 0;
  }

  /** @param {number | string} to @param {string} words */
  async #restore(to, words) {
    if (!(await confirmed(T.restoreTo(words), T.restoreWords, T.restoreThis))) return;
    await this.#desk.callTool("canvas_history", { action: "restore", to, mode: "apply" });
    this.#list.replaceChildren();
    this.#before = undefined;
    await this.#more();
  }
}

/** A revision is a number, a tag its name. @param {string} value */
function moment(value) {
  return /^\d+$/.test(value) ? Number(value) : value;
}
