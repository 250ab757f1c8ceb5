import assert from "node:assert/strict";
import test from "node:test";
import { intern } from "../../page/model/cell.js";
import { Ghosts } from "../../page/model/ghosts.js";
import { unpacked } from "../../page/model/packed.js";
import { MAX_COORDINATE, meet } from "../../page/model/region.js";
import { Scene } from "../../page/model/scene.js";
import { rectOf, selectionOf, whole } from "../../page/model/selection.js";
import { columnsOf } from "../../page/model/text.js";
import { drawn, packed } from "./drawing.js";

function sceneOf(text, at = [0, 0]) {
  const scene = new Scene();
  for (const run of unpacked(packed(text, at))) scene.put(run.y, run.x, run);
  return scene;
}

function preview(id, bounds, more = {}) {
  const [x, y, width] = bounds;
  return { type: "preview", id, sheet: "pg-1", bounds, cells: packed("g".repeat(width), [x, y]), expiresAt: 100, ...more };
}

test("equal styles are one object, whatever the order of their keys and the spelling of defaults", () => {
  const style = intern({ bgColor: "#FE0", color: "#000000", attrs: { bold: true, italic: false } });
  assert.equal(style, intern({ attrs: { bold: true }, bgColor: "#ffee00" }));
  assert.deepEqual(style, { bgColor: "#ffee00", attrs: { bold: true } });
});

test("cells stand where they were put, across chunks and far out", () => {
  for (const at of [[-3, -1], [126, 63], [-1_000_000, 1_000_000], [MAX_COORDINATE - 7, -MAX_COORDINATE]]) {
    const scene = sceneOf("Hi 世界", at);
    assert.equal(drawn(scene), "Hi 世界");
    assert.deepEqual(scene.bounds(), [...at, 7, 1]);
    assert.deepEqual(scene.stretches(at[1]), [[at[0], at[0] + 7]]);
  }
});

test("a fork keeps what it had when the scene it came from is written on, and the other way round", () => {
  const scene = sceneOf("abc");
  const fork = scene.fork();
  scene.write(0, 0, { chars: ["X"], styles: [{}] });
  fork.write(0, 2, { chars: ["Y"], styles: [{}] });
  assert.equal(drawn(scene), "Xbc");
  assert.equal(drawn(fork), "abY");
});

test("an emptied scene has no bounds and no rows", () => {
  const scene = sceneOf("a\nb");
  scene.erase([-10, -10, 1e15, 1e15]);
  assert.equal(scene.bounds(), null);
  assert.deepEqual(scene.rows(), []);
});

test("blanks have no bounds, marked ones do", () => {
  assert.equal(sceneOf("   ").bounds(), null);
  assert.equal(sceneOf("\u3000").bounds(), null);
  const scene = new Scene();
  scene.put(5, 5, { chars: [" "], styles: [intern({ attrs: { inverse: true } })] });
  assert.deepEqual(scene.bounds(), [5, 5, 1, 1]);
});

test("unpacked pieces that touch are one run; empty ones have no style", () => {
  const runs = unpacked({ styles: [{ color: "#f00" }], rows: [[2, [[0, "ab", 0], [2, 2, -1], [9, ["世", ""], 0]]]] });
  assert.deepEqual(runs.map(({ y, x, chars }) => [y, x, chars]), [[2, 0, ["a", "b", null, null]], [2, 9, ["世", ""]]]);
  assert.deepEqual(runs[0].styles, [{ color: "#ff0000" }, { color: "#ff0000" }, {}, {}]);
});

test("lists of rectangles meet where they share a cell, not where they touch", () => {
  assert.ok(meet([[0, 0, 2, 2], [9, 9, 1, 1]], [[1, 1, 5, 5]]));
  assert.ok(!meet([[0, 0, 2, 2], [9, 9, 1, 1]], [[2, 0, 5, 5]]));
  assert.ok(!meet([], [[2, 0, 5, 5]]));
});

test("a selection is the rectangle between two columns, both of them in it", () => {
  const rect = rectOf({ anchor: [5, 1], focus: [2, 3] });
  assert.deepEqual(rect, [2, 1, 4, 3]);
  assert.deepEqual(rectOf(selectionOf(rect)), rect);
});

test("a selected stretch grows over the halves it would cut", () => {
  assert.deepEqual(whole(sceneOf("世界"), 0, 1, 3), [0, 4]);
  assert.deepEqual(whole(sceneOf("世界"), 0, 2, 4), [2, 4]);
});

test("tabs count from the beginning of the line, wide clusters as two", () => {
  assert.equal(columnsOf("世\tb").length, 5);
  assert.deepEqual(columnsOf("123\tc"), ["1", "2", "3", " ", "c"]);
});

test("the newest ghost lies on top; revised in place it stays where it was", () => {
  const ghosts = new Ghosts();
  ghosts.put(preview("pv-1", [0, 0, 5, 1]));
  ghosts.put(preview("pv-2", [3, 0, 5, 1]));
  assert.equal(ghosts.at("pg-1", 4, 0)?.preview.id, "pv-2");
  ghosts.put(preview("pv-1", [4, 0, 5, 1]));
  assert.equal(ghosts.at("pg-1", 4, 0)?.preview.id, "pv-2");
  assert.equal(ghosts.at("pg-1", 0, 0), null);
  assert.equal(ghosts.at("pg-2", 4, 0), null);
  assert.deepEqual(ghosts.bounds("pg-1"), [3, 0, 6, 1]);
});

test("ghosts go when they are removed, when their time is over, and all at once", () => {
  const ghosts = new Ghosts();
  const changes = [];
  ghosts.changed.subscribe((changed) => changes.push(changed));
  ghosts.put(preview("pv-1", [0, 0, 5, 1], { expiresAt: 50 }));
  ghosts.put(preview("pv-2", [3, 0, 5, 1]));
  ghosts.expire(50);
  assert.deepEqual(ghosts.list().map(({ preview: { id } }) => id), ["pv-2"]);
  assert.ok(!ghosts.remove("pv-1"));
  ghosts.clear();
  assert.deepEqual(ghosts.list(), []);
  assert.equal(changes.length, 4);
});
