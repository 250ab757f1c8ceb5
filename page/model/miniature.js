// @ts-check
import { clusterWidth, graphemes } from "./width.js";

/** How dark each character of a sampled read is; every other character counts as half. */
const SHADES = new Map([
  [" ", 0],
  ["·", 0],
  ["░", 0.25],
  ["▒", 0.45],
  ["▓", 0.7],
  ["█", 1],
]);
const WRITTEN = 0.6;

/**
 * A text map as canvas_read answers it, as shades from 0 to 1: one per column, rows of unlike length. Rulers and
 * headers are left out.
 *
 * @param {string} content
 * @returns {number[][]}
 */
export function shades(content) {
  return content
    .split("\n")
    .map((line) => /^ *-?\d* ?[│┤](.*)$/.exec(line)?.[1])
    .filter((row) => row !== undefined)
    .map((row) => graphemes(row).flatMap(shadesOf));
}

/** One for each column of a cluster. @param {string} cluster @returns {number[]} */
function shadesOf(cluster) {
  return Array(clusterWidth(cluster)).fill(SHADES.get(cluster) ?? WRITTEN);
}
