// @ts-check

/** F6 and Shift+F6 go round the parts of the page: the canvas keeps Tab for itself. */
export function regionKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const regions = [...document.querySelectorAll("[data-region]")].filter(
      (each) => each instanceof HTMLElement && each.checkVisibility(),
    );
    const at = regions.findLastIndex((each) => each.contains(document.activeElement));
    const ahead = [...regions.slice(at + 1), ...regions.slice(0, Math.max(0, at))];
    if (event.shiftKey) ahead.reverse();
    ahead.find(enters);
  });
}

/**
 * Go to its first control, or to the region itself.
 *
 * @param {Element} region
 * @returns {boolean} Is the focus there now?
 */
function enters(region) {
  const first = region.querySelector("button:not(:disabled, [tabindex='-1']), input, select") ?? region;
  if (first instanceof HTMLElement) first.focus();
  return region.contains(document.activeElement);
}
