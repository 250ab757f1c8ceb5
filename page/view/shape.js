// @ts-check

/**
 * What a procedural glyph is made of, in device pixels from the cell's left top corner: rectangles to fill,
 * dots to fill as discs, and lines (with an optional curve) to stroke. Fonts leave gaps between such glyphs
 * as soon as the line is higher than the font thinks; these join at every zoom.
 * @typedef {object} Shape
 * @property {Box[]} fills
 * @property {Dot[]} dots
 * @property {Stroke[]} strokes
 * @property {number} pen width of the strokes
 * @property {number} alpha of the whole shape: shades are a translucent cell
 *
 * @typedef {readonly [left: number, top: number, width: number, height: number]} Box
 * @typedef {readonly [x: number, y: number, radius: number]} Dot
 * @typedef {object} Stroke
 * @property {readonly [x: number, y: number]} from
 * @property {readonly [x: number, y: number]} to
 * @property {readonly [x: number, y: number]} [corner] a quarter turn rounds this corner
 */

/** @param {Box[]} fills @returns {Shape} */
export function filled(fills) {
  return { fills, dots: [], strokes: [], pen: 1, alpha: 1 };
}

/** @param {Stroke[]} strokes @param {number} pen @returns {Shape} */
export function stroked(strokes, pen) {
  return { ...filled([]), strokes, pen };
}
