// @ts-check
/** @import { CellStyle, EditOp, EraseOp, FillOp, TextOp } from "../wire/messages.js" */
/** @import { Scene } from "./scene.js" */
/** @import { At, Rect } from "./region.js" */
import { unreachable } from "../lib/unreachable.js";
import { PLAIN, intern, over, restyled } from "./cell.js";
import { columnsOf, unixLines } from "./text.js";
import { graphemes } from "./width.js";

/**
 * Does to a scene what the broker will do for an edit. Undo, redo and calls are the broker's to know: they do nothing.
 *
 * @param {Scene} scene It is written on.
 * @param {EditOp} op
 * @returns {Rect[]} The reach: what was touched and what the outcome depends on.
 */
export function predict(scene, op) {
  switch (op.kind) {
    case "text":
      return text(scene, op);
    case "erase":
      return erase(scene, op);
    case "fill":
      return fill(scene, op);
    case "paste":
      return lay(scene, op.at, unixLines(op.material), PLAIN);
    case "undo":
    case "redo":
    case "call":
      return [];
    default:
      return unreachable(op);
  }
}

/**
 * The cluster before a column that `text` typed there would grow, if the two are one: a mark, a joiner with what it
 * joins, the second half of a flag. Null when the text stands alone.
 *
 * @param {{ charAt(x: number, y: number): string | null }} cells
 * @param {At} at
 * @param {string} text
 * @returns {{ x: number, char: string } | null}
 */
export function joined(cells, [x, y], text) {
  const near = cells.charAt(x - 1, y);
  const left = near === "" ? x - 2 : x - 1;
  const char = near === "" ? cells.charAt(left, y) : near;
  return char && text && graphemes(char + text).length === 1 ? { x: left, char } : null;
}

/**
 * What stands in the two columns before decides whether a text joins it.
 *
 * @param {Scene} scene
 * @param {TextOp} op
 * @returns {Rect[]}
 */
function text(scene, { at, text, style = PLAIN, compose = false }) {
  if (!compose) return lay(scene, at, unixLines(text), intern(style));
  const before = joined(scene, at, text);
  const [x, typed] = before ? [before.x, before.char + text] : [at[0], text];
  return [[at[0] - 2, at[1], 2, 1], ...lay(scene, [x, at[1]], unixLines(typed), intern(style))];
}

/** @param {Scene} scene @param {At} at @param {string} text @param {CellStyle} style @returns {Rect[]} */
function lay(scene, [x, y], text, style) {
  return text.split("\n").flatMap((line, row) => {
    const chars = columnsOf(line);
    if (!chars.length) return [];
    const slots = scene.strip(y + row, x, x + chars.length).styles;
    return [scene.write(y + row, x, { chars, styles: landed(chars, slots, style) })];
  });
}

/**
 * Each column's style; a right half has its left half's.
 *
 * @param {string[]} chars
 * @param {readonly CellStyle[]} slots
 * @param {CellStyle} style
 */
function landed(chars, slots, style) {
  let last = style;
  return chars.map((char, n) => (last = char === "" ? last : over(style, slots[n] ?? PLAIN)));
}

/** @param {Scene} scene @param {EraseOp} op @returns {Rect[]} */
function erase(scene, { at: [x, y], size: [width, height] }) {
  return [[x, y, width, height], ...scene.erase([x, y, width, height])];
}

/**
 * The characters anchored in the rectangle get the style; blanks and empty columns stay.
 *
 * @param {Scene} scene
 * @param {FillOp} op
 * @returns {Rect[]}
 */
function fill(scene, { at: [x, y], size: [width, height], style }) {
  for (const row of scene.rows(y, y + height))
    for (const [from, to] of scene.stretches(row, x, x + width)) fillRow(scene, row, from, to, style);
  // One column more: the right half of a glyph that is anchored in the last one.
  return [[x, y, width + 1, height]];
}

/** @param {Scene} scene @param {number} y @param {number} from @param {number} to @param {CellStyle} style */
function fillRow(scene, y, from, to, style) {
  const end = scene.charAt(to, y) === "" ? to + 1 : to;
  const start = scene.charAt(from, y) === "" ? from + 1 : from;
  if (start >= end) return;
  const { chars, styles } = scene.strip(y, start, end);
  let isFilled = false;
  const filled = styles.map((old, n) => {
    isFilled = chars[n] === "" ? isFilled : Boolean(chars[n]?.trim());
    return isFilled ? restyled(old, style) : old;
  });
  scene.put(y, start, { chars, styles: filled });
}
