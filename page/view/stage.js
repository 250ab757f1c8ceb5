// @ts-check

/**
 * What of the page the view paints on.
 * @typedef {object} Stage
 * @property {HTMLElement} sheet the box whose size the camera has
 * @property {HTMLCanvasElement} cells
 * @property {HTMLCanvasElement} ghosts
 * @property {HTMLElement} marks
 * @property {HTMLCanvasElement} rulerTop
 * @property {HTMLCanvasElement} rulerLeft
 * @property {HTMLTextAreaElement} field where text comes in, under the caret
 */

/** @returns {Stage} */
export function findStage() {
  return {
    sheet: byId("sheet", HTMLElement),
    cells: byId("cells", HTMLCanvasElement),
    ghosts: byId("ghosts", HTMLCanvasElement),
    marks: byId("marks", HTMLElement),
    rulerTop: byId("ruler-top", HTMLCanvasElement),
    rulerLeft: byId("ruler-left", HTMLCanvasElement),
    field: byId("field", HTMLTextAreaElement),
  };
}

/**
 * The element of the page with this id. Throws if it is missing or of another kind: the page and its code came
 * from different builds.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`index.html has no ${kind.name} #${id}`);
}
