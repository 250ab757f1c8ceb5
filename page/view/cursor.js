// @ts-check
/** @import { Marks } from "./marks.js" */
/** @import { Viewport } from "./viewport.js" */
import { clusterWidth, graphemes } from "../model/width.js";

/**
 * The caret, and the text that an input method has not committed yet, drawn at its place. The hidden text area
 * lies under it, so the method's window opens there.
 */
export class Caret {
  #marks;
  #viewport;
  #field;
  #block = document.createElement("div");
  #draft = document.createElement("div");

  /** Where the caret stands, in cells. */
  #at = { x: 0, y: 0 };

  /** @param {Marks} marks @param {Viewport} viewport @param {HTMLTextAreaElement} field */
  constructor(marks, viewport, field) {
    this.#marks = marks;
    this.#viewport = viewport;
    this.#field = field;
    this.#block.className = "caret";
    this.#draft.className = "draft";
    viewport.changed.subscribe(() => this.#placeField());
  }

  /** Stand at a cell. @param {number} x @param {number} y @param {number} columns 2 over a wide glyph */
  stand(x, y, columns) {
    this.#marks.put(this.#block, [x, y, columns, 1]);
    this.#at = { x, y };
    this.#placeField();
    this.#restart();
  }

  /** Show uncommitted text at a cell; "" ends it. @param {number} x @param {number} y @param {string} text */
  compose(x, y, text) {
    if (!text) return this.#marks.remove(this.#draft);
    const columns = graphemes(text).reduce((sum, cluster) => sum + clusterWidth(cluster), 0);
    this.#draft.textContent = text;
    this.#draft.style.fontSize = `${(2 * this.#viewport.cell.width) / this.#viewport.ratio}px`;
    this.#marks.put(this.#draft, [x, y, Math.max(1, columns), 1]);
  }

  /** At the caret, or at the edge that is nearest to it: a text area off the screen would lose the focus. */
  #placeField() {
    const { left, top } = this.#viewport.place(this.#at.x, this.#at.y);
    const { ratio, size } = this.#viewport;
    const { offsetWidth, offsetHeight } = this.#field;
    const x = Math.max(0, Math.min(left / ratio, size.width - offsetWidth));
    const y = Math.max(0, Math.min(top / ratio, size.height - offsetHeight));
    this.#field.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** A caret that just moved is to be seen, whatever its blinking was at. */
  #restart() {
    for (const animation of this.#block.getAnimations()) animation.currentTime = 0;
  }
}
