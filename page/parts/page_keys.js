// @ts-check

/** @typedef {{ help: () => void, settings: () => void, story: () => void }} Acts */

/**
 * Keys that hold on the whole page: F1 for help, Ctrl or Command with a comma for the settings; on the canvas F2 asks
 * why a cell is as it is.
 *
 * @param {Acts} acts
 * @param {HTMLElement} canvas
 */
export function pageKeys({ help, settings, story }, canvas) {
  document.addEventListener("keydown", (event) => {
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  });

  /** @param {KeyboardEvent} event */
  function actOf({ key, ctrlKey, metaKey, altKey, target }) {
    if (altKey) return null;
    if (ctrlKey || metaKey) return key === "," ? settings : null;
    if (key === "F1") return help;
    return key === "F2" && target instanceof Node && canvas.contains(target) ? story : null;
  }
}
