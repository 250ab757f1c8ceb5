// @ts-check
/** @import { CellStory, StoryLine } from "../../wire/messages.js" */
/** @import { Run } from "./evidence.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { button, dot, iconButton, make } from "../../parts/dom.js";
import { evidenceOf } from "./evidence.js";
import { T } from "../../words/language.js";
import { byWhom, deedOf, nameOf, workOf } from "../../words/words.js";

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/**
 * @typedef {object} Acts
 * @property {(operationId: string) => void} undo
 * @property {(operationId: string) => Promise<Run | null>} run how a script ran; rejected while nobody can say
 */

/**
 * "Why is this here?": a card beside a cell that names who touched it, newest first.
 *
 * @param {(at: readonly [number, number]) => { left: number, top: number }} place of a cell in CSS pixels of the window
 * @param {Acts} acts
 * @param {Seat} seat
 * @returns {(story: CellStory) => void} shows one, in the place of the one before
 */
export function storyCard(place, acts, seat) {
  let card = make("div", "");
  return ({ at, lines }) => {
    card.remove();
    const close = iconButton("close", T.close, () => card.hidePopover());
    const body = lines.length ? make("ol", "", ...lines.map((line) => lineOf(line, acts, seat))) : make("p", "", T.nobodyHere);
    card = make("div", "story", make("div", "story-head", make("h2", "", T.whyHere(at[0], at[1])), close), body);
    card.popover = "auto";
    card.setAttribute("role", "dialog");
    card.setAttribute("aria-label", T.whyHere(at[0], at[1]));
    const before = document.activeElement;
    card.addEventListener("toggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState !== "closed") return;
      card.remove();
      if (before instanceof HTMLElement) before.focus();
    });
    card.addEventListener("keydown", (event) => event.key !== "Escape" && event.stopPropagation());
    document.body.append(card);
    card.showPopover();
    stand(card, place(at));
    close.focus();
  };
}

/** @param {HTMLElement} card @param {{ left: number, top: number }} at */
function stand(card, { left, top }) {
  const { width, height } = card.getBoundingClientRect();
  card.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  card.style.top = `${Math.max(8, Math.min(top + 26, innerHeight - height - 8))}px`;
}

/** @param {StoryLine} line @param {Acts} acts @param {Seat} seat */
function lineOf({ author, appliedBy, color, tool, why, time, operationId }, { undo, run }, seat) {
  const take = seat.needs("seat", button("text-button", T.undo, () => undo(operationId)));
  take.setAttribute("aria-label", T.undoOf(nameOf(author), workOf(tool)));
  const line = make(
    "li",
    "",
    make("div", "head", dot(color), make("b", "", nameOf(author)), ` ${deedOf(tool)}`, take),
    why && make("p", "why", why),
    make("p", "when", WHEN.format(time * 1000), appliedBy !== author && ` · ${byWhom(appliedBy)}`),
  );
  if (tool === "canvas_code") void run(operationId).then((known) => known && line.append(evidenceOf(known)), ignored);
  return line;
}

/** The line says what it says without it. */
const ignored = () => undefined;
