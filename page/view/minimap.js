// @ts-check
/** @import { Rect } from "../model/region.js" */
/** @import { Replica } from "../model/replica.js" */
/** @import { View } from "./view.js" */
import { clipped, union } from "../model/region.js";
import { fitCanvas } from "./rulers.js";
import { CELL_HEIGHT, CELL_WIDTH, FIT_MIN_ZOOM, Viewport } from "./viewport.js";

/** CSS pixels. */
const SIZE = { width: 168, height: 104 };

/** Painted at most this often while cells change: it is looked at from the corner of an eye. */
const PAUSE_MS = 400;

/** The camera rests for this long before the map follows it: until then only the frame moves, so that a pan stays smooth. */
const REST_MS = 200;

/**
 * The whole sheet, small, with a frame around what the person sees; of a sheet that is too large for that, the part
 * around it.
 */
export class Minimap {
  #canvas;
  #frame;
  #view;
  #camera = new Viewport();
  #painter;
  /** @type {{ replica: Replica, size: readonly [number, number] | null } | null} */
  #shown = null;
  #isAsked = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #rest;
  /** @type {() => void} */
  #unwatch = () => undefined;

  /** @param {HTMLElement} box @param {View} view */
  constructor(box, view) {
    this.#view = view;
    this.#canvas = document.createElement("canvas");
    this.#frame = document.createElement("div");
    this.#frame.className = "minimap-frame";
    box.append(this.#canvas, this.#frame);
    this.#painter = view.painter(this.#canvas, this.#camera);
    view.viewport.changed.subscribe(() => this.#follow());
    box.addEventListener("pointerdown", (event) => (box.setPointerCapture(event.pointerId), this.#look(event)));
    box.addEventListener("pointermove", (event) => event.buttons && this.#look(event));
  }

  /** Show this sheet from now on. @param {Replica} replica @param {readonly [number, number] | null} size of a slide */
  show(replica, size) {
    if (replica !== this.#shown?.replica) {
      this.#unwatch();
      this.#unwatch = replica.changed.subscribe(() => this.ask());
    }
    this.#shown = { replica, size };
    this.#painter.show({ strip: (y, x0, x1) => replica.strip(y, x0, x1), bounds: () => replica.bounds(), size });
    this.ask();
  }

  /** Does it help: is there more than is on the screen? */
  get isOfUse() {
    const world = this.#world();
    const seen = world && clipped(world, this.#view.viewport.visible());
    return world !== null && String(seen) !== String(world);
  }

  /** Bring it up to date, soon. */
  ask() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    setTimeout(() => {
      this.#isAsked = false;
      this.#paint();
    }, PAUSE_MS);
  }

  #follow() {
    this.#placeFrame();
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#paint(), REST_MS);
  }

  #paint() {
    const box = this.#canvas.parentElement;
    if (!box) return;
    box.hidden = !this.isOfUse;
    const world = this.#world();
    if (box.hidden || !world) return;
    fitCanvas(this.#canvas, SIZE, devicePixelRatio);
    this.#camera.resize(SIZE.width, SIZE.height, devicePixelRatio);
    this.#camera.fit(this.#near(world));
    this.#painter.invalidateAll();
    this.#painter.paint();
    this.#placeFrame();
  }

  /** What there is, and what the person looks at. @returns {Rect | null} */
  #world() {
    const bounds = this.#shown?.size ? /** @type {Rect} */ ([0, 0, ...this.#shown.size]) : this.#shown?.replica.bounds();
    return bounds ? union([bounds, this.#view.viewport.visible()]) : null;
  }

  /** The part of the world that can be shown. @param {Rect} world @returns {Rect} */
  #near(world) {
    const columns = Math.floor(SIZE.width / (CELL_WIDTH * FIT_MIN_ZOOM)) - 8;
    const rows = Math.floor(SIZE.height / (CELL_HEIGHT * FIT_MIN_ZOOM)) - 4;
    const [x, y, width, height] = this.#view.viewport.visible();
    const [left, top] = [Math.floor(x + (width - columns) / 2), Math.floor(y + (height - rows) / 2)];
    return world[2] <= columns && world[3] <= rows ? world : (clipped(world, [left, top, columns, rows]) ?? world);
  }

  #placeFrame() {
    const [x, y, columns, rows] = this.#view.viewport.visible();
    const { left, top } = this.#camera.place(x, y);
    const { width, height } = this.#camera.cell;
    const { ratio } = this.#camera;
    this.#frame.style.transform = `translate(${left / ratio}px, ${top / ratio}px)`;
    this.#frame.style.width = `${(columns * width) / ratio}px`;
    this.#frame.style.height = `${(rows * height) / ratio}px`;
  }

  /** @param {PointerEvent} event */
  #look(event) {
    const { left, top } = this.#canvas.getBoundingClientRect();
    const { x, y } = this.#camera.at(event.clientX - left, event.clientY - top);
    this.#view.viewport.center(x, y);
  }
}
