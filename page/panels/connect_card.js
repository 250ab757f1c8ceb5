// @ts-check
/** @import { Agent } from "../wire/messages.js" */
/** @import { Held } from "../lib/signal.js" */
import { dialog } from "./dialog.js";
import { button, make } from "./dom.js";
import { T } from "./language.js";

/** The hosts that `chardesk connect` knows, as it calls them. */
const HOSTS = /** @type {const} */ (["claude-code", "claude-desktop", "codex", "cursor", "vscode"]);

/**
 * How an agent is connected: the command for each host, to be copied; and below it who has joined since.
 *
 * @param {Held<readonly Agent[]>} agents
 */
export function openConnectCard(agents) {
  const before = new Set(agents.value.map(({ tenant }) => tenant));
  const select = make("select", "", ...HOSTS.map((host) => new Option(T.hosts[host], host)));
  select.setAttribute("aria-label", T.host);
  const command = make("code", "");
  const copy = button("button primary", T.copy, async () => {
    await navigator.clipboard.writeText(command.textContent ?? "").catch(() => undefined);
    copy.textContent = T.copied;
  });
  const joined = make("p", "joined", T.waitingForAgent);
  joined.setAttribute("role", "status");
  const write = () => {
    command.textContent = `chardesk connect ${select.value}`;
    copy.textContent = T.copy;
  };
  select.addEventListener("change", write);
  write();
  const sheet = dialog(
    T.connectTitle,
    make("ol", "steps", make("li", "", T.connectRun, select), make("li", "", T.connectPaste), make("li", "", T.connectAsk)),
    make("div", "snippet", make("pre", "", command), copy),
    joined,
  );
  const end = agents.subscribe((now) => {
    const news = now.filter(({ tenant }) => !before.has(tenant)).map(({ name }) => name);
    joined.classList.toggle("is-there", news.length > 0);
    joined.textContent = news.length ? T.agentJoined(news.join(", ")) : T.waitingForAgent;
  });
  sheet.addEventListener("close", end);
}
