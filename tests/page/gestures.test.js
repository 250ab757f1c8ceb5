import assert from "node:assert/strict";
import test from "node:test";
import { Editor } from "../../page/edit/editor.js";
import { Gestures } from "../../page/edit/gestures.js";
import { Toolbox } from "../../page/edit/toolbox.js";
import { Replica } from "../../page/model/replica.js";
import { Unseen } from "../../page/model/unseen.js";
import { change, drawn, packed, typing } from "./drawing.js";

/** A person with a tool on an empty sheet; what they perform is shown at once. */
function desk(tool) {
  const replica = new Replica("pg-1");
  const done = [];
  const perform = (op) => {
    done.push(op);
    replica.predict({ type: "edit", id: `e${done.length}`, epoch: 1, sheet: "pg-1", op });
  };
  const editor = new Editor(replica, perform);
  const toolbox = new Toolbox();
  const gestures = new Gestures({ toolbox, editor, replica: () => replica });
  if (tool) toolbox.choose(tool);
  const drag = (...places) => {
    gestures.begin(places[0]);
    for (const place of places.slice(1)) gestures.to(place);
  };
  return { replica, done, perform, editor, toolbox, gestures, drag, shown: () => drawn(replica) };
}

test("a gesture is shown while it goes on, and performed once at its end", () => {
  const { drag, gestures, shown, done, replica } = desk("box");
  drag([0, 0], [9, 9], [2, 2]);
  assert.equal(shown(), "┌─┐\n│·│\n└─┘");
  assert.equal(done.length, 0);
  assert.equal(replica.pendingCount, 0);
  gestures.end();
  assert.equal(shown(), "┌─┐\n│·│\n└─┘");
  assert.equal(done.length, 1);
});

test("a cancelled gesture leaves nothing, and the next one begins anew", () => {
  const { drag, gestures, shown, done } = desk("line");
  drag([0, 0], [3, 0]);
  assert.equal(gestures.cancel(), true);
  assert.equal(shown(), "");
  assert.equal(gestures.cancel(), false);
  gestures.to([5, 0]);
  gestures.end();
  assert.deepEqual(done, []);
});

test("a sketch joins what somebody else draws under it meanwhile", () => {
  const { drag, gestures, replica } = desk("line");
  drag([0, 1], [4, 1]);
  replica.confirm(change(1, packed("│\n│\n│", [2, 0])));
  assert.equal(drawn(replica), "··│\n──┼──\n··│");
  gestures.end();
  assert.equal(drawn(replica), "··│\n──┼──\n··│");
});

test("listeners hear where a sketch was and where it is", () => {
  const { drag, gestures, replica } = desk("pencil");
  const told = [];
  drag([0, 0]);
  replica.changed.subscribe(({ rects }) => told.push(...rects));
  gestures.to([1, 0]);
  gestures.cancel();
  for (const x of [0, 1]) assert.ok(told.some(([left, , width]) => left <= x && x < left + width));
});

test("a selection is dragged along, or copied, and stays selected", () => {
  const { editor, gestures, perform, replica, drag, done } = desk("select");
  perform(typing("ab", [0, 0]));
  editor.select([0, 0, 2, 1]);
  drag([1, 0], [1, 2]);
  assert.equal(drawn(replica), "ab");
  assert.deepEqual(replica.bounds(), [0, 2, 2, 1]);
  gestures.end();
  assert.deepEqual(done.at(-1), { kind: "move", from: [0, 0], size: [2, 1], to: [0, 2] });
  assert.deepEqual(editor.ranges, [[0, 2, 2, 1]]);
  gestures.begin([0, 2], { isCopying: true });
  gestures.to([0, 0], { isCopying: true });
  gestures.end();
  assert.equal(drawn(replica), "ab\n\nab");
});

test("a drag that is cancelled leaves the selection where it was", () => {
  const { editor, gestures, perform, replica, drag } = desk("select");
  perform(typing("ab", [0, 0]));
  editor.select([0, 0, 2, 1]);
  drag([0, 0], [5, 5]);
  gestures.cancel();
  assert.deepEqual(editor.ranges, [[0, 0, 2, 1]]);
  assert.deepEqual(replica.bounds(), [0, 0, 2, 1]);
});

test("a press beside the selection begins a new one; with Ctrl both stay", () => {
  const { editor, gestures, drag } = desk("select");
  drag([0, 0], [1, 0]);
  gestures.end();
  gestures.begin([4, 1], { isAdding: true });
  gestures.to([5, 1]);
  gestures.end();
  assert.deepEqual(editor.ranges, [[0, 0, 2, 1], [4, 1, 2, 1]]);
  drag([8, 0], [9, 0]);
  assert.deepEqual(editor.ranges, [[8, 0, 2, 1]]);
});

test("another tool ends what the one before had begun", () => {
  const { drag, toolbox, gestures, shown } = desk("box");
  drag([0, 0], [3, 3]);
  toolbox.choose("line");
  assert.equal(shown(), "");
  assert.equal(gestures.isOn, false);
});

test("the eyedropper gives its tool back", () => {
  const { perform, toolbox, drag, gestures } = desk("pencil");
  perform(typing("#", [0, 0], { style: { color: "danger" } }));
  toolbox.choose("picker");
  drag([0, 0]);
  gestures.end();
  assert.equal(toolbox.tool, "pencil");
  assert.equal(toolbox.options.glyph, "#");
  assert.deepEqual(toolbox.options.style, { color: "danger" });
});

test("what cannot be drawn is said, not done", () => {
  const { editor, drag, gestures, done } = desk("area");
  const said = [];
  editor.refused.subscribe(({ why }) => said.push(why));
  drag([0, 0]);
  gestures.end();
  assert.deepEqual(said, ["area_open"]);
  assert.deepEqual(done, []);
});

test("what others change is missed where one does not look, until one does", () => {
  const unseen = new Unseen();
  const screen = [0, 0, 80, 24];
  unseen.add([[5, 5, 2, 1]], screen);
  assert.deepEqual(unseen.places, []);
  unseen.add([[200, 5, 2, 1]], screen);
  unseen.add([[202, 6, 2, 1]], screen);
  unseen.add([[9, 9, 1, 1]], null);
  assert.deepEqual(unseen.places, [[200, 5, 4, 2], [9, 9, 1, 1]]);
  assert.deepEqual(unseen.look(screen), [[9, 9, 1, 1]]);
  assert.deepEqual(unseen.places, [[200, 5, 4, 2]]);
  for (let n = 0; n < 300; n++) unseen.add([[1000 + 10 * n, 0, 1, 1]], screen);
  assert.ok(unseen.places.length <= 100);
});
