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
  const known = remembering(intern);
  return exact(puts, cells, gesture, (style, slot) => over(known(style), slot));
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
export function exact(puts, cells, gesture, landed = remembering(intern)) {
  const rows = byRow(puts);
  /** @type {Map<CellStyle, number>} */
  const styles = new Map();
  /** @type {Row[]} */
  const packed = [];
  let isOther = false;
  for (const [y, columns] of [...rows].sort(([a], [b]) => a - b)) {
    const sorted = [...columns.values()].sort((a, b) => a.x - b.x);
    const slots = standing(cells, y, sorted);
    for (const [n, column] of sorted.entries()) {
      const now = slots(column.x);
      const slot = now.style;
      if (column.char === "") column.style = sorted[n - 1]?.style ?? PLAIN;
      else column.style = column.char === null ? PLAIN : landed(column.style, slot);
      isOther ||= column.char !== now.char || (column.char !== null && column.style !== slot);
    }
    packed.push([y, pieces(sorted, styles)]);
  }
  return isOther ? { kind: "cells", cells: { styles: [...styles.keys()], rows: packed }, gesture } : null;
}

/**
 * What stands in columns of a row, read in one go where they lie close together.
 *
 * @param {Cells} cells
 * @param {number} y
 * @param {readonly Column[]} columns from left to right
 * @returns {(x: number) => { char: string | null, style: CellStyle }}
 */
function standing(cells, y, columns) {
  const [first, end] = [columns[0]?.x ?? 0, (columns.at(-1)?.x ?? 0) + 1];
  const isClose = end - first <= 8 * columns.length;
  const row = isClose ? cells.strip(y, first, end) : null;
  return (x) => {
    const { chars, styles } = row ?? cells.strip(y, x, x + 1);
    const n = row ? x - first : 0;
    return { char: chars[n] ?? null, style: styles[n] ?? PLAIN };
  };
}

/** @param {Iterable<Put>} puts */
function byRow(puts) {
  /** @type {Map<number, Map<number, Column>>} */
  const rows = new Map();
  const widthOf = remembering(clusterWidth);
  for (const { x, y, char, style } of puts) {
    const row = rows.get(y) ?? new Map();
    rows.set(y, row);
    cover(row, x, char, style);
    if (char !== null && widthOf(char) === 2) cover(row, x + 1, "", style);
  }
  return rows;
}

/** A stroke has one glyph, and one style, many times. @template Key, Value @param {(key: Key) => Value} found @returns {(key: Key) => Value} */
function remembering(found) {
  /** @type {Map<Key, Value>} */
  const known = new Map();
  return (key) => {
    const value = known.get(key) ?? found(key);
    known.set(key, value);
    return value;
  };
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
