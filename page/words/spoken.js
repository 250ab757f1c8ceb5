// @ts-check
import { T } from "./language.js";

/** How each attribute of the HTML is said. @type {Readonly<Record<string, (element: Element, words: string) => void>>} */
const WAYS = {
  "data-say": (element, words) => (element.textContent = words),
  "data-label": (element, words) => element.setAttribute("aria-label", words),
  "data-hint": (element, words) => element.setAttribute("title", words),
};

/** Says what the HTML leaves open, in the person's language: texts, names and tooltips. */
export function sayThePage() {
  document.documentElement.lang = T.tag;
  for (const [attribute, say] of Object.entries(WAYS))
    for (const element of document.querySelectorAll(`[${attribute}]`))
      say(element, T.page[element.getAttribute(attribute) ?? ""] ?? "");
}
