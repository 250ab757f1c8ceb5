import assert from "node:assert/strict";
import test from "node:test";
import { leftOut, stored } from "../../page/model/clusters.js";
import { leftOutOfLines } from "../../page/model/text.js";
import { settled } from "../page/world.js";

globalThis.navigator ??= { language: "en" };
const { leftOutTeller, ofChars } = await import("../../page/panels/tools/left_out.js");

/** Characters that are kept, that vanish, and that do either, by what stands beside them. */
const CHARS = ["a", " ", "é", "世", "\u0301", "\u200d", "\ufe0f", "👩", "🔧", "\u202e", "\u0007", "\ud83d", "\u200b", "क", "\u094d"];

function words(seed, length) {
  let state = seed;
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648);
  return Array.from({ length }, () => CHARS[Math.floor(next() / 7) % CHARS.length]).join("");
}

test("what a text loses and what is stored of it are together the whole text", () => {
  let lossy = 0;
  for (let seed = 0; seed < 400; seed++) {
    // Every other one has nothing invisible in it: only a mark in front of all can be lost there.
    const text = seed % 2 ? words(seed, 12) : words(seed, 12).replace(/[\p{C}\ufe0f]/gu, "");
    const lost = leftOut(text);
    lossy += Number(lost.length > 0);
    assert.deepEqual([...stored(text), ...lost].flatMap((part) => [...part]).sort(), [...text].sort(), JSON.stringify(text));
  }
  assert.ok(lossy > 100);
});

test("a cluster of more code points than a cell holds loses the rest, and plain text nothing", () => {
  assert.deepEqual(leftOut("e" + "\u0301".repeat(33)), ["\u0301", "\u0301"]);
  assert.equal(leftOut("क\u094d".repeat(17)).length, [..."क\u094d".repeat(17)].length - [...stored("क\u094d".repeat(17)).join("")].length);
  for (const text of ["plain", "世界 ┌─┐", "Привет", "👩🏿\u200d🔧 ⚠\ufe0f 🇩🇪"]) assert.deepEqual(leftOut(text), [], text);
});

test("line ends and tabs of a pasted text are its layout and no loss", () => {
  assert.deepEqual(leftOutOfLines("a\tb\r\nc\rd\ne\u0007\ud83d"), ["\u0007", "\ud83d"]);
});

function teller() {
  const said = [];
  const clock = { ms: 0 };
  return { said, clock, tell: leftOutTeller((message) => said.push(message), () => clock.ms) };
}

test("what one gesture loses is said once, by number and name", async () => {
  const { said, tell } = teller();
  tell(ofChars(["\u202e"]));
  tell(ofChars(["\u0007", "\u0007"]));
  await settled();
  assert.deepEqual(said, ["3 characters that no cell can hold were left out: U+202E, U+0007 ×2"]);
});

test("a key that repeats is said once, and the same loss by a later gesture again", async () => {
  const { said, clock, tell } = teller();
  for (let key = 0; key < 20; key++) {
    tell(ofChars(["\u0301"]));
    await settled();
    clock.ms += 100;
  }
  assert.deepEqual(said, ["1 character that no cell can hold was left out: U+0301"]);
  clock.ms += 2000;
  tell(ofChars(["\u0301"]));
  await settled();
  assert.equal(said.length, 2);
});

test("another loss is said at once, and many kinds are summed up", async () => {
  const { said, tell } = teller();
  tell(ofChars(["\u0301"]));
  await settled();
  tell([...ofChars(Array.from({ length: 10 }, (_, n) => String.fromCodePoint(0x2066 + n))), { codePoints: [], count: 5 }]);
  await settled();
  assert.equal(said.length, 2);
  assert.match(said[1], /^15 characters .*: U\+2066, .*U\+206D, …$/);
});
