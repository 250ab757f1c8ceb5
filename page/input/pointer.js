// @ts-check
/** @import { At } from "../model/region.js" */
/** @import { Viewport } from "../view/viewport.js" */
/** @import { Gestures, Held } from "../edit/gestures.js" */
/** @import { Toolbox } from "../edit/toolbox.js" */
/** In CSS pixels from the sheet's corner. @typedef {{left: number, top: number}} Point */
/** @typedef {{x: number, y: number}} Cell */

/** What the pointer does while it is down. @typedef {"nothing" | "gesture" | "pan" | "tap"} Doing */

/** A wheel notch (100 px) zooms by a fifth; a pinch sends many small ones. */
const ZOOM_PER_PX = Math.log(1.2) / 100;

/** Wheels count pixels, lines or pages; a line is a row of cells. */
const LINE_PX = 20;

/** A finger that moves less is still a tap. */
const TAP_PX = 8;

/** Two presses this close, in time and place, are a double one. */
const DOUBLE_MS = 400;
const DOUBLE_PX = 24;

/**
 * Mouse, pen and fingers on the sheet: a press and a drag are the tool's; the middle button, the hand, Space or two
 * fingers pan, and with the text tool one finger too; a pinch or Ctrl and the wheel zoom; the wheel pans.
 */
export class Pointer {
  /** Does a drag pan, whatever the tool? Space is held. */
  isPanKeyDown = false;
  #target;
  #viewport;
  #toolbox;
  #gestures;
  #told;
  /** @type {Map<number, Point>} Fingers and buttons that are down. */
  #down = new Map();
  /** @type {Doing} */
  #doing = "nothing";
  /** Has a drag begun beside the sheet, and not come to it yet? */
  #isBeside = false;
  /** The last press. */
  #last = { time: -Infinity, left: 0, top: 0 };

