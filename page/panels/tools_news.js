// @ts-check
/** @import { Replica } from "../model/replica.js" */
/** @import { View } from "../view/view.js" */
import { Unseen } from "../model/unseen.js";
import { Frames } from "../view/frames.js";
import { button, make, named } from "./dom.js";
import { T } from "./language.js";
import { toolIcon } from "./tools_icons.js";

/** How long a change that has come into sight stays tinted. */
const TINTED_MS = 4000;

/**
 * What others changed while the person looked elsewhere: tinted, counted, and a jump away. The view itself stays.
 *
 * @param {{ view: View, replica: () => Replica }} parts
 */
export function newsOf({ view, replica }) {
  const unseen = new Unseen();
  const [missed, seen] = [new Frames(view.marks, "news"), new Frames(view.marks, "news is-seen")];
  const label = make("span", "");
  const element = button("news-jump", "", () => next());
  element.append(toolIcon("news"), label);
  element.hidden = true;
  let unwatch = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const visible = () => (document.visibilityState === "visible" ? view.viewport.visible() : null);
  const show = () => {
    const { length } = unseen.places;
    element.hidden = length === 0;
    label.textContent = T.outOfSight(length);
    named(element, T.outOfSightHint(label.textContent));
    missed.show(unseen.places);
  };
  const look = () => {
    const now = visible();
    const found = now ? unseen.look(now) : [];
    if (!found.length) return;
    seen.show(found);
    clearTimeout(timer);
    timer = setTimeout(() => seen.show([]), TINTED_MS);
    show();
  };
  const next = () => {
    const [first] = unseen.places;
    if (first) view.viewport.show(first);
    look();
  };
  view.viewport.changed.subscribe(look);
  document.addEventListener("visibilitychange", look);
  /** Another sheet: what was missed on it is not known. @param {Replica} watched */
  const watch = (watched) => {
    unwatch();
    unseen.clear();
    show();
    unwatch = watched.changed.subscribe(({ rects, origin }) => {
      if (origin !== "remote" || watched !== replica()) return;
      unseen.add(rects, visible());
      show();
    });
  };
  return { element, next, watch };
}
