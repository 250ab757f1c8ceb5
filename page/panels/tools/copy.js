// @ts-check
/** @import { Editor } from "../../edit/editor.js" */
/** @import { Replica } from "../../model/replica.js" */
/** @import { View } from "../../view/view.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { excerpt } from "../../edit/excerpt.js";
import { RICH_TYPE } from "../../edit/rich.js";
import { union } from "../../model/region.js";
import { MAX_PICTURE_CELLS, pictureOf } from "../../view/picture.js";
import { T } from "../../words/language.js";

/**
 * @typedef {object} Copying
 * @property {Editor} editor
 * @property {View} view
 * @property {() => Replica} replica
 * @property {(message: string, nextStep?: string) => void} say
 */

/** Some browsers keep other types on their clipboard only under this prefix. */
const WEB_RICH_TYPE = `web ${RICH_TYPE}`;

/** The lines of a menu that have to do with the clipboard. @param {Copying} copying @param {Seat} seat */
export function copyItems(copying, seat) {
  const { editor } = copying;
  return [
    seat.item("edit", {
      label: T.cut,
      keys: "Ctrl+X",
      act: () => void copyText(copying).then((isDone) => isDone && editor.delete()),
    }),
    { label: T.copy, keys: "Ctrl+C", act: () => void copyText(copying) },
    { label: T.copyForTerminal, keys: "Ctrl+Alt+C", act: () => void copyForTerminal(copying) },
    { label: T.copyAsAscii, act: () => void copyAsAscii(copying) },
    { label: T.copyAsImage, act: () => void copyImage(copying) },
    seat.item("edit", { label: T.paste, keys: "Ctrl+V", act: () => void paste(copying) }),
  ];
}

/** @param {Copying} copying */
async function copyText({ editor, say }) {
  const { text, rich } = editor.copied();
  if (text === null) return say(T.tooManyRows), false;
  const plain = { "text/plain": new Blob([text], { type: "text/plain" }) };
  const isRich = rich && ClipboardItem.supports?.(WEB_RICH_TYPE);
  const whole = isRich ? { ...plain, [WEB_RICH_TYPE]: new Blob([rich], { type: RICH_TYPE }) } : plain;
  return write(new ClipboardItem(whole), say);
}

/** @param {Copying} copying */
export function copyForTerminal({ editor, say }) {
  return writeText(editor.copiedForTerminal(), say);
}

/** @param {Copying} copying */
function copyAsAscii({ editor, say }) {
  return writeText(editor.copiedAsAscii(), say);
}

/** @param {string | null} text null is too much @param {Copying["say"]} say */
async function writeText(text, say) {
  if (text === null) return void say(T.tooManyRows);
  await write(new ClipboardItem({ "text/plain": new Blob([text], { type: "text/plain" }) }), say);
}

/** @param {Copying} copying */
async function copyImage({ editor, view, replica, say }) {
  const rect = union(editor.ranges) ?? replica().bounds();
  const found = rect && excerpt(replica(), editor.ranges.length ? editor.ranges : [rect]);
  const image = found && (await pictureOf(view, found.cells, found.rect));
  if (!image) return void say(T.noPicture, T.pictureHint(MAX_PICTURE_CELLS.toLocaleString("en")));
  await write(new ClipboardItem({ "image/png": image }), say);
}

/** Only a menu reads the clipboard this way: the browser asks the person first. @param {Copying} copying */
async function paste({ editor, say }) {
  try {
    const [item] = await navigator.clipboard.read();
    const rich = item?.types.includes(WEB_RICH_TYPE) && (await (await item.getType(WEB_RICH_TYPE)).text());
    if (rich && editor.pasteRich(rich)) return;
    editor.paste(item?.types.includes("text/plain") ? await (await item.getType("text/plain")).text() : "");
  } catch {
    say(T.clipboardBlocked, T.pasteByKey);
  }
}

/** @param {ClipboardItem} item @param {Copying["say"]} say @returns {Promise<boolean>} Is it there? */
async function write(item, say) {
  try {
    await navigator.clipboard.write([item]);
    return true;
  } catch {
    say(T.clipboardBlocked, T.copyByKey);
    return false;
  }
}
