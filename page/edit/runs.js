// @ts-check
/** @import { Edit } from "../wire/messages.js" */
import { predict } from "../model/predict.js";
import { Scene } from "../model/scene.js";
import { columnsOf } from "../model/text.js";
import { copied } from "./copy.js";

/** A line that is being typed. @typedef {{ readonly sheet: string, readonly x: number, readonly y: number, readonly line: string }} Typing */

/**
 * Edits as the person thinks of them: what was typed in one go is one, with what Backspace took of it; it goes on in
 * the next row where Enter leads. Everything else stands alone. The order stays.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => Edit} editOf
 * @returns {T[][]}
 */
export function runsOf(items, editOf) {
  /** @type {T[][]} */
  const runs = [];
  /** @type {Typing | null} */
  let typing = null;
  for (const item of items) {
    const edit = editOf(item);
    /** @type {Typing | null} */
    const next = typing && goneOn(typing, edit);
    if (next) runs.at(-1)?.push(item);
    else runs.push([item]);
    typing = next ?? begun(edit);
  }
  return runs;
}

/** What edits write, as text, and the cell where it begins; null when they write nothing. @param {readonly Edit[]} edits */
export function written(edits) {
  const scene = new Scene();
  for (const { op } of edits) predict(scene, op);
  const bounds = scene.bounds();
  return bounds && { at: [bounds[0], bounds[1]], text: copied(bounds, scene) ?? "" };
}

/** @param {Edit} edit @returns {Typing | null} */
function begun({ sheet, op }) {
  return op.kind === "text" ? { sheet, x: op.at[0], y: op.at[1], line: op.text } : null;
}

/** The line with an edit that goes on with it; null for one that does not. @param {Typing} typing @param {Edit} edit @returns {Typing | null} */
function goneOn(typing, { sheet, op }) {
  if (sheet !== typing.sheet || (op.kind !== "text" && op.kind !== "erase")) return null;
  const { x, y, line } = typing;
  const columns = columnsOf(line);
  const [left, top] = op.at;
  const isHere = top === y && left === x + columns.length;
  if (op.kind === "erase") {
    const isBackspace = top === y && left >= x && left + op.size[0] === x + columns.length && op.size[1] === 1;
    return isBackspace ? { ...typing, line: columns.slice(0, left - x).join("") } : null;
  }
  if (isHere) return { ...typing, line: line + op.text };
  return top === y + 1 && left === x ? { ...typing, y: top, line: op.text } : null;
}
