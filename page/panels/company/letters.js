// @ts-check
/** @import { Letter, Sent } from "../../wire/messages.js" */
/** @import { Gesture } from "../../wire/link.js" */
/** @import { Line, Posts } from "../../wire/posts.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { button, dot, iconButton, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { nameOf } from "../../words/words.js";

/** The broker's own limit. */
const MAX_TEXT = 4000;

const DRAFT = "chardesk/draft/";

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/**
 * @typedef {object} Post
 * @property {{ section: HTMLElement, list: HTMLElement, form: HTMLElement }} elements the section is hidden while there is nothing
 * @property {Posts} posts
 * @property {Storage} store keeps what is being written
 * @property {Seat} seat
 * @property {(gesture: Gesture) => boolean} decide
 * @property {() => void} left gives the keys back
 */

/**
 * Lines between the person and agents, newest first: what agents say until it is put away, and what the person wrote
 * with how it stands. What is being written is kept for each agent, over reloads too.
 */
export class LettersPanel {
  #post;
  #field = make("textarea", "");
  #label = make("label", "");
  #send;
  #to = "";
  /** @type {Map<string, HTMLElement>} */
  #lines = new Map();
  /** Of these lines, what agents say. @type {Set<string>} */
  #letters = new Set();
  /** Of these lines, the ones of which the broker has told nothing. @type {Set<string>} */
  #unsent = new Set();

  /** @param {Post} post */
  constructor(post) {
    this.#post = post;
    const form = make("form", "");
    this.#send = post.seat.needs("edit", make("button", "button primary", T.sendLine));
    this.#field.maxLength = MAX_TEXT;
    this.#field.rows = 3;
    this.#label.append("", this.#field);
    form.append(this.#label, make("div", "card-foot", this.#send, button("button", T.close, () => this.#leave())));
    this.#field.addEventListener("input", () => this.#keep());
    this.#field.addEventListener("keydown", (event) => this.#key(event, form));
    form.addEventListener("submit", (event) => (event.preventDefault(), this.#submit()));
    post.elements.form.replaceChildren(form);
    post.elements.form.hidden = true;
    post.posts.waiting.subscribe((waiting) => this.#showWaiting(waiting));
  }

  /** Begin a line to an agent, or go on with the one that was begun. @param {string} to */
  writeTo(to) {
    this.#to = to;
    this.#label.firstChild?.replaceWith(T.lineTo(nameOf(to)));
    this.#field.value = this.#post.store.getItem(DRAFT + to) ?? "";
    this.#post.elements.form.hidden = false;
    this.#fold();
    this.#field.focus();
  }

  /** An agent says something; again after a connect, it is shown once. @param {Letter} letter */
  receive({ id, author, color, text, time }) {
    const { seat, decide } = this.#post;
    const away = button("button", T.putAway, () => decide({ type: "read_letter", id }) && this.#remove(id));
    const reply = button("button", T.reply, () => this.writeTo(author));
    const acts = make("div", "card-foot", reply, seat.needs("seat", away));
    this.#letters.add(id);
    this.#put(id, this.#line({ color, head: nameOf(author), text, time }, acts));
  }

  /** Something that an agent says was put away, or all of it is told anew. @param {string} [id] */
  forget(id) {
    for (const each of [...this.#letters]) if (id === undefined || each === id) this.#remove(each);
  }

  /** How a line of the person's stands. @param {Sent} sent */
  show({ id, to, text, time, fate }) {
    const close = iconButton("close", T.hideLine, () => this.#remove(id));
    const state = make("p", "counts", T.fates[fate]);
    const line = this.#line({ color: "", head: T.youTo(nameOf(to)), text, time }, state);
    if (fate === "read" || fate === "parked") line.querySelector(".card-head")?.append(close);
    this.#unsent.delete(id);
    this.#put(id, line);
  }

  /** A line was refused: its words are to be written on. @param {Line} line */
  giveBack({ to, text }) {
    const begun = this.#post.store.getItem(DRAFT + to);
    this.#store(to, begun ? `${text}\n${begun}` : text);
    this.writeTo(to);
  }

  /** Lines that the broker has not confirmed. @param {readonly Line[]} waiting */
  #showWaiting(waiting) {
    const ids = new Set(waiting.map(({ id }) => id));
    for (const id of this.#unsent) if (!ids.has(id)) this.#remove(id);
    for (const { id, to, text, time } of waiting) {
      if (this.#lines.has(id)) continue;
      const state = make("p", "counts", T.fates.unsent);
      this.#put(id, this.#line({ color: "", head: T.youTo(nameOf(to)), text, time }, state));
      this.#unsent.add(id);
    }
  }

  /** @param {{ color: string, head: string, text: string, time: number }} letter @param {HTMLElement} foot */
  #line({ color, head, text, time }, foot) {
    const when = make("time", "", CLOCK.format(time * 1000));
    when.dateTime = new Date(time * 1000).toISOString();
    const element = make(
      "li",
      "card letter",
      make("div", "card-head", color && dot(color), make("span", "name", head), when),
      make("p", "words", text),
      foot,
    );
    if (color) element.style.setProperty("--agent", color);
    return element;
  }

  /** @param {string} id @param {HTMLElement} line */
  #put(id, line) {
    const known = this.#lines.get(id);
    this.#lines.set(id, line);
    if (known) known.replaceWith(line);
    else this.#post.elements.list.prepend(line);
    this.#fold();
  }

  /** @param {string} id */
  #remove(id) {
    const line = this.#lines.get(id);
    const hadFocus = line?.contains(document.activeElement);
    line?.remove();
    this.#lines.delete(id);
    this.#letters.delete(id);
    this.#unsent.delete(id);
    this.#fold();
    if (hadFocus) this.#post.left();
  }

  #fold() {
    const { section, form } = this.#post.elements;
    section.hidden = form.hidden && this.#lines.size === 0;
  }

  #keep() {
    this.#store(this.#to, this.#field.value);
  }

  /** @param {string} to @param {string} text */
  #store(to, text) {
    try {
      if (text) this.#post.store.setItem(DRAFT + to, text);
      else this.#post.store.removeItem(DRAFT + to);
    } catch {
      // A full storage can't keep it over a reload; it stands in the field all the same.
    }
  }

  /** @param {KeyboardEvent} event @param {HTMLFormElement} form */
  #key(event, form) {
    event.stopPropagation();
    if (event.key === "Escape") return this.#leave();
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  }

  #submit() {
    const text = this.#field.value.trim();
    if (!text || this.#send.disabled) return;
    this.#store(this.#to, "");
    this.#post.posts.write(this.#to, text, Date.now() / 1000);
    this.#field.value = "";
    this.#leave();
  }

  #leave() {
    this.#post.elements.form.hidden = true;
    this.#fold();
    this.#post.left();
  }
}
