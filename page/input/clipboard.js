// @ts-check
/** @import { Editor } from "./editor.js" */

/**
 * Copy, cut and paste of text, through the browser's own events: no permission is asked for and no clipboard is read
 * unless the person pastes.
 * @param {HTMLElement} target
 * @param {Editor} editor
 * @param {(message: string) => void} complain
 */
export function clipboard(target, editor, complain) {
  target.addEventListener("copy", (event) => copyTo(event));
  target.addEventListener("cut", (event) => {
    if (copyTo(event)) editor.delete();
  });
  target.addEventListener("paste", (event) => {
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain");
    if (text) editor.paste(text);
  });

  /** @param {ClipboardEvent} event @returns {boolean} was anything copied? */
  function copyTo(event) {
    event.preventDefault();
    const text = editor.copied();
    if (text === null) complain("That is too many rows to copy. Select less.");
    if (!text) return false;
    event.clipboardData?.setData("text/plain", text);
    return true;
  }
}
