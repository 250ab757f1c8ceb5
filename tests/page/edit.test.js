import assert from "node:assert/strict";
import test from "node:test";
import { asciiOf } from "../../page/edit/ascii.js";
import { copied, MAX_COPIED_ROWS } from "../../page/edit/copy.js";
import { end, entered, home, moved, placed, tabbed } from "../../page/edit/cursor.js";
import { erased } from "../../page/edit/erase.js";
import { filled } from "../../page/edit/fill.js";
import { MAX_MATERIAL_BYTES, pasted } from "../../page/edit/paste.js";
import { backspaced, deleted, typed } from "../../page/edit/typing.js";
import { Replica } from "../../page/model/replica.js";
import { change, drawn, edit, packed, snapshot } from "./drawing.js";

const FAMILY = "👨‍👩‍👧‍👦";

function replicaOf(text = "", at = [0, 0]) {
  const replica = new Replica("pg-1");
  replica.loadPart(snapshot(packed(text, at)));
  return replica;
}

/** A person at a keyboard: what is typed is predicted at once. */
function typist(replica, at) {
  let cursor = placed(at, replica);
  let count = 0;
  const done = ({ op, cursor: next }) => {
    if (op) replica.predict(edit(`e${count++}`, op));
    cursor = next;
    return op;
  };
  return {
    type: (...pieces) => pieces.map((piece) => done(typed(cursor, piece, replica))),
    enter: () => void (cursor = entered(cursor, replica)),
    back: () => done(backspaced(cursor, replica)),
    get cursor() {
      return cursor;
    },
  };
}

test("typing moves the cursor by the columns of what was typed", () => {
  const replica = replicaOf();
  const person = typist(replica, [5, 5]);
  person.type("a", "世", "b");
  assert.equal(drawn(replica), "a世b");
  assert.deepEqual(person.cursor, { x: 9, y: 5, origin: 5 });
});

test("enter goes to the next row, to the column where the line began", () => {
  const replica = replicaOf();
  const person = typist(replica, [3, 0]);
  person.type("one");
  person.enter();
  person.type("two");
  assert.equal(drawn(replica), "one\ntwo");
  person.enter();
  assert.deepEqual(person.cursor, { x: 3, y: 2, origin: 3 });
});

test("an emoji that is typed in pieces becomes one cluster", () => {
  const replica = replicaOf();
  const person = typist(replica, [0, 0]);
  const ops = person.type("👩", "🏿", "\u200d", "🔧", "|");
  assert.equal(replica.charAt(0, 0), "👩🏿\u200d🔧");
  assert.equal(drawn(replica), "👩🏿\u200d🔧|");
  assert.deepEqual(person.cursor, { x: 3, y: 0, origin: 0 });
  assert.deepEqual(ops.map((op) => op && Boolean(op.compose)), [false, true, null, true, false]);
});

test("two halves of a flag become the flag, a third begins another one", () => {
  const replica = replicaOf();
  const person = typist(replica, [0, 0]);
  person.type("🇩", "🇪", "🇫");
  assert.equal(drawn(replica), "🇩🇪🇫");
});

test("a mark joins the letter before it, and is nothing without one", () => {
  const replica = replicaOf();
  const person = typist(replica, [0, 0]);
  assert.deepEqual(person.type("\u0301"), [null]);
  person.type("e", "\u0301");
  assert.equal(drawn(replica), "e\u0301");
  assert.equal(person.cursor.x, 1);
});

test("controls in typed text are dropped", () => {
  const person = typist(replicaOf(), [0, 0]);
  assert.deepEqual(person.type("a\x1b\tb").map(({ text }) => text), ["ab"]);
});

test("a space writes a blank over the cell, delete clears it", () => {
  const replica = replicaOf("abc");
  const person = typist(replica, [0, 0]);
  person.type(" ");
  assert.equal(replica.charAt(0, 0), " ");
  const { op, cursor } = deleted(person.cursor, replica);
  assert.deepEqual(op, { kind: "erase", at: [1, 0], size: [1, 1] });
  assert.equal(cursor.x, 1);
});

test("backspace clears the cluster before the cursor, whole", () => {
  const replica = replicaOf(`a${FAMILY}`);
  const person = typist(replica, [3, 0]);
  assert.deepEqual(person.back(), { kind: "erase", at: [1, 0], size: [2, 1] });
  person.back();
  assert.equal(person.back(), null);
  assert.deepEqual(person.cursor, { x: -1, y: 0, origin: -1 });
  assert.equal(replica.bounds(), null);
});

test("arrows go by cluster and a click never lands in one", () => {
  const replica = replicaOf(`a${FAMILY}b`);
  let cursor = placed([0, 0], replica);
  const visited = ["right", "right", "right", "left", "left", "left"].map((to) => (cursor = moved(cursor, to, replica)).x);
  assert.deepEqual(visited, [1, 3, 4, 3, 1, 0]);
  assert.equal(placed([2, 0], replica).x, 1);
  assert.deepEqual(moved(placed([2, -1], replica), "down", replica), { x: 1, y: 0, origin: 1 });
});

test("the tab key moves two columns and writes nothing", () => {
  assert.deepEqual(tabbed({ x: 4, y: 1, origin: 2 }, replicaOf()), { x: 6, y: 1, origin: 2 });
});

