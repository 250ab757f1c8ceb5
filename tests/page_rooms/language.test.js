import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { EN } from "../../page/words/en.js";
import { named, said, written } from "./said.js";

const PAGE = new URL("../../page/", import.meta.url);

/**
 * What is English by right: the languages themselves; drawings to begin with, which the English one names; and what
 * the wire refuses, in the broker's words, since the browser's agents read it too.
 */
const ENGLISH = /^words\/(en(_\w+)?|samples)\.js$|^wire\/refusals\.js$/;

const FILES = readdirSync(PAGE, { recursive: true }).map((name) => String(name).replaceAll("\\", "/"));
const SPEAKING = FILES.filter((name) => name.endsWith(".js") && !ENGLISH.test(name));
const HTML = FILES.filter((name) => name.endsWith(".html"));

const read = (name) => readFileSync(new URL(name, PAGE), "utf8");

test("no sentence for the person stands outside the languages", () => {
  assert.ok(SPEAKING.length > 150);
  const found = SPEAKING.flatMap((name) => said(read(name)).map((text) => [name, text]));
  assert.deepEqual(found, []);
});

test("a sentence would be found wherever it hides", () => {
  assert.deepEqual(said('say("Take over to edit here.");'), ["Take over to edit here."]);
  assert.deepEqual(said("named(one, `Draw with ${glyph}, once`);"), ["Draw with ", ", once"]);
  assert.deepEqual(said('make("p", "warns", "Gone");'), ["Gone"]);
  assert.deepEqual(said('make("p", "warns", `${a ? "was lost" : ""}`);'), ["was lost"]);
});

test("no words for the person stand in the HTML, and each of those that it names is in the language", () => {
  assert.ok(HTML.length >= 2);
  assert.deepEqual(HTML.flatMap((name) => written(read(name))), []);
  const keys = new Set(HTML.flatMap((name) => named(read(name))));
  assert.deepEqual([...keys].sort(), Object.keys(EN.page).sort());
});

test("words would be found wherever they hide in the HTML", () => {
  assert.deepEqual(written('<h1>Chardesk</h1><p id="a">Gone <b>now</b></p>'), ["Gone", "now"]);
  assert.deepEqual(written('<input placeholder="Your name"><a title="A" aria-label="Go"></a>'), ["Your name", "A", "Go"]);
  assert.deepEqual(written("<!-- why --><noscript><p>No script</p></noscript><pre>chardesk open</pre>"), []);
});

test("errors for those who build the page, and names of fonts, are no sentences", () => {
  assert.deepEqual(said('throw new Error("this browser has no 2D canvas"); const F = [\'"Segoe UI Emoji"\'];'), []);
  assert.deepEqual(said('say(new Words("this browser is old"))'), ["this browser is old"]);
});

test("keys and classes are no sentences", () => {
  assert.deepEqual(said('make("p", "text-button place", T.show); if (event.key === "Escape") go();'), []);
  assert.deepEqual(said('// "Not this one"\n/* "nor this" */ const is = /"A word"/; "use strict";'), []);
  assert.deepEqual(said('const KEYS = { "Shift+Enter": "previous" }; list.className = "menu is-open";'), []);
});
