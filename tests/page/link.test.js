import assert from "node:assert/strict";
import test from "node:test";
import { Replica } from "../../page/model/replica.js";
import { change, drawn, snapshot, typing } from "./drawing.js";
import { FakePage } from "./world.js";

const done = (id) => ({ type: "done", id, result: {} });
const refused = (id, code = "conflict") => ({ type: "refused", id, code, message: "no", nextStep: "read", details: {} });

async function joined(options) {
  const page = new FakePage(options);
  await page.join();
  page.heard();
  return page;
}

test("a page with a token says hello with it and is live once it is welcome", async () => {
  const page = new FakePage();
  assert.equal(page.link.state.value, "connecting");
  await page.join();
  assert.deepEqual(page.wire.sent[0], { type: "hello", protocol: 1, kind: "canvas", token: "t-1", takeSeat: false });
  assert.equal(page.link.state.value, "live");
  assert.equal(page.link.canvases.value.sheet, "pg-1");
});

test("a one-time code is traded for a token and taken out of the address", async () => {
  const page = new FakePage({ token: "", hash: "#code=abc" });
  await page.join({ token: "t-9" });
  assert.equal(page.wire.sent[0].code, "abc");
  assert.equal(page.hash, "");
  assert.equal(page.storage.getItem("chardesk/token"), "t-9");
});

test("a storage that keeps no token lets the page go on with it", async () => {
  const page = new FakePage({ token: "", hash: "#code=abc" });
  page.storage.isFull = true;
  await page.join({ token: "t-new" });
  assert.equal(page.link.state.value, "live");
  await page.lose();
  await page.rejoin();
  assert.equal(page.wire.sent[0].token, "t-new");
});

test("without code or token the page is locked and does not even try", () => {
  const page = new FakePage({ token: "" });
  page.link.start();
  assert.equal(page.link.state.value, "locked");
  assert.equal(page.world.probes, 0);
});

test("a token that is not known locks the page, once; a new code unlocks it", async () => {
  const page = new FakePage();
  page.link.start();
  await page.world.pass(0);
  page.wire.onopen();
  await page.lose(4401);
  await page.world.pass(60_000);
  page.link.start();
  await page.world.pass(60_000);
  assert.equal(page.link.state.value, "locked");
  assert.equal(page.world.sockets.length, 1);
  page.hash = "#code=new";
  await page.join();
  assert.equal(page.link.state.value, "live");
});

test("a code that is too old leaves the token to be tried", async () => {
  const page = new FakePage({ hash: "#code=old" });
  page.link.start();
  await page.world.pass(0);
  page.wire.onopen();
  await page.lose(4401);
  await page.rejoin();
  assert.equal(page.wire.sent[0].token, "t-1");
  assert.equal(page.link.state.value, "live");
});

test("an edit goes out at once, without a base, and is settled by its ack exactly once", async () => {
  const page = await joined();
  const edit = page.link.edit(typing("a", [0, 0]));
  assert.deepEqual(page.heard(), [edit]);
  assert.ok(!("base" in edit));
  assert.equal(page.link.unsent.value, 1);
  const counts = [];
  page.link.unsent.subscribe((count) => counts.push(count));
  page.tell(change(6, { styles: [], rows: [] }, { ack: edit.id }));
  page.tell(done(edit.id));
  assert.deepEqual(counts, [1, 0]);
});

test("what is unanswered is sent again after a reconnect, in order and in the new epoch", async () => {
  const page = await joined();
  const edits = ["a", "b", "c"].map((text, x) => page.link.edit(typing(text, [x, 0])));
  page.tell(done(edits[1].id));
  page.heard();
  await page.lose();
  assert.equal(page.link.state.value, "offline");
  await page.rejoin();
  assert.deepEqual(page.heard().map(({ id, epoch }) => [id, epoch]), [[edits[0].id, 2], [edits[2].id, 2]]);
});

