// @ts-check
/** @import { CellStyle, CellsOp, EditOp, EraseOp, FillOp, MoveOp, PasteOp, TextOp } from "../wire/messages.js" */
/** @import { Strip } from "./cell.js" */
/** @import { Scene } from "./scene.js" */
/** @import { At, Rect } from "./region.js" */
import { unreachable } from "../lib/unreachable.js";
import { PLAIN, intern, over, restyled } from "./cell.js";
import { unpacked } from "./packed.js";
import { makeRoom } from "./room.js";
import { whole } from "./selection.js";
import { columnsOf, unixLines } from "./text.js";
import { graphemes } from "./width.js";

/**
 * Does to a scene what the broker will do for an edit. Undo, redo and calls are the broker's to know: they do nothing,
 * and so does pasted material that only the broker can read.
 *
 * @param {Scene} scene It is written on.
 * @param {EditOp} op
 * @returns {Rect[]} The reach: what was touched and what the outcome depends on.
 */
export function predict(scene, op) {
  switch (op.kind) {
    case "text":
      return text(scene, op);
    case "cells":
      return cells(scene, op);
    case "erase":
      return erase(scene, op);
    case "fill":
      return fill(scene, op);
    case "move":
      return move(scene, op);
    case "paste":
      return paste(scene, op);
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
function text(scene, { at, text, style = PLAIN, compose = false, overwrite = true }) {
  const before = compose ? joined(scene, at, text) : null;
  const [x, typed] = before ? [before.x, before.char + text] : [at[0], text];
  const reach = lay(scene, [x, at[1]], unixLines(typed), intern(style), overwrite || before !== null);
  return compose ? [[at[0] - 2, at[1], 2, 1], ...reach] : reach;
}

/** @param {Scene} scene @param {PasteOp} op @returns {Rect[]} */
function paste(scene, { at, material, format = "text" }) {
  return format === "text" ? lay(scene, at, unixLines(material), PLAIN, true) : [];
}

/**
 * @param {Scene} scene
 * @param {At} at
 * @param {string} text
 * @param {CellStyle} style
 * @param {boolean} overwrite
 * @returns {Rect[]}
 */
function lay(scene, [x, y], text, style, overwrite) {
  return text.split("\n").flatMap((line, row) => {
    const chars = columnsOf(line);
    if (!chars.length) return [];
    const pushed = overwrite ? [] : makeRoom(scene, [x, y + row], chars.length);
    return [...pushed, write(scene, x, y + row, { chars, styles: chars.map(() => style) })];
  });
}

/** Columns that keep the background they land on. @param {Scene} scene @param {number} x @param {number} y @param {Strip} strip */
function write(scene, x, y, { chars, styles }) {
  const slots = scene.strip(y, x, x + chars.length).styles;
  /** @type {CellStyle} A right half has its left half's. */
  let last = PLAIN;
  const landed = chars.map((char, n) => (last = char === "" ? last : over(styles[n] ?? PLAIN, slots[n] ?? PLAIN)));
  return scene.write(y, x, { chars, styles: landed });
}

/** @param {Scene} scene @param {CellsOp} op @returns {Rect[]} */
function cells(scene, op) {
  return unpacked(op.cells).map((run) => scene.write(run.y, run.x, run));
}

/** @param {Scene} scene @param {EraseOp} op @returns {Rect[]} */
function erase(scene, { at: [x, y], size: [width, height] }) {
  return [[x, y, width, height], ...scene.erase([x, y, width, height])];
}

/**
 * Glyphs are lifted whole, then laid down: one without a background takes that of its new place.
 *
 * @param {Scene} scene
 * @param {MoveOp} op
 * @returns {Rect[]}
 */
function move(scene, { from: [x, y], size: [width, height], to }) {
  const lifted = scene.rows(y, y + height).flatMap((row) =>
    scene.stretches(row, x, x + width).map((stretch) => {
      const [from, end] = whole(scene, row, ...stretch);
      return { row, from, strip: scene.strip(row, from, end) };
    }),
  );
  const reach = erase(scene, { kind: "erase", at: [x, y], size: [width, height] });
  for (const { row, from, strip } of lifted) write(scene, from - x + to[0], row - y + to[1], strip);
  // All of the new place, and what a glyph may reach over it: what comes into the old one will land there too.
  return [...reach, [x - 1, y, width + 2, height], [to[0] - 2, to[1], width + 4, height]];
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
