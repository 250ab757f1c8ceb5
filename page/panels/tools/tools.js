// @ts-check
/** @import { ToolName } from "../../edit/tools.js" */
/** @import { Editor } from "../../edit/editor.js" */
/** @import { Toolbox } from "../../edit/toolbox.js" */
import { TOOLS } from "../../edit/tools.js";
import { button, make, named } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { toolIcon } from "./icons.js";
import { roving } from "./keys.js";
import { toolOptions } from "./options.js";

/**
 * The tools, and over them what the one in hand can be set to. On a telephone it is the bar at the bottom.
 *
 * @param {{ toolbox: Toolbox, editor: Editor, release: () => void }} parts `release` gives the keys back to the sheet
 * @returns {HTMLElement}
 */
export function toolDock({ toolbox, editor, release }) {
  const buttons = TOOLS.map(({ name, key }) => {
    const element = button("icon", "", () => (toolbox.choose(name), release()));
    element.append(toolIcon(name));
    named(element, T.keyed(T.toolNames[name], key.toUpperCase()));
    element.setAttribute("aria-keyshortcuts", key);
    return { name, element };
  });
  const bar = make("div", "dock-tools", ...buttons.map(({ element }) => element));
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", T.tools);
  bar.dataset["region"] = "";
  roving(bar);
  const show = (/** @type {ToolName} */ tool) => {
    for (const { name, element } of buttons) element.setAttribute("aria-pressed", String(name === tool));
    buttons.find(({ name }) => name === tool)?.element.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  toolbox.changed.subscribe(() => show(toolbox.tool));
  show(toolbox.tool);
  const dock = make("div", "dock", toolOptions({ toolbox, editor, release }), bar);
  dock.addEventListener("keydown", ({ key }) => key === "Escape" && release());
  return dock;
}
