// @ts-check
/** @import { Command } from "./keymap.js" */
import { commandFor, letterOf } from "./keymap.js";

/** @typedef {Readonly<Record<Command, () => void>>} Commands */

/** What works wherever the focus is: it is about the whole sheet, not about the place of the cursor. @type {ReadonlySet<Command>} */
const EVERYWHERE = new Set([
  "find",
  "findNext",
  "findPrevious",
  "goTo",
  "nextNews",
  "fit",
  "zoomIn",
  "zoomOut",
  "zoomReset",
]);

/**
 * Keys that are not commands, while nothing is typed onto the sheet.
 *
 * @typedef {object} Letters
 * @property {() => boolean} isTyping
 * @property {(letter: string) => void} press
 * @property {(isDown: boolean) => void} space
 */

/**
 * Keys pressed on the canvas become commands, or letters that choose a tool. Panels have their own keys: of what is
 * pressed outside of `target` only a few count.
 * @param {HTMLElement} target
 * @param {Commands} commands
 * @param {Letters} letters
 */
export function keyboard(target, commands, letters) {
  const isMac = /^Mac|^iP/.test(navigator.platform);
  target.addEventListener("keydown", (event) => {
    const command = commandFor(event, isMac);
    const letter = command || letters.isTyping() ? null : letterOf(event);
    if (!command && letter === null) return;
    event.preventDefault();
    if (command) commands[command]();
    else if (letter === " ") letters.space(true);
    else if (letter) letters.press(letter);
  });
  document.addEventListener("keydown", (event) => {
    const command = event.defaultPrevented ? null : commandFor(event, isMac);
    if (!command || !EVERYWHERE.has(command)) return;
    event.preventDefault();
    commands[command]();
  });
  target.addEventListener("keyup", ({ key }) => key === " " && letters.space(false));
  target.addEventListener("focusout", () => letters.space(false));
}
