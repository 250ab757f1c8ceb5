// @ts-check
/** @import { Result } from "../../wire/calls.js" */
import { make } from "../../parts/dom.js";
import { T } from "../../words/language.js";

/** How firmly a script was held in one respect. @typedef {keyof typeof T.held} Level */
/**
 * What the history keeps of a script's run (canvas_history show, `run`).
 *
 * @typedef {object} Run
 * @property {{ name: string, version: string, levels: Readonly<Record<string, Level>> }} backend
 * @property {Readonly<Record<string, string | number>>} evidence digests that are the same on every backend
 * @property {number} seed
 * @property {number} durationMs
 */

const LEVELS = /** @type {Level[]} */ (Object.keys(T.held));

/** The run of an operation that was shown; null if no script did it. @param {Result} shown @returns {Run | null} */
export function runOf(shown) {
  return /** @type {Run | undefined} */ (shown["run"]) ?? null;
}

/**
 * In plain words: what ran the script, what held it, and the fingerprints by which it can be checked.
 *
 * @param {Run} run
 */
export function evidenceOf({ backend, evidence, seed, durationMs }) {
  const held = LEVELS.map((level) => heldAt(level, backend.levels)).filter((words) => words !== "");
  const facts = Object.entries({ ...evidence, seed }).flatMap(([name, value]) => [
    make("dt", "", T.facts[name] ?? name),
    make("dd", "", String(value)),
  ]);
  return make(
    "div",
    "evidence",
    make("p", "", T.ranBy(backend.name, backend.version, durationMs)),
    ...held.map((words) => make("p", "", words)),
    make("details", "", make("summary", "", T.fingerprints), make("dl", "", ...facts)),
  );
}

/** @param {Level} level @param {Run["backend"]["levels"]} levels @returns {string} "" if nothing is held like this */
function heldAt(level, levels) {
  const names = Object.keys(levels).filter((dimension) => levels[dimension] === level);
  return names.length ? T.held[level](names.map((name) => T.dimensions[name] ?? name).join(", ")) : "";
}
