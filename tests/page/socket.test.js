import assert from "node:assert/strict";
import test from "node:test";
import { Socket } from "../../page/wire/socket.js";
import { FakeWorld, settled } from "./world.js";

async function started(world = new FakeWorld()) {
  const socket = new Socket("ws://127.0.0.1:1/page", world);
  socket.start();
  await settled();
  return { world, socket };
}

test("no socket is opened before the broker has answered a probe", async () => {
  const world = new FakeWorld();
  world.isBrokerThere = false;
  await started(world);
  assert.equal(world.sockets.length, 0);
  world.isBrokerThere = true;
  await world.pass(50);
  assert.equal(world.sockets.length, 1);
});

test("a broker that lets in and closes at once is tried at most a dozen times a minute", async () => {
  const { world } = await started();
  for (let ms = 0; ms < 60_000; ms += 10) {
    const socket = world.sockets.at(-1);
    if (!socket.wasClosed) {
      socket.wasClosed = true;
      socket.onopen();
      socket.onclose({ code: 1011 });
    }
    await world.pass(10);
  }
  assert.ok(world.sockets.length <= 12, `${world.sockets.length} attempts`);
});

test("waits double up to fifteen seconds", async () => {
  const world = new FakeWorld();
  world.isBrokerThere = false;
  await started(world);
  const waits = [];
  for (let n = 0; n < 11; n++) {
    waits.push(world.waits[0]);
    await world.pass(world.waits[0]);
  }
  assert.deepEqual(waits, [50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 15_000, 15_000]);
});

test("after five seconds of life the next attempt comes soon", async () => {
  const world = new FakeWorld();
  world.isBrokerThere = false;
  await started(world);
  await world.pass(3000);
  world.isBrokerThere = true;
  await world.pass(10_000);
  world.sockets[0].onopen();
  await world.pass(5000);
  world.sockets[0].onclose({ code: 1006 });
  assert.deepEqual(world.waits, [50]);
});

test("a page that comes to the front tries at once", async () => {
  const world = new FakeWorld();
  world.isBrokerThere = false;
  const { socket } = await started(world);
  await world.pass(30_000);
  world.isBrokerThere = true;
  socket.hurry();
  await settled();
  assert.equal(world.sockets.length, 1);
});

test("a stopped socket neither speaks, hears nor comes back", async () => {
  const { world, socket } = await started();
  const heard = [];
  socket.message.subscribe((text) => heard.push(text));
  world.sockets[0].onopen();
  assert.ok(socket.send("{}"));
  socket.stop();
  world.sockets[0].onmessage({ data: "late" });
  world.sockets[0].onclose({ code: 1000 });
  await world.pass(60_000);
  assert.ok(!socket.send("{}"));
  assert.ok(world.sockets[0].isClosed);
  assert.deepEqual([heard, world.sockets.length], [[], 1]);
});