test("edits made offline carry the newest revision that the page had", async () => {
  const page = await joined();
  page.tell(change(8, { styles: [], rows: [] }));
  await page.lose();
  const edit = page.link.edit(typing("a", [0, 0]));
  assert.equal(edit.base, 8);
  assert.deepEqual(page.heard(), []);
  await page.rejoin();
  assert.deepEqual(page.heard(), [{ ...edit, epoch: 2 }]);
});

test("a reload loses nothing that was typed", async () => {
  const before = await joined();
  await before.lose();
  const edits = ["a", "b"].map((text, x) => before.link.edit(typing(text, [x, 0])));
  const after = new FakePage({ storage: before.storage });
  assert.equal(after.link.unsent.value, 2);
  assert.deepEqual(after.link.unacknowledged("pg-1"), edits);
  await after.join({ epoch: 3 });
  assert.deepEqual(after.heard(), edits.map((edit) => ({ ...edit, epoch: 3 })));
  edits.forEach(({ id }) => after.tell(done(id)));
  assert.deepEqual([...after.storage.entries.keys()], ["chardesk/token"]);
});

test("what got no answer is sent again with what the person had seen, so nothing is overwritten unasked", async () => {
  const before = await joined();
  const edit = before.link.edit(typing("a", [0, 0]));
  assert.deepEqual(before.heard(), [edit]);
  assert.equal(edit.base, undefined);
  await before.lose();
  await before.rejoin({ epoch: 3 });
  assert.deepEqual(before.heard().filter(({ type }) => type === "edit"), [{ ...edit, epoch: 3, base: 5 }]);
  const after = new FakePage({ storage: before.storage });
  await after.join({ epoch: 4 });
  assert.deepEqual(after.heard(), [{ ...edit, epoch: 4, base: 5 }]);
});

test("drafts keep their order over a hundred reloads", async () => {
  const first = await joined();
  await first.lose();
  const ids = [first.link.edit(typing("a", [0, 0])).id];
  for (let n = 0; n < 100; n++) {
    const page = await joined({ storage: first.storage });
    await page.lose();
    ids.push(page.link.edit(typing("b", [n, 0])).id);
  }
  const last = new FakePage({ storage: first.storage });
  assert.deepEqual(last.link.unacknowledged("pg-1").map(({ id }) => id), ids);
});

test("an edit that another page had settled is not sent again", async () => {
  const before = await joined();
  await before.lose();
  const edit = before.link.edit(typing("a", [0, 0]));
  const after = new FakePage({ storage: before.storage });
  await before.rejoin();
  before.tell(done(edit.id));
  await after.join();
  assert.deepEqual(after.heard(), []);
  assert.equal(after.link.unsent.value, 0);
});

test("what is drawn while the desk's disk refuses waits, and goes out when it takes changes again", async () => {
  const page = await joined();
  const crossed = page.link.edit(typing("a", [0, 0]));
  page.tell(refused(crossed.id, "store_failed"));
  page.tell({ type: "disk", refuses: true });
  assert.ok(page.link.isDiskRefusing.value);
  page.heard();
  const later = page.link.edit(typing("b", [1, 0]));
  assert.deepEqual(page.heard(), []);
  assert.equal(page.link.unsent.value, 2);
  page.tell({ type: "disk", refuses: false });
  assert.deepEqual(page.heard(), [crossed, later].map((edit) => ({ ...edit, base: 5 })));
});

test("an undo that the desk's disk refuses is not done later", async () => {
  const page = await joined();
  const undo = page.link.edit({ kind: "undo" });
  page.tell(refused(undo.id, "store_failed"));
  assert.equal(page.link.unsent.value, 0);
});

test("a connection that begins well forgets that a disk refused", async () => {
  const page = await joined();
  page.tell({ type: "disk", refuses: true });
  await page.lose();
  await page.rejoin();
  assert.ok(!page.link.isDiskRefusing.value);
});

test("a storage that is full is told, and the edit goes out all the same", async () => {
  const page = await joined();
  page.storage.isFull = true;
  const edit = page.link.edit(typing("a", [0, 0]));
  assert.ok(page.link.isStorageFailing.value);
  assert.deepEqual(page.heard(), [edit]);
  page.storage.isFull = false;
  page.link.edit(typing("b", [0, 0]));
  assert.ok(!page.link.isStorageFailing.value);
});

