// @ts-check
/** @import { EditOp } from "../wire/messages.js" */
/** @import { View } from "../view/view.js" */
/** @import { Direction } from "../edit/cursor.js" */
/** @import { Editor } from "../edit/editor.js" */
/** @import { Gestures } from "../edit/gestures.js" */
/** @import { Commands } from "./keyboard.js" */
/** @import { Toolbox } from "../edit/toolbox.js" */

/** Zoom steps of the keyboard and the buttons. */
const ZOOM_STEP = 1.25;

/** What the panels do for a key. @typedef {"find" | "findNext" | "findPrevious" | "goTo" | "menu" | "nextNews" | "fit" | "copyForTerminal"} Panelled */

/** @typedef {object} Proposals what the keys do to ghosts
 * @property {(verdict: "apply" | "veto") => void} decide
 * @property {() => boolean} leave makes none stand out; did one?
 */

/**
 * @typedef {object} Parts
 * @property {Editor} editor
 * @property {View} view
 * @property {Toolbox} toolbox
 * @property {Gestures} gestures
 * @property {(op: EditOp) => void} perform
 * @property {Proposals} proposals
 * @property {Readonly<Record<Panelled, () => void>>} panels
 */

/**
 * What every command does. Those that move the cursor bring it into sight; while a tool draws from the keyboard, they
 * draw.
 * @param {Parts} parts
 */
export function commandsOf(parts) {
  const { editor, view, perform, proposals, panels, gestures } = parts;
  const reveal = () => view.viewport.reveal(editor.cursor.x, editor.cursor.y);

  /** @type {Commands} */
  const commands = {
    ...stepsOf(parts, reveal),
    ...panels,
    enter: () => entered(parts, reveal),
    backspace: () => (editor.backspace(), reveal()),
    delete: () => editor.delete(),
    toggleInsertion: () => editor.toggleInsertion(),
    selectAll: () => editor.selectAll(),
    selectConnected: () => editor.selectConnected(),
    duplicate: () => (editor.duplicate(), reveal()),
    escape: () => escaped(parts),
    undo: () => void (gestures.cancel() || perform({ kind: "undo" })),
    redo: () => void (gestures.cancel() || perform({ kind: "redo" })),
    applyGhost: () => proposals.decide("apply"),
    dismissGhost: () => proposals.decide("veto"),
    zoomReset: () => view.viewport.zoomTo(1),
    zoomIn: () => view.viewport.zoomBy(ZOOM_STEP),
    zoomOut: () => view.viewport.zoomBy(1 / ZOOM_STEP),
  };
  return { commands, reveal };
}

/** A gesture, else the selection, else a ghost that stands out, else typing. @param {Parts} parts */
function escaped({ gestures, editor, proposals, toolbox }) {
  if (gestures.cancel()) return;
  if (editor.ranges.length) editor.select(null);
  else if (!proposals.leave() && toolbox.isTyping) toolbox.choose("select");
}

/** Enter goes on to the next line, begins and ends what a tool draws, or goes over from selecting to typing. @param {Parts} parts @param {() => void} reveal */
function entered({ toolbox, editor, gestures }, reveal) {
  const { cursor } = editor;
  if (toolbox.isTyping) return editor.enter(), reveal();
  if (toolbox.tool === "select") return toolbox.choose("text");
  if (gestures.isOn) return gestures.end();
  gestures.begin([cursor.x, cursor.y]);
  if (toolbox.tool === "area" || toolbox.tool === "picker") gestures.end();
}

/** @param {Parts} parts @param {() => void} reveal */
function stepsOf({ editor, gestures, view }, reveal) {
  const page = () => Math.max(1, view.viewport.visible()[3] - 3);
  const seen = (/** @type {() => void} */ act) => () => {
    act();
    gestures.to([editor.cursor.x, editor.cursor.y]);
    reveal();
  };
  const step = (/** @type {Direction} */ way, isExtending = false) => seen(() => editor.step(way, isExtending && !gestures.isOn));
  const jump = (/** @type {Direction} */ way, isExtending = false) => seen(() => editor.jump(way, isExtending && !gestures.isOn));
  const nudge = (/** @type {Direction} */ way) => seen(() => editor.nudge(way));
  return {
    left: step("left"),
    right: step("right"),
    up: step("up"),
    down: step("down"),
    selectLeft: step("left", true),
    selectRight: step("right", true),
    selectUp: step("up", true),
    selectDown: step("down", true),
    jumpLeft: jump("left"),
    jumpRight: jump("right"),
    jumpUp: jump("up"),
    jumpDown: jump("down"),
    selectJumpLeft: jump("left", true),
    selectJumpRight: jump("right", true),
    selectJumpUp: jump("up", true),
    selectJumpDown: jump("down", true),
    nudgeLeft: nudge("left"),
    nudgeRight: nudge("right"),
    nudgeUp: nudge("up"),
    nudgeDown: nudge("down"),
    home: seen(() => editor.home()),
    end: seen(() => editor.end()),
    selectHome: seen(() => editor.home(true)),
    selectEnd: seen(() => editor.end(true)),
    pageUp: seen(() => editor.shift(0, -page())),
    pageDown: seen(() => editor.shift(0, page())),
    selectPageUp: seen(() => editor.shift(0, -page(), true)),
    selectPageDown: seen(() => editor.shift(0, page(), true)),
    origin: seen(() => editor.place([0, 0])),
    tab: seen(() => editor.tab()),
    backTab: seen(() => editor.shift(-2, 0)),
  };
}
