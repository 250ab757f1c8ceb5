import assert from "node:assert/strict";
import test from "node:test";
import { OPTIONS, Preferences } from "../../page/lib/preferences.js";
import { FakeStorage } from "../page/world.js";

test("without a choice the first option of each holds", () => {
  const { value } = new Preferences(new FakeStorage());
  for (const [name, [first]] of Object.entries(OPTIONS)) assert.equal(value[name], first);
});

test("a choice is told, kept, and there after a reload", () => {
  const storage = new FakeStorage();
  const preferences = new Preferences(storage);
  const told = [];
  preferences.subscribe(({ theme }) => told.push(theme));
  preferences.choose({ theme: "paper" });
  assert.deepEqual(told, ["system", "paper"]);
  assert.equal(new Preferences(storage).value.theme, "paper");
});

test("whatever the storage holds, every choice is one of its options", () => {
  for (const kept of ["", "null", "[]", "7", '{"theme":"plaid","grid":7}', "{"]) {
    const storage = new FakeStorage();
    storage.setItem("chardesk/preferences", kept);
    const { value } = new Preferences(storage);
    for (const [name, options] of Object.entries(OPTIONS)) assert.ok(options.includes(value[name]), `${kept} ${name}`);
  }
});

test("a choice holds though the storage is full", () => {
  const storage = new FakeStorage();
  storage.isFull = true;
  const preferences = new Preferences(storage);
  preferences.choose({ grid: "off" });
  assert.equal(preferences.value.grid, "off");
});

test("what another page chose is read again, and told once", () => {
  const storage = new FakeStorage();
  const [here, there] = [new Preferences(storage), new Preferences(storage)];
  let told = 0;
  here.subscribe(() => told++);
  there.choose({ font: "system" });
  here.reread();
  here.reread();
  assert.deepEqual([here.value.font, told], ["system", 2]);
});
