import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { unpacked } from "../../page/model/packed.js";
import { predict } from "../../page/model/predict.js";
import { Scene } from "../../page/model/scene.js";

const conversations = JSON.parse(readFileSync(new URL("../vectors/edits.json", import.meta.url), "utf8"));

function runsOf(scene) {
  const spans = scene.rows().flatMap((y) => scene.stretches(y).map(([x, end]) => ({ y, x, end })));
  return spans.map(({ y, x, end }) => ({ y, x, ...scene.strip(y, x, end) }));
}

test("the page predicts of every edit what the broker makes of it", () => {
  assert.ok(conversations.length > 10);
  for (const [number, steps] of conversations.entries()) {
    const scene = new Scene();
    for (const { op, cells } of steps) {
      predict(scene, op);
      assert.deepEqual(runsOf(scene), unpacked(cells), `conversation ${number}: ${JSON.stringify(op)}`);
    }
  }
});
