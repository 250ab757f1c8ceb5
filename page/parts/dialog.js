// @ts-check
import { iconButton, make } from "./dom.js";
import { T } from "../words/language.js";

/**
 * A sheet over the page: modal, closed by Escape, its button, or a press beside it; focus goes back to where it was.
 * It is made anew each time, so that it always shows what holds now.
 *
 * @param {string} title
 * @param {...(Node | string | false | null)} content
 * @returns {HTMLDialogElement} open; `close()` takes it away
 */
export function dialog(title, ...content) {
  const heading = make("h2", "", title);
  heading.id = `dialog-${crypto.randomUUID()}`;
  const close = iconButton("close", T.close, () => sheet.close());
  const sheet = make("dialog", "dialog", make("header", "", heading, close), make("div", "dialog-body", ...content));
  sheet.setAttribute("aria-labelledby", heading.id);
  sheet.addEventListener("close", () => sheet.remove());
  sheet.addEventListener("pointerdown", ({ target }) => target === sheet && sheet.close());
  // The canvas has keys of its own for the whole document: they are not for what is typed here.
  sheet.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(sheet);
  sheet.showModal();
  return sheet;
}

/**
 * Asks before something that takes many things back.
 *
 * @param {string} title
 * @param {string} message
 * @param {string} label of the button that does it
 * @returns {Promise<boolean>} false when the sheet was closed
 */
export function confirmed(title, message, label) {
  return new Promise((resolve) => {
    const yes = make("button", "button primary", label);
    const no = make("button", "button", T.cancel);
    const sheet = dialog(title, make("p", "", message), make("div", "dialog-foot", yes, no));
    yes.addEventListener("click", () => (resolve(true), sheet.close()));
    no.addEventListener("click", () => sheet.close());
    sheet.addEventListener("close", () => resolve(false));
    yes.focus();
  });
}
