// @ts-check
/** @import { EditOp } from "../wire/messages.js" */
/** @import { View } from "../view/view.js" */
/** @import { Editor } from "./editor.js" */
/** @import { Commands } from "./keyboard.js" */

/** Zoom steps of the keyboard and the buttons. */
const ZOOM_STEP = 1.25;

/** @typedef {object} Proposals what the keys do to ghosts
 * @property {(verdict: "apply" | "veto") => void} decide
 * @property {() => void} leave makes none stand out
 */

/**
 * What every command does. Those that move the cursor bring it into sight.
 * @param {{editor: Editor, view: View, perform: (op: EditOp) => void, proposals: Proposals}} parts
 */
export function commandsOf({ editor, view: { viewport }, perform, proposals }) {
  const reveal = () => viewport.reveal(editor.cursor.x, editor.cursor.y);
  /** @param {() => void} act */
  const seen = (act) => () => {
    act();
    reveal();
  };
  const page = () => Math.max(1, viewport.visible()[3] - 3);

  /** @type {Commands} */
  const commands = {
    left: seen(() => editor.step("left")),
    right: seen(() => editor.step("right")),
    up: seen(() => editor.step("up")),
    down: seen(() => editor.step("down")),
    selectLeft: seen(() => editor.step("left", true)),
    selectRight: seen(() => editor.step("right", true)),
    selectUp: seen(() => editor.step("up", true)),
    selectDown: seen(() => editor.step("down", true)),
    home: seen(() => editor.home()),
    end: seen(() => editor.end()),
    pageUp: seen(() => editor.shift(0, -page())),
    pageDown: seen(() => editor.shift(0, page())),
    origin: seen(() => editor.place([0, 0])),
    enter: seen(() => editor.enter()),
    tab: seen(() => editor.tab()),
    backTab: seen(() => editor.shift(-2, 0)),
    backspace: seen(() => editor.backspace()),
    delete: () => editor.delete(),
    selectAll: () => editor.selectAll(),
    escape: () => (editor.selected ? editor.select(null) : proposals.leave()),
    undo: () => perform({ kind: "undo" }),
    redo: () => perform({ kind: "redo" }),
    applyGhost: () => proposals.decide("apply"),
    dismissGhost: () => proposals.decide("veto"),
    zoomReset: () => viewport.zoomTo(1),
    zoomIn: () => viewport.zoomBy(ZOOM_STEP),
    zoomOut: () => viewport.zoomBy(1 / ZOOM_STEP),
  };
  return { commands, reveal };
}
