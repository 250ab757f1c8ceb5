// @ts-check
/** @import { LeftOut } from "../../wire/messages.js" */
import { T } from "../../words/language.js";

/** The same again within this time is the same gesture: a key that is held down repeats faster. */
const REPEATS_MS = 1000;

/** Kinds that are named; the others are summed up. */
const NAMED = 8;

/**
 * Tells the person what no cell can hold of what they typed or pasted. What comes in one turn is told as one, and a
 * key that repeats is told once.
 *
 * @param {(message: string) => void} say
 * @param {() => number} [nowMs]
 * @returns {(found: readonly LeftOut[]) => void}
 */
export function leftOutTeller(say, nowMs = () => performance.now()) {
  /** @type {LeftOut[]} */
  let waiting = [];
  let last = { kinds: "", at: -REPEATS_MS };
  const tell = () => {
    const found = summed(waiting);
    const [kinds, at] = [found.map(({ name }) => name).join(), nowMs()];
    const isRepeat = kinds === last.kinds && at - last.at < REPEATS_MS;
    [waiting, last] = [[], { kinds, at }];
    if (!isRepeat) say(sentence(found));
  };
  return (found) => {
    if (!found.length) return;
    if (!waiting.length) queueMicrotask(tell);
    waiting.push(...found);
  };
}

/** Single characters as what was left out. @param {readonly string[]} chars @returns {LeftOut[]} */
export function ofChars(chars) {
  return chars.map((char) => ({ codePoints: [codePoint(char)], count: 1 }));
}

/** @param {string} char */
function codePoint(char) {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Each kind once, in the order of first appearance. @param {readonly LeftOut[]} found */
function summed(found) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { codePoints, count } of found) {
    const name = codePoints.join(" ");
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return Array.from(counts, ([name, count]) => ({ name, count }));
}

/** @param {readonly { name: string, count: number }[]} found */
function sentence(found) {
  const all = found.reduce((sum, { count }) => sum + count, 0);
  const named = found.filter(({ name }) => name !== "").slice(0, NAMED);
  const names = named.map(({ name, count }) => (count > 1 ? `${name} ×${count}` : name));
  return T.leftOut(all, names.join(", ") + (named.length < found.length ? ", …" : ""));
}
