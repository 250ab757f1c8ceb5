import assert from "node:assert/strict";
import test from "node:test";
import { Pace } from "../../page/wire/pace.js";
import { FakeWorld } from "../page/world.js";

function begun() {
  const world = new FakeWorld();
  return { world, pace: new Pace(world) };
}

test("a link is slow while something waits for more than a second, until an answer comes in time", async () => {
  const { world, pace } = begun();
  pace.sent("e-1");
  await world.pass(900);
  pace.sent("e-2");
  assert.equal(pace.isSlow.value, false);
  await world.pass(200);
  assert.equal(pace.isSlow.value, true);
  pace.answered("e-1");
  assert.equal(pace.isSlow.value, true, "that answer was late");
  await world.pass(900);
  pace.answered("e-2");
  assert.equal(pace.isSlow.value, true, "so was this one");
  pace.sent("e-3");
  pace.answered("e-3");
  pace.answered("somebody's");
  assert.equal(pace.isSlow.value, false);
});

test("answers in time are never slow, and nothing is watched when nothing waits", async () => {
  const { world, pace } = begun();
  for (let n = 0; n < 20; n++) {
    pace.sent(`e-${n}`);
    await world.pass(500);
    pace.answered(`e-${n}`);
  }
  assert.deepEqual([pace.isSlow.value, world.waits], [false, []]);
});

test("a slow link that is not used is forgotten, and so is one that ended", async () => {
  for (const end of ["answered", "forget"]) {
    const { world, pace } = begun();
    pace.sent("e-1");
    await world.pass(3000);
    assert.equal(pace.isSlow.value, true);
    pace[end]("e-1");
    if (end === "answered") await world.pass(5000);
    assert.deepEqual([pace.isSlow.value, world.waits], [false, []]);
  }
});
