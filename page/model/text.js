// @ts-check
/** Plain text as columns, by the broker's rule (tools/text/plain.py). */
import { leftOut, stored } from "./clusters.js";
import { clusterWidth } from "./width.js";

/** Tabs in pasted text go to the next multiple of this from the text's own origin. */
export const TAB_STOP = 4;

/**
 * Line ends of every system as LF. Halves of surrogate pairs are left out: they are no characters, and a message with
 * one is no JSON to the broker, which would end the connection.
 *
 * @param {string} text
 */
export function unixLines(text) {
  return text.replace(/\r\n?/g, "\n").replace(/\p{Surrogate}/gu, "");
}

/**
 * One line as columns: clusters, "" under the right half of wide ones. Tabs become blanks; controls and what cannot
 * be seen are left out.
 *
 * @param {string} line
 * @returns {string[]}
 */
export function columnsOf(line) {
  /** @type {string[]} */
  const columns = [];
  for (const [number, part] of line.split("\t").entries()) {
    const gap = number === 0 ? 0 : TAB_STOP - (columns.length % TAB_STOP);
    for (let n = 0; n < gap; n++) columns.push(" ");
    for (const cluster of stored(part)) {
      columns.push(cluster);
      if (clusterWidth(cluster) === 2) columns.push("");
    }
  }
  return columns;
}

/**
 * What no cell can hold of a text with line ends and tabs, which are its layout: see `leftOut`.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function leftOutOfLines(text) {
  return text.split(/\r\n?|[\n\t]/).flatMap(leftOut);
}
