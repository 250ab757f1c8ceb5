import assert from "node:assert/strict";
import test from "node:test";
import { ansiOf } from "../../page/edit/ansi.js";
import { connected } from "../../page/edit/connected.js";
import { terminalTextOf, textOf } from "../../page/edit/excerpt.js";
import { closedUp } from "../../page/edit/insertion.js";
import { formatOf, unbracketed } from "../../page/edit/material.js";
import { picked } from "../../page/edit/picked.js";
import { cleared, duplicated, filledWith, painted, shifted } from "../../page/edit/ranges.js";
import { fromRich, toRich } from "../../page/edit/rich.js";
import { between } from "../../page/edit/stroke.js";
import { FIRST_OPTIONS, PLANS, TOOLS, isDrawing } from "../../page/edit/tools.js";
import { intern } from "../../page/model/cell.js";
import { predict } from "../../page/model/predict.js";
import { Scene } from "../../page/model/scene.js";
import { drawn, typing } from "./drawing.js";

const RED = intern({ color: "danger" });

function scene(text = "", style = {}) {
  const found = new Scene();
  if (text) predict(found, typing(text, [0, 0], { style }));
  return found;
}

/** Carries a plan out; the sheet from its origin on. */
function after(cells, op, rect = [0, 0, 12, 4]) {
  assert.equal(op?.kind === "refused", false, op?.why);
  if (op) predict(cells, op);
  return drawn(cells, rect).replace(/\n+$/, "");
}

const way = (path, more = {}) => ({ path, isShift: false, room: { rect: [0, 0, 12, 4], hasEdge: true }, ...more });
const options = (more = {}) => ({ ...FIRST_OPTIONS, ...more });

test("every tool has a key of its own", () => {
  assert.equal(new Set(TOOLS.map(({ key }) => key)).size, TOOLS.length);
  assert.deepEqual(TOOLS.map(({ name }) => name).filter(isDrawing).toSorted(), Object.keys(PLANS).toSorted());
});

test("a path has no holes, whichever way it goes", () => {
  assert.deepEqual(between([0, 0], [3, 1]), [[0, 0], [1, 0], [2, 1], [3, 1]]);
  for (const end of [[-7, 3], [5, -9], [0, 4]]) {
    const path = between([0, 0], end);
    assert.deepEqual(path.at(-1), end);
    path.slice(1).forEach(([x, y], n) => assert.ok(Math.max(Math.abs(x - path[n][0]), Math.abs(y - path[n][1])) === 1));
  }
});

test("a pencil leaves its glyph, a wide one in every other column, and takes nothing's background away", () => {
  const cells = scene("    ", { bgColor: "accent" });
  assert.equal(after(cells, PLANS.pencil(cells, way(between([0, 0], [4, 0])), options({ glyph: "漢" }))), "漢漢漢");
  assert.equal(cells.strip(0, 1, 2).styles[0].bgColor, "accent");
});

test("with Shift a stroke is straight", () => {
  const cells = scene();
  const path = [[0, 0], [1, 1], [2, 1], [5, 1]];
  assert.equal(after(cells, PLANS.pencil(cells, way(path, { isShift: true }), options({ glyph: "x" }))), "xxxxxx");
});

test("an eraser takes whole glyphs, and on nothing it is no edit", () => {
  const cells = scene("a漢b");
  assert.equal(after(cells, PLANS.eraser(cells, way([[2, 0]]), options())), "a··b");
  assert.equal(PLANS.eraser(cells, way([[8, 2]]), options()), null);
});

test("a brush keeps characters and links, and puts a background on empty places", () => {
  const cells = scene("a漢", { href: "https://example.org/", attrs: { bold: true } });
  const brush = options({ style: intern({ bgColor: "#ffeeaa" }) });
  assert.equal(after(cells, PLANS.brush(cells, way(between([2, 0], [4, 0])), brush)), "a漢  ");
  const { styles } = cells.strip(0, 0, 5);
  assert.deepEqual(styles.map(({ bgColor }) => bgColor), [undefined, "#ffeeaa", "#ffeeaa", "#ffeeaa", "#ffeeaa"]);
  assert.deepEqual(styles[1], { bgColor: "#ffeeaa", href: "https://example.org/" });
});

test("an area is filled up to what looks different, and the same again is no edit", () => {
  const cells = scene("┌──┐\n│  │\n└──┘");
  predict(cells, { kind: "erase", at: [1, 1], size: [1, 1] });
  const fill = () => PLANS.area(cells, way([[1, 1]]), options({ glyph: "░", style: RED }));
  assert.equal(after(cells, fill()), "┌──┐\n│░░│\n└──┘");
  assert.equal(fill(), null);
});

test("an area that leads out of what there is, is refused whole", () => {
  const cells = scene("┌──┐\n│  │\n└─ ┘");
  const found = PLANS.area(cells, way([[1, 1]], { room: { rect: cells.bounds(), hasEdge: false } }), options());
  assert.equal(found.kind, "refused");
  assert.equal(PLANS.area(scene(), way([[0, 0]], { room: { rect: [0, 0, 0, 0], hasEdge: false } }), options()).kind, "refused");
});

