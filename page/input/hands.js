// @ts-check
/** @import { EditOp } from "../wire/messages.js" */
/** @import { Replica } from "../model/replica.js" */
/** @import { At } from "../model/region.js" */
/** @import { Stage } from "../view/stage.js" */
/** @import { View } from "../view/view.js" */
/** @import { Desk } from "./clipboard.js" */
/** @import { Panelled, Proposals } from "./commands.js" */
/** @import { Editor } from "../edit/editor.js" */
/** @import { Point } from "./pointer.js" */
/** @import { Toolbox } from "../edit/toolbox.js" */
import { TOOLS } from "../edit/tools.js";
import { clipboard } from "./clipboard.js";
import { commandsOf } from "./commands.js";
import { Gestures } from "../edit/gestures.js";
import { focusAnew, textInput } from "./ime.js";
import { keyboard } from "./keyboard.js";
import { Pointer } from "./pointer.js";

/**
 * @typedef {object} Parts
 * @property {Stage} stage
 * @property {View} view
 * @property {Editor} editor
 * @property {Toolbox} toolbox
 * @property {() => Replica} replica the sheet that is shown
 * @property {(op: EditOp) => void} perform
 * @property {Proposals} proposals
 * @property {Readonly<Record<Panelled, () => void>>} panels
 * @property {Desk} desk what a paste needs
 * @property {() => void} press before anything that a press on the sheet does
 * @property {(at: At, point: Point) => void} menu
 */

/**
 * Everything that a person does on the stage, with keys, pointers, the clipboard and input methods.
 *
 * @param {Parts} parts
 */
export function hands(parts) {
  const { stage, view, editor, toolbox, replica } = parts;
  const gestures = new Gestures({ toolbox, editor, replica });
  const { commands, reveal } = commandsOf({ ...parts, gestures });
  const rims = [stage.rulerTop, stage.rulerLeft];
  const pointer = new Pointer(stage.sheet, rims, { viewport: view.viewport, toolbox, gestures }, {
    press: () => (focusAnew(stage.field), parts.press()),
    double: (at) => toolbox.tool === "select" && (toolbox.choose("text"), editor.place(at), focusAnew(stage.field)),
    menu: (at, point) => parts.menu(at, point),
    hover: (cell) => (view.rulers.mark({ pointer: cell }), view.ask()),
  });
  keyboard(stage.sheet, commands, {
    isTyping: () => toolbox.isTyping,
    press: (letter) => toolbox.chooseByKey(letter),
    space: (isDown) => {
      pointer.isPanKeyDown = isDown;
      stage.sheet.classList.toggle("is-hand", isDown);
    },
  });
  clipboard(stage.field, editor, parts.desk);
  textInput(stage.field, {
    cursor: () => editor.cursor,
    type: (text, at) => void (toolbox.isTyping && (editor.type(text, at), reveal())),
    enter: commands.enter,
    backspace: commands.backspace,
    draw: ({ x, y }, text) => view.caret.compose(x, y, text),
  });
  toolbox.changed.subscribe(() => showTool(stage, toolbox, editor));
  showTool(stage, toolbox, editor);
  return { commands, gestures };
}

/**
 * The pointer looks like the tool, and a telephone shows its keys only for typing.
 *
 * @param {Stage} stage
 * @param {Toolbox} toolbox
 * @param {Editor} editor
 */
function showTool({ sheet, field }, { tool, options, isTyping }, editor) {
  sheet.dataset["tool"] = tool;
  sheet.style.cursor = TOOLS.find(({ name }) => name === tool)?.cursor ?? "default";
  field.inputMode = isTyping ? "text" : "none";
  editor.style = options.style;
}
