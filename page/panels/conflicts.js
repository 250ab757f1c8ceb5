// @ts-check
/** @import { Conflict, Conflicts } from "../wire/conflicts.js" */
/** @import { EditOp } from "../wire/messages.js" */
/** @import { Seat } from "./seat.js" */
import { button, make } from "./dom.js";
import { T } from "./language.js";

/**
 * @typedef {object} Hands
 * @property {(op: EditOp) => void} perform on the sheet that is shown
 * @property {() => string} shown the sheet that is shown
 * @property {(sheet: string) => void} turnTo
 * @property {(message: string) => void} say
 * @property {Seat} seat
 */

/**
 * What was done offline and could not be placed: each can be placed over what others did, copied, or dropped.
 *
 * @param {{ section: HTMLElement, list: HTMLElement }} elements the section is hidden while there is none
 * @param {Conflicts} conflicts
 * @param {Hands} hands
 */
export function conflictsPanel({ section, list }, conflicts, hands) {
  conflicts.all.subscribe((all) => {
    section.hidden = !all.length;
    list.replaceChildren(...all.map((each) => card(each, conflicts, hands)));
  });
}

/** @param {Conflict} conflict @param {Conflicts} conflicts @param {Hands} hands */
function card({ edit, why }, conflicts, { perform, shown, turnTo, say, seat }) {
  const text = textOf(edit.op);
  const place = button("button primary", T.placeAnyway, () => {
    if (edit.sheet !== shown()) return (turnTo(edit.sheet), say(T.placeAfterTurn));
    perform(edit.op);
    conflicts.drop(edit.id);
  });
  const copying = () => void navigator.clipboard.writeText(text).then(() => say(T.copied));
  const copy = text && button("button", T.copy, copying);
  const drop = button("button", T.drop, () => conflicts.drop(edit.id));
  return make(
    "li",
    "card conflict",
    make("p", "why", text ? T.typedAway(text.slice(0, 60)) : T.doneAway(T.gestures[edit.op.kind] ?? edit.op.kind)),
    make("p", "warns", why),
    make("div", "card-foot", seat.needs("seat", place), copy, drop),
  );
}

/** What can be put on the clipboard of an edit. @param {EditOp} op */
function textOf(op) {
  if (op.kind === "text") return op.text;
  return op.kind === "paste" ? op.material : "";
}
