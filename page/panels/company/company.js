// @ts-check
/** @import { Letter } from "../../wire/messages.js" */
/** @import { House } from "../house.js" */
import { Marks } from "../../view/marks.js";
import { Conflicts } from "../../wire/conflicts.js";
import { Posts } from "../../wire/posts.js";
import { ActivityPanel } from "./activity.js";
import { AgentsPanel } from "./agents.js";
import { conflictsPanel } from "./conflicts.js";
import { T } from "../../words/language.js";
import { LettersPanel } from "./letters.js";
import { PinsPanel } from "./pins.js";
import { Reach } from "./reach.js";
import { saveUnplaced } from "./saving.js";
import { undoAllBy } from "./undo_all.js";
import { nameOf, refusalOf } from "../../words/words.js";

/**
 * The side of the page: agents, what is said to and by them, what could not be placed, pins, and what happened.
 *
 * @param {House} house
 * @param {() => void} connect shows how an agent is connected
 * @returns {PinsPanel}
 */
export function companyOf(house, connect) {
  const letters = lettersPanel(house);
  agentsPanel(house, connect, (name) => letters.writeTo(name));
  conflictsHere(house);
  activityPanel(house);
  return pinsPanel(house);
}

/** @param {House} house @param {() => void} connect @param {(name: string) => void} writeTo */
function agentsPanel(house, connect, writeTo) {
  const { link, element, seat } = house;
  const agents = new AgentsPanel(
    { title: element("agents-title"), list: element("agents") },
    { decide: (gesture) => link.gesture(gesture), connect, writeTo, reach: reachOf(house), seat },
  );
  link.agents.subscribe((here) => agents.show({ agents: here }));
  link.governed.subscribe((governed) => agents.show({ governed }));
}

/** @param {House} house */
function reachOf({ link, marks, viewport, where, say, seat }) {
  return new Reach({
    marks: new Marks(marks, viewport),
    canvases: () => link.canvases.value?.canvases ?? [],
    here: () => {
      const shelf = link.canvases.value;
      return shelf && { canvas: shelf.canvas, sheet: shelf.sheet, selected: where().selected };
    },
    decide: (gesture) => link.gesture(gesture),
    say,
    seat,
  });
}

/** @param {House} house */
function activityPanel({ link, element, goTo, say, seat }) {
  const activity = new ActivityPanel({ title: element("activity-title"), list: element("activity") }, seat);
  const desk = { ask: link.ask.bind(link), call: link.callTool.bind(link), say };
  const fail = (/** @type {{ message: string, nextStep?: string }} */ error) => say(...refusalOf(error));
  link.activity.subscribe((news) => activity.add(news));
  activity.shown.subscribe(goTo);
  activity.undone.subscribe(({ operationId }) => {
    link.callTool("canvas_history", { action: "undo", operationId }).catch(fail);
  });
  activity.allUndone.subscribe((author) => void undoAllBy(author, desk).catch(fail));
}

/** @param {House} house */
function lettersPanel({ link, element, field, say, seat }) {
  const posts = new Posts(localStorage, ({ id, to, text }) => void link.gesture({ type: "post", id, to, text }));
  const letters = new LettersPanel({
    elements: { section: element("letters-section"), list: element("letters"), form: element("letter-form") },
    posts,
    store: localStorage,
    seat,
    decide: (gesture) => link.gesture(gesture),
    left: () => field.focus(),
  });
  /** @type {Set<string>} */
  const heard = new Set();
  const receive = (/** @type {Letter} */ letter) => {
    letters.receive(letter);
    if (!heard.has(letter.id)) say(T.saysTo(nameOf(letter.author), letter.text.slice(0, 120)));
    heard.add(letter.id);
  };
  // After every connect the letters that were not put away come anew.
  link.welcome.subscribe(() => letters.forget());
  link.letters.subscribe(receive);
  link.lettersGone.subscribe(({ id }) => letters.forget(id));
  link.sent.subscribe((sent) => letters.show(sent));
  link.done.subscribe(({ id }) => void posts.settle(id));
  link.refused.subscribe(({ refusal: { id, code } }) => {
    const line = code === "replaced" ? null : posts.settle(id);
    if (line) letters.giveBack(line);
  });
  link.state.subscribe((state) => void (state === "live" && posts.again()));
  return letters;
}

/** @param {House} house */
function pinsPanel({ link, element, marks, viewport, where, replica, goTo, say, seat }) {
  const pins = new PinsPanel({
    title: element("pins-title"),
    list: element("pins"),
    marks: new Marks(marks, viewport),
    selected: () => {
      const { selected } = where();
      return selected && { sheet: replica().sheetId, rect: selected };
    },
    decide: (gesture) => link.gesture(gesture),
    goTo,
    say,
    seat,
  });
  link.governed.subscribe((governed) => pins.show({ pins: governed.pins }));
  return pins;
}

/** @param {House} house */
function conflictsHere({ link, element, perform, replica, say, seat }) {
  const conflicts = new Conflicts(localStorage);
  link.refused.subscribe(({ refusal, edit }) => void conflicts.keep(refusal, edit));
  link.change.subscribe(({ ack }) => ack !== undefined && conflicts.placed(ack));
  link.done.subscribe(({ id }) => conflicts.placed(id));
  addEventListener("storage", ({ key }) => Conflicts.isIn(key) && conflicts.read());
  const elements = { section: element("conflicts-section"), list: element("conflicts") };
  const showAgain = conflictsPanel(elements, conflicts, {
    perform,
    isUnanswered: (id) => link.unacknowledged().some((edit) => edit.id === id),
    shown: () => replica().sheetId,
    turnTo: (sheet) => {
      const canvas = link.canvases.value?.canvases.find(({ sheets }) => sheets.some(({ id }) => id === sheet));
      return canvas !== undefined && link.activate(canvas.id, sheet);
    },
    save: (all) => saveUnplaced(all, link.canvases.value),
    say,
    seat,
  });
  void link.ready.then(showAgain);
}
