// @ts-check
/** @import { Attrs, CellStyle } from "../wire/messages.js" */
/** What one slot of a sheet can hold, and how it looks. */

/**
 * Neighbouring columns of one row: a cluster, "" under the right half of a wide one, null for empty. Both
 * lists have the same length; the style of an empty column is PLAIN.
 *
 * @typedef {{ readonly chars: readonly (string | null)[], readonly styles: readonly CellStyle[] }} Strip
 */

export const DEFAULT_COLOR = "#000000";

/** @type {readonly (keyof Attrs)[]} */
export const ATTRS = ["bold", "italic", "underline", "strike", "inverse"];

/** @type {CellStyle} */
export const PLAIN = Object.freeze({});

/** Grows with the styles a page has seen and is never emptied: equal styles must stay the same object. */
const interned = new Map([["{}", PLAIN]]);

/**
 * The one frozen object for styles that look alike: defaults left out, keys in order. So styles are compared by `===`.
 *
 * @param {CellStyle} style
 * @returns {CellStyle}
 */
export function intern(style) {
  const plain = canonical(style);
  const key = JSON.stringify(plain);
  const known = interned.get(key);
  if (known) return known;
  if (plain.attrs) Object.freeze(plain.attrs);
  interned.set(key, Object.freeze(plain));
  return plain;
}

/**
 * `style` as it lands on `slot`: without a background of its own it keeps the slot's.
 *
 * @param {CellStyle} style
 * @param {CellStyle} slot
 */
export function over(style, slot) {
  if (style.bgColor || !slot.bgColor) return style;
  return intern({ ...style, bgColor: slot.bgColor });
}

/**
 * `base` with every given field replaced; `attrs` as a whole set.
 *
 * @param {CellStyle} base
 * @param {CellStyle} given
 */
export function restyled(base, given) {
  return intern({ ...base, ...given });
}

/** Does a blank in this style leave a visible mark? @param {CellStyle} style */
export function marksBlank(style) {
  const { underline, strike, inverse } = style.attrs ?? {};
  return Boolean(style.bgColor || underline || strike || inverse);
}

/** Is there something to see at a column? @param {string | null} char @param {CellStyle} style */
export function isOccupied(char, style) {
  return marksBlank(style) || (char !== null && char.trim() !== "");
}

/** @param {CellStyle} style @returns {CellStyle} */
function canonical(style) {
  const color = style.color && hex(style.color);
  const attrs = ATTRS.filter((name) => style.attrs?.[name]);
  return {
    ...(color && color !== DEFAULT_COLOR && { color }),
    ...(style.bgColor && { bgColor: hex(style.bgColor) }),
    ...(attrs.length && { attrs: Object.fromEntries(attrs.map((name) => [name, true])) }),
    ...(style.href && { href: style.href }),
  };
}

/** `#rgb` as `#rrggbb`, in small letters; theme words as they are. @param {string} color */
function hex(color) {
  const small = color.toLowerCase();
  return /^#...$/.test(small) ? small.replace(/[^#]/g, "$&$&") : small;
}
