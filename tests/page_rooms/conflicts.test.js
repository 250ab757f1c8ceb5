import assert from "node:assert/strict";
import test from "node:test";
import { Conflicts, mayBeLost } from "../../page/wire/conflicts.js";
import { typing } from "../page/drawing.js";
import { FakeStorage } from "../page/world.js";

const refusal = (id = "e-1", message = "ada changed these cells") => ({ type: "refused", id, code: "conflict", message, details: {} });
const edit = (more = {}) => ({ type: "edit", id: "e-1", epoch: 1, sheet: "pg-1", op: typing("a", [0, 0]), ...more });

/** Some conflicts, in the order of their edits' names. */
function kept(storage, ...ids) {
  const conflicts = new Conflicts(storage);
  for (const id of ids) conflicts.keep(refusal(id), edit({ id, base: 3 }));
  return conflicts;
}
const ids = (conflicts) => conflicts.all.value.map(({ edit: { id } }) => id);

test("what was done offline and refused is kept over a reload until it is dropped", () => {
  const storage = new FakeStorage();
  assert.equal(new Conflicts(storage).keep(refusal(), edit({ base: 3 })), true);
  const again = new Conflicts(storage);
  assert.deepEqual(
    again.all.value.map(({ edit: { id }, why }) => [id, why]),
    [["e-1", "ada changed these cells"]],
  );
  again.drop(again.all.value);
  assert.deepEqual(new Conflicts(storage).all.value, []);
});

test("what was done online, and what has no cells, is the person's to do again", () => {
  const conflicts = new Conflicts(new FakeStorage());
  for (const each of [edit(), edit({ base: 3, op: { kind: "undo" } }), null]) {
    assert.equal(mayBeLost(each), false);
    assert.equal(conflicts.keep(refusal(), each), false);
  }
  assert.deepEqual(conflicts.all.value, []);
});

test("the oldest is first, after a reload too, whatever the edits are called", () => {
  const storage = new FakeStorage();
  kept(storage, "e-7", "e-2", "e-9");
  assert.deepEqual(ids(new Conflicts(storage)), ["e-7", "e-2", "e-9"]);
  assert.deepEqual(ids(kept(storage, "e-1")), ["e-7", "e-2", "e-9", "e-1"]);
});

test("what is placed again stays until the broker has it", () => {
  const storage = new FakeStorage();
  const conflicts = kept(storage, "e-1", "e-2");
  let made = 0;
  conflicts.place(conflicts.all.value, (op) => edit({ id: `new-${++made}`, op }));
  assert.deepEqual(ids(new Conflicts(storage)), ["e-1", "e-2"]);
  conflicts.placed("new-1");
  conflicts.placed("somebody's");
  assert.deepEqual(ids(conflicts), ["e-2"]);
  const again = new Conflicts(storage);
  again.placed("new-2");
  assert.deepEqual(ids(new Conflicts(storage)), [], "an answer that comes after a reload counts too");
});

test("a refused attempt leaves the card with the new reason, and no second one", () => {
  const storage = new FakeStorage();
  const conflicts = kept(storage, "e-1");
  conflicts.place(conflicts.all.value, (op) => edit({ id: "new-1", op, base: 9 }));
  assert.equal(conflicts.keep(refusal("new-1", "the slide is smaller now"), edit({ id: "new-1", base: 9 })), true);
  const [only, ...others] = new Conflicts(storage).all.value;
  assert.deepEqual([only.edit.id, only.why, only.placedBy, others], ["e-1", "the slide is smaller now", undefined, []]);
});

test("a page that may not edit places nothing", () => {
  const conflicts = kept(new FakeStorage(), "e-1", "e-2");
  let asked = 0;
  conflicts.place(conflicts.all.value, () => (asked++, null));
  assert.deepEqual([asked, conflicts.all.value.some(({ placedBy }) => placedBy)], [1, false]);
});

test("what another page dropped or was refused is seen here", () => {
  const storage = new FakeStorage();
  const [here, there] = [kept(storage, "e-1"), new Conflicts(storage)];
  there.drop(there.all.value);
  there.keep(refusal("e-2"), edit({ id: "e-2", base: 3 }));
  here.read();
  assert.deepEqual(ids(here), ["e-2"]);
  assert.deepEqual([null, "chardesk/conflict/e-1", "chardesk/token"].map(Conflicts.isIn), [true, true, false]);
});

test("a full storage keeps it on the screen, and what it had before", () => {
  const storage = new FakeStorage();
  const conflicts = kept(storage, "e-1");
  storage.isFull = true;
  conflicts.keep(refusal("e-2"), edit({ id: "e-2", base: 3 }));
  conflicts.place(conflicts.all.value.slice(0, 1), (op) => edit({ id: "new-1", op }));
  conflicts.read();
  assert.deepEqual(conflicts.all.value.map(({ edit: { id }, placedBy }) => [id, placedBy]), [["e-1", "new-1"], ["e-2", undefined]]);
  assert.deepEqual(ids(new Conflicts(storage)), ["e-1"]);
});

test("an entry that can't be read is left alone", () => {
  const storage = new FakeStorage();
  storage.setItem("chardesk/conflict/e-9", "{");
  assert.deepEqual(new Conflicts(storage).all.value, []);
  assert.equal(storage.getItem("chardesk/conflict/e-9"), "{");
});
