// @ts-check
/** @import { EditOp, Snapshot } from "./wire/messages.js" */
/** @import { Shelf } from "./wire/news.js" */
/** @import { Rect } from "./model/region.js" */
import { clipboard } from "./input/clipboard.js";
import { commandsOf } from "./input/commands.js";
import { Editor } from "./input/editor.js";
import { focusAnew, textInput } from "./input/ime.js";
import { keyboard } from "./input/keyboard.js";
import { Pointer } from "./input/pointer.js";
import { clipped } from "./model/region.js";
import { Ghosts } from "./model/ghosts.js";
import { Replica } from "./model/replica.js";
import { ActivityPanel } from "./panels/activity.js";
import { agentsPanel } from "./panels/agents.js";
import { ConnectionPanel } from "./panels/connection.js";
import { byId } from "./panels/dom.js";
import { notices } from "./panels/notices.js";
import { PreviewsPanel } from "./panels/previews.js";
import { regionKeys } from "./panels/regions.js";
import { SheetsPanel } from "./panels/sheets.js";
import { foldingSides } from "./panels/sides.js";
import { statusLine } from "./panels/status.js";
import { toolbar } from "./panels/toolbar.js";
import { recall, remember } from "./view/memory.js";
import { View } from "./view/view.js";
import { openLink } from "./wire/open.js";

/** How often ghosts are looked over for those whose time has come. */
const EXPIRY_CHECK_MS = 5000;

/** @param {string} id */
const element = (id) => byId(id, HTMLElement);
const field = byId("field", HTMLTextAreaElement);
const hint = element("hint");

const link = openLink();
const ghosts = new Ghosts();
let replica = new Replica("");
/** @type {Shelf | null} */
let shelf = null;
/** Where to look once another sheet is here. @type {{sheet: string, bounds: Rect} | null} */
let target = null;
/** A sheet that was never looked at shows its content once it has come. */
let isNewHere = false;

const view = new View(
  {
    sheet: element("sheet"),
    cells: byId("cells", HTMLCanvasElement),
    ghosts: byId("ghosts", HTMLCanvasElement),
    marks: element("marks"),
    rulerTop: byId("ruler-top", HTMLCanvasElement),
    rulerLeft: byId("ruler-left", HTMLCanvasElement),
    field,
  },
  ghosts,
);
const { viewport } = view;
const editor = new Editor(replica, perform);

const say = notices(element("notices"));
const connection = new ConnectionPanel({ pill: element("connection"), banner: element("banner"), gate: element("gate") }, () => link.takeSeat());
const activity = new ActivityPanel(element("activity"));
const previews = new PreviewsPanel(
  { list: element("previews"), section: element("previews-section"), announce: element("announce") },
  ghosts,
  (id, verdict) => link.decide(id, verdict),
);
const sheets = new SheetsPanel(element("sheets"), {
  open: (canvas, sheet) => void (link.activate(canvas, sheet) || say("Not connected: another canvas opens when the page is live.")),
  create: () => link.callTool("canvas_manage", { action: "create", kind: "freeform", activate: true }),
  rename: (canvasId, name) => link.callTool("canvas_manage", { action: "rename", canvasId, name }),
});
const showStatus = statusLine(element("status"));
const foldSides = foldingSides(document.querySelector(".app") ?? document.body, [
  { name: "sheets", toggle: element("toggle-sheets") },
  { name: "side", toggle: element("toggle-side") },
]);

/**
 * Everything the person does to cells goes through here: out to the broker, and onto the screen at once.
 * @param {EditOp} op
 */
function perform(op) {
  const edit = link.edit(op);
  if (edit) replica.predict(edit);
  else if (link.state.value === "read_only") say("This page is read-only.", "Take over to edit here.");
}

// -- input ---------------------------------------------------------------------

const { commands, reveal } = commandsOf({
  editor,
  view,
  perform,
  proposals: { decide: (verdict) => previews.decide(verdict), leave: () => previews.choose(null) },
});
const pointer = new Pointer(element("sheet"), viewport, editor, () => (focusAnew(field), foldSides()));
keyboard(element("sheet"), commands);
regionKeys();
clipboard(field, editor, say);
textInput(field, {
  cursor: () => editor.cursor,
  type: (text, at) => (editor.type(text, at), reveal()),
  draw: ({ x, y }, text) => view.caret.compose(x, y, text),
});
const showTools = toolbar(element("toolbar"), {
  ...commands,
  hand: (isHand) => pointer.hand(isHand),
  fit: () => viewport.fit(shownSize() ? [0, 0, ...(shownSize() ?? [1, 1])] : replica.bounds()),
  origin: () => viewport.reset(),
});
element("sheet").addEventListener("pointermove", ({ clientX, clientY }) => {
  const box = element("sheet").getBoundingClientRect();
  view.rulers.mark({ pointer: viewport.at(clientX - box.left, clientY - box.top) });
  view.ask();
});
element("sheet").addEventListener("pointerleave", () => (view.rulers.mark({ pointer: null }), view.ask()));

// -- from the broker -------------------------------------------------------------

