// @ts-check
/** Areas of a sheet: rectangles, and lists of them. */

/** @typedef {readonly [number, number]} At `[x, y]`; x right, y down. */
/** @typedef {readonly [number, number, number, number]} Rect `[x, y, width, height]`, half-open, sizes > 0. */

/** Largest |x| and |y|, as the broker has it. */
export const MAX_COORDINATE = Number.MAX_SAFE_INTEGER;

/** What both share; null when they do not touch. @param {Rect} a @param {Rect} b @returns {Rect | null} */
export function clipped(a, b) {
  const left = Math.max(a[0], b[0]);
  const top = Math.max(a[1], b[1]);
  const width = Math.min(a[0] + a[2], b[0] + b[2]) - left;
  const height = Math.min(a[1] + a[3], b[1] + b[3]) - top;
  return width > 0 && height > 0 ? [left, top, width, height] : null;
}

/** The smallest rectangle around all of them; null for none. @param {Iterable<Rect>} rects @returns {Rect | null} */
export function union(rects) {
  /** @type {Rect | null} */
  let whole = null;
  for (const rect of rects) whole = whole ? around(whole, rect) : rect;
  return whole;
}

/** Do two rectangles share a cell? @param {Rect} a @param {Rect} b */
export function touch(a, b) {
  return a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];
}

/**
 * Do two lists share a cell? Bounds settle most questions; what is left is one-row stretches, few on each side.
 *
 * @param {readonly Rect[]} some
 * @param {readonly Rect[]} others
 */
export function meet(some, others) {
  const a = union(some);
  const b = union(others);
  const both = a && b && clipped(a, b);
  if (!both) return false;
  const near = others.filter((rect) => touch(rect, both));
  return some.some((rect) => touch(rect, both) && near.some((other) => touch(rect, other)));
}

/** @param {Rect} a @param {Rect} b @returns {Rect} */
function around(a, b) {
  const left = Math.min(a[0], b[0]);
  const top = Math.min(a[1], b[1]);
  const right = Math.max(a[0] + a[2], b[0] + b[2]);
  const bottom = Math.max(a[1] + a[3], b[1] + b[3]);
  return [left, top, right - left, bottom - top];
}
