// @ts-check
/** @import { CellStyle } from "../wire/messages.js" */
/** @import { Scene } from "./scene.js" */
/** @import { At, Rect } from "./region.js" */
/** Insertion and its inverse, by the broker's rule (broker/desk/room.py). */
import { PLAIN } from "./cell.js";

/** Columns to the end of the row, whatever it will hold. */
const EVERYTHING = 2 ** 52;

/**
 * Push what stands from `at` on to the right. Gaps of two or more empty columns give way, all but one column of each:
 * so words stay apart, and a border stays where it is while there is room before it.
 *
 * @param {Scene} scene It is written on.
 * @param {At} at
 * @param {number} columns
 * @returns {Rect[]} The reach.
 */
export function makeRoom(scene, [x, y], columns) {
  const end = scene.stretches(y, x).at(-1)?.[1] ?? x;
  /** @type {Rect} What comes later at the end of the row may be pushed too. */
  const reach = [x, y, EVERYTHING, 1];
  if (scene.charAt(x, y) === "") return [reach];
  const { chars, styles } = scene.strip(y, x, end);
  const kept = movers(chars.map((char, n) => isFree(char, styles[n] ?? PLAIN)), columns);
  const pushed = { chars: kept.map((n) => chars[n] ?? null), styles: kept.map((n) => styles[n] ?? PLAIN) };
  if (kept.length) scene.write(y, x + columns, pushed);
  return [reach];
}

/**
 * Is there nothing to read or to see at a column?
 *
 * @param {string | null} char
 * @param {CellStyle} style
 */
export function isFree(char, style) {
  return char === null || (char === " " && style === PLAIN);
}

/**
 * Which columns move: those before the place where enough has given way, without what gave way.
 *
 * @param {readonly boolean[]} free
 * @param {number} needed
 */
function movers(free, needed) {
  const kept = [];
  for (let at = 0; at < free.length && needed > 0; ) {
    const other = free.indexOf(!free[at], at);
    const end = other < 0 ? free.length : other;
    const spare = !free[at] ? 0 : end === free.length ? end - at : end - at - 1;
    const taken = Math.min(spare, needed);
    for (let n = at; n < end - taken; n++) kept.push(n);
    at = end;
    needed -= taken;
  }
  return kept;
}
