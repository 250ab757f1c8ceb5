// @ts-check
/** @import { CellsOp } from "../wire/messages.js" */
/** @import { At, Rect } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { Pen } from "./paper.js" */
import { columnsOf } from "../model/text.js";
import { Paper } from "./paper.js";

/** Heads by direction: up, right, down, left; the first for lines of ASCII. */
const HEADS = { ascii: ["^", ">", "v", "<"], others: ["▲", "►", "▼", "◄"] };

/** A title needs a corner, a piece of border and a space on either side. */
const TITLE_MARGIN = 6;

/**
 * A box, with a title in its upper border where there is room.
 *
 * @param {Cells} cells
 * @param {Rect} rect
 * @param {Pen} pen
 * @param {string} [title]
 * @returns {CellsOp | null} Null when nothing would be different.
 */
export function boxed(cells, rect, pen, title = "") {
  const paper = new Paper(cells);
  drawBox(paper, rect, pen, title);
  return paper.op("box");
}

/**
 * A line through points that follow each other in a row or column.
 *
 * @param {Cells} cells
 * @param {readonly At[]} points
 * @param {Pen} pen
 * @returns {CellsOp | null}
 */
export function lined(cells, points, pen) {
  const paper = new Paper(cells);
  paper.stroke(points, pen);
  return paper.op("line");
}

/**
 * A line with a head at its end, pointing on in the line's direction.
 *
 * @param {Cells} cells
 * @param {readonly At[]} points
 * @param {Pen} pen
 * @returns {CellsOp | null}
 */
export function arrowed(cells, points, pen) {
  const paper = new Paper(cells);
  drawArrow(paper, points, pen);
  return paper.op("arrow");
}

/** @param {Paper} paper @param {Rect} rect @param {Pen} pen @param {string} title */
export function drawBox(paper, [x, y, width, height], pen, title) {
  const [right, bottom] = [x + width - 1, y + height - 1];
  /** @type {At[]} */
  const corners = [[x, y], [right, y], [right, bottom], [x, bottom], [x, y]];
  paper.stroke(corners, pen);
  const shown = width > 2 && height > 2 ? fitting(title, width - TITLE_MARGIN) : "";
  if (shown) paper.words([x + 2, y], ` ${shown} `, { ...pen.style, attrs: { bold: true } });
}

/** @param {Paper} paper @param {readonly At[]} points @param {Pen} pen */
export function drawArrow(paper, points, pen) {
  paper.stroke(points, pen);
  const [end, before] = [points.at(-1), points.findLast((point) => String(point) !== String(points.at(-1)))];
  if (!end) return;
  const heads = HEADS[pen.border === "ascii" ? "ascii" : "others"];
  paper.words(end, heads[before ? direction(before, end) : 1] ?? "►", pen.style);
}

/**
 * The corners of a line between two places: straight along its longer side, or with an elbow, along the row first.
 *
 * @param {At} start
 * @param {At} end
 * @param {{ isElbow: boolean, isDownFirst: boolean }} how
 * @returns {At[]}
 */
export function route([x0, y0], [x1, y1], { isElbow, isDownFirst }) {
  const isFlat = Math.abs(x1 - x0) >= Math.abs(y1 - y0);
  if (!isElbow) return [[x0, y0], isFlat ? [x1, y0] : [x0, y1]];
  if (x0 === x1 || y0 === y1) return [[x0, y0], [x1, y1]];
  return [[x0, y0], isDownFirst ? [x0, y1] : [x1, y0], [x1, y1]];
}

/** As many whole words as fit. @param {string} title @param {number} room columns */
function fitting(title, room) {
  const words = title.split(/\s+/).filter(Boolean);
  while (words.length && columnsOf(words.join(" ")).length > room) words.pop();
  return words.join(" ");
}

/** @param {At} from @param {At} to */
function direction([x0, y0], [x1, y1]) {
  if (x0 === x1) return y1 > y0 ? 2 : 0;
  return x1 > x0 ? 1 : 3;
}
