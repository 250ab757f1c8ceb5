// @ts-check
/** @import { Link } from "../../wire/link.js" */
/** @import { Viewport } from "../../view/viewport.js" */
import { MAX_ZOOM } from "../../view/viewport.js";
import { iconButton, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";

/** Which slide a key leads to, counted from the one that is shown. @type {Readonly<Record<string, number>>} */
const STEPS = {
  ArrowRight: 1,
  ArrowDown: 1,
  PageDown: 1,
  Enter: 1,
  " ": 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  PageUp: -1,
  Backspace: -1,
  Home: -Infinity,
  End: Infinity,
};

/**
 * The slides of the open canvas over the whole screen: arrow keys, space or the buttons turn, N shows what a
 * slide's note says to its speaker and hides it again, Escape ends. Nothing can be edited meanwhile.
 *
 * @param {HTMLElement} app
 * @param {{ link: Link, viewport: Viewport, sheet: HTMLElement }} parts the sheet's size is the camera's
 * @returns {() => void} begins
 */
export function presentation(app, { link, viewport, sheet }) {
  let isOn = false;
  const count = make("span", "");
  const note = make("p", "present-note");
  note.setAttribute("aria-label", T.speakersNote);
  note.setAttribute("role", "note");
  note.hidden = true;
  const bar = make(
    "div",
    "present-bar",
    iconButton("left", T.previousSlide, () => turn(-1)),
    count,
    iconButton("right", T.nextSlide, () => turn(1)),
    iconButton("close", T.endShow, () => end()),
  );
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", T.present);
  bar.hidden = true;
  app.append(note, bar);

  const where = () => {
    const shelf = link.canvases.value;
    const sheets = shelf?.canvases.find(({ id }) => id === shelf.canvas)?.sheets ?? [];
    return { canvas: shelf?.canvas ?? "", sheets, at: sheets.findIndex(({ id }) => id === shelf?.sheet) };
  };
  /** @param {number} step */
  const turn = (step) => {
    const { canvas, sheets, at } = where();
    const next = sheets[Math.max(0, Math.min(sheets.length - 1, at + step))];
    if (next) link.activate(canvas, next.id);
  };
  const show = () => {
    if (!isOn) return;
    const { sheets, at } = where();
    count.textContent = T.slideOf(at + 1, sheets.length);
    note.textContent = sheets[at]?.note || T.noSpeakersNote;
    const size = sheets[at]?.size;
    if (size) requestAnimationFrame(() => viewport.fit([0, 0, ...size], MAX_ZOOM));
  };
  /** @param {KeyboardEvent} event */
  const keys = (event) => {
    const step = STEPS[event.key];
    if (event.target instanceof HTMLButtonElement && (event.key === "Enter" || event.key === " ")) return;
    if (event.key === "Escape") end();
    else if (step !== undefined) turn(step);
    else if (event.key.toLowerCase() === "n") note.hidden = !note.hidden;
    else if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
  };
  const begin = () => {
    isOn = true;
    bar.hidden = false;
    app.classList.add("is-presenting");
    document.addEventListener("keydown", keys, true);
    bar.querySelector("button")?.focus();
    // Where full screen is not allowed the window has to do.
    void app.requestFullscreen?.().catch(() => undefined);
    show();
  };
  const end = () => {
    if (!isOn) return;
    isOn = false;
    bar.hidden = true;
    note.hidden = true;
    app.classList.remove("is-presenting");
    document.removeEventListener("keydown", keys, true);
    if (document.fullscreenElement) void document.exitFullscreen();
  };
  document.addEventListener("fullscreenchange", () => (document.fullscreenElement ? show() : end()));
  link.canvases.subscribe(show);
  new ResizeObserver(() => requestAnimationFrame(show)).observe(sheet);
  return begin;
}
