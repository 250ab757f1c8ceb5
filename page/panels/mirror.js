// @ts-check
/** @import { Rect } from "../model/region.js" */
import { make } from "../parts/dom.js";
import { T } from "../words/language.js";

/** The canvas changes with every key; a reader is told when it has come to rest. */
const REST_MS = 500;

/** @typedef {{ chars: readonly (string | null)[] }} Row */
/** @typedef {{ visible: () => Rect, strip: (y: number, x0: number, x1: number) => Row }} Sight */

/**
 * What the canvas shows, as text for those who hear the page: one paragraph a row that is not empty, with its number.
 *
 * @param {HTMLElement} region
 * @param {Sight} sight
 * @returns {() => void} something has changed; told as often as it does
 */
export function textMirror(region, { visible, strip }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const write = () => {
    timer = undefined;
    const [x, y, columns, rows] = visible();
    const lines = Array.from({ length: rows }, (_, n) => line(y + n, strip(y + n, x, x + columns).chars));
    const found = lines.filter((each) => each !== null);
    region.replaceChildren(...(found.length ? found : [make("p", "", T.emptyView)]));
  };
  return () => {
    timer ??= setTimeout(write, REST_MS);
  };
}

/** @param {number} y @param {readonly (string | null)[]} chars */
function line(y, chars) {
  const text = chars.map((char) => char ?? " ").join("");
  return /\S/.test(text) ? make("p", "", T.row(y), text.trim()) : null;
}
