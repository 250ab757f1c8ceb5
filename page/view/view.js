// @ts-check
/** @import { Preview } from "../wire/messages.js" */
/** @import { Ghosts } from "../model/ghosts.js" */
/** @import { Replica } from "../model/replica.js" */
/** @import { Stage } from "./stage.js" */
import { Signal } from "../lib/signal.js";
import { CellCanvas } from "./canvas.js";
import { Caret } from "./cursor.js";
import { Flashes } from "./flash.js";
import { GhostLayer } from "./ghosts.js";
import { Typeface } from "./glyphs.js";
import { Marks } from "./marks.js";
import { Rulers, fitCanvas } from "./rulers.js";
import { SelectionMark } from "./selection.js";
import { Theme } from "./theme.js";
import { Viewport } from "./viewport.js";

/** Everything on the stage. Whatever changes asks for one frame, and one frame paints all of it. */
export class View {
  viewport = new Viewport();
  /** Emitted after each frame: what the replica held then has been painted. @type {Signal<void>} */
  painted = new Signal();
  #stage;
  #isAsked = false;
  #typeface = new Typeface();
  #theme = new Theme();
  /** Where elements lie over cells. */
  marks;
  #edge = document.createElement("div");
  /** @type {() => void} */
  #unwatch = () => undefined;

  /**
   * @param {Stage} stage
   * @param {Ghosts} ghosts
   * @param {(preview: Preview) => string} tagOf what stands on a ghost's tag
   */
  constructor(stage, ghosts, tagOf) {
    this.#stage = stage;
    this.marks = new Marks(stage.marks, this.viewport);
    this.#edge.className = "slide-edge";
    const parts = { viewport: this.viewport, typeface: this.#typeface, theme: this.#theme, marks: this.marks };
    this.cells = new CellCanvas(stage.cells, this.viewport, this.#typeface, this.#theme);
    this.ghosts = new GhostLayer(stage.ghosts, parts, ghosts, tagOf);
    this.rulers = new Rulers(stage.rulerTop, stage.rulerLeft, this.viewport, this.#theme);
    this.caret = new Caret(this.marks, this.viewport, stage.field);
    this.selection = new SelectionMark(this.marks);
    this.flashes = new Flashes(this.marks);
    this.viewport.changed.subscribe(() => this.ask());
    ghosts.changed.subscribe(() => this.#reframe());
    for (const { changed } of [this.#typeface, this.#theme]) changed.subscribe(() => this.#repaint());
    new ResizeObserver(() => this.#resize()).observe(stage.sheet);
    this.#watchRatio();
    this.#resize();
  }

  /**
   * Paint this sheet from now on.
   *
   * @param {Replica} replica
   * @param {readonly [number, number] | null} size of a slide
   */
  show(replica, size) {
    this.#unwatch();
    this.cells.show({ strip: (y, x0, x1) => replica.strip(y, x0, x1), bounds: () => replica.bounds(), size });
    this.ghosts.show(replica.sheetId);
    if (size) this.marks.put(this.#edge, [0, 0, ...size]);
    else this.marks.remove(this.#edge);
    this.#unwatch = replica.changed.subscribe(({ rects, origin, color }) => {
      if (origin === "snapshot") this.#repaint();
      else this.cells.invalidate(rects);
      if (origin === "remote" && color) this.flashes.light(rects, color);
      this.ask();
    });
    this.ask();
  }

  /** Paint in the next frame, however often this is asked. */
  ask() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => this.#paint());
  }

  /** The style sheet's colours or fonts are others now; `scale` is what 100 % means. @param {number} scale */
  restyle(scale) {
    this.#theme.refresh();
    this.#typeface.refresh();
    this.viewport.scale(scale);
  }

  /** What paints cells like these on a canvas of its own, with a camera of its own. @param {HTMLCanvasElement} canvas @param {Viewport} camera */
  painter(canvas, camera) {
    return new CellCanvas(canvas, camera, this.#typeface, this.#theme);
  }

  #paint() {
    this.#isAsked = false;
    const start = performance.now();
    this.cells.paint();
    this.ghosts.paint();
    this.rulers.paint();
    performance.clearMeasures("paint");
    performance.measure("paint", { start, end: performance.now() });
    this.painted.emit();
  }

  #reframe() {
    this.ghosts.frame();
    this.ask();
  }

  #repaint() {
    this.cells.invalidateAll();
    this.ask();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#stage.sheet;
    for (const canvas of [this.#stage.cells, this.#stage.ghosts])
      fitCanvas(canvas, { width, height }, devicePixelRatio);
    this.viewport.resize(width, height, devicePixelRatio);
    this.cells.invalidateAll();
    this.#paint(); // now, not in the next frame: until then a resized canvas is empty
  }

  /** A window that moves to another screen, or a zoom of the browser, changes the ratio without a resize. */
  #watchRatio() {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      "change",
      () => {
        this.#resize();
        this.#watchRatio();
      },
      { once: true },
    );
  }
}
