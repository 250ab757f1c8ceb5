// @ts-check
/** @import { Preview } from "../wire/messages.js" */
/** @import { Ghost, Ghosts } from "../model/ghosts.js" */
/** @import { Rect } from "../model/region.js" */
/** @import { Marks } from "./marks.js" */
/** @import { Theme } from "./theme.js" */
/** @import { Typeface } from "./glyphs.js" */
/** @import { Viewport } from "./viewport.js" */
import { Signal } from "../lib/signal.js";
import { clipped } from "../model/region.js";
import { Brush } from "./brush.js";
import { GLYPH_MIN_WIDTH } from "./viewport.js";

/** How much of the sheet still shows under a ghost's cells. */
const VEIL = 0.88;

/**
 * Paints what agents propose: translucent cells in the agent's colour on a canvas of their own, and around each
 * a dashed frame with a tag that says who and with what.
 */
export class GhostLayer {
  /** Emitted with the preview's id when its tag is pressed. @type {Signal<string>} */
  chosen = new Signal();
  #paper;
  #viewport;
  #theme;
  #marks;
  #ghosts;
  #tagOf;
  #brush;
  #ink = { text: "", back: null };
  #sheet = "";
  #isBlank = true;
  /** Those that are put aside, so that the cells under them are seen. @type {Set<string>} */
  #aside = new Set();
  /** @type {Map<string, HTMLElement>} */
  #frames = new Map();

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{viewport: Viewport, typeface: Typeface, theme: Theme, marks: Marks}} parts
   * @param {Ghosts} ghosts
   * @param {(preview: Preview) => string} tagOf who, and with what
   */
  constructor(canvas, { viewport, typeface, theme, marks }, ghosts, tagOf) {
    const paper = canvas.getContext("2d");
    if (!paper) throw new Error("this browser has no 2D canvas");
    this.#paper = paper;
    this.#viewport = viewport;
    this.#theme = theme;
    this.#marks = marks;
    this.#ghosts = ghosts;
    this.#tagOf = tagOf;
    this.#brush = new Brush(paper, typeface, () => this.#ink);
  }

  /** Show the ghosts of this sheet from now on. @param {string} sheet */
  show(sheet) {
    this.#sheet = sheet;
    this.frame();
  }

  /** Bring the frames in line with the ghosts there are. */
  frame() {
    const ghosts = this.#ghosts.list(this.#sheet);
    const ids = new Set(ghosts.map(({ preview }) => preview.id));
    for (const [id, frame] of this.#frames) if (!ids.has(id)) this.#forget(id, frame);
    for (const ghost of ghosts) this.#frameOne(ghost);
  }

  /** Make one stand out; null for none. @param {string | null} id */
  highlight(id) {
    for (const [each, frame] of this.#frames) frame.classList.toggle("is-chosen", each === id);
  }

  /** Put one aside, or back: before and after. @param {string} id @param {boolean} isAside */
  putAside(id, isAside) {
    if (isAside) this.#aside.add(id);
    else this.#aside.delete(id);
    this.#frames.get(id)?.classList.toggle("is-aside", isAside);
  }

  /** Paint the ghosts' cells; to be called when they, the camera or the colours changed. */
  paint() {
    const ghosts = this.#ghosts.list(this.#sheet);
    if (!ghosts.length && this.#isBlank) return;
    const { canvas } = this.#paper;
    this.#paper.clearRect(0, 0, canvas.width, canvas.height);
    this.#isBlank = !ghosts.length;
    this.#brush.start();
    const seen = this.#viewport.visible();
    for (const ghost of ghosts)
      if (!this.#aside.has(ghost.preview.id) && clipped(ghost.preview.bounds, seen)) this.#paintOne(ghost, seen);
  }

  /** @param {Ghost} ghost @param {Rect} seen */
  #paintOne({ preview, runs }, seen) {
    const { cell } = this.#viewport;
    const hasGlyphs = cell.width >= GLYPH_MIN_WIDTH;
    this.#ink.text = this.#theme.voice(preview.color);
    for (const run of runs) {
      if (!clipped([run.x, run.y, run.chars.length, 1], seen)) continue;
      const { left, top } = this.#viewport.place(run.x, run.y);
      const width = run.chars.length * cell.width;
      this.#fill(this.#theme.surface("paper"), VEIL, left, top, width, cell.height);
      this.#fill(preview.color, hasGlyphs ? 0.08 : 0.4, left, top, width, cell.height);
      if (hasGlyphs) this.#brush.glyphs(run, left, top, cell);
      if (hasGlyphs) this.#strikeEmpty(run.chars, left, top);
    }
  }

  /**
   * A cell that would be cleared shows as a short dash.
   *
   * @param {readonly (string | null)[]} chars
   * @param {number} left
   * @param {number} top
   */
  #strikeEmpty(chars, left, top) {
    const { width, height } = this.#viewport.cell;
    chars.forEach((char, n) => {
      if (char === null)
        this.#fill(
          this.#ink.text,
          0.35,
          left + (n + 0.3) * width,
          top + height / 2,
          width * 0.4,
          Math.max(1, height / 14),
        );
    });
  }

  /**
   * @param {string} color
   * @param {number} alpha
   * @param {number} left
   * @param {number} top
   * @param {number} width
   * @param {number} height
   */
  #fill(color, alpha, left, top, width, height) {
    this.#paper.globalAlpha = alpha;
    this.#brush.fill(color, left, top, width, height);
    this.#paper.globalAlpha = 1;
  }

  /** @param {Ghost} ghost */
  #frameOne({ preview }) {
    const frame = this.#frames.get(preview.id) ?? this.#newFrame(preview.id);
    frame.style.setProperty("--agent", preview.color);
    const tag = frame.querySelector("button");
    if (tag) tag.textContent = this.#tagOf(preview);
    this.#marks.put(frame, preview.bounds);
  }

  /** @param {string} id */
  #newFrame(id) {
    const frame = document.createElement("div");
    frame.className = "ghost";
    const tag = document.createElement("button");
    tag.type = "button";
    tag.className = "ghost-tag";
    tag.tabIndex = -1; // the card beside the canvas is the keyboard's way
    tag.addEventListener("click", () => this.chosen.emit(id));
    frame.append(tag);
    this.#frames.set(id, frame);
    return frame;
  }

  /** @param {string} id @param {HTMLElement} frame */
  #forget(id, frame) {
    this.#frames.delete(id);
    this.#aside.delete(id);
    this.#marks.remove(frame);
  }
}
