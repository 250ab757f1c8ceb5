// @ts-check

/** The width of frame.css under which the sides lie over the stage. */
const NARROW = matchMedia("(width < 860px)");

/** @typedef {{name: string, toggle: HTMLElement}} Side */

/**
 * The two sides open and close. On a narrow screen both start closed and only one is open at a time.
 * @param {HTMLElement} app
 * @param {readonly Side[]} sides
 * @returns {() => void} closes them where they lie over the stage
 */
export function foldingSides(app, sides) {
  /** @param {Side} side @param {boolean} isOpen */
  const set = ({ name, toggle }, isOpen) => {
    app.classList.toggle(`is-${name}-closed`, !isOpen);
    toggle.setAttribute("aria-expanded", String(isOpen));
  };
  const setAll = (/** @type {boolean} */ isOpen) => sides.forEach((side) => set(side, isOpen));
  for (const side of sides) {
    side.toggle.addEventListener("click", () => {
      const isOpening = side.toggle.getAttribute("aria-expanded") === "false";
      if (NARROW.matches) setAll(false);
      set(side, isOpening);
    });
  }
  NARROW.addEventListener("change", () => setAll(!NARROW.matches));
  setAll(!NARROW.matches);
  return () => {
    if (NARROW.matches) setAll(false);
  };
}