  /**
   * @param {HTMLElement} target
   * @param {readonly HTMLElement[]} rims what stands along its edges: a selection may begin there
   * @param {{ viewport: Viewport, toolbox: Toolbox, gestures: Gestures }} parts
   * @param {object} told
   * @param {() => void} told.press comes before anything that a press does
   * @param {(at: At) => void} told.double
   * @param {(at: At, point: Point) => void} told.menu
   * @param {(cell: Cell | null) => void} told.hover
   */
  constructor(target, rims, { viewport, toolbox, gestures }, told) {
    this.#target = target;
    this.#viewport = viewport;
    this.#toolbox = toolbox;
    this.#gestures = gestures;
    this.#told = told;
    target.addEventListener("pointerdown", (event) => this.#press(event));
    for (const rim of rims) rim.addEventListener("pointerdown", (event) => this.#pressBeside(event));
    target.addEventListener("pointermove", (event) => this.#move(event));
    target.addEventListener("pointerup", (event) => this.#release(event));
    target.addEventListener("pointercancel", (event) => (gestures.cancel(), this.#release(event)));
    target.addEventListener("pointerleave", () => told.hover(null));
    target.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    target.addEventListener("contextmenu", (event) => this.#menu(event));
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.target instanceof HTMLButtonElement) return;
    event.preventDefault(); // the text area keeps the focus, and the middle button does not scroll
    if (event.button === 2) return;
    this.#target.setPointerCapture(event.pointerId);
    const point = this.#point(event);
    this.#down.set(event.pointerId, point);
    if (this.#down.size > 1) return this.#pinchBegins();
    this.#do(this.#meant(event));
    if (this.#doing === "pan") return;
    this.#told.press();
    if (this.#doing === "gesture") this.#gestures.begin(this.#within(event), heldIn(event));
    if (this.#isDouble(event, point)) this.#told.double(this.#at(event));
  }

  /** A selection that begins beside the sheet begins at its edge; no tool draws from there. @param {PointerEvent} event */
  #pressBeside(event) {
    const isSelecting = this.#toolbox.isTyping || this.#toolbox.tool === "select";
    this.#isBeside = isSelecting && event.button === 0 && event.pointerType !== "touch";
    if (this.#isBeside) this.#press(event);
  }

  /** @param {PointerEvent} event @returns {Doing} */
  #meant(event) {
    if (this.#toolbox.tool === "hand" || event.button === 1 || this.isPanKeyDown) return "pan";
    return event.pointerType === "touch" && this.#toolbox.isTyping ? "tap" : "gesture";
  }

  /** A second finger: whatever the first one began was not meant. */
  #pinchBegins() {
    this.#gestures.cancel();
    this.#do("pan");
  }

  /** @param {Doing} doing */
  #do(doing) {
    this.#doing = doing;
    this.#target.classList.toggle("is-panning", doing === "pan");
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { x, y } = this.#cell(event);
    this.#told.hover({ x, y });
    const before = this.#down.get(event.pointerId);
    if (!before) return;
    const now = this.#point(event);
    if (distance(this.#last, now) >= TAP_PX) this.#last.time = -Infinity; // a drag is no half of a double press
    else if (this.#doing === "tap") return;
    if (this.#doing === "tap") this.#do("pan");
    if (this.#down.size > 1) this.#pinch(event.pointerId, before, now);
    else if (this.#doing === "pan") this.#viewport.pan(before.left - now.left, before.top - now.top);
    else if (this.#doing === "gesture") this.#drag(event, now);
    this.#down.set(event.pointerId, now);
  }

  /** A drag over the edge takes the view along. @param {PointerEvent} event @param {Point} point */
  #drag(event, { left, top }) {
    const { width, height } = this.#viewport.size;
    const isOut = left < 0 || top < 0 || left > width || top > height;
    this.#isBeside &&= isOut;
    const [x, y] = this.#isBeside ? this.#within(event) : this.#at(event);
    this.#gestures.to([x, y], heldIn(event));
    if (isOut && !this.#isBeside) this.#viewport.reveal(x, y);
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

  /** @param {PointerEvent} event */
  #release(event) {
    this.#down.delete(event.pointerId);
    if (this.#down.size) return;
    if (this.#doing === "tap") this.#gestures.begin(this.#at(event));
    if (this.#doing === "tap" || this.#doing === "gesture") this.#gestures.end();
    this.#isBeside = false;
    this.#do("nothing");
  }

  /** A long press by a finger asks for it too: then the finger has begun nothing else. @param {MouseEvent} event */
  #menu(event) {
    event.preventDefault();
    if (event instanceof PointerEvent && event.pointerType === "touch") {
      this.#gestures.cancel();
      this.#do("nothing");
    }
    if (this.#doing === "nothing") this.#told.menu(this.#at(event), { left: event.clientX, top: event.clientY });
  }

  /** @param {PointerEvent} event @param {Point} point */
  #isDouble(event, { left, top }) {
    const before = this.#last;
    this.#last = { time: event.timeStamp, left, top };
    return event.timeStamp - before.time < DOUBLE_MS && distance(before, { left, top }) < DOUBLE_PX;
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

  /** @param {MouseEvent} event @returns {Cell} */
  #cell(event) {
    const { left, top } = this.#point(event);
    return this.#viewport.at(left, top);
  }

  /** The nearest cell that is on the screen. @param {MouseEvent} event @returns {At} */
  #within(event) {
    const { left, top } = this.#point(event);
    const { width, height } = this.#viewport.size;
    const { x, y } = this.#viewport.at(Math.max(0, Math.min(left, width - 1)), Math.max(0, Math.min(top, height - 1)));
    return [x, y];
  }

  /** @param {MouseEvent} event @returns {At} */
  #at(event) {
    const { x, y } = this.#cell(event);
    return [x, y];
  }
}

/** @param {MouseEvent} event @returns {Held} */
function heldIn({ shiftKey, ctrlKey, metaKey, altKey }) {
  return { isShift: shiftKey, isAdding: ctrlKey || metaKey, isCopying: altKey };
}

/** @param {Point} a @param {Point} b */
function distance(a, b) {
  return Math.hypot(a.left - b.left, a.top - b.top);
}
