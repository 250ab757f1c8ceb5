// @ts-check
/** @import { At } from "../../model/region.js" */
import { MAX_COORDINATE } from "../../model/region.js";
import { make, named } from "../../parts/dom.js";
import { T } from "../../words/language.js";

/**
 * Asks for coordinates: "120, -40", or "120 -40".
 *
 * @param {object} parts
 * @param {HTMLElement} parts.over where it lies
 * @param {At} parts.from what stands there first
 * @param {(at: At) => void} parts.go
 * @param {() => void} parts.release gives the keys back to the sheet
 */
export function askCoordinates({ over, from, go, release }) {
  const field = make("input", "");
  const fault = make("output", "fault");
  const form = make("form", "goto", make("label", "", T.goTo, field), fault);
  field.value = from.join(", ");
  named(field, T.goToHint);
  field.setAttribute("inputmode", "text");
  form.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") release();
  });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) queueMicrotask(() => form.remove());
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const at = coordinates(field.value);
    if (!at) return void (fault.textContent = T.goToFault);
    release(); // and with the focus elsewhere the form goes
    go(at);
  });
  over.querySelector(".goto")?.remove();
  over.append(form);
  field.select();
  field.focus();
}

/** Two whole numbers that a sheet has; null for anything else. @param {string} text @returns {At | null} */
export function coordinates(text) {
  const found = /^\s*\(?\s*(-?\d{1,16})\s*[,;\s]\s*(-?\d{1,16})\s*\)?\s*$/.exec(text);
  const [x, y] = [Number(found?.[1]), Number(found?.[2])];
  return found && Math.abs(x) <= MAX_COORDINATE && Math.abs(y) <= MAX_COORDINATE ? [x, y] : null;
}