test("on a slide the edge closes an area", () => {
  const cells = scene();
  assert.equal(after(cells, PLANS.area(cells, way([[0, 0]], { room: { rect: [0, 0, 3, 2], hasEdge: true } }), options({ glyph: "漢" }))), "漢\n漢");
});

test("a box with Shift looks square", () => {
  const cells = scene();
  assert.equal(after(cells, PLANS.box(cells, way([[0, 0], [4, 1]], { isShift: true }), options())), "┌───┐\n│···│\n└───┘");
});

test("the eyedropper takes up glyph and look, from either half; a blank gives its look alone", () => {
  const cells = scene("漢 ", { color: "danger", href: "https://example.org/" });
  assert.deepEqual(picked(cells, [1, 0]), { style: RED, glyph: "漢" });
  assert.deepEqual(picked(cells, [2, 0]), { style: RED });
});

test("several ranges are cleared, moved and copied as one edit, each glyph once", () => {
  const ranges = [[0, 0, 2, 1], [1, 0, 2, 1]];
  assert.equal(after(scene("abcd"), cleared(scene("abcd"), ranges)), "···d");
  assert.equal(after(scene("abcd"), shifted(scene("abcd"), ranges, [0, 1])), "···d\nabc");
  assert.equal(after(scene("abcd"), duplicated(scene("abcd"), ranges, [1, 0])), "aabc");
});

test("one range of any size is a plain erase or move", () => {
  const huge = [[-1e6, -1e6, 2e6, 2e6]];
  assert.equal(cleared(scene(), huge).kind, "erase");
  assert.equal(shifted(scene(), huge, [1, 0]).kind, "move");
  assert.equal(filledWith(scene(), huge, "x", {}).kind, "refused");
  assert.equal(painted(scene(), huge, RED).kind, "refused");
});

test("a selection is filled with what is typed, whole glyphs only", () => {
  assert.equal(after(scene(), filledWith(scene(), [[0, 0, 3, 2]], "漢", {})), "漢\n漢");
  assert.equal(after(scene(), filledWith(scene(), [[0, 0, 5, 1]], "ab", {})), "ababa");
});

test("a connected drawing is everything that touches, and no more", () => {
  const cells = scene("┌─┐  x\n│a├─\n└─┘");
  assert.deepEqual(connected(cells, [0, 0]), [[0, 0, 3, 1], [0, 1, 4, 1], [0, 2, 3, 1]]);
  assert.deepEqual(connected(cells, [9, 3]), []);
});

test("a deletion while inserting draws words up to the next gap, and borders stay", () => {
  const cells = scene("│ab c  │");
  assert.equal(after(cells, closedUp(cells, [1, 0], 1)), "│b c·  │");
  const wide = scene("a漢b");
  assert.equal(after(wide, closedUp(wide, [0, 0], 1)), "漢b");
});

test("what is copied keeps its looks, and comes back as it was", () => {
  const cells = scene("a漢", RED);
  const rich = toRich(cells, [[0, 0, 3, 1]]);
  const target = scene();
  assert.equal(after(target, fromRich(target, [2, 1], rich)), "\n··a漢");
  assert.equal(target.strip(1, 2, 3).styles[0], RED);
});

test("a strange clipboard is refused", () => {
  const strange = ["", "{", "{}", '{"chardesk":1}', '{"chardesk":1,"styles":[{}],"items":[[0,0,"ab",0]]}'];
  const hostile = ['{"chardesk":1,"styles":[{}],"items":[[0,0,"\\u001b",0]]}', '{"chardesk":1,"styles":[{}],"items":[[1e9999,0,"a",0]]}'];
  for (const text of [...strange, ...hostile]) assert.equal(fromRich(scene(), [0, 0], text), null, text);
});

test("several ranges are copied as they stand to each other", () => {
  const cells = scene("abc\ndef");
  assert.equal(textOf(cells, [[0, 0, 1, 1], [2, 1, 1, 1]]), "a\n  f");
  assert.equal(terminalTextOf(cells, [[0, 0, 1, 1], [2, 1, 1, 1]]), "a\n  f");
});

test("a terminal gets colours, attributes and links, and a reset at the end of each run", () => {
  const cells = scene("x", { color: "danger", bgColor: "#102030", attrs: { bold: true } });
  predict(cells, typing("y ", [1, 0], { style: { href: "https://example.org/" } }));
  const link = "\x1b]8;;https://example.org/\x1b\\y\x1b]8;;\x1b\\";
  assert.equal(ansiOf([0, 0, 4, 1], cells), `\x1b[1;31;48;2;16;32;48mx\x1b[0m${link}`);
});

test("material is known by what it looks like, and terminal brackets are no part of it", () => {
  assert.equal(formatOf("plain - text"), "text");
  assert.equal(formatOf("# Title"), "markdown");
  assert.equal(formatOf("a **bold** word"), "markdown");
  assert.equal(formatOf("\x1b[1mx"), "ansi");
  assert.equal(unbracketed("\x1b[200~a\nb\x1b[201~"), "a\nb");
});
