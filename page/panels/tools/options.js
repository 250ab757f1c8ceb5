// @ts-check
/** @import { Attrs } from "../../wire/messages.js" */
/** @import { Options, ToolName } from "../../edit/tools.js" */
/** @import { Editor } from "../../edit/editor.js" */
/** @import { Toolbox } from "../../edit/toolbox.js" */
import { BORDERS } from "../../edit/tools.js";
import { ATTRS, intern } from "../../model/cell.js";
import { stored } from "../../model/clusters.js";
import { graphemes } from "../../model/width.js";
import { button, make, named } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { colorButton } from "./colors.js";
import { toolIcon } from "./icons.js";
import { roving } from "./keys.js";

/** What a tool can be set to. @typedef {"glyph" | "style" | "border" | "title" | "joins" | "elbow" | "insertion"} Setting */

/** @type {Readonly<Record<ToolName, readonly Setting[]>>} */
const SETTINGS = {
  select: ["style"],
  text: ["style", "insertion"],
  pencil: ["glyph", "style"],
  eraser: [],
  box: ["border", "title", "joins", "style"],
  line: ["border", "elbow", "joins", "style"],
  arrow: ["border", "elbow", "joins", "style"],
  area: ["glyph", "style"],
  brush: ["style"],
  picker: [],
  hand: [],
};

/** Glyphs at hand; any other is typed or pasted into the field. */
const GLYPHS = ["█", "▓", "▒", "░", "▀", "▄", "●", "○", "■", "□", "◆", "★", "·", "#", "*", "+"];

/** What shows an attribute. @type {Readonly<Record<keyof Attrs, string>>} */
const ATTR_SIGNS = { bold: "B", italic: "I", underline: "U", strike: "S", inverse: "◐" };

/** @typedef {{ toolbox: Toolbox, editor: Editor, release: () => void }} Parts */

/**
 * What the tool in hand can be set to. With a selection, a look is given to what is selected too.
 *
 * @param {Parts} parts
 * @returns {HTMLElement}
 */
export function toolOptions(parts) {
  const { toolbox, editor } = parts;
  /** @type {Record<Setting, { element: HTMLElement, show: (options: Options) => void }>} */
  const groups = {
    border: borders(parts),
    title: title(parts),
    glyph: glyphs(parts),
    elbow: toggle(parts, "elbow", T.elbow, "isElbow"),
    joins: toggle(parts, "join", T.joins, "joins"),
    style: looks(parts),
    insertion: insertion(editor),
  };
  const bar = make("div", "dock-options", ...Object.values(groups).map(({ element }) => element));
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", T.toolOptions);
  bar.dataset["region"] = "";
  roving(bar);
  const show = () => {
    const shown = SETTINGS[toolbox.tool];
    bar.hidden = !shown.length;
    for (const [name, group] of Object.entries(groups)) {
      group.element.hidden = !shown.some((setting) => setting === name);
      group.show(toolbox.options);
    }
  };
  toolbox.changed.subscribe(show);
  editor.moved.subscribe(() => groups.insertion.show(toolbox.options));
  show();
  return bar;
}

/** @param {Parts} parts */
function borders({ toolbox, release }) {
  const buttons = BORDERS.map(({ border, sample }) => {
    const element = button("icon specimen", sample, () => (toolbox.set({ border }), release()));
    named(element, T.borders[border]);
    return { border, element };
  });
  return group(T.border, buttons.map(({ element }) => element), (options) => {
    for (const { border, element } of buttons) press(element, border === options.border);
  });
}

/** @param {Parts} parts */
function title({ toolbox, release }) {
  const field = make("input", "title");
  field.placeholder = T.boxTitle;
  field.maxLength = 80;
  named(field, T.boxTitleHint);
  field.addEventListener("input", () => toolbox.set({ title: field.value }));
  field.addEventListener("keydown", ({ key }) => key === "Enter" && release());
  return group(T.boxTitle, [field], ({ title: shown }) => {
    if (field.value !== shown) field.value = shown;
  });
}

/** @param {Parts} parts */
function glyphs({ toolbox, release }) {
  const field = make("input", "glyph");
  named(field, T.glyphHint);
  field.addEventListener("focus", () => field.select());
  field.addEventListener("input", (event) => {
    if (event instanceof InputEvent && event.isComposing) return;
    const glyph = graphemes(field.value).flatMap(stored).at(-1);
    if (glyph) toolbox.set({ glyph });
  });
  field.addEventListener("change", () => (field.value = toolbox.options.glyph));
  field.addEventListener("keydown", ({ key }) => key === "Enter" && release());
  const palette = GLYPHS.map((glyph) => {
    const element = button("icon specimen", glyph, () => (toolbox.set({ glyph }), release()));
    named(element, T.drawWith(glyph));
    return { glyph, element };
  });
  return group(T.glyph, [field, ...palette.map(({ element }) => element)], (options) => {
    if (document.activeElement !== field) field.value = options.glyph;
    for (const { glyph, element } of palette) press(element, glyph === options.glyph);
  });
}

/** @param {Parts} parts @param {"elbow" | "join"} icon @param {string} label @param {"isElbow" | "joins"} name */
function toggle({ toolbox, release }, icon, label, name) {
  const element = button("icon", "", () => (toolbox.set({ [name]: !toolbox.options[name] }), release()));
  element.append(toolIcon(icon));
  named(element, label);
  return group(label, [element], (options) => press(element, options[name]));
}

/** @param {Parts} parts */
function looks({ toolbox, editor, release }) {
  const choose = (/** @type {Options["style"]} */ given) => {
    const style = intern(given);
    toolbox.set({ style });
    if (editor.ranges.length) editor.paint(style);
    release();
  };
  const text = colorButton(T.textColor, "A", (color) =>
    choose(without(toolbox.options.style, "color", color && { color })),
  );
  const back = colorButton(T.backColor, "▇", (bgColor) =>
    choose(without(toolbox.options.style, "bgColor", bgColor && { bgColor })),
  );
  const attrs = ATTRS.map((name) => {
    const element = button(`icon attr is-${name}`, ATTR_SIGNS[name], () => {
      const { style } = toolbox.options;
      choose({ ...style, attrs: { ...style.attrs, [name]: !style.attrs?.[name] } });
    });
    named(element, T.attrs[name]);
    return { name, element };
  });
  return group(T.look, [text.element, back.element, ...attrs.map(({ element }) => element)], ({ style }) => {
    text.show(style.color);
    back.show(style.bgColor);
    for (const { name, element } of attrs) press(element, Boolean(style.attrs?.[name]));
  });
}

/** @param {Editor} editor */
function insertion(editor) {
  const element = button("icon attr", "Ins", () => editor.toggleInsertion());
  named(element, T.insertionHint);
  return group(T.insertion, [element], () => press(element, editor.isInserting));
}

/** @param {string} label @param {HTMLElement[]} children @param {(options: Options) => void} show */
function group(label, children, show) {
  const element = make("div", "dock-group", ...children);
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", label);
  return { element, show };
}

/** @param {HTMLElement} element @param {boolean} isPressed */
function press(element, isPressed) {
  element.setAttribute("aria-pressed", String(isPressed));
}

/** @param {Options["style"]} style @param {"color" | "bgColor"} name @param {Options["style"] | null | ""} given */
function without(style, name, given) {
  const { [name]: _, ...rest } = style;
  return { ...rest, ...given };
}
