// @ts-check
/** @import { Cursor } from "../edit/cursor.js" */

/**
 * Text comes in through a hidden text area at the cursor: so AltGr, dead keys, input methods, emoji pickers and
 * dictation work as the system has them. What stands in it is typed and taken out at once; while an input method
 * composes it stays, is drawn on the sheet (`draw` gets "" at its end), and is typed where it began: once, wherever the cursor is by then.
 * @param {HTMLTextAreaElement} field
 * @param {{cursor: () => Cursor, type: (text: string, at: Cursor) => void, draw: (at: Cursor, text: string) => void}} sheet
 */
export function textInput(field, { cursor, type, draw }) {
  /** @type {Cursor | null} Where a composition began. */
  let began = null;

  const take = (/** @type {Cursor} */ at) => {
    const text = field.value;
    field.value = "";
    if (text) type(text, at);
  };

  field.addEventListener("compositionstart", () => {
    began = cursor();
  });
  field.addEventListener("compositionupdate", ({ data }) => draw(began ?? cursor(), data));
  field.addEventListener("compositionend", () => {
    const at = began ?? cursor();
    began = null;
    draw(at, "");
    take(at);
  });
  // Safari and Firefox send an input event after the end, others before; by then the field is empty.
  field.addEventListener("input", () => {
    if (!began) take(cursor());
  });
}

/** End a composition before the cursor goes elsewhere: its text is committed where it began. @param {HTMLTextAreaElement} field */
export function focusAnew(field) {
  field.blur();
  field.focus({ preventScroll: true });
}
