import assert from "node:assert/strict";
import { test } from "node:test";
import { CELL_HEIGHT, CELL_WIDTH, GLYPH_MIN_WIDTH, MAX_ZOOM, MIN_ZOOM, Viewport } from "../../page/view/viewport.js";

/** @param {number} [ratio] */
function screen(ratio = 1) {
  const viewport = new Viewport();
  viewport.resize(900, 600, ratio);
  return viewport;
}

test("a cell starts at exactly n times the cell width while glyphs are drawn", () => {
  for (const ratio of [1, 1.25, 1.5, 2, 3]) {
    const viewport = screen(ratio);
    for (const zoom of [0.6, 0.9, 1, 1.1, 1.37, 2, 3.3, 8]) {
      viewport.zoomTo(zoom);
      const { width, height } = viewport.cell;
      assert.ok(width >= GLYPH_MIN_WIDTH && Number.isInteger(width) && Number.isInteger(height));
      const { x, y } = viewport.origin;
      const first = viewport.place(x, y);
      for (const n of [1, 7, 123]) {
        assert.deepEqual(viewport.place(x + n, y + n), { left: first.left + n * width, top: first.top + n * height });
      }
    }
  }
});

test("the cell under a point is the cell that is placed there", () => {
  const viewport = screen(1.5);
  viewport.pan(-137.3, 991.7);
  viewport.zoomBy(1.7, 33, 44);
  for (const [left, top] of [
    [0, 0],
    [1, 599],
    [450.5, 300.2],
    [899, 1],
  ]) {
    const { x, y } = viewport.at(left ?? 0, top ?? 0);
    const place = viewport.place(x, y);
    const { width, height } = viewport.cell;
    const [px, py] = [(left ?? 0) * 1.5 - place.left, (top ?? 0) * 1.5 - place.top];
    assert.ok(px >= 0 && px < width && py >= 0 && py < height, `${left},${top}`);
  }
});

test("zooming keeps what is under the pointer", () => {
  const viewport = screen();
  viewport.pan(5000.5, -321.25);
  const before = viewport.at(611, 207);
  for (const factor of [1.2, 1.2, 3, 0.5, 0.01, 100, 0.25]) {
    viewport.zoomBy(factor, 611, 207);
    const now = viewport.at(611, 207);
    assert.ok(Math.abs(now.x - before.x) <= 1 && Math.abs(now.y - before.y) <= 1, `${factor}: ${JSON.stringify(now)}`);
  }
});

test("zoom stays within its limits and everything stays finite", () => {
  const viewport = screen();
  for (let n = 0; n < 200; n++) viewport.zoomBy(1.2, 10, 10);
  assert.equal(viewport.zoom, MAX_ZOOM);
  for (let n = 0; n < 400; n++) viewport.zoomBy(1 / 1.2, 500, 300);
  assert.equal(viewport.zoom, MIN_ZOOM);
  for (const odd of [0, -1, NaN, Infinity]) viewport.zoomBy(odd, 5, 5);
  viewport.pan(NaN, 1);
  assert.equal(viewport.zoom, MIN_ZOOM);
  assert.ok(viewport.visible().every(Number.isSafeInteger));
  viewport.fit(null);
  assert.equal(viewport.zoom, 1);
});

test("a pan is exact a million cells out and at the edge of what is safe", () => {
  for (const far of [1_000_000, -1_000_000, 2 ** 53 - 1, -(2 ** 53 - 1)]) {
    const viewport = screen();
    viewport.center(far, -far);
    for (let n = 0; n < 50; n++) viewport.pan(1, 0);
    const { x } = viewport.origin;
    const { left } = viewport.place(x, 0);
    assert.ok(left <= 0 && left > -viewport.cell.width);
    const [first, , columns] = viewport.visible();
    assert.ok(Number.isSafeInteger(first) && Number.isSafeInteger(first + columns - 1));
  }
});

test("fifty pans by a pixel are one pan by fifty", () => {
  const [one, many] = [screen(), screen()];
  one.pan(50, 50);
  for (let n = 0; n < 50; n++) many.pan(1, 1);
  assert.deepEqual(many.origin, one.origin);
});

test("fit shows all of a rectangle and never magnifies it", () => {
  const viewport = screen();
  viewport.fit([-300, 20, 752, 376]);
  const [x, y, columns, rows] = viewport.visible();
  assert.ok(x <= -300 && y <= 20 && x + columns >= 452 && y + rows >= 396);
  viewport.fit([3, 3, 2, 2]);
  assert.equal(viewport.zoom, 1);
});

test("reveal moves no more than it has to, and nothing for a cell that is in sight", () => {
  const viewport = screen();
  viewport.reset();
  const before = viewport.origin;
  viewport.reveal(10, 10);
  assert.deepEqual(viewport.origin, before);
  viewport.reveal(200, 10);
  const [x, , columns] = viewport.visible();
  assert.ok(x + columns > 200 && x + columns <= 205);
});

test("showing a place that is in sight moves nothing", () => {
  const viewport = screen();
  viewport.reset();
  const before = viewport.origin;
  viewport.show([5, 5, 10, 3]);
  assert.deepEqual(viewport.origin, before);
  viewport.show([500, 500, 10, 3]);
  const [x, y, columns, rows] = viewport.visible();
  assert.ok(x < 500 && x + columns > 510 && y < 500 && y + rows > 503);
});

test("a camera that was saved can be gone back to, and a damaged one is ignored", () => {
  const viewport = screen();
  viewport.center(70, 30);
  viewport.zoomTo(2);
  const saved = viewport.saved();
  viewport.reset();
  viewport.restore(JSON.parse(JSON.stringify(saved)));
  assert.deepEqual(viewport.saved(), saved);
  viewport.restore({ x: NaN, y: 0, zoom: 1 });
  viewport.restore({ x: 0, y: 0, zoom: 900 });
  assert.deepEqual(viewport.saved(), saved);
});

test("a cell at 100 % has the size that the rulers and the font were chosen for", () => {
  assert.deepEqual(screen().cell, { width: CELL_WIDTH, height: CELL_HEIGHT });
  assert.deepEqual(screen(2).cell, { width: 2 * CELL_WIDTH, height: 2 * CELL_HEIGHT });
});

test("what is fitted is on the screen whole, though cells are whole pixels", () => {
  for (const ratio of [1, 1.5, 2]) {
    for (let columns = 20; columns < 400; columns += 7) {
      const viewport = new Viewport();
      viewport.resize(372, 610, ratio);
      viewport.fit([-5, 3, columns, 30]);
      const { left, top } = viewport.place(-5, 3);
      const { width, height } = viewport.cell;
      assert.ok(left >= 0 && left + columns * width <= 372 * ratio + 1, `${columns} columns at ${ratio}`);
      assert.ok(top >= 0 && top + 30 * height <= 610 * ratio + 1, `${columns} columns at ${ratio}`);
    }
  }
});

test("what is fitted and where one types stay above the tools", () => {
  const viewport = screen();
  const { height } = viewport.size;
  viewport.cover(100);
  viewport.fit([0, 0, 20, 200]);
  assert.ok(viewport.place(0, 200).top / viewport.ratio <= height - 100);
  viewport.reset();
  viewport.reveal(0, Math.ceil(height / 20));
  assert.ok(viewport.place(0, Math.ceil(height / 20) + 1).top / viewport.ratio <= height - 100);
});
