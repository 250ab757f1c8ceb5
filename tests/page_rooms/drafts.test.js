import assert from "node:assert/strict";
import test from "node:test";
import { Drafts } from "../../page/wire/drafts.js";
import { Outbox } from "../../page/wire/outbox.js";
import { typing } from "../page/drawing.js";
import { FakeStorage, settled } from "../page/world.js";

class FakeVault {
  entries = new Map();
  isClosed = false;
  #open() {
    if (this.isClosed) throw new DOMException("no", "InvalidStateError");
  }
  async all() {
    this.#open();
    return [...this.entries].sort();
  }
  async put(key, text) {
    this.#open();
    this.entries.set(key, text);
  }
  async remove(key) {
    this.entries.delete(key);
  }
}

const edit = (id) => ({ type: "edit", id, epoch: 1, sheet: "pg-1", op: typing(id, [0, 0]) });

test("what the storage refuses goes into the vault, and nobody is alarmed", async () => {
  const [storage, vault] = [new FakeStorage(), new FakeVault()];
  const drafts = new Drafts(storage, vault);
  storage.isFull = true;
  drafts.save(edit("e-1"));
  await settled();
  assert.equal(drafts.isFailing.value, false);
  assert.equal(vault.entries.size, 1);
  drafts.drop("e-1");
  await settled();
  assert.equal(vault.entries.size, 0);
});

test("when both refuse, a reload would lose it, and that is said until one takes an edit", async () => {
  const [storage, vault] = [new FakeStorage(), new FakeVault()];
  const drafts = new Drafts(storage, vault);
  [storage.isFull, vault.isClosed] = [true, true];
  drafts.save(edit("e-1"));
  await settled();
  assert.equal(drafts.isFailing.value, true);
  storage.isFull = false;
  drafts.save(edit("e-2"));
  assert.equal(drafts.isFailing.value, false);
});

test("after a reload edits of both places are in the order in which they were made", async () => {
  const [storage, vault] = [new FakeStorage(), new FakeVault()];
  const before = new Drafts(storage, vault);
  for (const [id, isFull] of [["e-1", false], ["e-2", true], ["e-3", false], ["e-4", true]]) {
    storage.isFull = isFull;
    before.save(edit(id));
  }
  await settled();
  storage.isFull = false;
  const drafts = new Drafts(storage, vault);
  const outbox = new Outbox(drafts);
  await outbox.ready;
  assert.deepEqual(outbox.list().map(({ id }) => id), ["e-1", "e-2", "e-3", "e-4"]);
  outbox.add(edit("e-5"));
  assert.deepEqual(outbox.again(2).map(({ id, epoch }) => `${id} ${epoch}`).at(-1), "e-5 2");
});

test("an edit that is settled before the vault has it leaves nothing there", async () => {
  const [storage, vault] = [new FakeStorage(), new FakeVault()];
  storage.isFull = true;
  const drafts = new Drafts(storage, vault);
  drafts.save(edit("e-1"));
  drafts.drop("e-1");
  await settled();
  assert.equal(vault.entries.size, 0);
});

test("a vault that does not open keeps nobody from beginning", async () => {
  const vault = new FakeVault();
  vault.isClosed = true;
  assert.deepEqual(await new Drafts(new FakeStorage(), vault).loadVault(), []);
});
