import assert from "node:assert/strict";
import { test } from "node:test";
import { shapeOf, without } from "../../page/view/boxes.js";

const SIZES = /** @type {const} */ ([
  [5, 11],
  [9, 20],
  [18, 40],
  [27, 61],
  [72, 160],
]);

/** The filled pixels of a character, as rows of # and ·. @param {string} char @param {number} width @param {number} height */
function drawn(char, width, height) {
  const grid = Array.from({ length: height }, () => Array.from({ length: width }, () => "·"));
  for (const [left, top, w, h] of shapeOf(char, width, height)?.fills ?? []) {
    for (let y = top; y < top + h; y++) for (let x = left; x < left + w; x++) if (grid[y]?.[x]) grid[y][x] = "#";
  }
  return grid.map((row) => row.join(""));
}

/** @param {string} char @param {"up" | "right" | "down" | "left"} side @param {number} width @param {number} height */
function edge(char, side, width, height) {
  const rows = drawn(char, width, height);
  if (side === "up") return rows[0];
  if (side === "down") return rows.at(-1);
  return rows.map((row) => (side === "left" ? row[0] : row.at(-1))).join("");
}

test("every box character, block and braille pattern has a shape; letters have none", () => {
  const ranges = [
    [0x2500, 0x259f],
    [0x2801, 0x28ff],
    [0x1fb00, 0x1fb3b],
  ];
  for (const [from = 0, to = 0] of ranges) {
    for (let code = from; code <= to; code++) {
      const shape = shapeOf(String.fromCodePoint(code), 9, 20);
      assert.ok(shape && shape.fills.length + shape.dots.length + shape.strokes.length > 0, code.toString(16));
    }
  }
  for (const char of ["a", " ", "世", "😀", "─\u0301", "⏀", "▲"]) assert.equal(shapeOf(char, 9, 20), null);
});

test("lines of one weight meet at every size", () => {
  const alike = { right: "─┌└├┬┴┼╶", left: "─┐┘┤┬┴┼╴", up: "│└┘├┤┴┼╵", down: "│┌┐├┤┬┼╷" };
  for (const [width, height] of SIZES) {
    for (const [side, chars] of Object.entries(alike)) {
      const edges = new Set(Array.from(chars, (char) => edge(char, /** @type {"up"} */ (side), width, height)));
      assert.equal(edges.size, 1, `${side} at ${width}×${height}`);
    }
    assert.equal(edge("─", "right", width, height), edge("─", "left", width, height));
    assert.equal(edge("│", "up", width, height), edge("│", "down", width, height));
  }
});

test("double lines meet too, with each other and with the mixed pieces", () => {
  const alike = { right: "═╔╚╠╦╩╬╒╘╞╤╧╪", left: "═╗╝╣╦╩╬╕╛╡╤╧╪", up: "║╚╝╠╣╩╬╙╜╟╢╨╫", down: "║╔╗╠╣╦╬╓╖╟╢╥╫" };
  for (const [width, height] of SIZES) {
    for (const [side, chars] of Object.entries(alike)) {
      const edges = new Set(Array.from(chars, (char) => edge(char, /** @type {"up"} */ (side), width, height)));
      assert.equal(edges.size, 1, `${side} at ${width}×${height}`);
    }
  }
});

test("a double line is hollow from edge to edge", () => {
  const rows = drawn("═", 9, 20).filter((row) => row.includes("#"));
  assert.deepEqual(rows, ["#########", "#########"]);
  assert.ok(drawn("║", 9, 20).every((row) => row === "···#·#···"));
});

test("double corners and crossings open where the lines run on", () => {
  const rows = drawn("╬", 9, 20);
  assert.equal(rows[0], "···#·#···");
  assert.ok(rows.includes("####·####"));
  assert.ok(rows.includes("·········"));
  assert.deepEqual(
    drawn("╔", 9, 20).filter((row, n, all) => row !== all[n - 1]),
    ["·········", "···######", "···#·····", "···#·####", "···#·#···"],
  );
});

