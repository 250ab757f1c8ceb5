// @ts-check
import { button, make } from "./dom.js";

/** @typedef {{ label: string, act: () => void, isDisabled?: boolean, hint?: string }} Item `hint` says why it is disabled */

/**
 * A menu under a button: opened by a press, Enter or the down arrow, walked with the arrow keys, closed by Escape or
 * a press elsewhere.
 *
 * @param {HTMLButtonElement} opener
 * @param {() => readonly (Item | null | false)[]} items asked each time it opens; falsy ones are left out
 */
export function menu(opener, items) {
  opener.setAttribute("aria-haspopup", "menu");
  opener.setAttribute("aria-expanded", "false");
  opener.addEventListener("click", () => open(opener, items()));
  opener.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    open(opener, items());
  });
}

/** @param {HTMLButtonElement} opener @param {readonly (Item | null | false)[]} items */
function open(opener, items) {
  const close = () => (list.hidePopover(), opener.focus());
  const list = make("div", "menu", ...items.map((item) => item && line(item, close)));
  list.setAttribute("role", "menu");
  list.setAttribute("aria-label", opener.getAttribute("aria-label") ?? opener.textContent ?? "");
  list.popover = "auto";
  list.addEventListener("toggle", (event) => {
    const isOpen = /** @type {ToggleEvent} */ (event).newState === "open";
    opener.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) list.remove();
  });
  list.addEventListener("keydown", (event) => walk(event, list));
  // In the landmark of its opener, for those who go from one to the next; what stands in there may be drawn anew.
  (opener.closest(".bar, .sheets, .side") ?? document.body).append(list);
  list.showPopover();
  place(list, opener.getBoundingClientRect());
  /** @type {HTMLElement | null} */ (list.querySelector("button:enabled"))?.focus();
}

/** The menu is closed before its line acts, which may take the focus elsewhere. @param {Item} item @param {() => void} close */
function line({ label, act, isDisabled = false, hint = "" }, close) {
  const element = button("", label, () => (close(), act()));
  element.setAttribute("role", "menuitem");
  element.disabled = isDisabled;
  element.title = element.ariaDescription = hint;
  return element;
}

/** Under the opener where there is room, else over it; never off the screen. @param {HTMLElement} list @param {DOMRect} at */
function place(list, at) {
  const { width, height } = list.getBoundingClientRect();
  const top = at.bottom + height + 8 < innerHeight ? at.bottom + 4 : at.top - height - 4;
  list.style.top = `${Math.max(4, top)}px`;
  list.style.left = `${Math.max(4, Math.min(at.left, innerWidth - width - 8))}px`;
}

/** @param {KeyboardEvent} event @param {HTMLElement} list */
function walk(event, list) {
  event.stopPropagation();
  const usable = [...list.querySelectorAll("button")].filter((each) => !each.disabled);
  const at = usable.findIndex((each) => each === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: usable.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  usable.at(next % usable.length)?.focus();
}
