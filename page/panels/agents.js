// @ts-check
/** @import { Agent } from "../wire/messages.js" */
import { dot, make } from "./dom.js";
import { counted, toolName } from "./words.js";

/**
 * Who is connected, and what each is at.
 * @param {HTMLElement} list
 * @returns {(agents: readonly Agent[]) => void} shows who is here now
 */
export function agentsPanel(list) {
  return (agents) => list.replaceChildren(...(agents.length ? agents.map(line) : [nobody()]));
}

/** @param {Agent} agent */
function line({ name, color, doing, waiting }) {
  const state = [doing && toolName(doing), waiting && `${counted(waiting, "call")} waiting`].filter(Boolean).join(", ");
  return make("li", "", dot(color), make("span", "name", name), make("span", "doing", state));
}

function nobody() {
  return make("li", "none", "No agent yet. Connect one: ", make("code", "", "chardesk connect claude-code"));
}