test("a refused edit is told with what it was", async () => {
  const page = await joined();
  const heard = [];
  page.link.refused.subscribe(({ refusal, edit }) => heard.push([refusal.code, edit?.op.text]));
  const edit = page.link.edit(typing("a", [0, 0]));
  page.tell(refused(edit.id));
  assert.deepEqual(heard, [["conflict", "a"]]);
  assert.equal(page.link.unsent.value, 0);
});

test("an edit over the frame's limit is refused here and not kept", async () => {
  const page = await joined();
  const codes = [];
  page.link.refused.subscribe(({ refusal }) => codes.push(refusal.code));
  assert.equal(page.link.edit({ kind: "paste", at: [0, 0], material: "世".repeat(350_000), format: "text" }), null);
  assert.deepEqual(codes, ["too_large"]);
  assert.equal(page.link.unsent.value, 0);
});

test("a page without the seat may not edit until it takes it", async () => {
  const page = new FakePage();
  await page.join({ seat: false });
  assert.equal(page.link.state.value, "read_only");
  assert.equal(page.link.edit(typing("a", [0, 0])), null);
  page.link.takeSeat();
  await page.rejoin();
  assert.deepEqual(page.world.sockets.map(({ sent }) => sent[0].takeSeat), [false, true]);
  assert.equal(page.link.edit(typing("a", [0, 0])).epoch, 2);
});

test("edits that crossed with the loss of the seat are kept and sent when it is back", async () => {
  const page = await joined();
  const edit = page.link.edit(typing("a", [0, 0]));
  page.tell({ type: "seat_lost" });
  page.tell(refused(edit.id, "replaced"));
  assert.equal(page.link.unsent.value, 1);
  page.heard();
  page.link.takeSeat();
  await page.rejoin({ epoch: 3 });
  assert.deepEqual(page.heard(), [{ ...edit, epoch: 3, base: 5 }]);
});

test("another build of the broker ends the conversation and keeps what is unsent", async () => {
  const page = await joined();
  page.link.edit(typing("a", [0, 0]));
  page.tell({ type: "reload", version: "2" });
  assert.equal(page.link.state.value, "outdated");
  assert.equal(page.link.edit(typing("b", [1, 0])).base, 5);
  await page.world.pass(60_000);
  assert.equal(page.world.sockets.length, 1);
  assert.equal(page.link.unsent.value, 2);
});

test("another protocol makes the page outdated", async () => {
  const page = new FakePage();
  await page.join({ protocol: 2 });
  assert.equal(page.link.state.value, "outdated");
});

test("a tool that the person calls answers with its result, or rejects with its refusal", async () => {
  const page = await joined();
  const good = page.link.callTool("canvas_manage", { action: "create" });
  const bad = page.link.callTool("canvas_manage", { action: "rename" });
  const [first, second] = page.heard();
  assert.deepEqual(first.op, { kind: "call", tool: "canvas_manage", args: { action: "create" } });
  page.tell({ ...done(first.id), result: { canvasId: "cv-2" } });
  page.tell(refused(second.id, "name_taken"));
  assert.deepEqual(await good, { canvasId: "cv-2" });
  await assert.rejects(bad, { code: "name_taken", nextStep: "read" });
});

test("a tool called without a connection is refused at once and never runs later", async () => {
  const page = await joined();
  await page.lose();
  await assert.rejects(page.link.callTool("canvas_manage", {}), { code: "broker_unavailable" });
  await assert.rejects(page.link.webMcp("canvas_read", {}), { code: "broker_unavailable" });
  assert.equal(page.link.unsent.value, 0);
});

test("a call of the browser's agent ends with its result, or with the connection", async () => {
  const page = await joined();
  const good = page.link.webMcp("canvas_read", {});
  const lost = page.link.webMcp("canvas_read", {});
  page.tell({ type: "web_mcp_result", id: page.heard()[0].id, result: { content: "hi" } });
  assert.deepEqual(await good, { content: "hi" });
  await page.lose();
  await assert.rejects(lost, { code: "broker_unavailable" });
});

