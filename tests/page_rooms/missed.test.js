import assert from "node:assert/strict";
import test from "node:test";
import { Replica } from "../../page/model/replica.js";
import { Missed } from "../../page/panels/tools/missed.js";
import { change, packed, snapshot, typing } from "../page/drawing.js";
import { FakeStorage, settled } from "../page/world.js";

const SCREEN = [0, 0, 80, 24];

/** A page of a person: what the broker answers when it is asked, and what was asked. */
function page(storage, answer = async () => ({ changed: [] })) {
  const here = { asked: [], seen: [], visible: SCREEN };
  const ask = (tool, args) => (here.asked.push(args), answer(args));
  here.missed = new Missed({ store: storage, ask, visible: () => here.visible });
  here.missed.changed.subscribe(({ seen }) => here.seen.push(...seen));
  here.open = async (seq, sheet = "pg-1") => {
    const replica = new Replica(sheet);
    here.missed.watch(replica);
    replica.loadPart({ ...snapshot(packed("x")), sheet, seq });
    await settled();
    return replica;
  };
  return here;
}

const since = (...changed) => async () => ({ changed: changed.map(([author, bounds]) => ({ author, bounds, revision: 9 })) });

test("a sheet that this browser never showed has no news", async () => {
  const here = page(new FakeStorage());
  await here.open(7);
  assert.deepEqual([here.asked, here.missed.places], [[], []]);
  here.missed.keep();
});

test("what others did while the page was closed is missed, what is in sight is seen, what the person did is neither", async () => {
  const storage = new FakeStorage();
  const first = page(storage);
  await first.open(7);
  first.missed.keep();
  const again = page(storage, since(["ada", [200, 90, 3, 1]], ["bob", [1, 1, 2, 1]], ["person", [300, 0, 1, 1]]));
  await again.open(9);
  assert.deepEqual(again.asked, [{ pageId: "pg-1", sinceRevision: 7 }]);
  assert.deepEqual(again.missed.places, [[200, 90, 3, 1]]);
  assert.deepEqual(again.seen, [[1, 1, 2, 1]]);
  again.missed.keep();
  const third = page(storage);
  await third.open(9);
  assert.deepEqual([third.asked, third.missed.places], [[], [[200, 90, 3, 1]]], "a place stays until it was looked at");
  third.visible = [190, 80, 80, 24];
  third.missed.look();
  third.missed.keep();
  const last = page(storage);
  await last.open(9);
  assert.deepEqual(last.missed.places, []);
  last.missed.keep();
});

test("a change that comes while the page is there is kept too, and its revision", async () => {
  const storage = new FakeStorage();
  const here = page(storage);
  const replica = await here.open(7);
  replica.confirm({ ...change(8, packed("far", [500, 0])), author: "ada" });
  assert.deepEqual(here.missed.places, [[500, 0, 3, 1]]);
  here.missed.keep();
  const again = page(storage);
  await again.open(8);
  assert.deepEqual([again.asked, again.missed.places], [[], [[500, 0, 3, 1]]]);
  again.missed.keep();
});

test("a question that got no answer is asked again, from where it was", async () => {
  const storage = new FakeStorage();
  const first = page(storage);
  await first.open(7);
  first.missed.keep();
  let isThere = false;
  const here = page(storage, async () => {
    if (!isThere) throw Object.assign(new Error("no"), { code: "broker_unavailable" });
    return { changed: [{ author: "ada", bounds: [200, 0, 1, 1], revision: 9 }] };
  });
  const replica = await here.open(9);
  replica.confirm(change(10, packed("y", [3, 3])));
  here.missed.keep();
  isThere = true;
  replica.loadPart({ ...snapshot(packed("x")), seq: 11 });
  await settled();
  assert.deepEqual(here.asked.map(({ sinceRevision }) => sinceRevision), [7, 7]);
  assert.deepEqual(here.missed.places, [[200, 0, 1, 1]]);
  here.missed.keep();
});

test("a desk that was put back to an earlier time, and a storage that cannot be read, begin anew", async () => {
  const storage = new FakeStorage();
  const first = page(storage);
  await first.open(7);
  first.missed.keep();
  const gone = async () => {
    throw Object.assign(new Error("no"), { code: "revision_gone" });
  };
  const here = page(storage, gone);
  const replica = await here.open(9);
  replica.loadPart({ ...snapshot(packed("x")), seq: 9 });
  assert.equal(here.asked.length, 1);
  here.missed.keep();
  storage.setItem("chardesk/seen", "{");
  const blank = page(storage);
  await blank.open(9);
  assert.deepEqual(blank.asked, []);
  storage.isFull = true;
  blank.missed.keep();
});

test("what is typed before the cells have come makes nothing news", async () => {
  const here = page(new FakeStorage());
  const replica = new Replica("pg-1");
  here.missed.watch(replica);
  replica.predict({ type: "edit", id: "e-1", epoch: 1, sheet: "pg-1", op: typing("a", [0, 0]) });
  replica.loadPart(snapshot(packed("x")));
  await settled();
  assert.deepEqual(here.asked, []);
  here.missed.keep();
});
