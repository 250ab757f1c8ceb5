/**
 * Prints, as one line of JSON, how the page measures what it reads from stdin: `{texts}`.
 *
 * `widths` are runs of equal width over all code points but surrogates, flat: first, one past the last, columns.
 * `clusters` and `stored` are those of each text; `unicode` is the version by which this engine breaks text.
 */
import { readFileSync } from "node:fs";
import { stored } from "../../page/model/clusters.js";
import { clusterWidth, codePointWidth, graphemes } from "../../page/model/width.js";

const { texts } = JSON.parse(readFileSync(0, "utf8"));
const SURROGATES = [0xd800, 0xe000];

/** @type {number[]} */
const widths = [];
for (const [from, to] of [[0, SURROGATES[0]], [SURROGATES[1], 0x110000]])
  for (let point = from; point < to; point++) {
    const columns = codePointWidth(point);
    if (clusterWidth(String.fromCodePoint(point)) !== columns) throw new Error(`U+${point.toString(16)} alone`);
    if (widths.at(-1) === columns && widths.at(-2) === point) widths[widths.length - 2] = point + 1;
    else widths.push(point, point + 1, columns);
  }

const clusters = texts.map(graphemes);
const measured = clusters.map((text) => text.map(clusterWidth));
process.stdout.write(
  JSON.stringify({ unicode: process.versions.unicode, widths, clusters, columns: measured, stored: texts.map(stored) }),
);
