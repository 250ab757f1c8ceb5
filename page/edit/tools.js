// @ts-check
/** @import { CellStyle, CellsOp, EditOp } from "../wire/messages.js" */
/** @import { At, Rect } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Border, Pen } from "./paper.js" */
/** @import { Refusal } from "./refusal.js" */
/** @import { Room } from "./standing.js" */
import { PLAIN } from "../model/cell.js";
import { flooded } from "./area.js";
import { arrowed, boxed, lined, route } from "./shapes.js";
import { between, brushed, penciled, rubbed } from "./stroke.js";

/**
 * The tools, in the order of the tool bar. `key` chooses one while no text is typed; `cursor` is what the pointer looks
 * like over the sheet.
 */
export const TOOLS = /** @type {const} */ ([
  { name: "select", key: "v", cursor: "default" },
  { name: "text", key: "t", cursor: "text" },
  { name: "pencil", key: "p", cursor: "crosshair" },
  { name: "eraser", key: "e", cursor: "cell" },
  { name: "box", key: "r", cursor: "crosshair" },
  { name: "line", key: "l", cursor: "crosshair" },
  { name: "arrow", key: "a", cursor: "crosshair" },
  { name: "area", key: "f", cursor: "crosshair" },
  { name: "brush", key: "b", cursor: "crosshair" },
  { name: "picker", key: "i", cursor: "copy" },
  { name: "hand", key: "h", cursor: "grab" },
]);

/** @typedef {(typeof TOOLS)[number]["name"]} ToolName */

/** The tools that make an edit of a gesture. @typedef {"pencil" | "eraser" | "box" | "line" | "arrow" | "area" | "brush"} Drawing */

/** Border styles, in the order of the tool bar, each with what shows it. @type {readonly { readonly border: Border, readonly sample: string }[]} */
export const BORDERS = [
  { border: "light", sample: "┌─" },
  { border: "heavy", sample: "┏━" },
  { border: "double", sample: "╔═" },
  { border: "round", sample: "╭─" },
  { border: "ascii", sample: "+-" },
];

/**
 * What the tools draw with.
 *
 * @typedef {object} Options
 * @property {string} glyph of the pencil and of area fill
 * @property {CellStyle} style of everything that is drawn or typed
 * @property {Border} border
 * @property {boolean} joins do lines join what they meet?
 * @property {boolean} isElbow do lines and arrows turn a corner?
 * @property {string} title of the next boxes
 */

/** @type {Options} */
export const FIRST_OPTIONS = { glyph: "█", style: PLAIN, border: "light", joins: true, isElbow: false, title: "" };

/**
 * The way of a pointer that is or was down: every place it went over, and the keys that are held.
 *
 * @typedef {{ readonly path: readonly At[], readonly isShift: boolean, readonly room: Room }} Way
 */

/** @typedef {(cells: Cells, way: Way, options: Options) => CellsOp | Refusal | null} Plan */

/** What each drawing tool makes of a gesture; null when nothing would be different. @type {Readonly<Record<Drawing, Plan>>} */
export const PLANS = {
  pencil: (cells, way, { glyph, style }) => penciled(cells, steadied(way), glyph, style),
  eraser: (cells, way) => rubbed(cells, steadied(way)),
  brush: (cells, way, { style }) => brushed(cells, steadied(way), style),
  box: (cells, way, options) => boxed(cells, spanned(way), penOf(options), options.title),
  line: (cells, way, options) => lined(cells, routed(way, options), penOf(options)),
  arrow: (cells, way, options) => arrowed(cells, routed(way, options), penOf(options)),
  area: (cells, { path, room }, { glyph, style }) => flooded(cells, endOf(path), { glyph, style, room }),
};

/** @param {ToolName} name @returns {name is Drawing} */
export function isDrawing(name) {
  return Object.hasOwn(PLANS, name);
}

/** @param {Options} options @returns {Pen} */
function penOf({ border, style, joins }) {
  return { border, style, joins };
}

/** With Shift a stroke is a straight line from its beginning. @param {Way} way @returns {readonly At[]} */
function steadied({ path, isShift }) {
  if (!isShift) return path;
  const [[x0, y0], [x1, y1]] = [startOf(path), endOf(path)];
  const [right, down] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  if (right > 2 * down) return between([x0, y0], [x1, y0]);
  return down > 2 * right ? between([x0, y0], [x0, y1]) : between([x0, y0], [x1, y1]);
}

/** The corners of a line; with Shift an elbow goes down first. @param {Way} way @param {Options} options */
function routed({ path, isShift }, { isElbow }) {
  return route(startOf(path), endOf(path), { isElbow, isDownFirst: isShift });
}

/** The rectangle between the ends; with Shift it looks square, since a cell is twice as high as wide. @param {Way} way @returns {Rect} */
function spanned({ path, isShift }) {
  const [[x0, y0], [x1, y1]] = [startOf(path), endOf(path)];
  /** @type {At} */
  const [right, down] = isShift ? squared(x1 - x0, y1 - y0) : [x1 - x0, y1 - y0];
  return [Math.min(x0, x0 + right), Math.min(y0, y0 + down), Math.abs(right) + 1, Math.abs(down) + 1];
}

/** @param {number} right @param {number} down @returns {At} */
function squared(right, down) {
  const rows = Math.max(Math.abs(down), Math.ceil(Math.abs(right) / 2));
  return [(Math.sign(right) || 1) * 2 * rows, (Math.sign(down) || 1) * rows];
}

/** @param {readonly At[]} path @returns {At} */
function startOf(path) {
  return path[0] ?? [0, 0];
}

/** @param {readonly At[]} path @returns {At} */
function endOf(path) {
  return path.at(-1) ?? [0, 0];
}

/** Is it something that can be sent? @param {EditOp | Refusal | null} plan @returns {plan is EditOp} */
export function isEdit(plan) {
  return plan !== null && plan.kind !== "refused";
}
