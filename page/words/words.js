// @ts-check
/** @import { Rect } from "../model/region.js" */

import { T } from "./language.js";

/** Authors that are no agents. @type {Readonly<Record<string, string>>} */
const OURS = T.authors;

/** An author as the person reads it. @param {string} author */
export function nameOf(author) {
  return OURS[author] ?? author;
}

/** Who let somebody else's change happen. @param {string} author */
export function byWhom(author) {
  return author === "person" ? T.accepted : T.appliedBy(nameOf(author));
}

/** What somebody did with a tool, after their name: "wrote". @param {string} tool */
export function deedOf(tool) {
  return T.deeds[keyOf(tool)] ?? keyOf(tool);
}

/** The same as something that goes on or is proposed: "writing". @param {string} tool */
export function workOf(tool) {
  return T.works[keyOf(tool)] ?? keyOf(tool);
}

/** A tool without its prefix: `canvas_write` is "write", "canvas_history undo" is "undo". @param {string} tool */
function keyOf(tool) {
  return tool.replace(/^(canvas|chardesk)_(history )?/, "").replaceAll("_", " ");
}

/**
 * A refusal as the person reads it: the page's own in their language, the broker's in its words.
 *
 * @param {{ code?: string, message: string, nextStep?: string }} refusal
 * @returns {[message: string, nextStep?: string]}
 */
export function refusalOf({ code = "", message, nextStep }) {
  const ours = T.refusals[code];
  if (ours) return [...ours];
  return nextStep === undefined ? [message] : [message, nextStep];
}

/** "12 × 3 at 4, 10" @param {Rect} rect */
export function placeOf([x, y, width, height]) {
  return T.place(width, height, x, y);
}
