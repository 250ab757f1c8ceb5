// @ts-check
/** @import { Result } from "../../wire/calls.js" */
import { make } from "../../parts/dom.js";
import { evidenceOf, runOf } from "./evidence.js";
import { T } from "../../words/language.js";
import { deedOf, nameOf } from "../../words/words.js";

/** What the history says of an operation. @typedef {{ seq: number, operationId: string, author: string, tool: string, why: string, time: string }} Entry */

const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The lines of a map that tell an agent how to read it. */
const READING_AID = /^(viewport|camera|exact)=.*\n/gm;

/**
 * One operation in full: who did what, when and why; how it ran if it was a script; its cells before and after.
 *
 * @param {Result} shown the answer of canvas_history show
 * @returns {Node[]}
 */
export function operationView(shown) {
  const [entry] = /** @type {Entry[]} */ (shown["entries"]);
  const run = runOf(shown);
  const maps = mapsOf(String(shown["content"] ?? ""));
  return [
    entry && make("h3", "", T.didThis(nameOf(entry.author), deedOf(entry.tool))),
    entry && make("p", "fine", WHEN.format(new Date(entry.time))),
    entry?.why && make("p", "why", entry.why),
    run && evidenceOf(run),
    maps ? make("pre", "", maps) : make("p", "fine", T.noCells),
  ].filter((part) => part instanceof Node);
}

/** Two moments compared. @param {Result} found the answer of canvas_history diff @returns {Node[]} */
export function differenceView(found) {
  return [make("pre", "", String(found["content"] ?? "").replace(READING_AID, ""))];
}

/** The pictures in what an agent would read: they begin with the first sheet "before". @param {string} content */
function mapsOf(content) {
  const start = content.search(/^.*, before:$/m);
  return start < 0 ? "" : content.slice(start).replace(READING_AID, "");
}
