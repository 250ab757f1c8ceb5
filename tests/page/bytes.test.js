import assert from "node:assert/strict";
import test from "node:test";
import { spelled, utf8Length } from "../../page/lib/bytes.js";

test("half a surrogate pair never reaches the broker, whole pairs do", () => {
  const said = JSON.parse(spelled({ op: { text: "a\ud83db😀\udc00", deep: ["\ud800"] }, seq: 1 }));
  assert.deepEqual(said, { op: { text: "a\ufffdb😀\ufffd", deep: ["\ufffd"] }, seq: 1 });
});

test("text that only looks like an escape stays as it is", () => {
  assert.equal(JSON.parse(spelled("\\ud800")), "\\ud800");
});

test("lengths are those of UTF-8", () => {
  for (const text of ["", "a", "é", "漢", "😀", "a漢😀"]) assert.equal(utf8Length(text), Buffer.byteLength(text));
});
