// @ts-check
import { button, make, named } from "../../parts/dom.js";
import { T } from "../../words/language.js";

/** Theme colours first: they stay readable in the dark and the light. @type {readonly { readonly color: string, readonly label: string }[]} */
const COLORS = [
  ...Object.entries(T.colors).map(([color, label]) => ({ color, label })),
  ...["#e03131", "#f08c00", "#ffd43b", "#2f9e44", "#1098ad", "#4c6ef5", "#9c36b5", "#868e96", "#ffffff"].map(
    (color) => ({ color, label: color }),
  ),
];

/**
 * A button that shows a colour and opens a choice of them.
 *
 * @param {string} label
 * @param {string} sign
 * @param {(color: string | null) => void} choose null is none
 */
export function colorButton(label, sign, choose) {
  const list = make("div", "colors");
  list.popover = "auto";
  const element = button("icon color", sign, () => {
    document.body.append(list); // out of the bar, whose arrow keys are not for it
    list.showPopover();
    place(list, element.getBoundingClientRect());
    list.querySelector("button")?.focus();
  });
  element.setAttribute("aria-haspopup", "dialog");
  const pick = (/** @type {string | null} */ color) => (list.hidePopover(), choose(color));
  const none = swatch(null, T.noColor, pick);
  const custom = make("input", "custom");
  custom.type = "color";
  named(custom, T.otherColor);
  custom.addEventListener("change", () => pick(custom.value));
  list.append(none, ...COLORS.map((each) => swatch(each.color, each.label, pick)), custom);
  list.addEventListener("toggle", (event) => /** @type {ToggleEvent} */ (event).newState === "closed" && list.remove());
  list.addEventListener("keydown", (event) => event.stopPropagation());
  const show = (/** @type {string | undefined} */ color) => {
    element.style.setProperty("--swatch", color ? shown(color) : "currentcolor");
    element.classList.toggle("is-set", Boolean(color));
    named(element, T.colorNow(label, color));
  };
  return { element, show };
}

/** @param {string | null} color @param {string} label @param {(color: string | null) => void} pick */
function swatch(color, label, pick) {
  const element = button(color ? "swatch" : "swatch is-none", "", () => pick(color));
  if (color) element.style.setProperty("--swatch", shown(color));
  named(element, label);
  return element;
}

/** @param {string} color */
function shown(color) {
  return color.startsWith("#") ? color : `var(--${color})`;
}

/** Over its button, on the screen. @param {HTMLElement} list @param {DOMRect} at */
function place(list, at) {
  const { width, height } = list.getBoundingClientRect();
  list.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  list.style.top = `${Math.max(8, at.top - height - 8)}px`;
}
