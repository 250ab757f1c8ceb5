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
  /** @type {Map<string, HTMLCanvasElement>} */
  #papers = new Map();
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  #due = new Map();

  /** @param {Ask} ask */
  constructor(ask) {
    this.#ask = ask;
  }

  /** The picture of a sheet, to be put where it is shown. @param {string} canvas @param {SheetInfo} sheet */
  of(canvas, { id, size }) {
    const known = this.#papers.get(id);
    if (known) return known;
    const paper = make("canvas", "thumb");
    [paper.width, paper.height] = [WIDTH * SCALE, HEIGHT * SCALE];
    paper.setAttribute("aria-hidden", "true");
    this.#papers.set(id, paper);
    void this.#paint(paper, { canvasId: canvas, pageId: id, ...(size && { viewport: [0, 0, ...size] }) });
    return paper;
  }

  /** A sheet has changed: its picture follows soon. @param {string} canvas @param {SheetInfo} sheet */
  refresh(canvas, { id, size }) {
    const paper = this.#papers.get(id);
    if (!paper || this.#due.has(id)) return;
    const look = { canvasId: canvas, pageId: id, ...(size && { viewport: [0, 0, ...size] }) };
    const paint = () => (this.#due.delete(id), void this.#paint(paper, look));
    this.#due.set(id, setTimeout(paint, PAUSE_MS));
  }

  /** @param {HTMLCanvasElement} canvas @param {Result} look */
  async #paint(canvas, look) {
    try {
      const { content } = await this.#ask("canvas_read", look);
      paint(canvas, shades(String(content ?? "")));
    } catch {
      // Not connected, or the sheet is gone: the picture stays as it is, and the next change asks again.
    }
  }
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
