// @ts-check
/** @import { Rect } from "../model/region.js" */
import { make } from "../parts/dom.js";
import { T } from "../words/language.js";

/** @typedef {{cursor: {x: number, y: number}, selected: Rect | null, canvas: string, sheet: string}} Where */

/**
 * The line under everything: where the person is.
 * @param {HTMLElement} line
 * @returns {(where: Where) => void}
 */
export function statusLine(line) {
  const [place, size, name] = [make("span", ""), make("span", ""), make("span", "end")];
  line.replaceChildren(place, size, name);
  return ({ cursor, selected, canvas, sheet }) => {
    place.textContent = `${cursor.x}, ${cursor.y}`;
    size.textContent = selected ? T.selectedSize(selected[2], selected[3]) : "";
    name.textContent = sheet ? `${canvas} / ${sheet}` : canvas;
  };
}
