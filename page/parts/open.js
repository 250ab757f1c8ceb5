// @ts-check
/** @import { Shelf } from "../wire/news.js" */

/**
 * `sheet` is "" where a canvas has but one.
 *
 * @typedef {{canvas: string, sheet: string, size: readonly [columns: number, rows: number] | null}} Open
 */

/** What is open on a shelf. @param {Shelf | null} shelf @returns {Open} */
export function openOf(shelf) {
  const canvas = shelf?.canvases.find(({ id }) => id === shelf.canvas);
  const sheet = canvas?.sheets.find(({ id }) => id === shelf?.sheet);
  return {
    canvas: canvas?.name ?? "",
    sheet: canvas && canvas.sheets.length > 1 ? (sheet?.name ?? "") : "",
    size: sheet?.size ?? null,
  };
}
