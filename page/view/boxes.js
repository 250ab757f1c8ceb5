// @ts-check
/** @import { Box, Shape, Stroke } from "./shape.js" */
import { blockShape } from "./blocks.js";
import { filled, stroked } from "./shape.js";

/**
 * The arms of U+2500 to U+257F, four digits a character in the order up, right, down, left:
 * 0 none, 1 light, 2 heavy, 3 double. Dashes hold the arms of the line they interrupt.
 */
const ARMS = `
0101 0202 1010 2020 0101 0202 1010 2020 0101 0202 1010 2020 0110 0210 0120 0220
0011 0012 0021 0022 1100 1200 2100 2200 1001 1002 2001 2002 1110 1210 2110 1120
2120 2210 1220 2220 1011 1012 2011 1021 2021 2012 1022 2022 0111 0112 0211 0212
0121 0122 0221 0222 1101 1102 1201 1202 2101 2102 2201 2202 1111 1112 1211 1212
2111 1121 2121 2112 2211 1122 1221 2212 1222 2122 2221 2222 0101 0202 1010 2020
0303 3030 0310 0130 0330 0013 0031 0033 1300 3100 3300 1003 3001 3003 1310 3130
3330 1013 3031 3033 0313 0131 0333 1303 3101 3303 1313 3131 3333 0110 0011 1001
1100 0000 0000 0000 0001 1000 0100 0010 0002 2000 0200 0020 0201 1020 0102 2010`
  .trim()
  .split(/\s+/);

/** How many dashes a character breaks its line into. @type {Readonly<Record<string, number>>} */
const DASHES = { "┄": 3, "┅": 3, "┆": 3, "┇": 3, "┈": 4, "┉": 4, "┊": 4, "┋": 4, "╌": 2, "╍": 2, "╎": 2, "╏": 2 };

const ARCS = "╭╮╯╰";
const DIAGONALS = "╱╲╳";

/**
 * The shape of a character in a cell of this size, or null if a font has to draw it.
 * @param {string} char one cluster
 * @param {number} width whole device pixels
 * @param {number} height
 * @returns {Shape | null}
 */
export function shapeOf(char, width, height) {
  if (char.length > 2) return null;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x2500 || char.length > (code > 0xffff ? 2 : 1)) return null;
  if (code > 0x257f) return blockShape(code, width, height);
  const pen = penFor(width);
  if (DIAGONALS.includes(char)) return stroked(diagonals(char, width, height), pen);
  const arms = ARMS[code - 0x2500] ?? "0000";
  if (ARCS.includes(char)) return stroked([arc(arms, width, height)], pen);
  const lines = arms.includes("3") ? doubles(arms, width, height) : singles(arms, width, height);
  const dashes = DASHES[char];
  return filled(dashes ? dashed(lines, dashes, width, height) : lines);
}

/** A light line: an eighth of the cell, so 1 px at 100 % and 2 px on a HiDPI screen. @param {number} width */
export function penFor(width) {
  return Math.max(1, Math.round(width / 8));
}

/**
 * Where a line of this thickness lies across `size`: [start, end).
 *
 * @param {number} size
 * @param {number} pen
 * @returns {[number, number]}
 */
function track(size, pen) {
  const start = Math.floor((size - pen) / 2);
  return [start, start + pen];
}

/** @param {string} arms */
function weights(arms) {
  const [up = 0, right = 0, down = 0, left = 0] = Array.from(arms, Number);
  return { up, right, down, left };
}

/**
 * Light and heavy arms, each from its edge to the far side of the lines it meets.
 *
 * @param {string} arms
 * @param {number} width
 * @param {number} height
 * @returns {Box[]}
 */
function singles(arms, width, height) {
  const { up, right, down, left } = weights(arms);
  const pen = penFor(width);
  const across = track(width, pen * Math.max(up, down, 1));
  const along = track(height, pen * Math.max(left, right, 1));
  const cross = (/** @type {number} */ weight) => track(width, pen * weight);
  const level = (/** @type {number} */ weight) => track(height, pen * weight);
  /** @type {Box[]} */
  const boxes = [];
  if (up) boxes.push(upright(cross(up), 0, along[1]));
  if (down) boxes.push(upright(cross(down), along[0], height));
  if (left) boxes.push(flat(level(left), 0, across[1]));
  if (right) boxes.push(flat(level(right), across[0], width));
  return boxes;
}

/** @param {readonly [number, number]} columns @param {number} top @param {number} bottom @returns {Box} */
function upright([start, end], top, bottom) {
  return [start, top, end - start, bottom - top];
}

/** @param {readonly [number, number]} rows @param {number} left @param {number} right @returns {Box} */
function flat([start, end], left, right) {
  return [left, start, right - left, end - start];
}

