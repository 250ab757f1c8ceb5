import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { PLAIN } from "../../page/model/cell.js";
import { predict } from "../../page/model/predict.js";
import { Scene } from "../../page/model/scene.js";
import { columnsOf } from "../../page/model/text.js";
import { ARMS, ROUND, asciiPiece, piece } from "../../page/edit/pieces.js";
import { arrowed, boxed, lined, route } from "../../page/edit/shapes.js";

const read = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), "utf8"));
const armsFrom = (digits) => Array.from(digits, Number);
const ROWS = 8;

/** What stands on the sheet; spaces are empty columns. */
function scene(rows) {
  const found = new Scene();
  rows.forEach((row, y) =>
    columnsOf(row).forEach((char, x) => char.trim() && found.put(y, x, { chars: [char], styles: [PLAIN] })),
  );
  return found;
}

function shownOf(found, rows = ROWS) {
  const lines = Array.from({ length: rows }, (_, y) => found.strip(y, 0, 16).chars);
  return lines.map((chars) => chars.map((char) => char ?? " ").join("").trimEnd());
}

const DRAW = {
  box: (cells, { rect, title }, pen) => boxed(cells, rect, pen, title),
  line: (cells, { points }, pen) => lined(cells, points, pen),
  arrow: (cells, { points }, pen) => arrowed(cells, points, pen),
};

function draw(cells, shape) {
  const pen = { border: shape.border ?? "light", style: PLAIN, joins: shape.join ?? true };
  const op = DRAW[shape.type](cells, shape, pen);
  if (op) predict(cells, op);
  return op;
}

test("the page knows the arms of every piece, and the piece for all arms, as the broker does", () => {
  const { arms, pieces, ascii, round } = read("joins");
  assert.deepEqual(Object.fromEntries([...ARMS].map(([char, each]) => [char, each.join("")])), arms);
  for (const [digits, char] of Object.entries(pieces)) assert.equal(piece(armsFrom(digits)), char, digits);
  for (const [digits, char] of Object.entries(ascii)) assert.equal(asciiPiece(armsFrom(digits)), char, digits);
  assert.deepEqual(Object.fromEntries(Object.entries(ROUND).map(([char, each]) => [each.join(""), char])), round);
});

test("the page draws shapes as the broker does", () => {
  const cases = read("shapes");
  assert.ok(cases.length > 50);
  for (const [number, { below, shapes, drawn }] of cases.entries()) {
    const cells = scene(below);
    for (const shape of shapes) draw(cells, shape);
    assert.deepEqual(shownOf(cells), drawn, `case ${number}: ${JSON.stringify(shapes)}`);
  }
});

test("lines that cross become a cross in either order, and a line that ends on one becomes a T", () => {
  const across = { type: "line", points: [[0, 2], [6, 2]] };
  const down = { type: "line", points: [[3, 0], [3, 4]] };
  for (const order of [[across, down], [down, across]]) {
    const cells = new Scene();
    order.forEach((shape) => draw(cells, shape));
    assert.equal(cells.charAt(3, 2), "┼");
    draw(cells, { type: "line", points: [[5, 4], [5, 2]] });
    assert.equal(cells.charAt(5, 2), "┬");
  }
});

test("heavy and light lines meet in the mixed piece; a letter joins nothing; without joining the line lies over", () => {
  const cells = scene(["", "", "  T", "", ""]);
  draw(cells, { type: "line", points: [[0, 1], [4, 1]] });
  draw(cells, { type: "line", points: [[1, 0], [1, 3]], border: "heavy" });
  draw(cells, { type: "line", points: [[3, 0], [3, 3]], join: false });
  draw(cells, { type: "line", points: [[2, 0], [2, 3]] });
  assert.deepEqual(shownOf(cells, 4), [" ┃││", "─╂┼│─", " ┃││", " ┃││"]);
});

test("drawing the same again is no edit", () => {
  const cells = new Scene();
  const box = { type: "box", rect: [0, 0, 5, 3] };
  assert.notEqual(draw(cells, box), null);
  assert.equal(draw(cells, box), null);
});

test("a wide title keeps its columns, and words that do not fit are left out whole", () => {
  const cells = new Scene();
  draw(cells, { type: "box", rect: [0, 0, 13, 3], title: "世界 longer" });
  assert.deepEqual(shownOf(cells, 1), ["┌─ 世界 ────┐"]);
});

test("a straight line follows its longer side, an elbow turns once", () => {
  const how = { isElbow: false, isDownFirst: false };
  assert.deepEqual(route([0, 0], [5, 2], how), [[0, 0], [5, 0]]);
  assert.deepEqual(route([0, 0], [2, -5], how), [[0, 0], [0, -5]]);
  assert.deepEqual(route([0, 0], [5, 2], { ...how, isElbow: true }), [[0, 0], [5, 0], [5, 2]]);
  assert.deepEqual(route([0, 0], [5, 2], { isElbow: true, isDownFirst: true }), [[0, 0], [0, 2], [5, 2]]);
});
