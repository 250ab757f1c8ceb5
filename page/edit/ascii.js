// @ts-check
/** Columns of any characters in the letters of ASCII, one for one: nothing moves. */
import { ARMS, asciiPiece } from "./pieces.js";

/** What an ASCII letter stands for, beside lines and what Unicode itself takes apart. */
const LOOKS = {
  "<": "←⇐⟵◀◁◄◂◃⬅‹«≤",
  ">": "→⇒⟶▶▷►▸▹➔➜➤⮕›»≥",
  "^": "↑⇑▲△▴▵⬆",
  v: "↓⇓▼▽▾▿⬇✓✔√",
  "-": "↔⇔‐‑‒–—―−─⎯¯",
  "|": "↕⇕⏐│¦",
  "/": "╱↗↙⁄÷∕",
  "\\": "╲↖↘∖",
  X: "╳☒",
  x: "×✗✘✕✖",
  "*": "•●◆◉★✦⬤■◾▪",
  o: "○◦◯◇☆□◽▫☐°øð",
  O: "Ø",
  ".": "·⋅…‧∙",
  "'": "‘’‚‛′´",
  '"': "“”„‟″",
  "`": "‵",
  "#": "█▓▀▄▌▐▉▊▋▍▎▏▇▆▅▃▂▁▙▟▛▜▚▞▘▝▖▗▔▕≠",
  "%": "▒",
  ":": "░∶",
  "+": "±",
  "~": "≈∼",
  "=": "≡",
  E: "€",
  L: "£Ł",
  l: "ł",
  s: "ß",
  D: "ÐĐ",
  d: "đ",
  a: "æ",
  A: "Æ",
  i: "ı",
  t: "þ",
  T: "Þ",
};

const LETTERS = new Map(Object.entries(LOOKS).flatMap(([letter, chars]) => Array.from(chars, (char) => [char, letter])));

/** What has no likeness. */
const UNKNOWN = "?";

/**
 * Columns as ASCII: lines as `+ - |`, arrows, blocks and bullets as what looks like them, letters without their marks,
 * `?` for the rest; a wide glyph is two letters. Every column is one of U+0020 to U+007E.
 *
 * @param {readonly (string | null)[]} chars "" under the right half of a wide glyph, null for empty
 */
export function asciiOf(chars) {
  return chars.map((char, n) => (char === "" ? "" : folded(char ?? " ", chars[n + 1] === "" ? 2 : 1))).join("");
}

/** @param {string} char @param {number} columns */
function folded(char, columns) {
  const bare = char.replace(/[\ufe0e\ufe0f]/g, "");
  const arms = ARMS.get(bare);
  const text = arms ? asciiPiece(arms) : (LETTERS.get(bare) ?? bare.normalize("NFKD").replace(/\p{M}/gu, ""));
  const isPlain = /^[\x20-\x7e]+$/.test(text) && text.length <= columns;
  return isPlain ? text.padEnd(columns) : UNKNOWN.repeat(columns);
}
