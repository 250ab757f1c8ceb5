// @ts-check
/** @import { Viewport } from "../view/viewport.js" */
/** @import { Editor } from "./editor.js" */
/** In CSS pixels from the sheet's corner. @typedef {{left: number, top: number}} Point */
/** @typedef {{x: number, y: number}} Cell */

/** A wheel notch (100 px) zooms by a fifth; a pinch sends many small ones. */
const ZOOM_PER_PX = Math.log(1.2) / 100;

/** Wheels count pixels, lines or pages; a line is a row of cells. */
const LINE_PX = 20;

/**
 * Mouse, pen and fingers on the sheet: a press puts the cursor, a drag selects; the middle button, the hand
 * or two fingers pan; a pinch or Ctrl and the wheel zoom; the wheel pans.
 */
export class Pointer {
  /** Does a plain drag pan? */
  isHand = false;
  #target;
  #viewport;
  #editor;
  #told;
  /** @type {Map<number, Point>} Fingers and buttons that are down. */
  #down = new Map();
  #isPanning = false;

  /**
   * @param {HTMLElement} target
   * @param {Viewport} viewport
   * @param {Editor} editor
   * @param {{press: () => void, hover: (cell: Cell | null) => void}} told `press` comes before the cursor moves
   */
  constructor(target, viewport, editor, told) {
    this.#target = target;
    this.#viewport = viewport;
    this.#editor = editor;
    this.#told = told;
    target.addEventListener("pointerdown", (event) => this.#press(event));
    target.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) target.addEventListener(end, (event) => this.#release(event));
    target.addEventListener("pointerleave", () => told.hover(null));
    target.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    target.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** @param {boolean} isHand */
  hand(isHand) {
    this.isHand = isHand;
    this.#target.classList.toggle("is-hand", isHand);
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.target instanceof HTMLButtonElement || event.button === 2) return;
    event.preventDefault(); // the text area keeps the focus, and the middle button does not scroll
    this.#target.setPointerCapture(event.pointerId);
    this.#down.set(event.pointerId, this.#point(event));
    this.#isPanning = this.isHand || event.button === 1 || this.#down.size > 1;
    this.#target.classList.toggle("is-panning", this.#isPanning);
    if (this.#isPanning) return;
    this.#told.press();
    const { x, y } = this.#cell(event);
    if (event.shiftKey) this.#editor.extend([x, y]);
    else this.#editor.place([x, y]);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    this.#told.hover(this.#cell(event));
    const before = this.#down.get(event.pointerId);
    if (!before) return;
    const now = this.#point(event);
    if (this.#down.size > 1) this.#pinch(event.pointerId, before, now);
    else if (this.#isPanning) this.#viewport.pan(before.left - now.left, before.top - now.top);
    else this.#drag(this.#cell(event), now);
    this.#down.set(event.pointerId, now);
  }

  /** A drag over the edge takes the view along. @param {Cell} cell @param {Point} point */
  #drag({ x, y }, { left, top }) {
    this.#editor.extend([x, y]);
    const { width, height } = this.#viewport.size;
    if (left < 0 || top < 0 || left > width || top > height) this.#viewport.reveal(x, y);
  }

  /**
   * Two fingers: the middle between them pans, their distance zooms.
   *
   * @param {number} id
   * @param {Point} before
   * @param {Point} now
   */
  #pinch(id, before, now) {
    const still = [...this.#down].find(([other]) => other !== id)?.[1];
    if (!still) return;
    const factor = distance(still, now) / distance(still, before);
    this.#viewport.pan((before.left - now.left) / 2, (before.top - now.top) / 2);
    this.#viewport.zoomBy(factor, (still.left + now.left) / 2, (still.top + now.top) / 2);
  }

  /** @param {Event} event */
  #release(event) {
    if (event instanceof PointerEvent) this.#down.delete(event.pointerId);
    if (this.#down.size) return;
    this.#isPanning = false;
    this.#target.classList.remove("is-panning");
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const { left, top } = this.#point(event);
    const unit = [1, LINE_PX, this.#viewport.size.height][event.deltaMode] ?? 1;
    const [right, down] = [event.deltaX * unit, event.deltaY * unit];
    if (event.ctrlKey || event.metaKey) this.#viewport.zoomBy(Math.exp(-down * ZOOM_PER_PX), left, top);
    else if (event.shiftKey && !right) this.#viewport.pan(down, 0);
    else this.#viewport.pan(right, down);
  }

  /** @param {MouseEvent} event @returns {Point} */
  #point(event) {
    const box = this.#target.getBoundingClientRect();
    return { left: event.clientX - box.left, top: event.clientY - box.top };
  }

  /** @param {MouseEvent} event */
  #cell(event) {
    const { left, top } = this.#point(event);
    return this.#viewport.at(left, top);
  }
}

/** @param {Point} a @param {Point} b */
function distance(a, b) {
  return Math.hypot(a.left - b.left, a.top - b.top);
}
