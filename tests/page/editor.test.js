import assert from "node:assert/strict";
import { test } from "node:test";
import { Editor } from "../../page/edit/editor.js";
import { textInput } from "../../page/input/ime.js";
import { Replica } from "../../page/model/replica.js";

/** An editor on an empty sheet; what it performs is shown at once, as on the page. */
function desk(size = null) {
  const replica = new Replica("pg-1");
  const done = [];
  const editor = new Editor(replica, (op) => {
    done.push(op);
    replica.predict({ type: "edit", id: `e${done.length}`, epoch: 1, sheet: "pg-1", op });
  });
  editor.use(replica, size, [0, 0]);
  const row = (y, width = 12) =>
    replica
      .strip(y, 0, width)
      .chars.map((char) => char ?? "·")
      .join("");
  const at = () => [editor.cursor.x, editor.cursor.y];
  return { editor, replica, done, row, at };
}

/** A text area as far as text input knows one. */
function field(editor) {
  const area = Object.assign(new EventTarget(), { value: "" });
  const drawn = [];
  textInput(area, {
    cursor: () => editor.cursor,
    type: (text, at) => editor.type(text, at),
    enter: () => editor.enter(),
    backspace: () => editor.backspace(),
    draw: (at, text) => drawn.push([at.x, at.y, text]),
  });
  const send = (type, more = {}) => area.dispatchEvent(Object.assign(new Event(type), more));
  const write = (text) => {
    area.value += text;
    send("input");
  };
  return { area, drawn, send, write };
}

test("a selection reaches from where it began to the cell under the pointer, both included", () => {
  const { editor } = desk();
  editor.place([4, 4]);
  editor.extend([6, 5]);
  assert.deepEqual(editor.selected, [4, 4, 3, 2]);
  editor.extend([2, 3]);
  assert.deepEqual(editor.selected, [2, 3, 3, 2]);
  editor.extend([4, 4]);
  assert.equal(editor.selected, null);
});

test("a selection takes a wide glyph whole, from either side", () => {
  const { editor } = desk();
  editor.type("A漢B");
  editor.place([0, 0]);
  editor.extend([1, 0]);
  assert.deepEqual(editor.selected, [0, 0, 3, 1]);
  editor.place([3, 0]);
  editor.extend([2, 0]);
  assert.deepEqual(editor.selected, [1, 0, 3, 1]);
});

test("a click on the right half of a wide glyph puts the cursor on the left one", () => {
  const { editor, at } = desk();
  editor.type("a漢b");
  editor.place([2, 0]);
  assert.deepEqual(at(), [1, 0]);
  assert.equal(editor.columns, 2);
});

test("deleting a selection clears it in one edit and leaves the cursor where it is", () => {
  const { editor, done, row } = desk();
  editor.type("abcdef");
  editor.place([1, 0]);
  editor.extend([3, 0]);
  editor.delete();
  assert.equal(row(0, 7), "a···ef·");
  assert.deepEqual(done.at(-1), { kind: "erase", at: [1, 0], size: [3, 1] });
});

test("space writes a blank and delete clears the cell, again and again", () => {
  const { editor, row } = desk();
  editor.type("ab");
  editor.step("left");
  editor.type(" ");
  assert.equal(row(0, 3), "a ·");
  editor.step("left");
  editor.delete();
  assert.equal(row(0, 3), "a··");
});

test("select all takes what there is, and nothing on an empty sheet", () => {
  const { editor } = desk();
  editor.selectAll();
  assert.equal(editor.selected, null);
  editor.place([3, 2]);
  editor.type("hey");
  editor.selectAll();
  assert.deepEqual(editor.selected, [3, 2, 3, 1]);
});

test("the cursor stays on a slide", () => {
  const { editor, at } = desk([10, 3]);
  editor.place([99, 99]);
  assert.deepEqual(at(), [9, 2]);
  editor.step("down");
  editor.shift(-50, -50);
  assert.deepEqual(at(), [0, 0]);
});

test("text is pasted from the selection's corner", () => {
  const { editor, row } = desk();
  editor.place([2, 1]);
  editor.extend([5, 3]);
  editor.paste("one\r\ntwo");
  assert.equal(row(1, 6), "··one·");
  assert.equal(row(2, 6), "··two·");
});

test("what stands in the field is typed at once and taken out", () => {
  const { editor, row } = desk();
  const { area, write } = field(editor);
  for (const char of "@{é") write(char);
  assert.equal(row(0, 4), "@{é·");
  assert.equal(area.value, "");
});

test("composed text is drawn where it began, and typed there once, though the cursor went elsewhere", () => {
  const { editor, row, done, at } = desk();
  const { area, drawn, send } = field(editor);
  send("compositionstart");
  area.value = "にほ";
  send("compositionupdate", { data: "にほ" });
  send("input");
  assert.equal(done.length, 0);
  assert.deepEqual(drawn.at(-1), [0, 0, "にほ"]);
  editor.place([20, 10]);
  send("compositionend", { data: "にほ" });
  send("input");
  assert.equal(row(0, 5), "にほ·");
  assert.equal(done.length, 1);
  assert.deepEqual(drawn.at(-1), [0, 0, ""]);
  assert.deepEqual(at(), [20, 10]);
});

test("a composition that is dropped types nothing, and typing goes on", () => {
  const { editor, row } = desk();
  const { area, send, write } = field(editor);
  send("compositionstart");
  area.value = "にほ";
  send("compositionupdate", { data: "にほ" });
  area.value = "";
  send("compositionend", { data: "" });
  write("ok");
  assert.equal(row(0, 4), "ok··");
});

test("a line end from a telephone's keyboard goes to the next row", () => {
  const { editor, row } = desk();
  const { write } = field(editor);
  editor.place([2, 0]);
  write("a\nb");
  assert.equal(row(0, 4), "··a·");
  assert.equal(row(1, 4), "··b·");
});

test("a telephone's backspace deletes although no key is told", () => {
  const { editor, row } = desk();
  const { send, write } = field(editor);
  write("ab");
  send("beforeinput", { inputType: "deleteContentBackward" });
  assert.equal(row(0, 3), "a··");
});

test("what no cell can hold is told for typing, for a filled selection and for a paste", () => {
  const { editor, row } = desk();
  const told = [];
  editor.leftOut.subscribe((chars) => told.push(chars.join("")));
  editor.type("a\u0007b\u202e");
  assert.equal(row(0, 3), "ab·");
  editor.type("\u0301");
  assert.equal(row(0, 3), "ab\u0301·", "a mark that joins what stands before it is no loss");
  editor.place([8, 0]);
  editor.type("\u0301");
  editor.select([0, 2, 2, 1]);
  editor.type("\u200bx");
  assert.equal(row(2, 3), "xx·");
  editor.place([0, 4]);
  editor.paste("one\ttwo\r\nthr\u0000ee\ud800");
  editor.paste("nothing");
  editor.paste("\x1b[31mred", "ansi");
  assert.deepEqual(told, ["\u0007\u202e", "\u0301", "\u200b", "\u0000\ud800"]);
});

test("an emoji that comes in pieces loses nothing on its way", () => {
  const { editor, row } = desk();
  const told = [];
  editor.leftOut.subscribe((chars) => told.push(chars));
  for (const piece of ["👩", "\u200d", "🔧"]) editor.type(piece);
  assert.equal(row(0, 1), "👩\u200d🔧");
  assert.deepEqual(told, []);
});
