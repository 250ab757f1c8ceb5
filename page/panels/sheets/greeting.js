// @ts-check
/** @import { Preferences } from "../../lib/preferences.js" */
/** @import { Sample } from "../../words/samples.js" */
import { clusterWidth, graphemes } from "../../model/width.js";
import { button, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";

/**
 * @typedef {object} Ways
 * @property {() => void} tour
 * @property {() => void} connect
 * @property {(sample: Sample) => void} open
 * @property {() => void} left the person begins by themselves
 */

/**
 * What greets on an empty desk: a sheet that shows what can be done. It comes once; typing, or anything it leads to,
 * sends it away for good.
 *
 * @param {HTMLElement} area
 * @param {Preferences} preferences
 * @param {Ways} ways
 * @returns {(isEmpty: boolean) => void} shows it on an empty desk, hides it on any other
 */
export function greeting(area, preferences, ways) {
  const done = (/** @type {() => void} */ act) => () => {
    preferences.choose({ greeting: "done" });
    area.hidden = true;
    act();
  };
  const samples = T.sampleCanvases.map((sample) => {
    const opener = button("sample", "", done(() => ways.open(sample)));
    const picture = make("pre", "", ...inColumns(sample.content.replace(/^\n/, "")));
    picture.setAttribute("aria-hidden", "true");
    opener.append(picture, make("b", "", sample.name), make("span", "", sample.words));
    return opener;
  });
  area.replaceChildren(
    make("h2", "", T.welcome),
    make("p", "", T.welcomeWords),
    make("ul", "ways", ...T.welcomePoints.map(([head, words]) => make("li", "", make("b", "", head), ` ${words}`))),
    make(
      "div",
      "greeting-acts",
      button("button primary", T.startDrawing, done(ways.left)),
      button("button", T.tour, done(ways.tour)),
      button("button", T.connectAgent, done(ways.connect)),
    ),
    make("h3", "", T.samples),
    make("div", "samples", ...samples),
  );
  area.addEventListener("keydown", (event) => event.stopPropagation());
  return (isEmpty) => {
    area.hidden = !isEmpty || preferences.value.greeting === "done";
  };
}

/**
 * A text as it stands on a sheet: every piece takes its columns, whatever font the browser finds for it.
 *
 * @param {string} text
 * @returns {(HTMLElement | string)[]}
 */
function inColumns(text) {
  const pieces = text.split(/([ -~]+|\n)/).flatMap((piece) => (/^[ -~]/.test(piece) ? [piece] : graphemes(piece)));
  return pieces.map((piece) => {
    if (piece === "\n") return piece;
    const held = make("i", "", piece);
    held.style.width = `${/^[ -~]/.test(piece) ? piece.length : clusterWidth(piece)}ch`;
    return held;
  });
}
