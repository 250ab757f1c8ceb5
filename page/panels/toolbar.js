// @ts-check
import { button, iconButton, make, named } from "./dom.js";
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
  const edits = [iconButton("undo", "Undo", tools.undo), iconButton("redo", "Redo", tools.redo)];
  const zoom = button("icon zoom", "100%", tools.zoomReset);
  bar.append(
    ...edits,
    make("span", "divider"),
    wide(iconButton("minus", "Zoom out", tools.zoomOut)),
    zoom,
    wide(iconButton("plus", "Zoom in", tools.zoomIn)),
    make("span", "divider"),
    iconButton("fit", "Fit everything", tools.fit),
    iconButton("origin", "Go to the origin", tools.origin),
  );
  roving(bar);
  return ({ zoom: factor, mayEdit }) => {
    if (factor !== undefined) {
      zoom.textContent = `${Math.round(factor * 100)}%`;
      named(zoom, `Zoom ${zoom.textContent}, press for 100%`);
    }
    if (mayEdit !== undefined) for (const each of edits) each.disabled = !mayEdit;
  };
}

/** Left out where there is little room: a pinch does the same. @param {HTMLElement} element */
function wide(element) {
  element.classList.add("wide");
  return element;
}
