// @ts-check
/** @import { Format, PasteMode } from "../../edit/material.js" */
/** @import { Editor } from "../../edit/editor.js" */
/** @import { Toolbox } from "../../edit/toolbox.js" */
/** @import { Replica } from "../../model/replica.js" */
/** @import { At, Rect } from "../../model/region.js" */
/** @import { Stage } from "../../view/stage.js" */
/** @import { View } from "../../view/view.js" */
/** @import { Link } from "../../wire/link.js" */
/** @import { Item } from "./context.js" */
/** @import { Copying } from "./copy.js" */
/** @import { Seat } from "../../parts/seat.js" */
import { Frames } from "../../view/frames.js";
import { Minimap } from "../../view/minimap.js";
import { contextMenu } from "./context.js";
import { copyItems, copyForTerminal } from "./copy.js";
import { make } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { leftOutTeller, ofChars } from "./left_out.js";
import { Missed } from "./missed.js";
import { newsOf } from "./news.js";
import { SearchPanel } from "./search.js";
import { askCoordinates } from "./goto.js";
import { toolDock } from "./tools.js";

/**
 * @typedef {object} House what the bench needs of the page
 * @property {Stage} stage
 * @property {View} view
 * @property {Editor} editor
 * @property {Toolbox} toolbox
 * @property {Link} link
 * @property {() => Replica} replica the sheet that is shown
 * @property {() => readonly [number, number] | null} room the size of a slide
 * @property {() => PasteMode} pasteMode
 * @property {() => readonly Item[]} more lines at the end of the menu
 * @property {Seat} seat
 * @property {(message: string, nextStep?: string) => void} say
 */

/** Between what lies over the sheet and what must be seen of it. */
const MARGIN_PX = 16;

/**
 * What lies over the sheet to work on it: the tools with their options, the menu, the search box, the minimap, and
 * what others changed out of sight.
 *
 * @param {House} house
 */
export function bench(house) {
  const { stage, view, editor, toolbox, link, replica, room, say } = house;
  const { viewport } = view;
  const over = make("div", "bench");
  stage.sheet.after(over);
  const release = () => stage.field.focus({ preventScroll: true });
  const found = new Frames(view.marks, "match");
  const search = new SearchPanel({
    ask: (tool, args) => link.ask(tool, args),
    sheet: () => ({ pageId: replica().sheetId }),
    mark: (matches, current) => found.show(matches, current),
    show: (rect) => (viewport.show(rect), uncover(house, search.element, rect)),
    release,
  });
  const missed = new Missed({
    store: localStorage,
    ask: (tool, args) => link.ask(tool, args),
    visible: () => (document.visibilityState === "visible" ? viewport.visible() : null),
  });
  const news = newsOf(view, missed);
  const map = make("div", "minimap");
  const minimap = new Minimap(map, view);
  const dock = toolDock({ toolbox, editor, release });
  over.append(search.element, news.element, map, dock);
  new ResizeObserver(() => viewport.cover(dock.offsetHeight && dock.offsetHeight + MARGIN_PX)).observe(dock);
  const tellLeftOut = leftOutTeller(say);
  editor.leftOut.subscribe((chars) => tellLeftOut(ofChars(chars)));
  link.leftOut.subscribe(tellLeftOut);
  editor.refused.subscribe(({ why, limit }) => say(...T.cannot[why](limit.toLocaleString("en"))));

  /** @type {Replica | null} */
  let shown = null;
  const copying = { editor, view, replica, say };
  const menuAt = (/** @type {{ left: number, top: number }} */ point) =>
    contextMenu(T.selection, [...items(house, copying), null, ...house.more()], point, release);
  const goTo = (/** @type {At} */ at) => {
    editor.place(at);
    viewport.center(...at);
  };

  const commands = {
    find: () => search.open(selectedLine(editor)),
    findNext: () => search.step(1),
    findPrevious: () => search.step(-1),
    goTo: () => askCoordinates({ over, from: [editor.cursor.x, editor.cursor.y], go: goTo, release }),
    menu: () => menuAt(pointOf(house)),
    nextNews: () => news.next(),
    fit: () => viewport.fit(sheetRect(room()) ?? replica().bounds()),
    copyForTerminal: () => void copyForTerminal(copying),
  };
  return {
    commands,
    desk: { tooMuch: () => say(T.tooManyRows), mode: house.pasteMode, ask: asking(house, release) },
    /** @param {At} at @param {{ left: number, top: number }} point */
    menu: (at, point) => {
      if (!editor.covers(at)) editor.place(at);
      menuAt(point);
    },
    /** Another sheet may be shown now, or it has another size. */
    turned: () => {
      minimap.show(replica(), room());
      if (replica() === shown) return;
      shown = replica();
      missed.watch(shown);
      if (!search.element.hidden) search.close();
    },
  };
}

/** @param {House} house @param {Copying} copying */
function items({ editor, seat }, copying) {
  return [
    ...copyItems(copying, seat),
    null,
    seat.item("edit", { label: T.duplicate, keys: "Ctrl+D", act: () => editor.duplicate() }),
    seat.item("edit", { label: T.deleteCells, keys: "Del", act: () => editor.delete() }),
    null,
    { label: T.selectConnected, keys: "Ctrl+Shift+A", act: () => editor.selectConnected() },
    { label: T.selectAll, keys: "Ctrl+A", act: () => editor.selectAll() },
  ];
}

/** Where a menu opens that was asked for by a key: under the cursor. @param {House} house */
function pointOf({ stage, view, editor }) {
  const { left, top } = stage.sheet.getBoundingClientRect();
  const { ratio } = view.viewport;
  const at = view.viewport.place(editor.cursor.x, editor.cursor.y + 1);
  return { left: left + at.left / ratio, top: top + at.top / ratio };
}

/** Look a little higher when a rectangle lies under something at the top. @param {House} house @param {HTMLElement} cover @param {Rect} rect */
function uncover({ stage, view: { viewport } }, cover, [x, y, columns]) {
  const [from, to] = [viewport.place(x, y), viewport.place(x + columns, y + 1)];
  const [sheet, box] = [stage.sheet.getBoundingClientRect(), cover.getBoundingClientRect()];
  const [left, right] = [from.left / viewport.ratio + sheet.left, to.left / viewport.ratio + sheet.left];
  const hidden = box.bottom - sheet.top - from.top / viewport.ratio;
  if (right > box.left && left < box.right && hidden > 0) viewport.pan(0, -hidden - MARGIN_PX);
}

/** Asks what pasted material is to be, at the cursor. @param {House} house @param {() => void} release */
function asking(house, release) {
  /** @param {Format} format @param {(format: Format) => void} paste */
  return (format, paste) => {
    const choices = [
      { label: T.pasteAs[format], act: () => paste(format) },
      ...(format === "text" ? [] : [{ label: T.pasteAs.text, act: () => paste("text") }]),
    ];
    contextMenu(T.paste, choices, pointOf(house), release);
  };
}

/** A selection of one row is what one searches for. @param {Editor} editor */
function selectedLine(editor) {
  return editor.selected?.[3] === 1 ? (editor.copied().text ?? "") : "";
}

/** @param {readonly [number, number] | null} size @returns {Rect | null} */
function sheetRect(size) {
  return size && [0, 0, ...size];
}
