// @ts-check
/** @import { Box, Shape } from "./shape.js" */
import { filled } from "./shape.js";

/** The quadrants of U+2596 to U+259F as bits: 1 left top, 2 right top, 4 left bottom, 8 right bottom. */
const QUADRANTS = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14];

/** Braille's bits, in the order of Unicode, as [column, row] of a 2 × 4 grid. */
const BRAILLE = /** @type {const} */ ([
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
]);

/** @typedef {{from: number, to: number, draw: (code: number, width: number, height: number) => Shape}} Range */

/** @type {readonly Range[]} */
const RANGES = [
  { from: 0x2580, to: 0x2590, draw: eighths },
  { from: 0x2591, to: 0x2593, draw: shade },
  { from: 0x2594, to: 0x2595, draw: edge },
  { from: 0x2596, to: 0x259f, draw: quadrants },
  { from: 0x2800, to: 0x28ff, draw: braille },
  { from: 0x1fb00, to: 0x1fb3b, draw: sextants },
];

/**
 * Block elements, braille and sextants as shapes; null for anything else.
 * @param {number} code
 * @param {number} width whole device pixels
 * @param {number} height
 * @returns {Shape | null}
 */
export function blockShape(code, width, height) {
  const range = RANGES.find(({ from, to }) => code >= from && code <= to);
  return range ? range.draw(code, width, height) : null;
}

/**
 * Halves and eighths. Both sides of a cut round the same way, so complements meet.
 *
 * @param {number} code
 * @param {number} width
 * @param {number} height
 * @returns {Shape}
 */
function eighths(code, width, height) {
  if (code === 0x2580) return filled([[0, 0, width, height - cut(height, 4)]]);
  if (code === 0x2590) return filled([[cut(width, 4), 0, width - cut(width, 4), height]]);
  if (code > 0x2588) return filled([[0, 0, cut(width, 0x2590 - code), height]]);
  const rows = cut(height, code - 0x2580);
  return filled([[0, height - rows, width, rows]]);
}

/** At least one pixel: the thinnest block still shows. @param {number} size @param {number} eighth */
function cut(size, eighth) {
  return Math.max(1, Math.round((size * eighth) / 8));
}

/** @param {number} code @param {number} width @param {number} height @returns {Shape} */
function edge(code, width, height) {
  if (code === 0x2594) return filled([[0, 0, width, cut(height, 1)]]);
  const column = cut(width, 1);
  return filled([[width - column, 0, column, height]]);
}

/**
 * ░ ▒ ▓ as a quarter, a half and three quarters of the colour: dots would beat against the pixels.
 *
 * @param {number} code
 * @param {number} width
 * @param {number} height
 * @returns {Shape}
 */
function shade(code, width, height) {
  return { ...filled([[0, 0, width, height]]), alpha: (code - 0x2590) / 4 };
}

/** @param {number} code @param {number} width @param {number} height @returns {Shape} */
function quadrants(code, width, height) {
  return filled(tiles(QUADRANTS[code - 0x2596] ?? 0, 2, width, height));
}

/**
 * A sextant's bits count up through all six-bit patterns but empty, left half, right half and full.
 *
 * @param {number} code
 * @param {number} width
 * @param {number} height
 * @returns {Shape}
 */
function sextants(code, width, height) {
  const n = code - 0x1fb00 + 1;
  return filled(tiles(n + (n > 20 ? 1 : 0) + (n > 40 ? 1 : 0), 3, width, height));
}

/**
 * Tiles of a grid two columns wide, one bit each, row by row.
 *
 * @param {number} bits
 * @param {number} rows
 * @param {number} width
 * @param {number} height
 * @returns {Box[]}
 */
function tiles(bits, rows, width, height) {
  /** @type {Box[]} */
  const boxes = [];
  for (let n = 0; n < 2 * rows; n++) {
    if (!(bits & (1 << n))) continue;
    const [left, right] = slot(n % 2, 2, width);
    const [top, bottom] = slot(n >> 1, rows, height);
    boxes.push([left, top, right - left, bottom - top]);
  }
  return boxes;
}

/** @param {number} n @param {number} count @param {number} size @returns {[number, number]} */
function slot(n, count, size) {
  return [Math.round((n * size) / count), Math.round(((n + 1) * size) / count)];
}

/**
 * Discs on an even grid, so that curves of dots run on from cell to cell.
 *
 * @param {number} code
 * @param {number} width
 * @param {number} height
 * @returns {Shape}
 */
function braille(code, width, height) {
  const radius = Math.max(0.5, 0.32 * Math.min(width / 2, height / 4));
  const dots = BRAILLE.filter((_, bit) => code & (1 << bit)).map(
    ([column, row]) => /** @type {const} */ ([((column + 0.5) * width) / 2, ((row + 0.5) * height) / 4, radius]),
  );
  return { ...filled([]), dots };
}