/**
 * Double arms are bands three pens wide with the middle cut out of all of them, which opens every corner and
 * crossing as it should; single arms are laid over that and stop at the stroke they meet.
 * @param {string} arms @param {number} width @param {number} height @returns {Box[]}
 */
function doubles(arms, width, height) {
  const { up, right, down, left } = weights(arms);
  const pen = penFor(width);
  const [x0, x1] = track(width, pen);
  const [y0, y1] = track(height, pen);
  /** @type {Box[]} */
  const bands = [];
  /** @type {Box[]} */
  const holes = [];
  const top = left === 3 || right === 3 ? y0 - pen : y0;
  const bottom = left === 3 || right === 3 ? y1 + pen : y1;
  const west = up === 3 || down === 3 ? x0 - pen : x0;
  const east = up === 3 || down === 3 ? x1 + pen : x1;
  // A cut stops a stroke short of the middle's far side, unless the line goes on there.
  const [rise, run] = [up === down ? 0 : pen, left === right ? 0 : pen];
  if (up === 3) (bands.push(upright([west, east], 0, bottom)), holes.push(upright([x0, x1], 0, bottom - rise)));
  if (down === 3) (bands.push(upright([west, east], top, height)), holes.push(upright([x0, x1], top + rise, height)));
  if (left === 3) (bands.push(flat([top, bottom], 0, east)), holes.push(flat([y0, y1], 0, east - run)));
  if (right === 3) (bands.push(flat([top, bottom], west, width)), holes.push(flat([y0, y1], west + run, width)));
  const boxes = holes.reduce((/** @type {Box[]} */ left, hole) => left.flatMap((box) => without(box, hole)), bands);
  if (up === 1) boxes.push(upright([x0, x1], 0, down ? y1 : stop(left, right, y0, bottom)));
  if (down === 1)
    boxes.push(upright([x0, x1], up ? y0 : height - stop(left, right, height - y1, height - top), height));
  if (left === 1) boxes.push(flat([y0, y1], 0, right ? x1 : stop(up, down, x0, east)));
  if (right === 1) boxes.push(flat([y0, y1], left ? x0 : width - stop(up, down, width - x1, width - west), width));
  return boxes;
}

/**
 * A single arm ends at the near stroke of a double line that runs through, at the far one of a corner.
 *
 * @param {number} one
 * @param {number} other
 * @param {number} near
 * @param {number} far
 */
function stop(one, other, near, far) {
  return one === 3 && other === 3 ? near : far;
}

/** What is left of a box without a hole. @param {Box} box @param {Box} hole @returns {Box[]} */
export function without([x, y, width, height], [hx, hy, hw, hh]) {
  const [left, right] = [Math.max(x, hx), Math.min(x + width, hx + hw)];
  const [top, bottom] = [Math.max(y, hy), Math.min(y + height, hy + hh)];
  if (left >= right || top >= bottom) return [[x, y, width, height]];
  /** @type {Box[]} */
  const rest = [
    [x, y, width, top - y],
    [x, bottom, width, y + height - bottom],
    [x, top, left - x, bottom - top],
    [right, top, x + width - right, bottom - top],
  ];
  return rest.filter(([, , w, h]) => w > 0 && h > 0);
}

/**
 * A line in `count` dashes with a third of each left open.
 *
 * @param {Box[]} lines
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @returns {Box[]}
 */
function dashed(lines, count, width, height) {
  const isFlat = lines.every(([, , w, h]) => w >= h);
  const size = isFlat ? width : height;
  const gap = Math.max(1, Math.round(size / count / 3));
  /** @type {Box[]} */
  const boxes = [];
  const [thickest] = lines.toSorted((a, b) => b[2] * b[3] - a[2] * a[3]);
  if (!thickest) return boxes;
  for (let n = 0; n < count; n++) {
    const [start, end] = [Math.round((n * size) / count), Math.round(((n + 1) * size) / count) - gap];
    const length = Math.max(1, end - start);
    boxes.push(isFlat ? [start, thickest[1], length, thickest[3]] : [thickest[0], start, thickest[2], length]);
  }
  return boxes;
}

/** @param {string} arms @param {number} width @param {number} height @returns {Stroke} */
function arc(arms, width, height) {
  const { up, right } = weights(arms);
  const pen = penFor(width);
  const x = track(width, pen)[0] + pen / 2;
  const y = track(height, pen)[0] + pen / 2;
  return { from: [x, up ? 0 : height], to: [right ? width : 0, y], corner: [x, y] };
}

/** @param {string} char @param {number} width @param {number} height @returns {Stroke[]} */
function diagonals(char, width, height) {
  /** @type {Stroke} */
  const rising = { from: [0, height], to: [width, 0] };
  /** @type {Stroke} */
  const falling = { from: [0, 0], to: [width, height] };
  return [...(char === "╲" ? [] : [rising]), ...(char === "╱" ? [] : [falling])];
}
