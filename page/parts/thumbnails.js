// @ts-check
/** @import { Result } from "../wire/calls.js" */
/** @import { SheetInfo } from "../wire/messages.js" */
import { shades } from "../model/miniature.js";
import { make } from "./dom.js";

/** CSS pixels of a thumbnail; painted twice as fine. */
const [WIDTH, HEIGHT, SCALE] = [56, 34, 2];

/** A sheet that changes is looked at again after this, not with every stroke. */
const PAUSE_MS = 1500;

/** A cell is twice as high as it is wide. */
const ASPECT = 2;

/** @typedef {(tool: string, args: Result) => Promise<Result>} Ask */

/** Small pictures of sheets, each asked for once and again after the sheet has changed. */
export class Thumbnails {
  #ask;
  /** By sheet, and by where they are shown. @type {Map<string, Map<string, HTMLCanvasElement>>} */
  #papers = new Map();
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  #due = new Map();

  /** @param {Ask} ask */
  constructor(ask) {
    this.#ask = ask;
  }

  /**
   * The picture of a sheet, to be put where it is shown: the same element each time.
   *
   * @param {string} canvas
   * @param {SheetInfo} sheet
   * @param {string} place a sheet may be shown in several
   */
  of(canvas, sheet, place) {
    const papers = this.#papers.get(sheet.id) ?? new Map();
    const known = papers.get(place);
    if (known) return known;
    const paper = make("canvas", "thumb");
    [paper.width, paper.height] = [WIDTH * SCALE, HEIGHT * SCALE];
    paper.setAttribute("aria-hidden", "true");
    this.#papers.set(sheet.id, papers.set(place, paper));
    void this.#paint([paper], lookAt(canvas, sheet));
    return paper;
  }

  /** A sheet has changed: its picture follows soon. @param {string} canvas @param {SheetInfo} sheet */
  refresh(canvas, sheet) {
    const papers = this.#papers.get(sheet.id);
    if (!papers || this.#due.has(sheet.id)) return;
    const paint = () => (this.#due.delete(sheet.id), void this.#paint([...papers.values()], lookAt(canvas, sheet)));
    this.#due.set(sheet.id, setTimeout(paint, PAUSE_MS));
  }

  /** @param {readonly HTMLCanvasElement[]} papers @param {Result} look */
  async #paint(papers, look) {
    try {
      const { content } = await this.#ask("canvas_read", look);
      const rows = shades(String(content ?? ""));
      for (const paper of papers) paint(paper, rows);
    } catch {
      // Not connected, or the sheet is gone: the picture stays as it is, and the next change asks again.
    }
  }
}

/** A slide whole, of an endless sheet what is written. @param {string} canvas @param {SheetInfo} sheet @returns {Result} */
function lookAt(canvas, { id, size }) {
  return { canvasId: canvas, pageId: id, ...(size && { viewport: [0, 0, ...size] }) };
}

/** @param {HTMLCanvasElement} canvas @param {number[][]} rows */
function paint(canvas, rows) {
  const paper = canvas.getContext("2d");
  if (!paper) return;
  const columns = Math.max(24, ...rows.map((row) => row.length));
  const width = Math.min(canvas.width / columns, canvas.height / Math.max(8, rows.length) / ASPECT);
  paper.clearRect(0, 0, canvas.width, canvas.height);
  paper.fillStyle = getComputedStyle(canvas).color;
  rows.forEach((row, y) =>
    row.forEach((shade, x) => {
      if (!shade) return;
      paper.globalAlpha = shade;
      paper.fillRect(x * width, y * width * ASPECT, width, width * ASPECT * 0.8);
    }),
  );
}
