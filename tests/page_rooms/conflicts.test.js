import assert from "node:assert/strict";
import test from "node:test";
import { Conflicts } from "../../page/wire/conflicts.js";
import { typing } from "../page/drawing.js";
import { FakeStorage } from "../page/world.js";

const refusal = { type: "refused", id: "e-1", code: "conflict", message: "ada changed these cells", details: {} };
const edit = (more = {}) => ({ type: "edit", id: "e-1", epoch: 1, sheet: "pg-1", op: typing("a", [0, 0]), ...more });

test("what was done offline and refused is kept over a reload until it is dropped", () => {
  const storage = new FakeStorage();
  assert.equal(new Conflicts(storage).keep(refusal, edit({ base: 3 })), true);
  const again = new Conflicts(storage);
  assert.deepEqual(
    again.all.value.map(({ edit: { id }, why }) => [id, why]),
    [["e-1", "ada changed these cells"]],
  );
  again.drop("e-1");
  assert.deepEqual(new Conflicts(storage).all.value, []);
});

test("what was done online, and what has no cells, is the person's to do again", () => {
  const conflicts = new Conflicts(new FakeStorage());
  assert.equal(conflicts.keep(refusal, edit()), false);
  assert.equal(conflicts.keep(refusal, edit({ base: 3, op: { kind: "undo" } })), false);
  assert.equal(conflicts.keep(refusal, null), false);
  assert.deepEqual(conflicts.all.value, []);
});

test("a full storage keeps it on the screen", () => {
  const storage = new FakeStorage();
  storage.isFull = true;
  const conflicts = new Conflicts(storage);
  conflicts.keep(refusal, edit({ base: 3 }));
  assert.equal(conflicts.all.value.length, 1);
});

test("an entry that can't be read is left alone", () => {
  const storage = new FakeStorage();
  storage.setItem("chardesk/conflict/e-9", "{");
  assert.deepEqual(new Conflicts(storage).all.value, []);
  assert.equal(storage.getItem("chardesk/conflict/e-9"), "{");
});
