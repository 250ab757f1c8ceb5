// @ts-check
/** @import { Agent, AgentName, Governed } from "../../wire/messages.js" */
/** @import { Gesture } from "../../wire/link.js" */
/** @import { Item } from "../../parts/menu.js" */
/** @import { Reach } from "./reach.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { confirmed } from "../../parts/dialog.js";
import { button, dot, iconButton, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { menu } from "../../parts/menu.js";
import { workOf } from "../../words/words.js";

/** @typedef {Agent["grant"]} Grant */
/** @typedef {AgentName["lacks"][number]} Feature */

/** @type {readonly Grant[]} */
const GRANTS = ["observe", "propose", "apply"];

/** @type {readonly Feature[]} */
const FEATURES = ["code", "images", "files", "pages"];

const LEND_MIN = 10;
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/**
 * @typedef {object} Elements
 * @property {HTMLElement} title where the buttons for all agents go
 * @property {HTMLElement} list
 */

/**
 * @typedef {object} Reign
 * @property {(gesture: Gesture) => boolean} decide false when it can't be sent now
 * @property {(name: string) => void} writeTo begins a line to an agent
 * @property {() => void} connect shows how an agent is connected
 * @property {Reach} reach
 * @property {Seat} seat
 */

/**
 * Who is connected, what each is at, how many of its calls wait, and what it may do and where; under them those who
 * were here before. Deciding needs the seat.
 */
export class AgentsPanel {
  #list;
  #reign;
  #pause;
  /** @type {readonly Agent[]} */
  #here = [];
  /** @type {Governed | null} */
  #governed = null;
  #isOpen = false;

