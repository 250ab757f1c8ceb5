// @ts-check
import { button, make } from "../../parts/dom.js";

/**
 * A line of a menu; `null` in their place is a rule. `hint` says why it is disabled.
 *
 * @typedef {{ label: string, keys?: string, act: () => void, isDisabled?: boolean, hint?: string }} Item
 */

/**
 * A menu at a place of the screen: walked with the arrow keys, closed by Escape or a press elsewhere.
 *
 * @param {string} label
 * @param {readonly (Item | null)[]} items
 * @param {{ left: number, top: number }} at CSS pixels of the window
 * @param {() => void} release gives the keys back
 */
export function contextMenu(label, items, { left, top }, release) {
  const list = make("div", "context", ...items.map((item) => (item ? line(item) : make("hr", ""))));
  list.setAttribute("role", "menu");
  list.setAttribute("aria-label", label);
  list.popover = "auto";
  list.addEventListener("toggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState !== "closed") return;
    list.remove();
    release();
  });
  const close = () => {
    list.hidePopover();
    release(); // now: the next key may come before the menu is told that it is closed
  };
  list.addEventListener("click", ({ target }) => target instanceof HTMLButtonElement && close());
  list.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key !== "Escape") return walk(event, list);
    event.preventDefault();
    close();
  });
  list.addEventListener("contextmenu", (event) => event.preventDefault());
  document.body.append(list);
  list.showPopover();
  const { width, height } = list.getBoundingClientRect();
  list.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
  list.style.top = `${Math.max(4, Math.min(top, innerHeight - height - 4))}px`;
  /** @type {HTMLElement | null} */ (list.querySelector("button:enabled"))?.focus();
}

/** @param {Item} item */
function line({ label, keys, act, isDisabled = false, hint = "" }) {
  const element = button("", label, act);
  if (keys) element.append(make("kbd", "", keys));
  element.setAttribute("role", "menuitem");
  element.disabled = isDisabled;
  element.title = element.ariaDescription = hint;
  return element;
}

/** @param {KeyboardEvent} event @param {HTMLElement} list */
function walk(event, list) {
  const buttons = [...list.querySelectorAll("button")].filter((each) => !each.disabled);
  const at = buttons.findIndex((each) => each === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (event.key === "Tab") event.preventDefault();
  if (next === undefined) return;
  event.preventDefault();
  buttons.at(next % buttons.length)?.focus();
}
