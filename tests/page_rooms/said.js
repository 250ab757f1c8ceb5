/** Sentences in the source of a module, and words in HTML: what a person could read. */

const TOKENS = /\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`|(?<=[(,=:!&|?{};\n]\s*|return )\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/\w*|[{}]/y;

/** Where a literal is a class, a query, or something that is compared. */
const UNSPOKEN = [
  /\bmake\(\s*("\w*",\s*)?$/,
  /\bbutton\([^,]*$/,
  /\b(matchMedia|querySelector(All)?)\($/,
  /className = (\w+ === \w+ \? )?$/,
  /[!=]== $/,
  /\b(from|import) $/,
  /new Frames\(view\.marks, $/,
  /\bcase $/,
  /\bnew (Error|TypeError)\($/,
  /\bname = $/,
  /#fonts = \[[^\]]*$/,
];
const KEYS = /^(Arrow(Left|Right|Up|Down)|Alt|Backspace|ContextMenu|Delete|End|Enter|Escape|F\d+|Home|Insert|Key[A-Z]|Meta|Mod|Page(Up|Down)|Process|Shift|Tab|Ctrl|CapsLock|AltGraph|Arrow|Del|Ins|Aa|Tool)?$/;

/**
 * The literals of a module that read like words for a person: two words side by side, or one with a capital.
 *
 * @param {string} source
 * @returns {string[]} in their order; a template's parts one by one
 */
export function said(source) {
  return [...literals(source)].filter(({ text, before }) => isProse(text, before)).map(({ text }) => text);
}

/** What stands in HTML although no language takes it out again: scripts, and what is typed into a terminal. */
const SPEECHLESS = /<!--[^]*?-->|<(script|style|noscript|code|pre)\b[^]*?<\/\1>/g;
const NAME = "Chardesk";

/**
 * The words in HTML: texts, names, tooltips and placeholders, in their order.
 *
 * @param {string} html
 * @returns {string[]}
 */
export function written(html) {
  const parts = html.replace(SPEECHLESS, "").matchAll(/(?:aria-label|title|placeholder|alt)="([^"]+)"|>([^<]+)/g);
  return [...parts].map(([, attribute, text]) => (attribute ?? text).trim()).filter((text) => text && text !== NAME);
}

/** The words that HTML leaves to the language. @param {string} html @returns {string[]} their keys */
export function named(html) {
  return [...html.matchAll(/data-(?:say|label|hint)="(\w+)"/g)].map(([, key]) => key);
}

/** @param {string} text @param {string} before the code up to it */
function isProse(text, before) {
  if (/^(use |(\d+px )?"[A-Z])/.test(text) || UNSPOKEN.some((place) => place.test(before))) return false;
  if (text.split(/[+ ]/).every((part) => KEYS.test(part) || part.length === 1)) return false;
  return /(^|\s)[A-Z][a-z]+/.test(text) || /[A-Za-z]{2,}[,.:;!?]? [A-Za-z]{2,}/.test(text) || /^[,.:] [a-z]{2,}/.test(text);
}

/** Every literal, with the code before it. @param {string} source */
function* literals(source) {
  /** For each template that is open: how many braces are open in its `${…}`. @type {number[]} */
  const open = [];
  for (let at = 0; at < source.length; ) {
    TOKENS.lastIndex = at;
    const token = TOKENS.exec(source)?.[0] ?? source[at];
    at += token.length;
    if (/^["']/.test(token)) yield { text: token.slice(1, -1), before: source.slice(Math.max(0, at - token.length - 80), at - token.length) };
    const closes = token === "}" && open.at(-1) === 0;
    if (token === "{" && open.length) open[open.length - 1] += 1;
    else if (closes) open.pop();
    else if (token === "}" && open.length) open[open.length - 1] -= 1;
    if (token !== "`" && !closes) continue;
    const part = /(?:[^`\\$]|\\.|\$(?!\{))*/y;
    part.lastIndex = at;
    const text = part.exec(source)?.[0] ?? "";
    yield { text, before: source.slice(Math.max(0, at - 81), at - 1) };
    at += text.length;
    if (source.startsWith("${", at)) open.push(0), (at += 2);
    else at += 1;
  }
}
