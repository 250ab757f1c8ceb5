// @ts-check
/** @import { CellStyle, CellsOp } from "../wire/messages.js" */
/** @import { At } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Arms } from "./pieces.js" */
import { PLAIN } from "../model/cell.js";
import { columnsOf } from "../model/text.js";
import { clusterWidth } from "../model/width.js";
import { inked } from "./ink.js";
import { DOUBLE, HEAVY, LIGHT, NO_ARMS, ROUND, STEPS, armsOf, asciiPiece, eachArm, over, piece, roundCorner } from "./pieces.js";

/** @typedef {"light" | "heavy" | "double" | "round" | "ascii"} Border */

/**
 * How lines are drawn, and whether they join what they meet.
 *
 * @typedef {{ readonly border: Border, readonly style: CellStyle, readonly joins: boolean }} Pen
 */

/** @type {Readonly<Record<Border, number>>} */
const WEIGHTS = { light: LIGHT, round: LIGHT, ascii: LIGHT, heavy: HEAVY, double: DOUBLE };

/** @typedef {{ readonly x: number, readonly y: number, readonly char: string, readonly style: CellStyle }} Glyph */

/**
 * Where shapes are drawn: lines over what stands on the sheet, which join what they meet, by the broker's rule
 * (tools/text/shapes/paper.py).
 */
export class Paper {
  #below;
  /** @type {Map<string, Glyph>} */
  #glyphs = new Map();
  /** @type {Map<string, Arms>} */
  #lines = new Map();

  /** @param {Cells} below */
  constructor(below) {
    this.#below = below;
  }

  /** The drawing as an edit; null when it would change nothing. @param {CellsOp["gesture"]} gesture */
  op(gesture) {
    return inked(this.#glyphs.values(), this.#below, gesture);
  }

  /** What stands at a place, drawing first. @param {number} x @param {number} y */
  charAt(x, y) {
    return this.#glyphs.get(key(x, y))?.char ?? this.#below.charAt(x, y);
  }

  /** Text of one row; spaces in it are drawn. @param {At} at @param {string} text @param {CellStyle} style */
  words([x, y], text, style = PLAIN) {
    columnsOf(text).forEach((char, n) => char && this.#put(x + n, y, char, style));
  }

  /**
   * A line through points that follow each other in a row or column.
   *
   * @param {readonly At[]} points
   * @param {Pen} pen
   */
  stroke(points, pen) {
    const weight = WEIGHTS[pen.border];
    for (const { x, y, ways } of traced(points))
      this.#join(x, y, eachArm((way) => (ways.has(way) ? weight : 0)), pen);
  }

  /** @param {number} x @param {number} y @param {Arms} arms @param {Pen} pen */
  #join(x, y, arms, { border, style, joins }) {
    const joined = over(arms, joins ? this.#met(x, y, border) : NO_ARMS);
    const wasRound = Object.hasOwn(ROUND, this.charAt(x, y) ?? "");
    this.#put(x, y, drawn(joined, border, wasRound), style);
    this.#lines.set(key(x, y), joined);
  }

  /** The arms of what is there already; on the sheet, only those that lead to something. @param {number} x @param {number} y @param {Border} border */
  #met(x, y, border) {
    if (this.#glyphs.has(key(x, y))) return this.#lines.get(key(x, y)) ?? NO_ARMS;
    const arms = armsOf(this.#below.charAt(x, y), border === "ascii");
    return eachArm((way) => (this.#leads(x, y, way) ? arms[way] : 0));
  }

  /** @param {number} x @param {number} y @param {number} way */
  #leads(x, y, way) {
    const [right, down] = STEPS[way] ?? [0, 0];
    return (this.charAt(x + right, y + down) || " ") !== " ";
  }

  /** @param {number} x @param {number} y @param {string} char @param {CellStyle} style */
  #put(x, y, char, style) {
    if (this.#isWide(x - 1, y)) this.#put(x - 1, y, " ", style);
    this.#glyphs.set(key(x, y), { x, y, char, style });
    this.#lines.delete(key(x, y));
    if (!this.#isWide(x, y)) return;
    this.#glyphs.delete(key(x + 1, y)); // under a right half stands nothing of its own
    this.#lines.delete(key(x + 1, y));
  }

  /** @param {number} x @param {number} y */
  #isWide(x, y) {
    return clusterWidth(this.#glyphs.get(key(x, y))?.char ?? "") === 2;
  }
}

/** @param {Arms} arms @param {Border} border @param {boolean} wasRound */
function drawn(arms, border, wasRound) {
  if (border === "ascii") return asciiPiece(arms);
  return (border === "round" || wasRound ? roundCorner(arms) : null) ?? piece(arms);
}

/**
 * Every place of a line with the directions in which it goes on from there.
 *
 * @param {readonly At[]} points
 */
function traced(points) {
  /** @type {Map<string, { x: number, y: number, ways: Set<number> }>} */
  const found = new Map();
  const mark = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ way) => {
    const place = found.get(key(x, y)) ?? { x, y, ways: new Set() };
    found.set(key(x, y), place);
    place.ways.add(way);
  };
  for (const [n, [x1, y1]] of points.slice(1).entries()) {
    let [x, y] = points[n] ?? [x1, y1];
    if (x === x1 && y === y1) continue;
    const way = x === x1 ? (y1 > y ? 2 : 0) : x1 > x ? 1 : 3;
    const [right, down] = STEPS[way] ?? [0, 0];
    while (x !== x1 || y !== y1) {
      mark(x, y, way);
      [x, y] = [x + right, y + down];
      mark(x, y, (way + 2) % 4);
    }
  }
  const [x = 0, y = 0] = points[0] ?? [];
  return found.size ? [...found.values()] : [{ x, y, ways: new Set([1, 3]) }];
}

/** @param {number} x @param {number} y */
function key(x, y) {
  return `${x},${y}`;
}
