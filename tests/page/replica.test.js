import assert from "node:assert/strict";
import test from "node:test";
import { Replica } from "../../page/model/replica.js";
import { change, drawn, edit, emptied, packed, snapshot, typing } from "./drawing.js";

function replicaOf(text = "") {
  const replica = new Replica("pg-1");
  replica.loadPart(snapshot(text ? packed(text) : { styles: [], rows: [] }));
  return replica;
}

function told(replica) {
  const found = [];
  replica.changed.subscribe((changed) => found.push(changed));
  return found;
}

test("typed text shows at once and stays after the broker confirms it", () => {
  const replica = replicaOf();
  const changes = told(replica);
  replica.predict(edit("e1", typing("hi", [3, 2])));
  assert.equal(drawn(replica), "hi");
  replica.confirm(change(2, packed("hi", [3, 2]), { ack: "e1", author: "person" }));
  assert.equal(drawn(replica), "hi");
  assert.equal(replica.pendingCount, 0);
  assert.deepEqual(changes.map(({ origin }) => origin), ["local", "local"]);
});

test("the broker's outcome replaces a prediction that was wrong", () => {
  const replica = replicaOf();
  replica.predict(edit("e1", typing("hello", [0, 0])));
  replica.confirm(change(2, packed("he", [0, 0]), { ack: "e1" }));
  assert.equal(drawn(replica), "he");
});

test("a refused edit disappears and what was there shows again", () => {
  const replica = replicaOf("abc");
  replica.predict(edit("e1", typing("XY", [0, 0])));
  assert.equal(drawn(replica), "XYc");
  replica.refuse("e1");
  assert.equal(drawn(replica), "abc");
});

test("the same edit is predicted once and settled once", () => {
  const replica = replicaOf();
  const changes = told(replica);
  replica.predict(edit("e1", typing("a", [0, 0])));
  replica.predict(edit("e1", typing("a", [0, 0])));
  replica.settle("e1");
  replica.settle("e1");
  assert.equal(changes.length, 2);
});

test("acks of fifty edits may come in any order, the cells are the same", () => {
  const replica = replicaOf();
  const acks = Array.from({ length: 50 }, (_, n) => {
    const letter = String.fromCharCode(65 + (n % 26));
    const at = [(n * 7) % 20, n % 3];
    replica.predict(edit(`e${n}`, typing(letter, at)));
    return change(n + 2, packed(letter, at), { ack: `e${n}` });
  });
  const expected = drawn(replica);
  for (const ack of acks.toSorted((a, b) => ((a.seq * 37) % 53) - ((b.seq * 37) % 53))) replica.confirm(ack);
  assert.equal(replica.pendingCount, 0);
  assert.equal(drawn(replica), expected);
  assert.equal(replica.seq, 51);
});

test("a change that comes twice is applied once", () => {
  const replica = replicaOf();
  replica.confirm(change(2, packed("a")));
  replica.confirm(change(3, packed("b")));
  replica.confirm(change(2, packed("a")));
  assert.equal(drawn(replica), "b");
});

test("a change that is older than the snapshot is in it already", () => {
  const replica = new Replica("pg-1");
  replica.loadPart(snapshot(packed("new"), 9));
  replica.confirm(change(5, packed("old")));
  assert.equal(drawn(replica), "new");
});

test("an agent's change under a pending edit shows when the edit is settled", () => {
  const replica = replicaOf("......");
  replica.predict(edit("e1", typing("me", [2, 0])));
  replica.confirm(change(2, packed("agents", [0, 0])));
  assert.equal(drawn(replica), "agmets");
  replica.settle("e1");
  assert.equal(drawn(replica), "agents");
});

test("a pending erase also takes what an agent writes there before the broker has answered", () => {
  const replica = replicaOf("abcdef");
  replica.predict(edit("e1", { kind: "erase", at: [0, 0], size: [10, 2] }));
  replica.confirm(change(2, packed("xy", [3, 1])));
  assert.equal(replica.bounds(), null);
  replica.refuse("e1");
  assert.equal(drawn(replica), "abcdef\n···xy");
});

test("typing over the right half of a wide glyph takes it whole", () => {
  const replica = replicaOf("世界");
  replica.predict(edit("e1", typing("x", [1, 0])));
  assert.equal(drawn(replica, [0, 0, 4, 1]), "·x界");
});

test("a wide glyph between two others takes both whole", () => {
  const replica = replicaOf("日本");
  replica.predict(edit("e1", typing("月", [1, 0])));
  assert.equal(drawn(replica, [0, 0, 4, 1]), "·月");
});

test("an agent's wide glyph under a pending letter shows no half", () => {
  const replica = replicaOf();
  replica.predict(edit("e1", typing("x", [1, 0])));
  replica.confirm(change(2, packed("世", [0, 0])));
  assert.equal(drawn(replica, [0, 0, 3, 1]), "·x");
  replica.settle("e1");
  assert.equal(drawn(replica, [0, 0, 3, 1]), "世");
});

