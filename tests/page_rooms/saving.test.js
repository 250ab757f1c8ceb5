import assert from "node:assert/strict";
import test from "node:test";
import { runsOf } from "../../page/edit/runs.js";
import { typing } from "../page/drawing.js";

globalThis.navigator ??= { language: "en" };
const { chapters, wordsOf } = await import("../../page/panels/company/saving.js");

let made = 0;
const edit = (op, sheet = "pg-1") => ({ type: "edit", id: `e-${made++}`, epoch: 1, sheet, op, base: 1 });
const letters = (text, [x, y], sheet) => [...text].map((char, n) => edit(typing(char, [x + n, y]), sheet));
const erased = (x, y, columns = 1) => edit({ kind: "erase", at: [x, y], size: [columns, 1] });
const texts = (edits) => runsOf(edits, (each) => each).map((run) => wordsOf(run).text);

test("letters that were typed in one go are one, over line ends and corrections too", () => {
  const lines = [...letters("one", [2, 0]), ...letters("two", [2, 1])];
  assert.deepEqual(texts(lines), ["one\ntwo"]);
  const corrected = [...letters("mist", [0, 0]), erased(3, 0), erased(2, 0), ...letters("ne", [2, 0])];
  assert.deepEqual(texts(corrected), ["mine"]);
  const wide = [edit(typing("世", [0, 0])), edit(typing("界", [2, 0])), erased(2, 0, 2), edit(typing("a", [2, 0]))];
  assert.deepEqual(texts(wide), ["世a"]);
});

test("an emoji that was typed in pieces is one with what follows it", () => {
  const pieces = [edit(typing("👩", [0, 0])), edit({ ...typing("\u200d🔧", [2, 0]), compose: true }), edit(typing("x", [2, 0]))];
  assert.deepEqual(texts(pieces), ["👩\u200d🔧x"]);
});

test("another place, another sheet or another gesture is another run", () => {
  const edits = [...letters("ab", [0, 0]), ...letters("cd", [5, 0]), ...letters("e", [7, 0], "pg-2"), erased(40, 9)];
  assert.deepEqual(texts([...edits, ...letters("f", [40, 9])]), ["ab", "cd", "e", "Erasing", "f"]);
});

test("what is saved says on which sheet and where each text belongs", () => {
  const sheet = (id, name) => ({ id, name, size: null });
  const canvases = [
    { id: "cv-1", name: "Plan", kind: "freeform", archived: false, sheets: [sheet("pg-1", "Sheet 1")] },
    { id: "cv-2", name: "Deck", kind: "slides", archived: false, sheets: [sheet("pg-2", "Slide 1"), sheet("pg-3", "Slide 2")] },
  ];
  const material = "# Title";
  const edits = [
    ...letters("hi", [2, 1]),
    edit({ kind: "paste", at: [0, 4], material, format: "markdown" }, "pg-3"),
    edit({ kind: "erase", at: [3, 3], size: [2, 2] }, "pg-gone"),
  ];
  assert.equal(
    chapters(edits, { canvases, canvas: "cv-1", sheet: "pg-1" }),
    "== Plan, at 2, 1\nhi\n\n== Deck / Slide 2, at 0, 4\n# Title\n\n== pg-gone, at 3, 3\nErasing\n",
  );
});
