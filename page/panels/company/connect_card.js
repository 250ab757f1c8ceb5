// @ts-check
/** @import { Agent } from "../../wire/messages.js" */
/** @import { Result } from "../../wire/calls.js" */
/** @import { Held } from "../../lib/signal.js" */
import { dialog } from "../../parts/dialog.js";
import { button, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";

/**
 * A program that agents run in: what to do with the text, and the text.
 *
 * @typedef {{ name: string, where: string, text: string }} Host
 */
/** @typedef {{ agents: Held<readonly Agent[]>, ask: (tool: string, args: Result) => Promise<Result> }} Desk */

/**
 * How an agent is connected: the snippet for each host, with the paths of this machine, to be copied; and below it
 * who has joined since.
 *
 * @param {Desk} desk
 */
export function openConnectCard({ agents, ask }) {
  const select = make("select", "");
  select.setAttribute("aria-label", T.host);
  const where = make("span", "", T.loading);
  const snippet = make("code", "");
  const text = make("pre", "", snippet);
  text.tabIndex = 0; // a long one scrolls, so the keyboard must reach it
  const copy = button("button primary", T.copy, async () => {
    const isCopied = await copied(snippet);
    copy.textContent = isCopied ? T.copied : T.copy;
  });
  /** @type {readonly Host[]} */
  let hosts = [];
  const write = () => {
    const host = hosts[select.selectedIndex];
    where.textContent = host ? T.connectWhere(host.where) : T.notConnected;
    snippet.textContent = host?.text ?? "";
    copy.textContent = T.copy;
    copy.disabled = !host;
  };
  select.addEventListener("change", write);
  const steps = make(
    "ol",
    "steps",
    make("li", "", T.connectChoose, select),
    make("li", "", where, make("div", "snippet", text, copy)),
    make("li", "", T.connectAsk),
  );
  const joined = make("p", "joined", T.waitingForAgent);
  const sheet = dialog(T.connectTitle, steps, joined);
  sheet.addEventListener("close", watched(agents, joined));
  const asked = ask("chardesk_connect", {}).then((found) => {
    hosts = /** @type {Host[]} */ (found["hosts"]);
    select.append(...hosts.map(({ name }) => new Option(T.hosts[name] ?? name, name)));
  });
  void asked.catch(() => undefined).then(write);
}

/** Selected too, for browsers that forbid the clipboard. @param {HTMLElement} snippet @returns {Promise<boolean>} */
async function copied(snippet) {
  getSelection()?.selectAllChildren(snippet);
  return navigator.clipboard.writeText(snippet.textContent ?? "").then(
    () => true,
    () => false,
  );
}

/** A line names the agents that have joined since. @param {Held<readonly Agent[]>} agents @param {HTMLElement} line */
function watched(agents, line) {
  const before = new Set(agents.value.map(({ tenant }) => tenant));
  line.setAttribute("role", "status");
  return agents.subscribe((now) => {
    const news = now.filter(({ tenant }) => !before.has(tenant)).map(({ name }) => name);
    line.classList.toggle("is-there", news.length > 0);
    line.textContent = news.length ? T.agentJoined(news.join(", ")) : T.waitingForAgent;
  });
}
