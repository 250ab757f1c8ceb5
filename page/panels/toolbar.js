// @ts-check
import { button, iconButton, make, named } from "./dom.js";

/**
 * @typedef {object} Tools
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {(isHand: boolean) => void} hand
 * @property {() => void} zoomIn
 * @property {() => void} zoomOut
 * @property {() => void} zoomReset
 * @property {() => void} fit
 * @property {() => void} origin
 */

/**
 * The tools above the stage. One stop of the Tab key, arrow keys inside, as toolbars are.
 * @param {HTMLElement} bar
 * @param {Tools} tools
 * @returns {(state: {zoom?: number, mayEdit?: boolean}) => void} shows the zoom (1 is 100 %) and whether one may edit
 */
export function toolbar(bar, tools) {
  const edits = [iconButton("undo", "Undo", tools.undo), iconButton("redo", "Redo", tools.redo)];
  const hand = iconButton("hand", "Drag to pan", () => {
    const isHand = hand.getAttribute("aria-pressed") !== "true";
    hand.setAttribute("aria-pressed", String(isHand));
    tools.hand(isHand);
  });
  hand.setAttribute("aria-pressed", "false");
  const zoom = button("icon zoom", "100%", tools.zoomReset);
  bar.append(
    ...edits,
    make("span", "divider"),
    hand,
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

/** @param {HTMLElement} bar */
function roving(bar) {
  const buttons = [...bar.querySelectorAll("button")];
  buttons.forEach((each, n) => (each.tabIndex = n ? -1 : 0));
  bar.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const usable = buttons.filter((each) => !each.disabled && each.offsetParent);
    const at = usable.findIndex((each) => each === document.activeElement);
    const next = usable[(at + step + usable.length) % usable.length];
    for (const each of buttons) each.tabIndex = each === next ? 0 : -1;
    next?.focus();
  });
}
