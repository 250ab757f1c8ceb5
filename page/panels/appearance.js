// @ts-check
/** @import { Preferences } from "../lib/preferences.js" */

/** What style sheets read of the person's choices, as attributes of the document. */
const SEEN = /** @type {const} */ (["theme", "font", "cells", "grid", "rulers", "keys"]);

/** Titles name their key last: "Undo (Ctrl+Z)". */
const KEY = / \([^()]+\)$/;

/** Keep the document's look in line with the person's choices. @param {Preferences} preferences */
export function dressed(preferences) {
  preferences.subscribe((choices) => {
    for (const name of SEEN) document.documentElement.dataset[name] = choices[name];
  });
  addEventListener("storage", () => preferences.reread());
  document.addEventListener("pointerover", ({ target }) => {
    const titled = target instanceof Element ? target.closest("[title]") : null;
    if (titled instanceof HTMLElement) entitle(titled, preferences.value.keys === "on");
  });
}

/**
 * Show a title with its key or without, before the browser shows it.
 *
 * @param {HTMLElement} element
 * @param {boolean} hasKey
 */
function entitle(element, hasKey) {
  const whole = element.dataset["wholeTitle"];
  if (hasKey && whole) {
    element.title = whole;
    delete element.dataset["wholeTitle"];
  } else if (!hasKey && KEY.test(element.title)) {
    element.dataset["wholeTitle"] = element.title;
    element.title = element.title.replace(KEY, "");
  }
}
