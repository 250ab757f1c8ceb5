// @ts-check
/** What a pasted text is, by the broker's rule (tools/text/formats.py). */

/** @typedef {"text" | "ansi" | "markdown"} Format */

/** What is done with pasted ANSI and Markdown: asked, or always the same. @typedef {"ask" | Format} PasteMode */

const ESCAPE = /[\x1b\x9b]/;

const MARKDOWN = new RegExp(
  [
    "^#{1,6} \\S", // a heading
    "^ {0,3}(?:```|~~~)", // a fence
    "^ {0,3}\\|? *:?-{3,}:? *\\|", // the line under a table's header
    "^(?:[-*+]|\\d{1,9}[.)]) \\S", // a list
    "^> ?\\S", // a quote
    "^\\|\\|\\| *$", // columns
    "\\*\\*[^\\s*][^*\\n]*\\*\\*", // bold words
    "(?<!`)`[^\\s`][^`\\n]*`(?!`)", // code in a sentence
    "\\]\\([^\\s()]+\\)", // a link
  ].join("|"),
  "m",
);

/** What a text looks like. @param {string} text @returns {Format} */
export function formatOf(text) {
  if (ESCAPE.test(text)) return "ansi";
  return MARKDOWN.test(text) ? "markdown" : "text";
}

/** A paste as terminals bracket it, without the brackets. @param {string} text */
export function unbracketed(text) {
  return text.replace(/\x1b\[20[01]~/g, "");
}
