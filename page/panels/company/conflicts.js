// @ts-check
/** @import { Conflict, Conflicts } from "../../wire/conflicts.js" */
/** @import { Edit, EditOp } from "../../wire/messages.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { runsOf } from "../../edit/runs.js";
import { button, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { wordsOf } from "./saving.js";

/** Characters of a text that its card shows. */
const SHOWN = 200;

/** A burst of refusals is told once. */
const QUIET_MS = 5000;

/**
 * @typedef {object} Hands
 * @property {(op: EditOp) => Edit | null} perform on the sheet that is shown
 * @property {(id: string) => boolean} isUnanswered does the broker still owe an answer to this edit?
 * @property {() => string} shown the sheet that is shown
 * @property {(sheet: string) => boolean} turnTo false: it is gone
 * @property {(all: readonly Conflict[]) => void} save as a file
 * @property {(message: string) => void} say
 * @property {Seat} seat
 */

/**
 * What was done offline and could not be placed, one card for what was typed in one go, oldest first. Each can be
 * placed over what others did, copied, or dropped; all of them can be saved as a file. A card stays until the broker
 * has what it holds.
 *
 * @param {{ section: HTMLElement, list: HTMLElement }} elements the section is hidden while there is none
 * @param {Conflicts} conflicts
 * @param {Hands} hands
 * @returns {() => void} to be called when it may be another edit that is unanswered
 */
export function conflictsPanel({ section, list }, conflicts, hands) {
  let isAsked = false;
  /** How many cards there were; those of an earlier time are no news. @type {number | null} */
  let count = null;
  let toldMs = -QUIET_MS;
  const save = button("text-button", T.saveUnplaced, () => hands.save(conflicts.all.value));
  list.after(save);
  const show = () => {
    isAsked = false;
    const runs = runsOf(conflicts.all.value, ({ edit }) => edit);
    const focused = [...list.querySelectorAll("button")].findIndex((each) => each === document.activeElement);
    section.hidden = !runs.length;
    list.replaceChildren(...runs.map((run) => card(run, conflicts, hands)));
    if (focused >= 0) (list.querySelectorAll("button")[focused] ?? save).focus();
    const isNews = count !== null && runs.length > count && performance.now() - toldMs > QUIET_MS;
    if (isNews) {
      toldMs = performance.now();
      hands.say(T.notPlaced);
    }
    count = runs.length;
  };
  // Refusals come in bursts, one for each letter: what they come to is shown once a frame.
  const ask = () => {
    if (!isAsked) requestAnimationFrame(show);
    isAsked = true;
  };
  conflicts.all.subscribe(ask);
  return ask;
}

/** @param {readonly Conflict[]} run @param {Conflicts} conflicts @param {Hands} hands */
function card(run, conflicts, { perform, isUnanswered, shown, turnTo, say, seat }) {
  const [first] = run;
  const sheet = first?.edit.sheet ?? "";
  const { text, isText } = wordsOf(run.map(({ edit }) => edit));
  const isPlacing = run.some(({ placedBy }) => placedBy !== undefined && isUnanswered(placedBy));
  const place = button("button primary", isPlacing ? T.placing : T.placeAnyway, () => {
    if (sheet === shown()) conflicts.place(run, perform);
    else say(turnTo(sheet) ? T.placeAfterTurn : T.sheetGone);
  });
  const copying = () => void navigator.clipboard.writeText(text).then(() => say(T.copied));
  const copy = isText && button("button", T.copy, copying);
  const drop = button("button", T.drop, () => conflicts.drop(run));
  place.disabled = drop.disabled = isPlacing;
  return make(
    "li",
    "card conflict",
    make("p", "why words", isText ? T.typedAway(shortened(text)) : T.doneAway(text)),
    make("p", "warns", first?.why),
    make("div", "card-foot", isPlacing ? place : seat.needs("seat", place), copy, drop),
  );
}

/** @param {string} text */
function shortened(text) {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
