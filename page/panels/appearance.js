// @ts-check
/** @import { Preferences } from "../lib/preferences.js" */

/** What style sheets read of the person's choices, as attributes of the document. */
const SEEN = /** @type {const} */ (["theme", "font", "cells", "grid", "rulers", "keys"]);

/** Keep the document's look in line with the person's choices. @param {Preferences} preferences */
export function dressed(preferences) {
  preferences.subscribe((choices) => {
    for (const name of SEEN) document.documentElement.dataset[name] = choices[name];
  });
  addEventListener("storage", () => preferences.reread());
}
