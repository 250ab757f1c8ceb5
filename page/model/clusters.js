// @ts-check
/**
 * What of a text may be stored, by the broker's rule (tools/text/clusters.py): an invisible character is kept only
 * where it does something. Here for what the page paints before the broker has answered.
 */
import { clusterWidth, graphemes } from "./width.js";

/** Code points of one cluster; what is beyond is left out. */
export const MAX_CODE_POINTS = 32;

const UNSEEN =
  "\\u{ad}\\u{34f}\\u{61c}\\u{1160}\\u{17b4}\\u{17b5}\\u{180b}-\\u{180f}\\u{200b}-\\u{200f}\\u{2028}-\\u{202e}" +
  "\\u{2060}-\\u{206f}\\u{3164}\\u{fe00}-\\u{fe0f}\\u{feff}\\u{ffa0}\\u{fff0}-\\u{fffb}\\u{1bca0}-\\u{1bca3}" +
  "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}";
const IDEOGRAPH = "\\u{3400}-\\u{9fff}\\u{f900}-\\u{faff}\\u{20000}-\\u{3ffff}";
const NO_CHARACTER = "\\u{0}-\\u{1f}\\u{7f}-\\u{9f}\\u{d800}-\\u{dfff}";

const MEANT = [
  `(?<=[^${UNSEEN}\\s])[\\u{fe0e}\\u{fe0f}]`, // text or emoji presentation, of something
  `(?<=[^${UNSEEN}\\s]|[\\u{fe0e}\\u{fe0f}])\\u{200d}(?=[^${UNSEEN}])`, // joined emoji, Indic conjuncts
  `(?<=[${IDEOGRAPH}])[\\u{fe00}-\\u{fe0d}\\u{e0100}-\\u{e01ef}]`, // a variant of an ideograph
  "(?<=[\\u{2200}-\\u{2aff}])\\u{fe00}", // a variant of a mathematical sign
  "(?<=[\\u{1820}-\\u{18aa}])[\\u{180b}-\\u{180d}\\u{180f}]", // Mongolian letter forms
  "(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}", // a region's flag
].join("|");

const UNSEEN_OR_MEANT = new RegExp(`(${MEANT})|[${UNSEEN}]|\\u{115f}(?![\\u{1161}-\\u{11a7}])`, "gu");
const NEVER_STORED = new RegExp(`[${NO_CHARACTER}]`, "gu");
/** Only a text that has one of these needs a closer look. */
const SUSPECT = new RegExp(`[${NO_CHARACTER}${UNSEEN}\\u{115f}]`, "u");

/** What makes a cluster longer; without a character before it a mark is a cluster of no width. */
const JOINING = /[\p{M}\p{Cf}\u{1100}-\u{11ff}\u{a960}-\u{a97f}\u{d7b0}-\u{d7ff}\u{1f3fb}-\u{1f3ff}]/gu;
const STARTS_JOINING = new RegExp(`^${JOINING.source}`, "u");

/**
 * The clusters of `text` that may be stored, in order. Controls (line feeds too), invisible characters, clusters of
 * no width and what a cluster has too much are left out.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function stored(text) {
  const isSuspect = SUSPECT.test(text);
  return graphemes(text)
    .map((cluster) => kept(cluster, isSuspect))
    .filter((cluster) => cluster !== "");
}

/**
 * What `stored` leaves out: characters in the order in which they stand, each as often as it does.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function leftOut(text) {
  return isWhole(text) ? [] : graphemes(text).flatMap((cluster) => missing(cluster, kept(cluster, true)));
}

/**
 * Is nothing of a text left out, as can be told without finding its clusters? Hot: a large paste asks for every line.
 *
 * @param {string} text
 */
function isWhole(text) {
  if (SUSPECT.test(text) || STARTS_JOINING.test(text)) return false;
  return (text.match(JOINING)?.length ?? 0) < MAX_CODE_POINTS / 2;
}

/** What of a cluster a cell can hold; "" for nothing. @param {string} cluster @param {boolean} isSuspect */
function kept(cluster, isSuspect) {
  const seen = isSuspect ? shown(cluster) : short(cluster);
  return clusterWidth(seen) > 0 ? seen : "";
}

/** The characters of `whole` that are not in `part`, which is `whole` with some taken out. @param {string} whole @param {string} part */
export function missing(whole, part) {
  if (whole === part) return [];
  const rest = Array.from(part);
  let at = 0;
  return Array.from(whole).filter((char) => char !== rest[at] || (at++, false));
}

/** A cluster without what cannot be seen. @param {string} cluster */
function shown(cluster) {
  return short(cluster)
    .replace(NEVER_STORED, "")
    .replace(UNSEEN_OR_MEANT, (_, meant) => meant ?? "");
}

/** @param {string} cluster */
function short(cluster) {
  return cluster.length <= MAX_CODE_POINTS ? cluster : Array.from(cluster).slice(0, MAX_CODE_POINTS).join("");
}
