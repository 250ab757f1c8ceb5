// @ts-check
import { make } from "./dom.js";

/**
 * Markdown as elements, for texts of our own: headings, paragraphs, lists, tables, fenced code; bold, code and plain
 * links inside. Everything becomes text nodes, nothing is ever parsed as HTML.
 *
 * @param {string} source
 * @returns {HTMLElement}
 */
export function rendered(source) {
  const article = make("article", "prose");
  const lines = source.replaceAll("\r\n", "\n").split("\n");
  while (lines.length) {
    const block = BLOCKS.find(({ begins }) => begins.test(lines[0] ?? ""));
    if (block) article.append(block.take(lines));
    else lines.shift();
  }
  return article;
}

/**
 * What a block begins with, and how it is taken from the front of the lines. The last one takes whatever is not blank.
 *
 * @type {readonly { begins: RegExp, take: (lines: string[]) => HTMLElement }[]}
 */
const BLOCKS = [
  { begins: /^(```|~~~)/, take: fence },
  { begins: /^#{1,6} /, take: heading },
  { begins: /^\s*\|.*\|\s*$/, take: table },
  { begins: /^\s*[-*] /, take: (lines) => list(lines, "ul", /^\s*[-*] /) },
  { begins: /^\s*\d+\. /, take: (lines) => list(lines, "ol", /^\s*\d+\. /) },
  { begins: /\S/, take: paragraph },
];

/** @param {string[]} lines */
function fence(lines) {
  const mark = (lines.shift() ?? "").slice(0, 3);
  const end = lines.findIndex((line) => line.startsWith(mark));
  const body = lines.splice(0, end < 0 ? lines.length : end);
  lines.shift();
  const block = make("pre", "", make("code", "", body.join("\n")));
  block.tabIndex = 0; // it scrolls sideways, so the keyboard must reach it
  return block;
}

/** @param {string[]} lines */
function heading(lines) {
  const [, marks = "", text = ""] = /^(#+) (.*)$/.exec(lines.shift() ?? "") ?? [];
  const level = /** @type {"h3" | "h4" | "h5"} */ (`h${Math.min(5, marks.length + 2)}`);
  return make(level, "", ...inline(text));
}

/** @param {string[]} lines */
function table(lines) {
  const [head = [], ...rows] = taken(lines, (line) => /^\s*\|/.test(line))
    .filter((line) => !/^[\s|:-]+$/.test(line))
    .map(cellsOf);
  const element = make(
    "table",
    "",
    make("thead", "", make("tr", "", ...head.map((cell) => make("th", "", ...inline(cell))))),
    make("tbody", "", ...rows.map((row) => make("tr", "", ...row.map((cell) => make("td", "", ...inline(cell)))))),
  );
  return make("div", "scrolls", element);
}

/** @param {string} line */
function cellsOf(line) {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** @param {string[]} lines @param {"ul" | "ol"} tag @param {RegExp} mark */
function list(lines, tag, mark) {
  /** @type {string[]} */
  const items = [];
  while (lines.length && (mark.test(lines[0] ?? "") || /^\s+\S/.test(lines[0] ?? ""))) {
    const line = lines.shift() ?? "";
    if (mark.test(line) || !items.length) items.push(line.replace(mark, ""));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return make(tag, "", ...items.map((item) => make("li", "", ...inline(item))));
}

/** @param {string[]} lines */
function paragraph(lines) {
  const text = taken(lines, (line) => /\S/.test(line) && !/^(```|~~~|#{1,6} |\s*[-*] )/.test(line));
  return make("p", "", ...inline((text.length ? text : [lines.shift() ?? ""]).join(" ")));
}

/** The lines at the front that belong. @param {string[]} lines @param {(line: string) => boolean} belongs */
function taken(lines, belongs) {
  const end = lines.findIndex((line) => !belongs(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

/** Bold, code, links (their text only: a help page leads nowhere else), and text. @param {string} text */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]*\))/).map((part) => {
    if (part.startsWith("`") && part.endsWith("`") && part.length > 2) return make("code", "", part.slice(1, -1));
    if (part.startsWith("**") && part.length > 4) return make("strong", "", part.slice(2, -2));
    return part.replace(/^\[([^\]]+)\]\([^)]*\)$/, "$1");
  });
}
