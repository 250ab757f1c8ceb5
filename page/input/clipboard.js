// @ts-check
/** @import { Format, PasteMode } from "../edit/material.js" */
/** @import { Editor } from "../edit/editor.js" */
import { formatOf, unbracketed } from "../edit/material.js";
import { RICH_TYPE } from "../edit/rich.js";

/**
 * @typedef {object} Desk
 * @property {() => void} tooMuch says that so much is not copied
 * @property {() => PasteMode} mode what the person has set
 * @property {(format: Format, paste: (format: Format) => void) => void} ask what is this to be?
 */

/**
 * Copy, cut and paste through the browser's own events: no permission is asked for and no clipboard is read unless the
 * person pastes. Cells travel beside their text, so that what was copied here keeps its looks.
 * @param {HTMLElement} target
 * @param {Editor} editor
 * @param {Desk} desk
 */
export function clipboard(target, editor, desk) {
  target.addEventListener("copy", (event) => copyTo(event));
  target.addEventListener("cut", (event) => {
    if (copyTo(event)) editor.delete();
  });
  target.addEventListener("paste", (event) => {
    event.preventDefault();
    const data = event.clipboardData;
    if (data?.types.includes(RICH_TYPE) && editor.pasteRich(data.getData(RICH_TYPE))) return;
    pasteText(data?.getData("text/plain") ?? "", editor, desk);
  });

  /** @param {ClipboardEvent} event @returns {boolean} was anything copied? */
  function copyTo(event) {
    event.preventDefault();
    const { text, rich } = editor.copied();
    if (text === null) desk.tooMuch();
    if (!text) return false;
    event.clipboardData?.setData("text/plain", text);
    if (rich) event.clipboardData?.setData(RICH_TYPE, rich);
    return true;
  }
}

/**
 * A text as the person wants it: material that is more than text is asked about, unless they have settled it.
 *
 * @param {string} text
 * @param {Editor} editor
 * @param {Pick<Desk, "mode" | "ask">} desk
 */
export function pasteText(text, editor, desk) {
  const material = unbracketed(text);
  const [found, mode] = [formatOf(material), desk.mode()];
  const paste = (/** @type {Format} */ format) => editor.paste(material, format);
  if (!material) return;
  if (found === "text" || mode !== "ask") paste(found === mode ? found : "text");
  else desk.ask(found, paste);
}
