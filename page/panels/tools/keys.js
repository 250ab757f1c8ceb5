// @ts-check

/**
 * One stop of the Tab key for a whole bar, arrow keys inside, as toolbars are. Fields in it keep their own arrows.
 *
 * @param {HTMLElement} bar
 */
export function roving(bar) {
  const buttons = () => [...bar.querySelectorAll("button")];
  buttons().forEach((each, n) => (each.tabIndex = n ? -1 : 0));
  bar.addEventListener("keydown", ({ key, target }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step || !(target instanceof HTMLButtonElement)) return;
    const usable = buttons().filter((each) => !each.disabled && each.checkVisibility());
    const at = usable.findIndex((each) => each === document.activeElement);
    const next = usable[(at + step + usable.length) % usable.length];
    for (const each of buttons()) each.tabIndex = each === next ? 0 : -1;
    next?.focus();
  });
}