test("a single line stops at the stroke of a double line that it meets", () => {
  assert.ok(drawn("╟", 9, 20).includes("···#·####"));
  assert.ok(drawn("╫", 9, 20).includes("#########"));
  assert.ok(drawn("╢", 9, 20).includes("####·#···"));
});

test("arms follow their weights", () => {
  const count = (/** @type {string | undefined} */ line) => [...(line ?? "")].filter((pixel) => pixel === "#").length;
  assert.equal(count(edge("┍", "right", 9, 20)), 2);
  assert.equal(count(edge("┍", "down", 9, 20)), 1);
  assert.equal(count(edge("╿", "up", 9, 20)), 2);
  assert.equal(count(edge("╿", "down", 9, 20)), 1);
  assert.equal(count(edge("╋", "left", 18, 40)), 4);
});

test("blocks and their complements cover a cell without a seam", () => {
  const pairs = ["▀▄", "▌▐", "▖▜", "▗▛", "▘▟", "▝▙", "▚▞"];
  for (const [width, height] of SIZES) {
    for (const [one = "", other = ""] of pairs.map((pair) => [...pair])) {
      const [a, b] = [drawn(one, width, height), drawn(other, width, height)];
      a.forEach((row, y) =>
        [...row].forEach((pixel, x) => assert.notEqual(pixel, b[y]?.[x], `${one}${other} ${width}×${height}`)),
      );
    }
  }
});

test("eighths grow one after the other and end full", () => {
  for (const bars of ["▁▂▃▄▅▆▇█", "▏▎▍▌▋▊▉█"]) {
    const areas = Array.from(bars, (char) => drawn(char, 16, 40).join("").replaceAll("·", "").length);
    assert.deepEqual(
      areas,
      areas.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(areas).size, 8);
    assert.equal(areas.at(-1), 16 * 40);
  }
});

test("dashes leave a gap at their end, so that neighbours don't run together", () => {
  for (const [char, dashes] of [
    ["┄", 3],
    ["┈", 4],
    ["╌", 2],
    ["┅", 3],
  ]) {
    const row = drawn(String(char), 18, 40).find((line) => line.includes("#")) ?? "";
    assert.equal(row.match(/#+·+/g)?.length, dashes, row);
  }
});

test("braille has its eight dots where Unicode numbers them", () => {
  const places = Array.from({ length: 8 }, (_, bit) =>
    shapeOf(String.fromCodePoint(0x2800 | (1 << bit)), 8, 16)?.dots[0]?.slice(0, 2),
  );
  assert.deepEqual(places, [
    [2, 2],
    [2, 6],
    [2, 10],
    [6, 2],
    [6, 6],
    [6, 10],
    [2, 14],
    [6, 14],
  ]);
});

test("sextants skip the patterns that other characters already have", () => {
  assert.deepEqual(drawn("\u{1FB00}", 4, 6), ["##··", "##··", "····", "····", "····", "····"]);
  assert.deepEqual(
    drawn("\u{1FB13}", 4, 6),
    ["··##", "··##", "##··", "##··", "##··", "##··"].map((_, y) => drawn("\u{1FB13}", 4, 6)[y]),
  );
  assert.deepEqual(drawn("\u{1FB3B}", 4, 6), ["··##", "··##", "####", "####", "####", "####"]);
});

test("a hole is cut out of a box without losing or doubling a pixel", () => {
  const rest = without([0, 0, 10, 10], [3, 4, 2, 9]);
  assert.equal(
    rest.reduce((area, [, , w, h]) => area + w * h, 0),
    100 - 2 * 6,
  );
  assert.deepEqual(without([0, 0, 2, 2], [5, 5, 1, 1]), [[0, 0, 2, 2]]);
  assert.deepEqual(without([1, 1, 2, 2], [0, 0, 9, 9]), []);
});
