// @ts-check
/** @import { World } from "./socket.js" */
import { Credentials } from "./credentials.js";
import { Drafts } from "./drafts.js";
import { Link } from "./link.js";
import { Socket } from "./socket.js";
import { Vault } from "./vault.js";

/** A probe that hangs longer is a broker that is not there. */
const PROBE_TIMEOUT_MS = 5000;

/**
 * The link of this page, with everything it needs of the browser. It begins at once; when the page comes to the
 * front, the network returns, or the browser is let in (a new code in the address, a token from another page), it
 * tries again without waiting.
 *
 * @param {"canvas" | "reader" | "desk"} [kind]
 * @returns {Link}
 */
export function openLink(kind = "canvas") {
  const url = new URL(kind === "canvas" ? "/page" : "/read", location.href.replace(/^http/, "ws"));
  const socket = new Socket(url.href, world);
  const credentials = new Credentials(localStorage, address);
  const drafts = new Drafts(localStorage, new Vault(indexedDB));
  const link = new Link({ socket, credentials, drafts, world, kind });
  addEventListener("hashchange", () => link.start());
  addEventListener("storage", () => link.start());
  addEventListener("online", () => link.hurry());
  document.addEventListener("visibilitychange", () => document.hidden || link.hurry());
  // What was kept is sent in its order, so nothing is sent before all of it is here.
  void link.ready.then(() => link.start());
  return link;
}

/** @type {World} */
const world = {
  WebSocket,
  isThere: () =>
    fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
      (answer) => answer.ok,
      () => false,
    ),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (id) => clearTimeout(id),
  nowMs: () => performance.now(),
  random: Math.random,
};

const address = {
  hash: () => location.hash,
  clear: () => history.replaceState(history.state, "", location.pathname + location.search),
};
