// @ts-check
import { make } from "./dom.js";

/**
 * Puts a field in the place of a line's content until a name is given: Enter or leaving the field takes it, Escape
 * doesn't. Told once.
 *
 * @param {HTMLElement} line
 * @param {string} before
 * @param {string} label
 * @param {(name: string | null) => void} end the new name; null if there is none
 */
export function rename(line, before, label, end) {
  const field = make("input", "");
  field.value = before;
  field.setAttribute("aria-label", label);
  let isOver = false;
  const finish = (/** @type {boolean} */ isMeant) => {
    if (isOver) return;
    isOver = true;
    const meant = field.value.trim();
    end(isMeant && meant && meant !== before ? meant : null);
  };
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault(); // else the button that gets the focus now would be pressed by the same key
    finish(event.key === "Enter");
  });
  field.addEventListener("blur", () => finish(true));
  line.replaceChildren(field);
  field.select();
}
