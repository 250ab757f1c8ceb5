// @ts-check
/** @import { Result } from "../wire/calls.js" */
/** @import { Link } from "../wire/link.js" */
/** @import { Declared } from "./compose.js" */
import { Disposer } from "../lib/disposer.js";
import { CallRefused } from "../wire/calls.js";
import { composed } from "./compose.js";

/**
 * - waiting: for the seat
 * - registering, ready: the tools are being announced, are announced
 * - failed: the host refused one; none is announced
 * - disposed: the page is going away
 * - unavailable: this browser has no WebMCP
 *
 * @typedef {"waiting" | "registering" | "ready" | "failed" | "disposed" | "unavailable"} Status
 */

/** @typedef {Declared & { execute: (args: Result) => Promise<Result> }} HostTool */

/**
 * What WebMCP hosts offer (Chromium 156, `document.modelContext`).
 *
 * @typedef {{ registerTool: (tool: HostTool, options: { signal: AbortSignal }) => Promise<void> }} ModelContext
 */

/** @typedef {{ readonly modelContext?: ModelContext }} Host */

/**
 * Announces the page's tools to the browser's agent while this page may (`Registration.follow`), and says how that
 * stands in `<html data-webmcp-status>`. Ends with the page.
 *
 * @param {Link} link
 * @param {ModelContext | undefined} [context]
 * @returns {Disposer} Disposal takes the tools back.
 */
export function connectWebMcp(link, context = found()) {
  const ends = new Disposer();
  if (!context) {
    show("unavailable");
    return ends;
  }
  const registration = new Registration(link, context, show);
  ends.add(() => registration.dispose());
  ends.add(link.state.subscribe(() => registration.follow()));
  ends.add(link.welcome.subscribe(() => registration.follow()));
  ends.listen(window, "pagehide", () => ends.dispose());
  return ends;
}

/** The tools as they are announced now. One set at a time; a new one takes the place of the old. */
export class Registration {
  #link;
  #context;
  #show;
  #announced = "";
  #abort = new AbortController();

  /**
   * @param {Pick<Link, "state" | "welcome" | "webMcp" | "kind">} link
   * @param {ModelContext} context
   * @param {(status: Status) => void} show
   */
  constructor(link, context, show) {
    this.#link = link;
    this.#context = context;
    this.#show = show;
    show("waiting");
  }

  /**
   * Looks again: tools are announced while the page holds the seat, a reader's always; not while another page has
   * it. They stay while the broker is away.
   */
  follow() {
    const { state, welcome, kind } = this.#link;
    if (state.value === "live" || (kind === "reader" && state.value === "read_only"))
      void this.#announce(composed(welcome.value?.tools ?? []));
    else if (state.value === "read_only") this.#withdraw("waiting");
  }

  dispose() {
    this.#withdraw("disposed");
  }

  /** @param {Declared[]} tools */
  async #announce(tools) {
    const announced = JSON.stringify(tools);
    if (announced === this.#announced) return;
    this.#withdraw("registering");
    this.#announced = announced;
    const { signal } = this.#abort;
    const done = await Promise.allSettled(tools.map((tool) => this.#register(tool, signal)));
    if (signal.aborted) return;
    if (done.some(({ status }) => status === "rejected")) this.#withdraw("failed");
    else this.#show("ready");
  }

  /** @param {Declared} tool @param {AbortSignal} signal */
  async #register(tool, signal) {
    await this.#context.registerTool({ ...tool, execute: (args) => answered(this.#link, tool.name, args) }, { signal });
  }

  /** @param {Status} status */
  #withdraw(status) {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#announced = "";
    this.#show(status);
  }
}

/**
 * A refusal is an answer like any other: agents read its code and its next step.
 *
 * @param {Pick<Link, "webMcp">} link
 * @param {string} tool
 * @param {Result} args
 * @returns {Promise<Result>}
 */
async function answered(link, tool, args) {
  try {
    return await link.webMcp(tool, args);
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    const { code, message, nextStep, details } = error;
    return { isError: true, ok: false, code, message, nextStep, details };
  }
}

/** @param {Status} status */
function show(status) {
  document.documentElement.dataset.webmcpStatus = status;
}

/** @returns {ModelContext | undefined} */
function found() {
  const places = /** @type {Host[]} */ (/** @type {unknown} */ ([document, navigator]));
  return places.find((place) => place.modelContext)?.modelContext;
}