test("erasing either half of a cluster erases it whole", () => {
  for (const x of [0, 1]) {
    const replica = replicaOf("👨‍👩‍👧‍👦|");
    replica.predict(edit("e1", { kind: "erase", at: [x, 0], size: [1, 1] }));
    assert.equal(drawn(replica, [0, 0, 3, 1]), "··|");
  }
});

test("text without a background keeps that of the slot it lands on", () => {
  const replica = new Replica("pg-1");
  replica.loadPart(snapshot(packed("   ", [0, 0], { bgColor: "#ffee00" })));
  replica.predict(edit("e1", typing("a世", [0, 0], { style: { color: "accent" } })));
  const { styles } = replica.strip(0, 0, 3);
  assert.deepEqual(styles, Array(3).fill({ color: "accent", bgColor: "#ffee00" }));
});

test("fill gives characters a style and leaves blanks and empty columns alone", () => {
  const replica = replicaOf("a 世");
  replica.predict(edit("e1", { kind: "fill", at: [0, 0], size: [3, 5], style: { attrs: { bold: true } } }));
  const bold = { attrs: { bold: true } };
  assert.deepEqual(replica.strip(0, 0, 5).styles, [bold, {}, bold, bold, {}]);
  assert.equal(drawn(replica), "a 世");
});

test("filling with the default colour takes a colour away", () => {
  const replica = new Replica("pg-1");
  replica.loadPart(snapshot(packed("a", [0, 0], { color: "#ff0000" })));
  replica.predict(edit("e1", { kind: "fill", at: [0, 0], size: [1, 1], style: { color: "#000" } }));
  assert.deepEqual(replica.strip(0, 0, 1).styles, [{}]);
});

test("pasted tabs go to stops of four from the text's own origin, controls go", () => {
  const replica = replicaOf();
  replica.predict(edit("e1", { kind: "paste", at: [3, 0], material: "a\tb\r\n\x1b123\tc\n1234\td ", format: "text" }));
  assert.equal(drawn(replica), "a   b\n123 c\n1234    d");
  assert.equal(replica.charAt(3 + 9, 2), " ");
});

test("undo, redo and calls predict nothing", () => {
  const replica = replicaOf("abc");
  for (const kind of ["undo", "redo"]) replica.predict(edit(kind, { kind }));
  replica.predict(edit("call", { kind: "call", tool: "canvas_erase", args: {} }));
  assert.equal(drawn(replica), "abc");
  assert.equal(replica.pendingCount, 3);
});

test("a cluster typed in pieces grows where it stands", () => {
  const replica = replicaOf();
  replica.predict(edit("e1", typing("👩", [0, 0])));
  replica.predict(edit("e2", typing("\u200d🔧", [2, 0], { compose: true })));
  assert.equal(replica.charAt(0, 0), "👩\u200d🔧");
  assert.equal(drawn(replica), "👩\u200d🔧");
});

test("a snapshot in parts takes the place of everything with its last part", () => {
  const replica = replicaOf("old");
  const changes = told(replica);
  replica.loadPart({ ...snapshot(packed("one"), 5), part: 0, parts: 2 });
  assert.equal(drawn(replica), "old");
  replica.confirm(change(6, packed("X", [0, 1])));
  replica.loadPart({ ...snapshot(packed("two", [0, 1]), 5), part: 1, parts: 2 });
  assert.equal(drawn(replica), "one\nXwo");
  assert.deepEqual(changes.map(({ origin }) => origin), ["snapshot", "remote"]);
});

test("what is pending stays on top of a new snapshot", () => {
  const replica = replicaOf("abc");
  replica.predict(edit("e1", typing("Z", [1, 0])));
  replica.loadPart(snapshot(packed("xyz"), 7));
  assert.equal(drawn(replica), "xZz");
  assert.deepEqual(replica.pending().map(({ id }) => id), ["e1"]);
});

test("listeners are told what to paint, whose change it was, and in which colour", () => {
  const replica = replicaOf();
  const changes = told(replica);
  replica.confirm(change(2, packed("hi", [4, 4])));
  assert.deepEqual(changes, [{ rects: [[4, 4, 2, 1]], origin: "remote", author: "ada", color: "#3366cc" }]);
});

test("a change that empties cells is seen", () => {
  const replica = replicaOf("abc");
  replica.confirm(change(2, emptied([0, 0], 2)));
  assert.equal(drawn(replica, [0, 0, 3, 1]), "··c");
  assert.deepEqual(replica.bounds(), [2, 0, 1, 1]);
});

test("ten thousand confirmations of pending edits are laid anew once", () => {
  const replica = replicaOf();
  const count = 10_000;
  for (let n = 0; n < count; n++) replica.predict(edit(`e${n}`, typing("x", [n % 100, Math.floor(n / 100)])));
  for (let n = 0; n < count; n++)
    replica.confirm(change(n + 2, packed("x", [n % 100, Math.floor(n / 100)]), { ack: `e${n}` }));
  assert.deepEqual(replica.bounds(), [0, 0, 100, 100]);
});
