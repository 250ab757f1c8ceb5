// @ts-check
/** @import { CellStyle } from "../wire/messages.js" */
/** @import { Strip } from "../model/cell.js" */
/** @import { Rect } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
import { ATTRS, DEFAULT_COLOR, PLAIN, isOccupied } from "../model/cell.js";
import { whole } from "../model/selection.js";

/** Theme colours as a terminal's own, which follow its theme. @type {Readonly<Record<string, number>>} */
const TOKENS = { danger: 31, success: 32, warning: 33, accent: 34, info: 36, muted: 90 };

/** @type {Readonly<Record<string, number>>} */
const ATTR_CODES = { bold: 1, italic: 3, underline: 4, strike: 9, inverse: 7 };

/**
 * A rectangle as a terminal shows it: SGR colours and attributes, OSC 8 links, every line reset at its end.
 *
 * @param {Rect} rect
 * @param {Cells} cells
 */
export function ansiOf([x, y, width, height], cells) {
  return Array.from({ length: height }, (_, row) => line(cells, y + row, x, x + width)).join("\n");
}

/** @param {Cells} cells @param {number} y @param {number} x @param {number} end */
function line(cells, y, x, end) {
  const [from, to] = whole(cells, y, x, end);
  const last = cells.stretches(y, from, to).at(-1)?.[1] ?? from;
  return runs(cells.strip(y, from, last)).map(coded).join("");
}

/** Stretches of one style; blanks at the end that cannot be seen are left out. @param {Strip} strip */
function runs({ chars, styles }) {
  const seen = chars.findLastIndex((char, n) => char === "" || isOccupied(char, styles[n] ?? PLAIN));
  /** @type {{ text: string, style: CellStyle }[]} */
  const found = [];
  chars.slice(0, seen + 1).forEach((char, n) => {
    const [style, last] = [styles[n] ?? PLAIN, found.at(-1)];
    if (last && (last.style === style || char === "")) last.text += char ?? " ";
    else found.push({ text: char ?? " ", style });
  });
  return found;
}

/** @param {{ text: string, style: CellStyle }} run */
function coded({ text, style }) {
  const codes = codesOf(style).join(";");
  const shown = codes ? `\x1b[${codes}m${text}\x1b[0m` : text;
  return style.href ? `\x1b]8;;${style.href}\x1b\\${shown}\x1b]8;;\x1b\\` : shown;
}

/** @param {CellStyle} style */
function codesOf({ color = DEFAULT_COLOR, bgColor, attrs }) {
  const on = ATTRS.filter((name) => attrs?.[name]).map((name) => String(ATTR_CODES[name]));
  const front = color === DEFAULT_COLOR ? [] : [colored(color, 0)];
  return [...on, ...front, ...(bgColor ? [colored(bgColor, 10)] : [])];
}

/** @param {string} color @param {0 | 10} ground what a background adds to a code */
function colored(color, ground) {
  const token = TOKENS[color];
  if (token !== undefined) return String(token + ground);
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `${38 + ground};2;${r};${g};${b}`;
}
