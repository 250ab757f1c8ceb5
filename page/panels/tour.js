// @ts-check
import { button, make } from "../parts/dom.js";
import { T } from "../words/language.js";

/** What each step points at, in the order of `T.tourSteps`. */
const PLACES = ["#sheet", ".dock-tools", "#sheets", "#agents-section", "#activity-section", "#open-help"];

/**
 * Two minutes through the page, one card a step; Escape or its button leaves at any time.
 *
 * @param {() => void} [over] told when it ends, however
 */
export function startTour(over = () => undefined) {
  let at = 0;
  const title = make("h2", "");
  const words = make("p", "");
  const count = make("span", "count");
  const back = button("button", T.back, () => step(-1));
  const next = button("button primary", T.next, () => step(1));
  const leave = button("text-button", T.leaveTour, () => end());
  const card = make("div", "tour", title, words, make("div", "dialog-foot", count, leave, back, next));
  const ring = make("div", "tour-ring");
  card.setAttribute("role", "dialog");
  card.setAttribute("aria-label", T.tour);
  const keys = (/** @type {KeyboardEvent} */ event) => {
    event.stopPropagation();
    if (event.key === "Escape") end();
  };
  card.addEventListener("keydown", keys);
  const end = () => {
    card.remove();
    ring.remove();
    removeEventListener("resize", show);
    over();
  };
  const step = (/** @type {number} */ by) => {
    at += by;
    if (at >= PLACES.length) return end();
    show();
    next.focus();
  };
  const show = () => {
    const [heading = "", text = ""] = T.tourSteps[at] ?? [];
    [title.textContent, words.textContent] = [heading, text];
    count.textContent = T.stepOf(at + 1, PLACES.length);
    back.disabled = at === 0;
    next.textContent = at === PLACES.length - 1 ? T.done : T.next;
    stand(card, ring, document.querySelector(PLACES[at] ?? ""));
  };
  addEventListener("resize", show);
  document.body.append(ring, card);
  show();
  next.focus();
}

/** The card stands beside what it speaks of, or in the middle when that is not to be seen. @param {HTMLElement} card @param {HTMLElement} ring @param {Element | null} target */
function stand(card, ring, target) {
  const isSeen = target?.checkVisibility() ?? false;
  const at = isSeen && target ? target.getBoundingClientRect() : new DOMRect(innerWidth / 2, innerHeight / 2, 0, 0);
  ring.hidden = !isSeen;
  Object.assign(ring.style, {
    left: `${at.left}px`,
    top: `${at.top}px`,
    width: `${at.width}px`,
    height: `${at.height}px`,
  });
  const { width, height } = card.getBoundingClientRect();
  const isBig = at.width > innerWidth / 2 && at.height > innerHeight / 2;
  const left = isBig ? at.left + (at.width - width) / 2 : at.left + at.width / 2 - width / 2;
  const below = at.bottom + 12 + height < innerHeight ? at.bottom + 12 : at.top - height - 12;
  const top = isBig || below < 8 ? Math.max(at.top, 0) + 48 : below;
  card.style.left = `${Math.max(12, Math.min(left, innerWidth - width - 12))}px`;
  card.style.top = `${Math.max(12, Math.min(top, innerHeight - height - 12))}px`;
}
