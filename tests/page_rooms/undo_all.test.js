import assert from "node:assert/strict";
import test from "node:test";

globalThis.navigator ??= { language: "en" };
const { undoable } = await import("../../page/panels/company/undo_all.js");

const did = (operationId, author, undoes) => ({ operationId, author, ...(undoes && { undoes }) });

test("an author's operations that stand are taken back, newest first", () => {
  const log = [did("op-3", "ada"), did("op-2", "bob"), did("op-1", "ada")];
  assert.deepEqual(undoable(log, "ada"), ["op-3", "op-1"]);
});

test("what was undone is left out, whoever undid it, and so is the undo", () => {
  const log = [did("op-3", "person", "op-2"), did("op-2", "ada"), did("op-1", "ada")];
  assert.deepEqual(undoable(log, "ada"), ["op-1"]);
  assert.deepEqual(undoable(log, "person"), []);
});

test("what was undone and redone stands again", () => {
  const log = [did("op-3", "ada", "op-2"), did("op-2", "ada", "op-1"), did("op-1", "ada")];
  assert.deepEqual(undoable(log, "ada"), ["op-1"]);
});
