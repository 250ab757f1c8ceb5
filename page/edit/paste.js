// @ts-check
/** @import { PasteOp } from "../wire/messages.js" */
/** @import { Cursor } from "./cursor.js" */
import { utf8Length } from "../lib/bytes.js";
import { columnsOf, unixLines } from "../model/text.js";
import { clamped } from "./cursor.js";

/** Bytes of text in one edit: with every character escaped it still fits a frame of 1 MiB. */
export const MAX_MATERIAL_BYTES = 65_536;

/**
 * A block of text that fits one edit, and where it goes.
 *
 * @typedef {{ readonly at: readonly [number, number], readonly material: string }} Block
 */

/**
 * Text from the clipboard, at the cursor. Text over MAX_MATERIAL_BYTES becomes several edits, parted between rows
 * or, where one row is longer, between clusters; the cells are the same.
 *
 * @param {Cursor} cursor
 * @param {string} text
 * @returns {{ readonly ops: readonly PasteOp[], readonly cursor: Cursor }} The cursor is after the last line.
 */
export function pasted({ x, y, origin }, text) {
  const lines = unixLines(text).split("\n");
  const blocks = [...packed(lines.flatMap((line, row) => cut(line, x, y + row)))];
  const last = columnsOf(lines.at(-1) ?? "").length;
  return {
    ops: blocks.map(({ at, material }) => ({ kind: "paste", at, material, format: "text" })),
    cursor: { x: clamped(x + last), y: clamped(y + lines.length - 1), origin: lines.length > 1 ? x : origin },
  };
}

/**
 * A line as blocks that fit. Only a longer one has its tabs expanded here: they count from its own beginning.
 *
 * @param {string} line
 * @param {number} x
 * @param {number} y
 * @returns {Block[]}
 */
function cut(line, x, y) {
  if (utf8Length(line) <= MAX_MATERIAL_BYTES) return [{ at: [x, y], material: line }];
  /** @type {{ at: [number, number], material: string, size: number }[]} */
  const blocks = [];
  for (const [column, char] of columnsOf(line).entries()) {
    const last = blocks.at(-1);
    const size = utf8Length(char);
    if (last && last.size + size <= MAX_MATERIAL_BYTES) {
      last.material += char;
      last.size += size;
    } else blocks.push({ at: [x + column, y], material: char, size });
  }
  return blocks;
}

/**
 * Neighbouring rows together, as many as fit. Empty ones at the edges write nothing and are dropped.
 *
 * @param {readonly Block[]} blocks
 * @returns {Iterable<Block>}
 */
function* packed(blocks) {
  /** @type {{ at: readonly [number, number], rows: string[], size: number } | null} */
  let held = null;
  for (const { at, material } of blocks) {
    const size = utf8Length(material) + 1;
    const follows = held && held.at[0] === at[0] && held.at[1] + held.rows.length === at[1];
    if (held && follows && held.size + size <= MAX_MATERIAL_BYTES) {
      held.rows.push(material);
      held.size += size;
    } else {
      if (held) yield { at: held.at, material: held.rows.join("\n") };
      held = material ? { at, rows: [material], size } : null;
    }
  }
  if (held) yield { at: held.at, material: held.rows.join("\n") };
}
