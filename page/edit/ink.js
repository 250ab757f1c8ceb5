// @ts-check
/** @import { CellStyle, CellsOp, Piece, Row } from "../wire/messages.js" */
/** @import { Cells } from "../model/selection.js" */
import { PLAIN, intern, over } from "../model/cell.js";
import { clusterWidth } from "../model/width.js";

/** A glyph to be put somewhere; null clears. @typedef {{ readonly x: number, readonly y: number, readonly char: string | null, readonly style: CellStyle }} Put */

/** One column as it will be. @typedef {{ x: number, char: string | null, style: CellStyle }} Column */

/**
 * Glyphs as an edit of exact cells. One without a background keeps that of the place it lands on, as everything that
 * is written does; what comes later covers what was before it.
 *
 * @param {Iterable<Put>} puts
 * @param {Cells} cells what is there now
 * @param {CellsOp["gesture"]} gesture
 * @returns {CellsOp | null} Null when nothing would be different.
 */
export function inked(puts, cells, gesture) {
  return exact(puts, cells, gesture, (style, slot) => over(intern(style), slot));
}

/**
 * Glyphs as an edit of exact cells, with styles as they are given.
 *
 * @param {Iterable<Put>} puts
 * @param {Cells} cells
 * @param {CellsOp["gesture"]} gesture
 * @param {(style: CellStyle, slot: CellStyle) => CellStyle} [landed]
 * @returns {CellsOp | null}
 */
export function exact(puts, cells, gesture, landed = intern) {
  const rows = byRow(puts);
  /** @type {Map<CellStyle, number>} */
  const styles = new Map();
  /** @type {Row[]} */
  const packed = [];
  let isOther = false;
  for (const [y, columns] of [...rows].sort(([a], [b]) => a - b)) {
    const sorted = [...columns.values()].sort((a, b) => a.x - b.x);
    for (const [n, column] of sorted.entries()) {
      const now = cells.strip(y, column.x, column.x + 1);
      const slot = now.styles[0] ?? PLAIN;
      if (column.char === "") column.style = sorted[n - 1]?.style ?? PLAIN;
      else column.style = column.char === null ? PLAIN : landed(column.style, slot);
      isOther ||= column.char !== now.chars[0] || (column.char !== null && column.style !== slot);
    }
    packed.push([y, pieces(sorted, styles)]);
  }
  return isOther ? { kind: "cells", cells: { styles: [...styles.keys()], rows: packed }, gesture } : null;
}

/** @param {Iterable<Put>} puts */
function byRow(puts) {
  /** @type {Map<number, Map<number, Column>>} */
  const rows = new Map();
  for (const { x, y, char, style } of puts) {
    const row = rows.get(y) ?? new Map();
    rows.set(y, row);
    cover(row, x, char, style);
    if (char !== null && clusterWidth(char) === 2) cover(row, x + 1, "", style);
  }
  return rows;
}

/** What is torn by a column goes whole. @param {Map<number, Column>} row @param {number} x @param {string | null} char @param {CellStyle} style */
function cover(row, x, char, style) {
  if (row.get(x)?.char === "" && char !== "") row.set(x - 1, { x: x - 1, char: null, style: PLAIN });
  if (row.get(x + 1)?.char === "") row.set(x + 1, { x: x + 1, char: null, style: PLAIN });
  row.set(x, { x, char, style });
}

/** Neighbours of one style together. @param {Column[]} columns @param {Map<CellStyle, number>} styles @returns {Piece[]} */
function pieces(columns, styles) {
  /** @type {{ x: number, end: number, chars: string[] | null, number: number }[]} */
  const found = [];
  for (const { x, char, style } of columns) {
    const number = char === null ? -1 : (styles.get(style) ?? styles.size);
    if (char !== null) styles.set(style, number);
    const last = found.at(-1);
    if (last?.end === x && last.number === number) {
      last.end += 1;
      if (char !== null) last.chars?.push(char);
    } else found.push({ x, end: x + 1, chars: char === null ? null : [char], number });
  }
  return found.map(({ x, end, chars, number }) => [x, chars ? asColumns(chars) : end - x, number]);
}

/** A string where every column is one code point, as all of them are most of the time. @param {string[]} chars */
function asColumns(chars) {
  return chars.every((char) => Array.from(char).length === 1) ? chars.join("") : chars;
}
