// @ts-check
/** @import { Cursor } from "../edit/cursor.js" */

/**
 * What text does to the sheet.
 * @typedef {object} Typist
 * @property {() => Cursor} cursor
 * @property {(text: string, at: Cursor) => void} type
 * @property {() => void} enter
 * @property {() => void} backspace
 * @property {(at: Cursor, text: string) => void} draw uncommitted text; "" at its end
 */

/**
 * Text comes in through a hidden text area at the cursor: so AltGr, dead keys, input methods, emoji pickers and
 * dictation work as the system has them. What stands in it is typed and taken out at once. While an input method
 * composes, it stays and is drawn on the sheet, and is typed where it began: once, wherever the cursor is by then.
 * @param {HTMLTextAreaElement} field
 * @param {Typist} typist
 */
export function textInput(field, typist) {
  /** @type {Cursor | null} Where a composition began. */
  let began = null;

  const take = () => {
    const [first = "", ...lines] = field.value.split("\n");
    field.value = "";
    if (first) typist.type(first, began ?? typist.cursor());
    began = null;
    for (const line of lines) {
      typist.enter();
      if (line) typist.type(line, typist.cursor());
    }
  };

  field.addEventListener("compositionstart", () => {
    began = typist.cursor();
  });
  field.addEventListener("compositionupdate", ({ data }) => typist.draw(began ?? typist.cursor(), data));
  field.addEventListener("compositionend", () => {
    typist.draw(began ?? typist.cursor(), "");
    take();
  });
  // Some browsers send an input event after the end of a composition, some before: by then the field is empty.
  field.addEventListener("input", () => {
    if (!began) take();
  });
  // A telephone's keyboard deletes without a key event.
  field.addEventListener("beforeinput", (event) => {
    if (event.inputType === "deleteContentBackward" && !began) typist.backspace();
  });
}

/**
 * End a composition before the cursor goes elsewhere: its text is committed where it began.
 *
 * @param {HTMLTextAreaElement} field
 */
export function focusAnew(field) {
  field.blur();
  field.focus({ preventScroll: true });
}
