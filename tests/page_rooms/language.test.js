import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { said } from "./said.js";

const PAGE = new URL("../../page/", import.meta.url);

/** What is English by right: the languages themselves, and drawings to begin with, which the English one names. */
const LANGUAGES = new Set(["panels/en.js", "panels/en_company.js", "panels/en_work.js", "panels/samples.js"]);

/** The rooms that speak to the person. What the wire refuses is in the broker's words. */
const SPEAKING = ["", "edit/", "input/", "panels/"]
  .flatMap((room) => readdirSync(new URL(room || ".", PAGE)).map((name) => room + name))
  .filter((name) => name.endsWith(".js") && !LANGUAGES.has(name));

test("no sentence for the person stands outside the languages", () => {
  assert.ok(SPEAKING.length > 60);
  const found = SPEAKING.flatMap((name) => said(readFileSync(new URL(name, PAGE), "utf8")).map((text) => [name, text]));
  assert.deepEqual(found, []);
});

test("a sentence would be found wherever it hides", () => {
  assert.deepEqual(said('say("Take over to edit here.");'), ["Take over to edit here."]);
  assert.deepEqual(said("named(one, `Draw with ${glyph}, once`);"), ["Draw with ", ", once"]);
  assert.deepEqual(said('make("p", "warns", "Gone");'), ["Gone"]);
  assert.deepEqual(said('make("p", "warns", `${a ? "was lost" : ""}`);'), ["was lost"]);
});

test("keys and classes are no sentences", () => {
  assert.deepEqual(said('make("p", "text-button place", T.show); if (event.key === "Escape") go();'), []);
  assert.deepEqual(said('// "Not this one"\n/* "nor this" */ const is = /"A word"/; "use strict";'), []);
  assert.deepEqual(said('const KEYS = { "Shift+Enter": "previous" }; list.className = "menu is-open";'), []);
});
