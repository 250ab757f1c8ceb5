// @ts-check
/** @import { Run } from "./packed.js" */
/** @import { Rect } from "./region.js" */
import { covered } from "./packed.js";
import { meet } from "./region.js";

/** One commit that was applied. @typedef {{ readonly seq: number, readonly runs: readonly Run[] }} Applied */

const MAX_CHANGES = 64;
const MAX_COLUMNS = 65_536;

/**
 * The last commits that were applied, so that one which comes late can be put where it belongs. A socket keeps
 * order; this keeps cells right if something between ever does not.
 */
export class Recent {
  /** @type {Applied[]} By seq. */
  #applied = [];
  #columns = 0;
  /** A commit up to here is either applied or forgotten. */
  #floor = 0;

  /** Starts anew from a snapshot. @param {number} seq */
  reset(seq) {
    this.#applied = [];
    this.#columns = 0;
    this.#floor = seq;
  }

  /** Was it applied, or is it too old to be placed? @param {number} seq */
  knows(seq) {
    return seq <= this.#floor || this.#applied.some((each) => each.seq === seq);
  }

  /**
   * Remembers a commit that `knows` does not know.
   *
   * @param {Applied} commit
   * @returns {readonly Applied[]} What to apply, in order: it, and the later ones that wrote over it or over one of
   *   these.
   */
  add(commit) {
    const rects = covered(commit.runs);
    const later = this.#applied.filter((each) => each.seq > commit.seq && joins(rects, covered(each.runs)));
    this.#applied = [...this.#applied, commit].sort((a, b) => a.seq - b.seq);
    this.#columns += size(commit);
    this.#forget();
    return [commit, ...later];
  }

  #forget() {
    while (this.#applied.length > MAX_CHANGES || this.#columns > MAX_COLUMNS) {
      const oldest = /** @type {Applied} */ (this.#applied.shift());
      this.#columns -= size(oldest);
      this.#floor = oldest.seq;
    }
  }
}

/**
 * Adds rectangles to others that they meet.
 *
 * @param {Rect[]} rects
 * @param {readonly Rect[]} more
 * @returns {boolean} Do they meet?
 */
function joins(rects, more) {
  const isMet = meet(rects, more);
  if (isMet) rects.push(...more);
  return isMet;
}

/** @param {Applied} commit */
function size({ runs }) {
  return runs.reduce((sum, run) => sum + run.chars.length, 1);
}
