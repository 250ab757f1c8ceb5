// @ts-check
/** @import { Chip } from "../../wire/messages.js" */
import { button, dot, iconButton, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { nameOf } from "../../words/words.js";

/** More would cover what they point at; the oldest goes first. */
const MAX_CHIPS = 4;

/**
 * "Look here": what agents ask the person to look at. A chip moves nothing; following it does.
 *
 * @param {HTMLElement} area
 * @param {(place: { canvas: string, sheet: string, bounds: Chip["rect"] }) => void} goTo
 * @returns {(chip: Chip) => void} raises one; the same id again replaces it
 */
export function lookHere(area, goTo) {
  return ({ id, author, color, canvas, sheet, rect, note }) => {
    area.querySelector(`[data-chip="${CSS.escape(id)}"]`)?.remove();
    const follow = button("chip-go", "", () => (goTo({ canvas, sheet, bounds: rect }), chip.remove()));
    follow.append(dot(color), make("b", "", nameOf(author)), ` ${T.looksHere}`, note && make("span", "note", note));
    const chip = make("div", "chip", follow, iconButton("close", T.dismiss, () => chip.remove()));
    chip.dataset["chip"] = id;
    area.append(chip);
    while (area.children.length > MAX_CHIPS) area.firstElementChild?.remove();
  };
}
