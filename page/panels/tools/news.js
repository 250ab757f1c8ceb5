// @ts-check
/** @import { View } from "../../view/view.js" */
/** @import { Missed } from "./missed.js" */
import { Frames } from "../../view/frames.js";
import { button, make, named } from "../../parts/dom.js";
import { T } from "../../words/language.js";
import { toolIcon } from "./icons.js";

/** How long a change that has come into sight stays tinted. */
const TINTED_MS = 4000;

/**
 * What others changed while the person looked elsewhere: tinted, counted, and a jump away. The view itself stays.
 *
 * @param {View} view
 * @param {Missed} missed
 */
export function newsOf(view, missed) {
  const [out, seen] = [new Frames(view.marks, "news"), new Frames(view.marks, "news is-seen")];
  const label = make("span", "");
  const element = button("news-jump", "", () => next());
  element.append(toolIcon("news"), label);
  element.hidden = true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const next = () => {
    const [first] = missed.places;
    if (first) view.viewport.show(first);
    missed.look();
  };
  missed.changed.subscribe(({ seen: found }) => {
    const { length } = missed.places;
    element.hidden = length === 0;
    label.textContent = T.outOfSight(length);
    named(element, T.outOfSightHint(label.textContent));
    out.show(missed.places);
    if (!found.length) return;
    seen.show(found);
    clearTimeout(timer);
    timer = setTimeout(() => seen.show([]), TINTED_MS);
  });
  view.viewport.changed.subscribe(() => missed.look());
  document.addEventListener("visibilitychange", () => missed.look());
  addEventListener("pagehide", () => missed.keep());
  return { element, next };
}
