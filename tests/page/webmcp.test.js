import assert from "node:assert/strict";
import test from "node:test";
import { composed } from "../../page/webmcp/compose.js";
import { Registration } from "../../page/webmcp/connect.js";
import { FakePage, WELCOME, settled } from "./world.js";

const tool = (name, owner = "canvas") => ({ name, description: name, inputSchema: { type: "object" }, readOnly: false, owner });
const TOOLS = [tool("chardesk_read_materials", "materials"), tool("canvas_manage"), tool("canvas_read")];

/** A host that refuses some names. */
function host(refuses = []) {
  const tools = new Map();
  const registerTool = async (declared, { signal }) => {
    if (refuses.includes(declared.name)) throw new DOMException("Duplicate tool name", "InvalidStateError");
    tools.set(declared.name, declared);
    signal.addEventListener("abort", () => tools.delete(declared.name));
  };
  return { tools, registerTool };
}

async function announced(context, options = {}, welcome = {}) {
  const page = new FakePage(options);
  const statuses = [];
  const registration = new Registration(page.link, context, (status) => statuses.push(status));
  page.link.state.subscribe(() => registration.follow());
  page.link.welcome.subscribe(() => registration.follow());
  await page.join({ tools: TOOLS, ...welcome });
  await settled();
  return { page, statuses, registration };
}

test("the canvas's tools come first, then the materials', without a category", () => {
  const names = composed(TOOLS).map(({ name }) => name);
  assert.deepEqual(names, ["canvas_manage", "canvas_read", "chardesk_read_materials"]);
  assert.deepEqual(Object.keys(composed(TOOLS)[0]), ["name", "description", "inputSchema", "annotations"]);
});

test("a page with the seat announces its tools in order", async () => {
  const context = host();
  const { statuses } = await announced(context);
  assert.deepEqual([...context.tools.keys()], ["canvas_manage", "canvas_read", "chardesk_read_materials"]);
  assert.deepEqual(statuses, ["waiting", "registering", "ready"]);
});

test("a page without the seat announces nothing, and takes back what it announced when it loses it", async () => {
  const context = host();
  const { page, statuses } = await announced(context);
  page.tell({ type: "seat_lost" });
  assert.equal(context.tools.size, 0);
  assert.equal(statuses.at(-1), "waiting");
  const other = host();
  await announced(other, {}, { seat: false });
  assert.equal(other.tools.size, 0);
});

test("a reader announces without a seat", async () => {
  const context = host();
  await announced(context, { kind: "reader" }, { seat: false });
  assert.equal(context.tools.size, 3);
});

test("a new welcome with the same tools changes nothing, with others it takes their place", async () => {
  const context = host();
  const { page, statuses } = await announced(context);
  page.tell({ ...WELCOME, tools: TOOLS });
  await settled();
  assert.equal(statuses.length, 3);
  page.tell({ ...WELCOME, tools: [tool("canvas_read")] });
  await settled();
  assert.deepEqual([...context.tools.keys()], ["canvas_read"]);
  assert.equal(statuses.at(-1), "ready");
});

test("when the host refuses one tool none stays", async () => {
  const context = host(["canvas_read"]);
  const { statuses } = await announced(context);
  assert.equal(context.tools.size, 0);
  assert.equal(statuses.at(-1), "failed");
});

test("a page that goes away takes its tools back", async () => {
  const context = host();
  const { registration, statuses } = await announced(context);
  registration.dispose();
  assert.equal(context.tools.size, 0);
  assert.equal(statuses.at(-1), "disposed");
});

test("a call goes to the broker and its answer back to the host", async () => {
  const context = host();
  const { page } = await announced(context);
  const answer = context.tools.get("canvas_read").execute({ viewport: [0, 0, 1, 1] });
  const call = page.heard().at(-1);
  assert.deepEqual([call.type, call.tool, call.arguments], ["web_mcp_call", "canvas_read", { viewport: [0, 0, 1, 1] }]);
  page.tell({ type: "web_mcp_result", id: call.id, result: { content: "x" } });
  assert.deepEqual(await answer, { content: "x" });
});

test("a call without a connection is answered with a refusal, not an exception", async () => {
  const context = host();
  const { page } = await announced(context);
  await page.lose();
  const answer = await context.tools.get("canvas_read").execute({});
  assert.equal(answer.isError, true);
  assert.equal(answer.code, "broker_unavailable");
});
