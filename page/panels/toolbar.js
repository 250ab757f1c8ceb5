// @ts-check
import { button, iconButton, make, named } from "./dom.js";
import { T } from "./language.js";
import { roving } from "./tools_keys.js";

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
 * @returns {(state: {zoom?: number, mayEdit?: boolean}) => void} shows the zoom (1 is 100 %) and whether one may edit
 */
export function toolbar(bar, tools) {
  const edits = [iconButton("undo", T.undo, tools.undo), iconButton("redo", T.redo, tools.redo)];
  const zoom = button("icon zoom", "100%", tools.zoomReset);
  bar.append(
    ...edits,
    make("span", "divider"),
    wide(iconButton("minus", T.zoomOut, tools.zoomOut)),
    zoom,
    wide(iconButton("plus", T.zoomIn, tools.zoomIn)),
    make("span", "divider"),
    iconButton("fit", T.fit, tools.fit),
    iconButton("origin", T.origin, tools.origin),
  );
  roving(bar);
  return ({ zoom: factor, mayEdit }) => {
    if (factor !== undefined) {
      zoom.textContent = `${Math.round(factor * 100)}%`;
      named(zoom, T.zoomReset(zoom.textContent));
    }
    if (mayEdit !== undefined) for (const each of edits) each.disabled = !mayEdit;
  };
}

/** Left out where there is little room: a pinch does the same. @param {HTMLElement} element */
function wide(element) {
  element.classList.add("wide");
  return element;
}
