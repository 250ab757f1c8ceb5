// @ts-check

/** F6 and Shift+F6 go round the parts of the page: the canvas keeps Tab for itself. */
export function regionKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const regions = [...document.querySelectorAll("[data-region]")].filter(
      (each) => each instanceof HTMLElement && each.checkVisibility(),
    );
    const at = regions.findIndex((each) => each.contains(document.activeElement));
    enter(regions.at((at + (event.shiftKey ? -1 : 1) + regions.length) % regions.length));
  });
}

/** Its first control, or the region itself. @param {Element | undefined} region */
function enter(region) {
  const first = region?.querySelector("button:not(:disabled, [tabindex='-1']), input") ?? region;
  if (first instanceof HTMLElement) first.focus();
}
