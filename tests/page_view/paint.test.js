import assert from "node:assert/strict";
import { test } from "node:test";
import { contrast, parsed, readable } from "../../page/view/contrast.js";
import { DirtyRows } from "../../page/view/dirty.js";
import { nice } from "../../page/view/rulers.js";

test("changes on neighbouring rows are painted as one block", () => {
  const dirty = new DirtyRows();
  dirty.add([4, 1, 2, 1]);
  dirty.add([9, 1, 1, 1]);
  dirty.add([0, 2, 5, 1]);
  dirty.add([3, 9, 1, 2]);
  assert.deepEqual(dirty.take(), [
    [0, 1, 10, 2],
    [3, 9, 1, 2],
  ]);
  assert.deepEqual(dirty.take(), []);
});

test("an agent's colour is lightened or darkened until it can be read", () => {
  for (const [paper, ink] of [
    ["#ffffff", "#1c1e21"],
    ["#15171c", "#e6e8ec"],
  ]) {
    for (const color of ["#7048e8", "#ffe08a", "#15171c", "#ffffff", "#e8590c"]) {
      const [a, b] = [parsed(readable(color, paper ?? "", ink ?? "")), parsed(paper ?? "")];
      assert.ok(a && b && contrast(a, b) >= 4.4, `${color} on ${paper}`);
    }
  }
});

test("a colour that is readable stays what it is, and a word is left alone", () => {
  assert.equal(readable("#7048e8", "#ffffff", "#000000"), "#7048e8");
  assert.equal(readable("rebeccapurple", "#ffffff", "#000000"), "rebeccapurple");
});

test("black on white is the most that contrast can be", () => {
  assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
});

test("ruler steps are 1, 2, 5 and their powers of ten", () => {
  assert.deepEqual([0.3, 1, 1.1, 2, 3, 6, 11, 49, 51].map(nice), [1, 1, 2, 2, 5, 10, 20, 50, 100]);
});