test("decisions go out with the epoch, or not at all", async () => {
  const page = await joined();
  assert.ok(page.link.decide({ id: "pv-1", version: 2 }, "veto", "not there"));
  assert.deepEqual(page.heard(), [{ type: "decide", epoch: 1, preview: "pv-1", version: 2, verdict: "veto", note: "not there" }]);
  await page.lose();
  assert.ok(!page.link.decide({ id: "pv-1", version: 2 }, "apply"));
});

test("what is shown is told once a connection; the viewport four times a second, the last one always", async () => {
  const page = await joined();
  page.link.shown(5);
  page.link.shown(5);
  for (let x = 0; x < 10; x++) page.link.viewport([x, 0, 80, 24]);
  page.link.viewport([99, 0, 80, 24], [1, 1, 2, 2]);
  await page.world.pass(1000);
  const base = { sheet: "pg-1" };
  assert.deepEqual(page.heard(), [
    { type: "shown", ...base, seq: 5 },
    { type: "viewport", ...base, rect: [0, 0, 80, 24] },
    { type: "viewport", ...base, rect: [99, 0, 80, 24], selection: [1, 1, 2, 2] },
  ]);
  await page.lose();
  await page.rejoin();
  page.link.shown(5);
  assert.equal(page.heard().length, 1);
});

test("typed text survives a broker that dies between the edit and its answer", async () => {
  const page = await joined();
  const replica = new Replica("pg-1");
  page.link.snapshot.subscribe((part) => replica.loadPart(part));
  page.link.change.subscribe((news) => replica.confirm(news));
  page.link.done.subscribe(({ id }) => replica.settle(id));
  page.tell(snapshot({ styles: [], rows: [] }, 5));
  for (const [x, text] of ["h", "i"].entries()) replica.predict(page.link.edit(typing(text, [x, 0])));
  await page.lose();
  replica.predict(page.link.edit(typing("!", [2, 0])));
  page.heard();
  await page.rejoin({ seq: 6 });
  page.tell(snapshot({ styles: [{}], rows: [[0, [[0, "h", 0]]]] }, 6));
  assert.equal(drawn(replica), "hi!");
  const [h, i, mark] = page.heard();
  page.tell(done(h.id));
  page.tell(change(7, { styles: [{}], rows: [[0, [[1, "i", 0]]]] }, { ack: i.id }));
  page.tell(change(8, { styles: [{}], rows: [[0, [[2, "!", 0]]]] }, { ack: mark.id }));
  assert.equal(drawn(replica), "hi!");
  assert.equal(replica.pendingCount + page.link.unsent.value, 0);
});

test("a gesture carries the seat's epoch, and is not sent without the seat", async () => {
  const page = await joined({});
  assert.equal(page.link.gesture({ type: "pause", isPaused: true }), true);
  assert.deepEqual(page.heard(), [{ type: "pause", isPaused: true, epoch: 1 }]);
  page.tell({ type: "seat_lost" });
  assert.equal(page.link.gesture({ type: "pause", isPaused: false }), false);
});

test("a question is answered once, is no edit, and fails with the connection", async () => {
  const page = await joined({});
  const asked = page.link.ask("canvas_read", {});
  const [{ id, type }] = page.heard();
  assert.equal(type, "ask");
  assert.equal(page.link.unsent.value, 0);
  page.tell({ type: "done", id, result: { content: "hi" } });
  assert.equal((await asked).content, "hi");
  const lost = page.link.ask("canvas_read", {});
  await page.lose();
  await assert.rejects(lost, { code: "broker_unavailable" });
});

test("a refused question tells nobody but who asked", async () => {
  const page = await joined({});
  let told = 0;
  page.link.refused.subscribe(() => told++);
  const asked = page.link.ask("canvas_read", {});
  page.tell(refused(page.heard()[0].id, "page_not_found"));
  await assert.rejects(asked, { code: "page_not_found" });
  assert.equal(told, 0);
});
