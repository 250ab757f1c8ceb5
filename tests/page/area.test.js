import assert from "node:assert/strict";
import test from "node:test";
import { MAX_AREA_CELLS, flooded } from "../../page/edit/area.js";
import { intern } from "../../page/model/cell.js";
import { Scene } from "../../page/model/scene.js";

const [COLUMNS, ROWS] = [70, 12];
const RED = intern({ color: "danger" });
const SLIDE = { rect: [0, 0, COLUMNS, ROWS], hasEdge: true };

/** The same numbers every time, from 0 to 1. */
function chance(seed) {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

/** Walls, wide glyphs and blanks, in two looks, wherever chance has it. */
function maze(seed) {
  const [scene, next] = [new Scene(), chance(seed)];
  for (let y = 0; y < ROWS; y++)
    for (let x = 0; x < COLUMNS; x++) {
      const kind = next();
      const style = next() < 0.2 ? RED : intern({});
      if (kind < 0.25) scene.write(y, x, { chars: ["#"], styles: [style] });
      else if (kind < 0.35 && x + 1 < COLUMNS) scene.write(y, x, { chars: ["漢", ""], styles: [style, style] });
      else if (kind < 0.5) scene.write(y, x, { chars: [" "], styles: [style] });
    }
  return scene;
}

/** What a column looks like: that of its glyph; plain blanks as nothing. */
function looks(scene, x, y) {
  const left = scene.charAt(x, y) === "" ? x - 1 : x;
  const { chars, styles } = scene.strip(y, left, left + 1);
  return chars[0] === null || (chars[0] === " " && styles[0] === intern({})) ? "" : chars[0] + JSON.stringify(styles[0]);
}

/** Every place that a walk from neighbour to neighbour reaches. */
function walked(scene, start) {
  const seen = new Set([String(start)]);
  const places = [start];
  for (const [x, y] of places)
    for (const next of [[x, y - 1], [x + 1, y], [x, y + 1], [x - 1, y]]) {
      const isInside = next[0] >= 0 && next[1] >= 0 && next[0] < COLUMNS && next[1] < ROWS;
      if (!isInside || seen.has(String(next)) || looks(scene, ...next) !== looks(scene, ...start)) continue;
      seen.add(String(next));
      places.push(next);
    }
  return seen;
}

function filled({ cells }) {
  return new Set(
    cells.rows.flatMap(([y, pieces]) =>
      pieces.flatMap(([x, columns]) => Array.from(columns, (_, n) => String([x + n, y]))),
    ),
  );
}

test("an area is whatever a walk from neighbour to neighbour reaches", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const [scene, next] = [maze(seed), chance(seed + 1000)];
    const start = [Math.floor(next() * COLUMNS), Math.floor(next() * ROWS)];
    const op = flooded(scene, start, { glyph: "░", style: RED, room: SLIDE });
    assert.deepEqual(filled(op), walked(scene, start), `maze ${seed}`);
  }
});

test("an area may be as large as it is said to be, and no larger", () => {
  const fill = (rect) => flooded(new Scene(), [0, 0], { glyph: "x", style: RED, room: { rect, hasEdge: true } });
  assert.equal(fill([0, 0, 500, MAX_AREA_CELLS / 500]).kind, "cells");
  assert.deepEqual(fill([0, 0, 1, MAX_AREA_CELLS + 1]).kind, "refused");
  assert.deepEqual(fill([0, 0, MAX_AREA_CELLS + 1, 1]).kind, "refused");
});
