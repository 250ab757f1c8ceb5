import assert from "node:assert/strict";
import test from "node:test";
import { shades } from "../../page/model/miniature.js";

test("a text map becomes shades: rulers and headers are left out, a wide glyph is two columns", () => {
  const content = [
    "viewport=[0,0,12,3] sampleSize=1 mode=text",
    "camera=100×40",
    "exact=unicode",
    "   0        10",
    "   ┬────┬────┬─",
    "0 ┤",
    "  │  Hi 世",
    "  │",
  ].join("\n");
  assert.deepEqual(shades(content), [[], [0, 0, 0.6, 0.6, 0, 0.6, 0.6], []]);
});

test("density is darkness", () => {
  assert.deepEqual(shades("  0 ┤·░▒▓█"), [[0, 0.25, 0.45, 0.7, 1]]);
});

test("a box that begins a row is not taken for the ruler", () => {
  assert.deepEqual(shades(" -5 ┤│ │"), [[0.6, 0, 0.6]]);
});

test("an empty sheet has no rows", () => {
  assert.deepEqual(shades(""), []);
});
