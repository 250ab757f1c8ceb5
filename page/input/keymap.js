// @ts-check
import { TOOLS } from "../edit/tools.js";

/**
 * Chords and what they mean. `Mod` is Ctrl, on a Mac Command; modifiers stand in the order Mod, Alt, Shift; letters
 * are small. A key that is not here types, or is the browser's.
 */
export const KEYMAP = /** @type {const} */ ({
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  "Shift+ArrowLeft": "selectLeft",
  "Shift+ArrowRight": "selectRight",
  "Shift+ArrowUp": "selectUp",
  "Shift+ArrowDown": "selectDown",
  "Mod+ArrowLeft": "jumpLeft",
  "Mod+ArrowRight": "jumpRight",
  "Mod+ArrowUp": "jumpUp",
  "Mod+ArrowDown": "jumpDown",
  "Mod+Shift+ArrowLeft": "selectJumpLeft",
  "Mod+Shift+ArrowRight": "selectJumpRight",
  "Mod+Shift+ArrowUp": "selectJumpUp",
  "Mod+Shift+ArrowDown": "selectJumpDown",
  "Alt+ArrowLeft": "nudgeLeft",
  "Alt+ArrowRight": "nudgeRight",
  "Alt+ArrowUp": "nudgeUp",
  "Alt+ArrowDown": "nudgeDown",
  Home: "home",
  End: "end",
  "Shift+Home": "selectHome",
  "Shift+End": "selectEnd",
  "Shift+PageUp": "selectPageUp",
  "Shift+PageDown": "selectPageDown",
  PageUp: "pageUp",
  PageDown: "pageDown",
  "Mod+Home": "origin",
  Enter: "enter",
  Tab: "tab",
  "Shift+Tab": "backTab",
  Backspace: "backspace",
  Delete: "delete",
  Insert: "toggleInsertion",
  "Mod+z": "undo",
  "Mod+Shift+z": "redo",
  "Mod+y": "redo",
  "Mod+a": "selectAll",
  "Mod+Shift+a": "selectConnected",
  "Mod+d": "duplicate",
  "Mod+f": "find",
  F3: "findNext",
  "Shift+F3": "findPrevious",
  "Mod+g": "goTo",
  "Mod+Alt+c": "copyForTerminal",
  "Shift+F10": "menu",
  ContextMenu: "menu",
  Escape: "escape",
  "Alt+Enter": "applyGhost",
  "Alt+Backspace": "dismissGhost",
  "Mod+0": "zoomReset",
  "Mod++": "zoomIn",
  "Mod+=": "zoomIn",
  "Mod+Shift++": "zoomIn",
  "Mod+-": "zoomOut",
  F9: "fit",
  F8: "nextNews",
});

/** @typedef {(typeof KEYMAP)[keyof typeof KEYMAP]} Command */

/** The keys that choose a tool while nothing is typed, as help shows them. @type {Readonly<Record<string, string>>} */
export const TOOL_KEYS = Object.fromEntries(TOOLS.map(({ key, name }) => [key.toUpperCase(), `${name}Tool`]));

/** The parts of a KeyboardEvent that a chord is made of. @typedef {object} Key
 * @property {string} key
 * @property {string} code
 * @property {boolean} ctrlKey
 * @property {boolean} metaKey
 * @property {boolean} altKey
 * @property {boolean} shiftKey
 * @property {boolean} isComposing
 * @property {(name: string) => boolean} getModifierState
 */

/** @type {Readonly<Record<string, Command>>} */
const BY_CHORD = KEYMAP;

/**
 * What a key means; null when it types, composes, or is none of ours. AltGr is never a modifier: on a German
 * keyboard AltGr+Q is an @.
 * @param {Key} event
 * @param {boolean} isMac
 * @returns {Command | null}
 */
export function commandFor(event, isMac) {
  if (event.isComposing || event.key === "Process" || event.getModifierState("AltGraph")) return null;
  if (isMac ? event.ctrlKey : event.metaKey) return null;
  const modifiers = [
    (isMac ? event.metaKey : event.ctrlKey) && "Mod+",
    event.altKey && "Alt+",
    event.shiftKey && "Shift+",
  ];
  const chord = modifiers.filter(Boolean).join("") + keyOf(event);
  return Object.hasOwn(BY_CHORD, chord) ? (BY_CHORD[chord] ?? null) : null;
}

/**
 * The letter of a key that types one, small; null for every other key, and for one that is part of a chord.
 * @param {Key} event
 * @returns {string | null}
 */
export function letterOf(event) {
  if (event.isComposing || event.key.length !== 1) return null;
  return event.ctrlKey || event.metaKey || event.altKey ? null : keyOf(event);
}

/** A letter of another script stands for the one that is printed beside it on a Latin keyboard. @param {Key} event */
function keyOf({ key, code }) {
  if (key.length !== 1) return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return (key > "\x7f" && letter ? letter : key).toLowerCase();
}