  /** @param {Elements} elements @param {Reign} reign */
  constructor({ title, list }, reign) {
    this.#list = list;
    this.#reign = reign;
    this.#pause = reign.seat.needs("seat", button("text-button", T.pauseAll, () => this.#togglePause()));
    this.#pause.setAttribute("aria-pressed", "false");
    const connect = iconButton("plus", T.connectAgent, reign.connect);
    title.append(make("span", "acts", this.#pause, connect));
    list.addEventListener("focusin", ({ target }) => reign.reach.frame(this.#cardOf(target)));
    list.addEventListener("focusout", () => reign.reach.frame(null));
  }

  /** @param {{ agents?: readonly Agent[], governed?: Governed }} news what is not named stays */
  show({ agents = this.#here, governed = this.#governed ?? undefined }) {
    this.#here = agents;
    this.#governed = governed ?? null;
    const isPaused = governed?.isPaused ?? false;
    this.#pause.textContent = isPaused ? T.resumeAll : T.pauseAll;
    this.#pause.setAttribute("aria-pressed", String(isPaused));
    this.#list.classList.toggle("is-paused", isPaused);
    this.#draw();
  }

  #togglePause() {
    this.#reign.decide({ type: "pause", isPaused: !(this.#governed?.isPaused ?? false) });
  }

  #draw() {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["agent"] : undefined;
    const names = new Set(this.#here.map(({ name }) => name));
    const away = (this.#governed?.names ?? []).filter(({ name }) => !names.has(name));
    const problem = this.#governed?.policyProblem;
    const fault = problem ? [make("li", "fault", T.policyProblem(problem))] : [];
    const here = this.#here.length ? this.#here.map((agent) => this.#present(agent)) : [nobody(this.#reign.connect)];
    this.#reign.reach.frame(null);
    this.#list.replaceChildren(...fault, ...here, ...(away.length ? [this.#away(away)] : []), ...this.#newcomers());
    if (focused) this.#list.querySelector(`[data-agent="${CSS.escape(focused)}"]`)?.dispatchEvent(new Event("refocus"));
  }

  /** @param {Agent} agent */
  #present({ tenant, name, color, grant, applyUntil, doing, waiting }) {
    const { decide } = this.#reign;
    const stop = { label: T.stopRun, act: () => void decide({ type: "stop", tenant }) };
    const lend = { label: T.lend, act: () => void decide({ type: "govern", author: name, applyMinutes: LEND_MIN }) };
    const more = this.#more(name, [...(doing ? [stop] : []), ...(grant === "apply" ? [] : [lend])]);
    const { scope, lacks } = this.#known(name);
    const lent = applyUntil && T.lentUntil(CLOCK.format(applyUntil * 1000));
    const at = stateOf(doing, waiting, this.#governed?.isPaused ?? false);
    const without = lacks.length > 0 && T.without(lacks.map((each) => T.features[each].name));
    const state = make("span", "doing", [at, lent, without].filter(Boolean).join(" · "));
    const where = this.#reign.reach.control(name, scope);
    return card(name, dot(color), make("span", "name", name), this.#grant(name, grant), more, where, state);
  }

  /** What was decided about an agent. @param {string} name @returns {Pick<AgentName, "scope" | "lacks">} */
  #known(name) {
    return this.#governed?.names.find((each) => each.name === name) ?? { scope: [], lacks: [] };
  }

  /** The agent on whose card something is. @param {EventTarget | null} target */
  #cardOf(target) {
    const found = target instanceof Element ? target.closest("[data-card]") : null;
    const name = found instanceof HTMLElement ? found.dataset["card"] : undefined;
    return this.#governed?.names.find((each) => each.name === name) ?? null;
  }

  /** The menu of an agent, here or not. @param {string} name @param {readonly Item[]} [first] */
  #more(name, first = []) {
    const { seat, writeTo } = this.#reign;
    const more = iconButton("more", T.moreOf(name), () => undefined);
    menu(more, () => [
      seat.item("edit", { label: T.writeTo(name), act: () => writeTo(name) }),
      ...first.map((item) => seat.item("seat", item)),
      ...this.#features(name).map((item) => seat.item("seat", item)),
      seat.item("seat", { label: T.revoke, act: () => void this.#revoke(name) }),
    ]);
    return more;
  }

  /** One line each, to turn it off or on. @param {string} name @returns {Item[]} */
  #features(name) {
    const { lacks } = this.#known(name);
    return FEATURES.map((feature) => {
      const isAllowed = lacks.includes(feature);
      const act = () => void this.#reign.decide({ type: "allow", author: name, feature, isAllowed });
      return { label: isAllowed ? T.features[feature].allow : T.features[feature].deny, act };
    });
  }

  /** @param {readonly AgentName[]} names */
  #away(names) {
    const lines = names.map(({ name, color, grant, isRevoked, scope }) =>
      card(
        name,
        dot(color),
        make("span", "name", name),
        isRevoked ? this.#letIn(name) : this.#grant(name, grant),
        !isRevoked && this.#more(name),
        !isRevoked && this.#reign.reach.control(name, scope),
      ),
    );
    const details = make("details", "away", make("summary", "", T.notHere(names.length)), make("ul", "", ...lines));
    details.open = this.#isOpen;
    details.addEventListener("toggle", () => (this.#isOpen = details.open));
    return make("li", "", details);
  }

  /** @param {string} name */
  #letIn(name) {
    const { seat, decide } = this.#reign;
    const allow = () => void decide({ type: "govern", author: name, isRevoked: false });
    const letIn = seat.needs("seat", button("text-button", T.letIn, allow));
    letIn.setAttribute("aria-label", T.letInOf(name));
    return make("span", "", make("span", "revoked", T.revoked), letIn);
  }

  /** What agents may do that were never here. */
  #newcomers() {
    const grant = this.#governed?.newcomers;
    if (!grant) return [];
    const select = choice(grant, (wanted) => this.#reign.decide({ type: "newcomers", grant: wanted }));
    const field = this.#reign.seat.needs("seat", select);
    return [make("li", "agent newcomers", make("label", "", T.newcomers, " ", field))];
  }

  /** @param {string} name @param {Grant} grant */
  #grant(name, grant) {
    const select = choice(grant, (wanted) => this.#reign.decide({ type: "govern", author: name, grant: wanted }));
    select.dataset["agent"] = name;
    select.setAttribute("aria-label", T.grantOf(name));
    select.addEventListener("refocus", () => select.focus());
    return this.#reign.seat.needs("seat", select);
  }

  /** @param {string} name */
  async #revoke(name) {
    if (await confirmed(T.revokeTitle(name), T.revokeWords, T.revoke))
      this.#reign.decide({ type: "govern", author: name, isRevoked: true });
  }
}

/** @param {string} name @param {...(Node | false)} parts */
function card(name, ...parts) {
  const line = make("li", "agent", ...parts);
  line.dataset["card"] = name;
  return line;
}

/**
 * What an agent is at, in a few words.
 *
 * @param {string | undefined} doing
 * @param {number} waiting
 * @param {boolean} isPaused
 */
function stateOf(doing, waiting, isPaused) {
  const queue = waiting > 0 && T.queued(waiting);
  return [doing ? workOf(doing) : isPaused ? T.paused : T.idle, queue].filter(Boolean).join(" · ");
}

/**
 * A list of grants. What can't be sent goes back to what it was.
 *
 * @param {Grant} grant
 * @param {(wanted: Grant) => boolean} choose false when it can't be sent now
 */
function choice(grant, choose) {
  const select = make("select", "grant", ...GRANTS.map((each) => new Option(T.grants[each], each)));
  select.value = grant;
  select.title = T.grantHint;
  select.addEventListener("change", () => {
    const wanted = GRANTS.find((each) => each === select.value) ?? grant;
    if (!choose(wanted)) select.value = grant;
  });
  return select;
}

/** @param {() => void} connect */
function nobody(connect) {
  return make("li", "none", T.nobody, " ", button("text-button", T.connectAgent, connect));
}
