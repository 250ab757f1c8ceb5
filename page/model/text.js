// @ts-check
/** Plain text as columns, by the broker's rule (tools/text/plain.py). */
import { clusterWidth, graphemes, isControl } from "./width.js";

/** Tabs in pasted text go to the next multiple of this from the text's own origin. */
export const TAB_STOP = 4;

/** Line ends of every system as LF. @param {string} text */
export function unixLines(text) {
  return text.replace(/\r\n?/g, "\n");
}

/**
 * One line as columns: clusters, "" under the right half of wide ones. What has no width is left out, tabs become
 * blanks, other controls nothing.
 *
 * @param {string} line
 * @returns {string[]}
 */
export function columnsOf(line) {
  /** @type {string[]} */
  const columns = [];
  for (const cluster of graphemes(line)) {
    if (cluster === "\t") columns.push(...blanks(TAB_STOP - (columns.length % TAB_STOP)));
    else if (isControl(cluster) || clusterWidth(cluster) === 0) continue;
    else columns.push(cluster, ...(clusterWidth(cluster) === 2 ? [""] : []));
  }
  return columns;
}

/** @param {number} count */
function blanks(count) {
  return new Array(count).fill(" ");
}
