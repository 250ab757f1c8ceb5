// @ts-check
/** @import { Seat } from "../../parts/seat.js" */
import { button, iconButton, make, named } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { roving } from "./keys.js";

/**
 * @typedef {object} Tools
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} zoomIn
 * @property {() => void} zoomOut
 * @property {() => void} zoomReset
 * @property {() => void} fit
 * @property {() => void} origin
 */

/**
 * What is done to the whole sheet, above the stage.
 * @param {HTMLElement} bar
 * @param {Tools} tools
 * @param {Seat} seat
 * @returns {(zoom: number) => void} shows the zoom; 1 is 100 %
 */
export function toolbar(bar, tools, seat) {
  const edits = [seat.needs("edit", iconButton("undo", T.undo, tools.undo)), seat.needs("edit", iconButton("redo", T.redo, tools.redo))];
  const zoom = button("icon zoom", "100%", tools.zoomReset);
  bar.append(
    ...edits,
    make("span", "divider"),
    wide(iconButton("minus", T.zoomOut, tools.zoomOut)),
    zoom,
    wide(iconButton("plus", T.zoomIn, tools.zoomIn)),
    make("span", "divider"),
    iconButton("fit", T.fit, tools.fit),
    wide(iconButton("origin", T.origin, tools.origin)),
  );
  roving(bar);
  return (factor) => {
    zoom.textContent = `${Math.round(factor * 100)}%`;
    named(zoom, T.zoomReset(zoom.textContent));
  };
}

/** Left out where there is little room: fingers, and going to 0, 0, do the same. @param {HTMLElement} element */
function wide(element) {
  element.classList.add("wide");
  return element;
}
