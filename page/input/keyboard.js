// @ts-check
/** @import { Command } from "./keymap.js" */
import { commandFor } from "./keymap.js";

/** @typedef {Readonly<Record<Command, () => void>>} Commands */

/**
 * Keys pressed on the canvas become commands. Panels have their own keys: only what is pressed inside `target`
 * counts.
 * @param {HTMLElement} target
 * @param {Commands} commands
 */
export function keyboard(target, commands) {
  const isMac = /^Mac|^iP/.test(navigator.platform);
  target.addEventListener("keydown", (event) => {
    const command = commandFor(event, isMac);
    if (!command) return;
    event.preventDefault();
    commands[command]();
  });
}
