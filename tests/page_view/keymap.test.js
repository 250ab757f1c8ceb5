import assert from "node:assert/strict";
import { test } from "node:test";
import { KEYMAP, commandFor, letterOf } from "../../page/input/keymap.js";

/** @param {string} key @param {Partial<import("../../page/input/keymap.js").Key> & {altGraph?: boolean}} [more] */
function pressed(key, { altGraph = false, ...more } = {}) {
  const none = { code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false };
  return { ...none, key, getModifierState: (/** @type {string} */ name) => altGraph && name === "AltGraph", ...more };
}

test("letters, digits and the space bar type", () => {
  for (const key of ["a", "r", "e", "f", "A", "0", " ", "é", "世", "Dead"])
    assert.equal(commandFor(pressed(key), false), null);
});

test("AltGr types, although it holds Ctrl and Alt", () => {
  const altGr = { ctrlKey: true, altKey: true, altGraph: true };
  assert.equal(commandFor(pressed("@", altGr), false), null);
  assert.equal(commandFor(pressed("{", altGr), false), null);
  assert.equal(commandFor(pressed("z", altGr), false), null);
});

test("nothing is a command while an input method composes", () => {
  for (const key of ["Enter", "Backspace", "ArrowLeft", "Escape"]) {
    assert.equal(commandFor(pressed(key, { isComposing: true }), false), null);
  }
  assert.equal(commandFor(pressed("Process"), false), null);
});

test("the modifier is Ctrl, and Command on a Mac", () => {
  assert.equal(commandFor(pressed("z", { ctrlKey: true }), false), "undo");
  assert.equal(commandFor(pressed("z", { metaKey: true }), false), null);
  assert.equal(commandFor(pressed("z", { metaKey: true }), true), "undo");
  assert.equal(commandFor(pressed("z", { ctrlKey: true }), true), null);
});

test("redo has its two chords", () => {
  assert.equal(commandFor(pressed("Z", { ctrlKey: true, shiftKey: true }), false), "redo");
  assert.equal(commandFor(pressed("y", { ctrlKey: true }), false), "redo");
});

test("a letter of another script stands for the one beside it on the key", () => {
  assert.equal(commandFor(pressed("я", { code: "KeyZ", ctrlKey: true }), false), "undo");
});

test("an arrow steps; with Shift it selects, with Ctrl it jumps, with Alt it moves what is selected", () => {
  assert.equal(commandFor(pressed("ArrowRight", { shiftKey: true }), false), "selectRight");
  assert.equal(commandFor(pressed("ArrowRight", { ctrlKey: true }), false), "jumpRight");
  assert.equal(commandFor(pressed("ArrowRight", { altKey: true }), false), "nudgeRight");
  assert.equal(commandFor(pressed("ArrowRight", { altKey: true, ctrlKey: true }), false), null);
});

test("a letter is the one on the key, in any script; in a chord it is none", () => {
  assert.equal(letterOf(pressed("R", { shiftKey: true })), "r");
  assert.equal(letterOf(pressed("к", { code: "KeyR" })), "r");
  assert.equal(letterOf(pressed("r", { ctrlKey: true })), null);
  assert.equal(letterOf(pressed("Enter")), null);
});

test("ghosts are decided on with Alt", () => {
  assert.equal(commandFor(pressed("Enter", { altKey: true }), false), "applyGhost");
  assert.equal(commandFor(pressed("Backspace", { altKey: true }), false), "dismissGhost");
});

test("names that every object has are no chords", () => {
  assert.equal(commandFor(pressed("constructor"), false), null);
  assert.equal(commandFor(pressed("toString"), false), null);
});

test("every chord of the table is found by the keys that are its own", () => {
  for (const [chord, command] of Object.entries(KEYMAP)) {
    const key = chord.replace(/^(Mod\+)?(Alt\+)?(Shift\+)?/, "");
    const modifiers = {
      ctrlKey: chord.startsWith("Mod+"),
      altKey: /(^|\+)Alt\+/.test(chord),
      shiftKey: /(^|\+)Shift\+/.test(chord),
    };
    assert.equal(commandFor(pressed(key, modifiers), false), command, chord);
  }
});
