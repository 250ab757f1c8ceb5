// @ts-check
import { iconButton, make } from "./dom.js";
import { T } from "../words/language.js";

const MAX_NOTICES = 3;

/** Long enough to read two lines twice. */
const STAY_MS = 9000;

/**
 * Short messages over the stage: what was refused and what to do about it. Each goes away by itself, or by its button.
 * @param {HTMLElement} area
 * @returns {(message: string, nextStep?: string) => void}
 */
export function notices(area) {
  return (message, nextStep = "") => {
    const text = make("p", "", message, nextStep && " ", nextStep && make("span", "next", nextStep));
    const close = iconButton("close", T.dismissNotice, () => notice.remove());
    const notice = make("div", "notice", text, close);
    area.append(notice);
    while (area.children.length > MAX_NOTICES) area.firstElementChild?.remove();
    setTimeout(() => notice.remove(), STAY_MS);
  };
}
