import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { pasted } from "../../page/edit/paste.js";
import { stored } from "../../page/model/clusters.js";
import { clusterWidth, graphemes } from "../../page/model/width.js";

const facts = JSON.parse(readFileSync(new URL("../vectors/graphemes.json", import.meta.url), "utf8"));

/** From which Unicode version on an engine breaks as the facts say; an older one is not asked. */
const SINCE = { breaks: 15, conjuncts: 15.1, changed: 17 };
const ours = Number(process.versions.unicode);

for (const [part, since] of Object.entries(SINCE))
  test(`the page breaks text as Unicode says: ${part}`, (t) => {
    assert.ok(facts[part].length > 0);
    if (ours < since) return t.diagnostic(`this engine knows Unicode ${ours}, the facts are of ${since}`);
    for (const clusters of facts[part]) assert.deepEqual(graphemes(clusters.join("")), clusters);
  });

test("every shape of emoji is one cluster of its columns on the page, kept as it is", () => {
  assert.ok(facts.emoji.length > 30);
  for (const [text, columns] of facts.emoji) {
    assert.deepEqual(stored(text), [text]);
    assert.equal(clusterWidth(text), columns, text);
  }
});

test("half a surrogate pair in pasted text is left out, a whole one is kept", () => {
  const { ops } = pasted({ x: 0, y: 0, origin: 0 }, "a\ud83d\r\n\ude00b\u{1f600}");
  assert.deepEqual(ops, [{ kind: "paste", at: [0, 0], material: "a\nb\u{1f600}", format: "text" }]);
});
