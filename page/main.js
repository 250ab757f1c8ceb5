// @ts-check
/** @import { Edit, EditOp, Preview, PreviewGone, Snapshot } from "./wire/messages.js" */
/** @import { Shelf } from "./wire/news.js" */
/** @import { State } from "./wire/session.js" */
/** @import { Rect } from "./model/region.js" */
import { Editor } from "./edit/editor.js";
import { hands } from "./input/hands.js";
import { Toolbox } from "./edit/toolbox.js";
import { Ghosts } from "./model/ghosts.js";
import { Replica } from "./model/replica.js";
import { KEYMAP, TOOL_KEYS } from "./input/keymap.js";
import { CELL_SCALES, Preferences } from "./lib/preferences.js";
import { dressed } from "./panels/appearance.js";
import { roomsAround } from "./panels/around.js";
import { bench } from "./panels/tools/bench.js";
import { ConnectionPanel } from "./panels/connection.js";
import { T } from "./words/language.js";
import { notices } from "./parts/notices.js";
import { openOf } from "./parts/open.js";
import { PreviewsPanel } from "./panels/company/previews.js";
import { regionKeys } from "./parts/regions.js";
import { saveWork } from "./panels/company/saving.js";
import { Seat } from "./parts/seat.js";
import { foldingSides } from "./parts/sides.js";
import { sayThePage } from "./words/spoken.js";
import { statusLine } from "./panels/status.js";
import { toolbar } from "./panels/tools/toolbar.js";
import { nameOf, refusalOf, workOf } from "./words/words.js";
import { recall, remember } from "./view/memory.js";
import { byId, findStage } from "./view/stage.js";
import { View } from "./view/view.js";
import { connectWebMcp } from "./webmcp/connect.js";
import { mayBeLost } from "./wire/conflicts.js";
import { openLink } from "./wire/open.js";

/** How often ghosts are looked over for those whose time has come. */
const EXPIRY_CHECK_MS = 5000;

/** @returns {"canvas" | "reader"} as the address says */
const pageKind = () => (location.pathname.startsWith("/read/") ? "reader" : "canvas");
/** @param {string} id */
const element = (id) => byId(id, HTMLElement);
sayThePage();
const stage = findStage();
const hint = element("hint");

const link = openLink(pageKind());
const preferences = new Preferences(localStorage);
dressed(preferences);
const ghosts = new Ghosts();
let replica = new Replica("");
let open = openOf(null);
/** Where to look once another sheet is here. @type {{sheet: string, bounds: Rect} | null} */
let target = null;
/** The ghost that stands out. @type {string | null} */
let chosen = null;
/** A sheet that was never looked at shows its content once it has come. */
let isNewHere = false;

const view = new View(stage, ghosts, ({ author, tool }) => T.ghostTag(nameOf(author), workOf(tool)));
const { viewport } = view;
const editor = new Editor(replica, perform);
const toolbox = new Toolbox();

const seat = new Seat();
const say = notices(element("notices"));
const connection = new ConnectionPanel(
  { pill: element("connection"), banner: element("banner"), gate: element("gate") },
  { takeSeat: () => link.takeSeat(), save: () => saveWork(link, replica) },
);
const previews = new PreviewsPanel(
  {
    list: element("previews"),
    section: element("previews-section"),
    announce: element("announce"),
    badge: element("ghost-count"),
  },
  ghosts,
  (preview, verdict, note) => link.decide(preview, verdict, note),
  seat,
);
const around = roomsAround({
  link,
  viewport,
  sheet: stage.sheet,
  marks: stage.marks,
  field: stage.field,
  preferences,
  keymap: { ...KEYMAP, ...TOOL_KEYS },
  element,
  replica: () => replica,
  where: () => editor,
  perform,
  goTo: (place) => (foldSides(), goTo(place)),
  say,
  seat,
});
preferences.subscribe(({ cells }) => view.restyle(CELL_SCALES[cells]));
const showStatus = statusLine(element("status"));
const foldSides = foldingSides(element("app"), [
  { name: "sheets", toggle: element("toggle-sheets") },
  { name: "side", toggle: element("toggle-side") },
]);

/**
 * Everything the person does to cells goes through here: out to the broker, and onto the screen at once.
 * @param {EditOp} op
 * @returns {Edit | null} What the broker will answer; null when nothing may be edited now.
 */
function perform(op) {
  const edit = link.edit(op);
  if (edit) replica.predict(edit);
  else if (link.state.value === "read_only") say(T.readOnly, T.readOnlyHint);
  return edit;
}

// -- from the person -------------------------------------------------------------

const tools = bench({
  stage,
  view,
  editor,
  toolbox,
  link,
  replica: () => replica,
  room: () => open.size,
  pasteMode: () => preferences.value.paste,
  more: around.menu,
  seat,
  say,
});
const { commands } = hands({
  stage,
  view,
  editor,
  toolbox,
  replica: () => replica,
  perform,
  proposals: { decide: (verdict) => previews.decide(verdict), leave: leaveGhost },
  panels: tools.commands,
  desk: tools.desk,
  press: () => foldSides(),
  menu: tools.menu,
});
regionKeys();
const showZoom = toolbar(element("toolbar"), { ...commands, origin: () => viewport.reset() }, seat);
takeKeys();

// -- from the broker -------------------------------------------------------------

