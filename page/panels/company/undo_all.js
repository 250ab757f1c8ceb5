// @ts-check
/** @import { Result } from "../../wire/calls.js" */
import { confirmed } from "../../parts/dialog.js";
import { T } from "../../words/language.js";
import { nameOf } from "../../words/words.js";

/** The newest operations that are looked through; the log gives no more at once. */
const DEPTH = 100;

/** @typedef {(tool: string, args: Result) => Promise<Result>} Call */
/** @typedef {{ operationId: string, undoes?: string, author: string }} Entry */

/**
 * Takes back what one author did, newest first, after asking. What others have built upon stays, and is counted.
 *
 * @param {string} author
 * @param {{ ask: Call, call: Call, say: (message: string) => void }} desk
 */
export async function undoAllBy(author, { ask, call, say }) {
  const { entries } = await ask("canvas_history", { action: "log", limit: DEPTH });
  const standing = undoable(/** @type {Entry[]} */ (entries), author);
  if (!standing.length) return say(T.nothingToUndo(nameOf(author)));
  if (!(await confirmed(T.undoAllBy(nameOf(author)), T.undoAllWords(standing.length), T.undoAll))) return;
  let left = 0;
  for (const operationId of standing)
    await call("canvas_history", { action: "undo", operationId }).catch(() => (left += 1));
  say(T.undoneAll(standing.length - left, left));
}

/**
 * The operations of an author that stand: neither taken back nor taking something back. Newest first, as they came.
 *
 * @param {readonly Entry[]} entries newest first
 * @param {string} author
 */
export function undoable(entries, author) {
  /** @type {(id: string) => boolean} An undo that was itself undone takes nothing back. */
  const isTaken = (id) => entries.some(({ undoes, operationId }) => undoes === id && !isTaken(operationId));
  return entries
    .filter((entry) => entry.author === author && !entry.undoes && !isTaken(entry.operationId))
    .map(({ operationId }) => operationId);
}