test("home and end go to the edges of the text, then of the row", () => {
  const replica = replicaOf("left");
  replica.confirm(change(2, packed("two words", [20, 0])));
  const at = (x) => ({ x, y: 0, origin: 7 });
  assert.equal(home(at(25), replica).x, 20);
  assert.equal(home(at(20), replica).x, 0);
  assert.equal(end(at(1), replica).x, 4);
  assert.equal(end(at(4), replica).x, 29);
  assert.equal(home({ ...at(9), y: 5 }, replica).x, 7);
});

test("pasted text stands at the cursor, and the cursor after its last line", () => {
  const { ops, cursor } = pasted({ x: 2, y: 3, origin: 0 }, "one\r\ntwo世\r");
  assert.deepEqual(ops, [{ kind: "paste", at: [2, 3], material: "one\ntwo世\n", format: "text" }]);
  assert.deepEqual(cursor, { x: 2, y: 5, origin: 2 });
});

test("three lines keep their leading blanks", () => {
  const cat = " /\\_/\\\n( o.o )\n > ^ <";
  const replica = replicaOf();
  pasted({ x: 0, y: 0, origin: 0 }, cat).ops.forEach((op, n) => replica.predict(edit(`p${n}`, op)));
  assert.equal(copied([0, 0, 7, 3], replica), cat);
});

test("a big paste is parted between rows, and the cells are the same", () => {
  const rows = Array.from({ length: 3000 }, (_, n) => `row ${n} ${"世".repeat(20)}`);
  const { ops } = pasted({ x: 1, y: 0, origin: 0 }, rows.join("\n"));
  assert.ok(ops.length > 2);
  assert.ok(ops.every(({ material }) => Buffer.byteLength(material) <= MAX_MATERIAL_BYTES));
  assert.equal(ops.map(({ material }) => material).join("\n"), rows.join("\n"));
  assert.deepEqual(ops.map(({ at }) => at[0]), ops.map(() => 1));
});

test("a row longer than one edit is parted between clusters", () => {
  const row = `\t${"世界".repeat(15_000)}`;
  const { ops, cursor } = pasted({ x: 0, y: 0, origin: 0 }, row);
  const replica = replicaOf();
  ops.forEach((op, n) => replica.predict(edit(`p${n}`, op)));
  assert.equal(copied([0, 0, 70_000, 1], replica), `    ${"世界".repeat(15_000)}`);
  assert.equal(cursor.x, 4 + 60_000);
});

test("an empty paste is no edit", () => {
  assert.deepEqual(pasted({ x: 0, y: 0, origin: 0 }, "").ops, []);
});

test("a copy has a line for every row; blanks at the end go unless they can be seen", () => {
  const replica = replicaOf(`abc${" ".repeat(7)}`);
  replica.confirm(change(2, packed(`abc${" ".repeat(7)}`, [0, 1], { bgColor: "#ffee00" })));
  replica.confirm(change(3, packed("x  y", [0, 3])));
  assert.equal(copied([0, 0, 10, 4], replica), `abc\nabc${" ".repeat(7)}\n\nx  y`);
});

test("a copy has wide glyphs whole, also at its edges", () => {
  assert.equal(copied([1, 0, 2, 1], replicaOf("世界")), "世界");
});

test("in ASCII every piece of a line is one letter, and no column moves", () => {
  const box = ["╔═╤╦═┓", "┃ ├╫┄╢", "╰─┼╨╴│", "└╶╲╱╳╝"].join("\n");
  const wanted = ["+-++-+", "| ++-+", "+-++-|", "+-\\/X+"].join("\n");
  assert.equal(copied([0, 0, 6, 4], replicaOf(box), asciiOf), wanted);
});

test("in ASCII what looks alike stands for the rest, and what looks like nothing is a question mark", () => {
  const replica = replicaOf("→▶ ↓ é ﬁ “a” … 世Ａ㎏ 🚀|█░ ●");
  assert.equal(copied([0, 0, 40, 1], replica, asciiOf), '>> v e ? "a" . ??A kg ??|#: *');
});

test("of every character there is, no copy in ASCII has anything else, and each keeps its columns", () => {
  for (let point = 0x20; point < 0x30000; point += 1) {
    const char = String.fromCodePoint(point);
    for (const columns of [[char], [char, ""]]) {
      const text = asciiOf(columns);
      if (!/^[\x20-\x7e]+$/.test(text) || text.length !== columns.length) assert.fail(`U+${point.toString(16)}: ${text}`);
    }
  }
});

test("a copy of more rows than a clipboard wants is refused", () => {
  assert.equal(copied([0, 0, 1, MAX_COPIED_ROWS + 1], replicaOf()), null);
});

test("erasing and filling a rectangle are one edit each; a style that says nothing is none", () => {
  assert.deepEqual(erased([1, 2, 3, 4]), { kind: "erase", at: [1, 2], size: [3, 4] });
  assert.deepEqual(filled([1, 2, 3, 4], { color: "accent" }), { kind: "fill", at: [1, 2], size: [3, 4], style: { color: "accent" } });
  assert.equal(filled([1, 2, 3, 4], {}), null);
});