link.canvases.subscribe((shelf) => shelf && turnTo(shelf));
link.snapshot.subscribe(load);
link.change.subscribe((change) => void (change.sheet === replica.sheetId && replica.confirm(change)));
link.done.subscribe(({ id }) => replica.settle(id));
link.refused.subscribe(({ refusal, edit }) => {
  replica.refuse(refusal.id);
  if (!edit) previews.retry(refusal.message, refusal.id);
  if (edit?.op.kind !== "call" && !mayBeLost(edit)) say(...refusalOf(refusal));
});
link.welcome.subscribe(() => ghosts.clear());
link.previews.subscribe(propose);
link.state.subscribe(showState);
link.unsent.subscribe((unsent) => connection.show({ unsent }));
link.isSlow.subscribe((isSlow) => connection.show({ isSlow }));
link.isStorageFailing.subscribe((isStorageFailing) => connection.show({ isStorageFailing }));
link.isDiskRefusing.subscribe((isDiskRefusing) => connection.show({ isDiskRefusing }));
connectWebMcp(link);

/** Show another sheet, if it is another; the names and the size may be new in any case. @param {Shelf} shelf */
function turnTo(shelf) {
  const before = String(open.size);
  open = openOf(shelf);
  document.title = T.pageTitle(open.canvas);
  if (shelf.sheet !== replica.sheetId) startSheet(shelf.sheet);
  else resizeSheet(before);
  around.turned(shelf);
  tools.turned();
}

/** Where the person is on the sheet; before its cells came, the camera is still that of the sheet before. */
function keepPlace() {
  if (!isNewHere) remember(replica.sheetId, viewport, editor.cursor);
}

/** @param {string} before the size that it had */
function resizeSheet(before) {
  if (before !== String(open.size)) view.show(replica, open.size);
  follow();
}

/** @param {string} sheet */
function startSheet(sheet) {
  keepPlace();
  replica = new Replica(sheet);
  for (const edit of link.unacknowledged(sheet)) replica.predict(edit);
  replica.changed.subscribe(() => {
    around.changed();
    if (!hint.hidden) showHint();
  });
  view.show(replica, open.size);
  const before = recall(sheet, viewport);
  isNewHere = before === null;
  editor.use(replica, open.size, before ? [before.x, before.y] : [0, 0]);
}

/** @param {Snapshot} snapshot */
function load(snapshot) {
  if (snapshot.sheet !== replica.sheetId) return;
  replica.loadPart(snapshot);
  if (snapshot.part < snapshot.parts - 1) return;
  showHint();
  if (target?.sheet === snapshot.sheet) viewport.show(target.bounds);
  else if (isNewHere) viewport.open(open.size, replica.bounds());
  [target, isNewHere] = [null, false];
}

/** @param {Preview | PreviewGone} news */
function propose(news) {
  if (news.type === "preview") return ghosts.put(news);
  const author = ghosts.get(news.id)?.preview.author;
  ghosts.remove(news.id);
  if (author && news.reason === "stale") say(T.wentStale(author));
}

/** @param {State} state */
function showState(state) {
  document.documentElement.dataset["state"] = state;
  connection.show({ state });
  seat.show(state);
  if (state === "offline") previews.retry(T.answerLost);
  stage.sheet.classList.toggle("is-still", seat.missing("edit") !== "");
  showHint();
}

// -- what follows what -------------------------------------------------------------

editor.moved.subscribe(follow);
viewport.changed.subscribe(() => {
  showZoom(viewport.zoom);
  link.viewport(viewport.visible(), editor.selected);
});
view.painted.subscribe(() => link.shown(replica.seq));
view.ghosts.chosen.subscribe((id) => previews.choose(id));
previews.chosen.subscribe((id) => view.ghosts.highlight((chosen = id)));
previews.shown.subscribe((preview) => (foldSides(), goTo(preview)));
previews.decided.subscribe(takeKeys);
previews.compared.subscribe(({ id, isBefore }) => (view.ghosts.putAside(id, isBefore), view.ask()));
ghosts.changed.subscribe(() => hint.hidden || showHint());
setInterval(() => ghosts.expire(Date.now() / 1000), EXPIRY_CHECK_MS);
addEventListener("pagehide", keepPlace);

function follow() {
  const { cursor, selected } = editor;
  view.caret.stand(cursor.x, cursor.y, editor.columns);
  view.selection.show(editor.ranges);
  view.rulers.mark({ caret: cursor });
  view.ask();
  link.viewport(viewport.visible(), selected);
  showStatus({ cursor, selected, ...open });
}

/** The keys go to the cells. Not where there is no mouse: the keyboard on the screen would come up. */
function takeKeys() {
  if (matchMedia("(pointer: fine)").matches) stage.field.focus();
}

/** @returns {boolean} Did a ghost stand out? */
function leaveGhost() {
  if (chosen === null) return false;
  previews.choose(null);
  return true;
}

/** Look at cells, on whatever sheet they are. @param {{canvas: string, sheet: string, bounds?: Rect | undefined}} place */
function goTo({ canvas, sheet, bounds }) {
  if (sheet === replica.sheetId) return bounds && viewport.show(bounds);
  target = bounds ? { sheet, bounds } : null;
  link.activate(canvas, sheet);
}

/** What to do on an empty sheet is said until the first cell, or the first ghost, is there. */
function showHint() {
  const isOpen = link.state.value === "live" || link.state.value === "offline";
  const isEmpty = replica.bounds() === null && ghosts.list(replica.sheetId).length === 0;
  around.greet(link.state.value === "live" && isEmpty);
  hint.hidden = !isOpen || !isEmpty;
}

/** A handle for debugging and for tests that drive the page: nothing in the product reads it. */
const handle = {
  link,
  viewport,
  editor,
  ghosts,
  perform,
  get replica() {
    return replica;
  },
};
Object.assign(window, { chardesk: handle });
