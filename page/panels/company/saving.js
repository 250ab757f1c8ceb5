// @ts-check
/** @import { Edit } from "../../wire/messages.js" */
/** @import { Conflict } from "../../wire/conflicts.js" */
/** @import { Link } from "../../wire/link.js" */
/** @import { Shelf } from "../../wire/news.js" */
/** @import { Replica } from "../../model/replica.js" */
import { copied } from "../../edit/copy.js";
import { runsOf, written } from "../../edit/runs.js";
import { make } from "../../parts/dom.js";
import { T } from "../../words/language.js";

/** A name for files, by what is in them and when. @param {string} what */
const fileName = (what) => `chardesk-${what}-${new Date().toISOString().slice(0, 19).replace(/\D/g, "-")}.txt`;

/** What could not be placed, as a file. @param {readonly Conflict[]} conflicts @param {Shelf | null} shelf */
export function saveUnplaced(conflicts, shelf) {
  const edits = conflicts.map(({ edit }) => edit);
  download(fileName("not-placed"), `${T.fileUnplaced}\n\n${chapters(edits, shelf)}`);
}

/** What the broker does not have yet, and what the person sees, as a file. @param {Link} link @param {Replica} replica */
export function saveWork(link, replica) {
  const unsent = chapters(link.unacknowledged(), link.canvases.value);
  const bounds = replica.bounds();
  const sheet = (bounds && copied(bounds, replica)) ?? "";
  const parts = [unsent && `${T.fileUnsent}\n\n${unsent}`, `${T.fileSheet}\n\n${sheet}\n`];
  download(fileName("work"), parts.filter(Boolean).join("\n"));
}

/**
 * Edits for a reader: where each run of them is, and what it writes.
 *
 * @param {readonly Edit[]} edits
 * @param {Shelf | null} shelf
 */
export function chapters(edits, shelf) {
  return runsOf(edits, (edit) => edit)
    .map((run) => chapter(run, shelf))
    .join("\n");
}

/** @param {readonly Edit[]} run @param {Shelf | null} shelf */
function chapter(run, shelf) {
  const { at, text } = wordsOf(run);
  const sheet = sheetName(run[0]?.sheet ?? "", shelf);
  return `== ${at ? T.fileAt(sheet, at[0] ?? 0, at[1] ?? 0) : sheet}\n${text}\n`;
}

/**
 * What a run of edits is to the person: the text that it writes, or a word for what it does.
 *
 * @param {readonly Edit[]} run
 * @returns {{ at: readonly number[] | null, text: string, isText: boolean }}
 */
export function wordsOf(run) {
  const [op] = run.map((edit) => edit.op);
  if (op?.kind === "paste" && op.format && op.format !== "text") return { at: op.at, text: op.material, isText: true };
  const found = written(run);
  if (found) return { ...found, isText: true };
  return { at: op && "at" in op ? op.at : null, text: T.gestures[op?.kind ?? ""] ?? op?.kind ?? "", isText: false };
}

/** "Deck / Slide 2"; the canvas alone where it has but one sheet. @param {string} sheet @param {Shelf | null} shelf */
function sheetName(sheet, shelf) {
  const canvas = shelf?.canvases.find(({ sheets }) => sheets.some(({ id }) => id === sheet));
  const name = canvas?.sheets.find(({ id }) => id === sheet)?.name ?? sheet;
  return canvas ? (canvas.sheets.length > 1 ? `${canvas.name} / ${name}` : canvas.name) : sheet;
}

/** @param {string} name @param {string} text */
function download(name, text) {
  const link = make("a", "");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  // The browser has taken its own hold of it when the click returns.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
