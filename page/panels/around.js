// @ts-check
/** @import { Link } from "../wire/link.js" */
/** @import { Shelf } from "../wire/news.js" */
/** @import { House } from "./house.js" */
/** @import { Sample } from "../words/samples.js" */
import { CanvasesPanel } from "./sheets/canvases.js";
import { lookHere } from "./company/chips.js";
import { companyOf } from "./company/company.js";
import { openConnectCard } from "./company/connect_card.js";
import { runOf } from "./past/evidence.js";
import { greeting } from "./sheets/greeting.js";
import { openHelp } from "./help.js";
import { T } from "../words/language.js";
import { openHistory } from "./past/history.js";
import { textMirror } from "./mirror.js";
import { pageKeys } from "../parts/page_keys.js";
import { presentation } from "./sheets/present.js";
import { openSettings } from "./settings.js";
import { storyCard } from "./past/story.js";
import { Thumbnails } from "../parts/thumbnails.js";
import { startTour } from "./tour.js";
import { refusalOf } from "../words/words.js";

/**
 * Everything around the canvas: canvases, agents, pins, what happened, settings, help, and the ways in for newcomers.
 *
 * @param {House} house
 */
export function roomsAround(house) {
  const { link, element } = house;
  const newcomers = forNewcomers(house);
  const canvases = canvasesPanel(house);
  const pins = companyOf(house, newcomers.connect);
  link.chips.subscribe(lookHere(element("chips"), house.goTo));
  const story = storyOfCells(house);
  const mirror = textMirror(element("mirror"), {
    visible: () => house.viewport.visible(),
    strip: (y, x0, x1) => house.replica().strip(y, x0, x1),
  });
  house.viewport.changed.subscribe(mirror);
  if (link.kind === "reader") readTheOneOfTheAddress(link);
  const settings = () => openSettings(house.preferences);
  element("open-history").addEventListener("click", () => openHistory(link, house.seat));
  element("open-help").addEventListener("click", newcomers.help);
  element("open-settings").addEventListener("click", settings);
  pageKeys({ help: newcomers.help, settings, story }, house.sheet);

  return {
    /** The shelf or what is shown on it is another. @param {Shelf} shelf */
    turned(shelf) {
      canvases.show(shelf);
      pins.show({ sheet: shelf.sheet });
      mirror();
    },
    /** Cells that are shown have changed. */
    changed: mirror,
    greet: newcomers.greet,
    /** What the canvas's own menu offers beside what is done to cells. */
    menu: () => [
      house.seat.item("seat", { label: T.pinSelection, act: () => pins.pin() }),
      { label: T.why, keys: "F2", act: story },
    ],
  };
}

/** Help, the tour, the connect card and the greeting. @param {House} house */
function forNewcomers({ link, keymap, preferences, field, element, say }) {
  const connect = () => openConnectCard({ agents: link.agents, ask: link.ask.bind(link) });
  const tour = () => startTour(() => field.focus());
  const show = greeting(element("greeting"), preferences, {
    tour,
    connect,
    open: (sample) => void openSample({ link, say }, sample),
    left: () => field.focus(),
  });
  return {
    connect,
    help: () => openHelp(link, keymap, tour),
    /** Is the sheet empty? On an empty desk it is said what can be done. @param {boolean} isEmpty */
    greet: (isEmpty) => show(isEmpty && link.canvases.value?.canvases.length === 1),
  };
}

/** "Why is this here?" about the cell with the cursor. @param {House} house @returns {() => void} */
function storyOfCells(house) {
  const { link, replica, where, say } = house;
  const call = calling(house);
  link.story.subscribe(
    storyCard(
      (at) => onScreen(house, at),
      {
        undo: (operationId) => call({ action: "undo", operationId }),
        run: async (operationId) => runOf(await link.ask("canvas_history", { action: "show", operationId })),
      },
      house.seat,
    ),
  );
  return () => {
    const { cursor } = where();
    if (!link.tellStory(replica().sheetId, [cursor.x, cursor.y])) say(T.notConnected);
  };
}

/** Runs an action of canvas_history; what is refused is said. @param {Pick<House, "link" | "say">} house */
function calling({ link, say }) {
  return (/** @type {Readonly<Record<string, unknown>>} */ args) => {
    link.callTool("canvas_history", args).catch((error) => say(...refusalOf(error)));
  };
}

/** @param {House} house */
function canvasesPanel({ link, viewport, sheet, field, element, say, seat }) {
  const thumbnails = new Thumbnails((tool, args) => link.ask(tool, args));
  const panel = new CanvasesPanel(
    element("sheets"),
    {
      open: (canvas, page) => {
        if (!link.activate(canvas, page)) say(T.opensLater);
        field.focus();
      },
      manage: (args) => link.callTool("canvas_manage", args),
      present: presentation(element("app"), { link, viewport, sheet }),
      seat,
    },
    thumbnails,
  );
  link.activity.subscribe(({ canvas, sheet }) => panel.touched(canvas, sheet));
  return panel;
}

/** A reading page turns to the canvas of its address, each time it is let in. @param {Link} link */
function readTheOneOfTheAddress(link) {
  const canvas = location.pathname.split("/").at(-1) ?? "";
  link.state.subscribe((state) => void (state === "read_only" && link.activate(canvas)));
}

/** Where a cell is in the window. @param {House} house @param {readonly [number, number]} at */
function onScreen({ viewport, sheet }, [x, y]) {
  const { left, top } = viewport.place(x, y);
  const box = sheet.getBoundingClientRect();
  return { left: box.left + left / viewport.ratio, top: box.top + top / viewport.ratio };
}

/**
 * A sample on a canvas of its own, as one operation of the person's.
 *
 * @param {Pick<House, "link" | "say">} house
 * @param {Sample} sample
 */
async function openSample({ link, say }, { name, content }) {
  try {
    const made = await link.callTool("canvas_manage", { action: "create", kind: "freeform", name, activate: true });
    const at = { canvasId: made["canvasId"], pageId: made["pageId"], at: [2, 1] };
    await link.callTool("canvas_write", { ...at, content: content.replace(/^\n/, ""), mode: "apply" });
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}
