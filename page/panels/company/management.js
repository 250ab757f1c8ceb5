// @ts-check
/** @import { Agent, AgentName, CanvasInfo } from "../../wire/messages.js" */
/** @import { Thumbnails } from "../../parts/thumbnails.js" */
import { dot, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { workOf } from "../../words/words.js";

/**
 * Every canvas as a card that leads to its reading page. Deciding is the canvas page's, which holds the seat.
 *
 * @param {HTMLElement} list
 * @param {Thumbnails} thumbnails
 * @returns {(canvases: readonly CanvasInfo[]) => void}
 */
export function shelfOf(list, thumbnails) {
  return (canvases) => {
    list.replaceChildren(
      ...canvases.map(({ id, name, kind, archived, sheets }) => {
        const link = make("a", "shelf-card", ...sheets.slice(0, 1).map((sheet) => thumbnails.of(id, sheet, "shelf")));
        link.href = `/read/${id}`;
        link.append(make("b", "", name), make("span", "", T.kindOf(kind, sheets.length, archived)));
        return make("li", "", link);
      }),
    );
  };
}

/**
 * Everyone who was ever here: what each is at, and what it may do.
 *
 * @param {HTMLElement} list
 * @returns {(here: readonly Agent[], names: readonly AgentName[]) => void}
 */
export function agentsTable(list) {
  return (here, names) => {
    const lines = names.map(({ name, color, grant, isRevoked }) => {
      const agent = here.find((each) => each.name === name);
      const state = agent ? (agent.doing ? workOf(agent.doing) : T.idle) : T.away;
      return make(
        "li",
        "agent",
        dot(color),
        make("span", "name", name),
        make("span", "", isRevoked ? T.revoked : T.grants[grant]),
        make("span", "doing", agent && agent.waiting > 0 ? `${state} · ${T.queued(agent.waiting)}` : state),
      );
    });
    list.replaceChildren(...(lines.length ? lines : [make("li", "none", T.nobody)]));
  };
}
