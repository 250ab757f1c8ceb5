// @ts-check
/**
 * Where clusters end and how many columns each takes: the broker's rule, word for word (tools/model/width.py),
 * on the same table. The broker decides; this is for what the page paints before it has.
 */
import { RUNS } from "./widths.js";

const ZWJ = "\u200d";
const VS16 = "\ufe0f";
const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** @type {Map<string, number>} */
const known = new Map();
/** Clusters remembered before the memory starts anew: enough for every script in one drawing. */
const KNOWN_LIMIT = 65_536;

/** Columns of one code point: 0 (combining, control, invisible), 1 or 2. @param {number} codePoint */
export function codePointWidth(codePoint) {
  let low = 0;
  let high = RUNS.length / 3 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < at(middle * 3)) high = middle - 1;
    else if (codePoint >= at(middle * 3 + 1)) low = middle + 1;
    else return at(middle * 3 + 2);
  }
  return 1;
}

/**
 * Columns of one grapheme cluster: 1 or 2, or 0 for a cluster that cannot be seen and is never stored. 2 when a
 * member is wide, when it asks for emoji presentation, when it is a pair of regional indicators, or when it joins
 * pictographs.
 *
 * @param {string} cluster
 */
export function clusterWidth(cluster) {
  const remembered = known.get(cluster);
  if (remembered !== undefined) return remembered;
  if (known.size >= KNOWN_LIMIT) known.clear();
  const width = measured(cluster);
  known.set(cluster, width);
  return width;
}

/**
 * The grapheme clusters of `text`, in order; joined they are `text` again.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function graphemes(text) {
  if (/^[\x00-\x7f]*$/.test(text) && !text.includes("\r\n")) return [...text];
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** @param {string} cluster */
function measured(cluster) {
  const points = Array.from(cluster, (char) => char.codePointAt(0) ?? 0);
  const widest = Math.max(...points.map(codePointWidth));
  if (points.length === 1 || widest !== 1) return widest;
  return cluster.includes(VS16) || isFlag(points) || joinsPictographs(cluster) ? 2 : 1;
}

/** @param {number[]} points */
function isFlag(points) {
  return points.length >= 2 && points.slice(0, 2).every((point) => point >= 0x1f1e6 && point <= 0x1f1ff);
}

/**
 * A joiner before a symbol. Indic conjuncts hold joiners too, but between letters, and stay narrow.
 *
 * @param {string} cluster
 */
function joinsPictographs(cluster) {
  const joiner = cluster.indexOf(ZWJ);
  const joined = joiner < 0 ? undefined : cluster.codePointAt(joiner + 1);
  return joined !== undefined && ((joined >= 0x2000 && joined <= 0x3300) || joined >= 0x1f000);
}

/** @param {number} index */
function at(index) {
  return /** @type {number} */ (RUNS[index]);
}
