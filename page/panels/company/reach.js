// @ts-check
/** @import { AgentName, Area, CanvasInfo } from "../../wire/messages.js" */
/** @import { Marks } from "../../view/marks.js" */
/** @import { Rect } from "../../model/region.js" */
/** @import { Gesture } from "../../wire/link.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { placeOf } from "../../words/words.js";

/** Where the person is: the canvas and sheet that are shown, and what is selected on it. @typedef {{ canvas: string, sheet: string, selected: Rect | null }} Spot */

/**
 * @typedef {object} Ground
 * @property {Marks} marks
 * @property {() => readonly CanvasInfo[]} canvases
 * @property {() => Spot | null} here null before anything is shown
 * @property {(gesture: Gesture) => boolean} decide false when it can't be sent now
 * @property {(message: string) => void} say
 * @property {Seat} seat
 */

/** @typedef {"kept" | "everywhere" | "canvas" | "selected" | "added"} Choice "kept" is what is set now */

/** Where agents may change cells: a choice on each agent's card, and a quiet outline while the card has the focus. */
export class Reach {
  #ground;
  /** @type {HTMLElement[]} */
  #frames = [];

  /** @param {Ground} ground */
  constructor(ground) {
    this.#ground = ground;
  }

  /** The control for one agent. @param {string} name @param {readonly Area[]} scope */
  control(name, scope) {
    const { seat } = this.#ground;
    const now = scope.length ? wordsOf(scope, this.#ground.canvases()) : "";
    const select = make(
      "select",
      "grant where",
      now && new Option(T.onlyIn(now), "kept"),
      ...choices(scope).map((each) => new Option(T.reaches[each], each)),
    );
    select.setAttribute("aria-label", T.reachOf(name));
    select.title = T.reachHint;
    select.dataset["agent"] = `where ${name}`;
    const kept = select.value;
    select.addEventListener("refocus", () => select.focus());
    select.addEventListener("change", () => {
      if (!this.#choose(name, scope, /** @type {Choice} */ (select.value))) select.value = kept;
    });
    return seat.needs("seat", select);
  }

  /** Outlines what of the scope lies on the sheet that is shown; none takes them away. @param {AgentName | null} agent */
  frame(agent) {
    for (const frame of this.#frames) this.#ground.marks.remove(frame);
    const here = this.#ground.here();
    const rects = agent && here ? rectsOn(here, agent.scope, this.#ground.canvases()) : [];
    this.#frames = rects.map((rect) => {
      const frame = make("div", "scope-frame");
      frame.style.setProperty("--agent", agent?.color ?? "");
      this.#ground.marks.put(frame, rect);
      return frame;
    });
  }

  /** @param {string} name @param {readonly Area[]} scope @param {Choice} choice @returns {boolean} Is it on its way? */
  #choose(name, scope, choice) {
    const { here, say, decide } = this.#ground;
    const spot = here();
    if (!spot || choice === "kept") return false;
    const { canvas, sheet, selected } = spot;
    if (!selected && (choice === "selected" || choice === "added")) {
      say(T.selectFirst);
      return false;
    }
    const areas = {
      everywhere: [],
      canvas: [{ canvas }],
      selected: selected ? [{ canvas, sheet, rect: selected }] : [],
      added: selected ? [...scope, { canvas, sheet, rect: selected }] : [],
    };
    return decide({ type: "govern", author: name, scope: areas[choice] });
  }
}

/** What can be chosen; one more rectangle only where there is a scope to add it to. @param {readonly Area[]} scope */
function choices(scope) {
  /** @type {Exclude<Choice, "kept">[]} */
  const always = ["everywhere", "canvas", "selected"];
  return scope.length && scope.length < MAX_AREAS ? [...always, /** @type {const} */ ("added")] : always;
}

/** As many as the broker takes. */
const MAX_AREAS = 16;

/** The first area in words, and how many more. @param {readonly Area[]} scope @param {readonly CanvasInfo[]} canvases */
export function wordsOf(scope, canvases) {
  const [first] = scope;
  if (!first) return "";
  const canvas = canvases.find(({ id }) => id === first.canvas);
  if (!canvas) return T.reachGone;
  const sheet = first.sheet && (canvas.sheets.find(({ id }) => id === first.sheet)?.name ?? T.reachGone);
  const on = sheet ? T.onSheet(sheet, canvas.name) : canvas.name;
  const words = first.rect ? T.onPlace(placeOf(first.rect), on) : on;
  return scope.length > 1 ? T.andMore(words, scope.length - 1) : words;
}

/**
 * The rectangles of a scope on one sheet. All of an endless sheet has no edge to be outlined.
 *
 * @param {Spot} here
 * @param {readonly Area[]} scope
 * @param {readonly CanvasInfo[]} canvases
 * @returns {Rect[]}
 */
export function rectsOn(here, scope, canvases) {
  const size = canvases.find(({ id }) => id === here.canvas)?.sheets.find(({ id }) => id === here.sheet)?.size;
  return scope
    .filter(({ canvas, sheet = here.sheet }) => canvas === here.canvas && sheet === here.sheet)
    .flatMap(({ rect }) => (rect ? [rect] : size ? [/** @type {Rect} */ ([0, 0, ...size])] : []));
}
