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

/** A tool without its prefix: `canvas_write` is "write", "canvas_history undo" is "undo". @param {string} tool */
export function toolName(tool) {
  return tool.replace(/^(canvas|chardesk)_(history )?/, "").replaceAll("_", " ");
}

/** "12 × 3 at 4, 10" @param {Rect} rect */
export function placeOf([x, y, width, height]) {
  return T.place(width, height, x, y);
}
