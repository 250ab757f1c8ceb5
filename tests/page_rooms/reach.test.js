import assert from "node:assert/strict";
import test from "node:test";

globalThis.navigator ??= { language: "en" };
const { rectsOn, wordsOf } = await import("../../page/panels/company/reach.js");

const CANVASES = [
  { id: "cv-1", name: "Plans", kind: "freeform", archived: false, sheets: [{ id: "pg-1", name: "Sheet 1" }] },
  { id: "cv-2", name: "Talk", kind: "slides", archived: false, sheets: [{ id: "pg-2", name: "Intro", size: [100, 27] }] },
];

const BOX = { canvas: "cv-1", sheet: "pg-1", rect: [4, 10, 12, 3] };

const at = (canvas, sheet) => ({ canvas, sheet, selected: null });

test("a scope is said by its first area and how many more there are", () => {
  assert.equal(wordsOf([], CANVASES), "");
  assert.equal(wordsOf([{ canvas: "cv-1" }], CANVASES), "Plans");
  assert.equal(wordsOf([{ canvas: "cv-2", sheet: "pg-2" }], CANVASES), "Intro of Talk");
  assert.match(wordsOf([BOX], CANVASES), /12 × 3 at 4, 10 on Sheet 1 of Plans$/);
  assert.match(wordsOf([BOX, BOX, BOX], CANVASES), / and 2 more$/);
});

test("what is gone is said to be gone", () => {
  assert.equal(wordsOf([{ canvas: "cv-9" }], CANVASES), "what is gone");
  assert.equal(wordsOf([{ canvas: "cv-1", sheet: "pg-9" }], CANVASES), "what is gone of Plans");
});

test("only what lies on the sheet that is shown is outlined", () => {
  assert.deepEqual(rectsOn(at("cv-1", "pg-1"), [BOX, { canvas: "cv-2" }], CANVASES), [[4, 10, 12, 3]]);
  assert.deepEqual(rectsOn(at("cv-2", "pg-2"), [BOX], CANVASES), []);
});

test("a slide is outlined at its edge, and an endless sheet has none", () => {
  assert.deepEqual(rectsOn(at("cv-2", "pg-2"), [{ canvas: "cv-2" }], CANVASES), [[0, 0, 100, 27]]);
  assert.deepEqual(rectsOn(at("cv-1", "pg-1"), [{ canvas: "cv-1" }], CANVASES), []);
});