link.canvases.subscribe((news) => news && turnTo(news));
link.snapshot.subscribe((snapshot) => load(snapshot));
link.change.subscribe((change) => void (change.sheet === replica.sheetId && replica.confirm(change)));
link.done.subscribe(({ id }) => replica.settle(id));
link.refused.subscribe(({ refusal, edit }) => {
  replica.refuse(refusal.id);
  if (!edit) previews.retry(refusal.message);
  if (edit?.op.kind !== "call") say(refusal.message, refusal.nextStep);
});
link.previews.subscribe((news) => {
  if (news.type === "preview") return ghosts.put(news);
  const gone = ghosts.get(news.id)?.preview;
  ghosts.remove(news.id);
  if (gone && news.reason === "stale") say(`${gone.author}'s proposal went: the cells under it changed.`);
});
link.welcome.subscribe(() => ghosts.clear());
link.activity.subscribe((news) => activity.add(news));
link.agents.subscribe(agentsPanel(element("agents")));
link.state.subscribe((state) => {
  document.documentElement.dataset["state"] = state;
  connection.show({ state });
  showTools({ mayEdit: state === "live" || state === "offline" });
  element("sheet").classList.toggle("is-still", state === "read_only");
  showHint();
});
link.unsent.subscribe((unsent) => connection.show({ unsent }));
link.isStorageFailing.subscribe((isStorageFailing) => connection.show({ isStorageFailing }));

/** Show another sheet, if it is another. @param {Shelf} news */
function turnTo(news) {
  const sizeBefore = String(shownSize());
  shelf = news;
  sheets.show(news);
  document.title = `${shownCanvas()?.name ?? "Canvas"} · Chardesk`;
  if (news.sheet !== replica.sheetId) return startSheet(news.sheet);
  if (sizeBefore !== String(shownSize())) view.show(replica, shownSize());
  follow();
}

/** @param {string} sheet */
function startSheet(sheet) {
  remember(replica.sheetId, viewport);
  replica = new Replica(sheet);
  for (const edit of link.unacknowledged(sheet)) replica.predict(edit);
  replica.changed.subscribe(() => hint.hidden || showHint());
  view.show(replica, shownSize());
  isNewHere = !recall(sheet, viewport);
  if (isNewHere) viewport.reset();
  editor.use(replica, shownSize(), [0, 0]);
}

/** @param {Snapshot} snapshot */
function load(snapshot) {
  if (snapshot.sheet !== replica.sheetId) return;
  replica.loadPart(snapshot);
  if (snapshot.part < snapshot.parts - 1) return;
  showHint();
  if (target?.sheet === snapshot.sheet) viewport.show(target.bounds);
  else if (isNewHere) showContent();
  [target, isNewHere] = [null, false];
}

/** The first look at a sheet: a slide whole; an endless one at its origin, or where its cells are. */
function showContent() {
  const size = shownSize();
  const bounds = replica.bounds();
  if (size) viewport.fit([0, 0, ...size]);
  else if (bounds && !clipped(bounds, viewport.visible())) viewport.corner(bounds[0], bounds[1]);
}

/** Look at cells, on whatever sheet they are. @param {{canvas: string, sheet: string, bounds?: Rect}} place */
function goTo({ canvas, sheet, bounds }) {
  if (sheet !== replica.sheetId) {
    target = bounds ? { sheet, bounds } : null;
    link.activate(canvas, sheet);
  } else if (bounds) viewport.show(bounds);
}

// -- what follows what -------------------------------------------------------------

editor.moved.subscribe(() => follow());
viewport.changed.subscribe(() => {
  showTools({ zoom: viewport.zoom });
  link.viewport(viewport.visible(), editor.selected);
});
view.painted.subscribe(() => link.shown(replica.seq));
view.ghosts.chosen.subscribe((id) => previews.choose(id));
previews.chosen.subscribe((id) => view.ghosts.highlight(id));
previews.shown.subscribe((preview) => goTo(preview));
activity.shown.subscribe((news) => goTo(news));
activity.undone.subscribe(({ operationId }) => {
  link.callTool("canvas_history", { action: "undo", operationId }).catch((error) => say(error.message, error.nextStep));
});
ghosts.changed.subscribe(() => {
  const count = ghosts.list().length;
  const badge = element("ghost-count");
  [badge.textContent, badge.hidden] = [String(count), count === 0];
  if (!hint.hidden) showHint();
});
setInterval(() => ghosts.expire(Date.now() / 1000), EXPIRY_CHECK_MS);
if (matchMedia("(pointer: fine)").matches) field.focus();
addEventListener("pagehide", () => remember(replica.sheetId, viewport));

function follow() {
  const { cursor, selected } = editor;
  view.caret.stand(cursor.x, cursor.y, editor.columns);
  view.selection.show(selected);
  view.rulers.mark({ caret: cursor });
  view.ask();
  link.viewport(viewport.visible(), selected);
  showStatus({ cursor, selected, canvas: shownCanvas()?.name ?? "", sheet: shownSheet()?.name ?? "" });
}

function showHint() {
  const isOpen = link.state.value === "live" || link.state.value === "offline";
  hint.hidden = !isOpen || replica.bounds() !== null || ghosts.list(replica.sheetId).length > 0;
}

function shownCanvas() {
  return shelf?.canvases.find(({ id }) => id === shelf?.canvas);
}

function shownSheet() {
  return shownCanvas()?.sheets.find(({ id }) => id === shelf?.sheet);
}

function shownSize() {
  return shownSheet()?.size ?? null;
}

/** A handle for debugging and for tests that drive the page: nothing in the product reads it. */
Object.assign(window, { chardesk: { link, viewport, editor, ghosts, perform, get replica() { return replica; } } });
