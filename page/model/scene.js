// @ts-check
/** @import { CellStyle } from "../wire/messages.js" */
/** @import { Strip } from "./cell.js" */
/** @import { Rect } from "./region.js" */
import { PLAIN, isOccupied } from "./cell.js";
import { union } from "./region.js";

const COLUMNS = 128;
const ROWS = 64;
const SIZE = COLUMNS * ROWS;

/** A stretch of stored columns of a row, half-open. @typedef {readonly [number, number]} Stretch */

/** 128×64 slots. Hot: every read and write ends here. */
class Chunk {
  /** @param {object} owner */
  constructor(owner) {
    this.owner = owner;
    /** @type {(string | null)[]} */
    this.chars = new Array(SIZE).fill(null);
    /** @type {CellStyle[]} */
    this.styles = new Array(SIZE).fill(PLAIN);
    /** Stored columns of each row, and of all. */
    this.counts = new Uint8Array(ROWS);
    this.stored = 0;
  }

  /** @param {object} owner */
  copy(owner) {
    const twin = Object.assign(Object.create(Chunk.prototype), this);
    twin.owner = owner;
    twin.chars = this.chars.slice();
    twin.styles = this.styles.slice();
    twin.counts = this.counts.slice();
    return /** @type {Chunk} */ (twin);
  }

  /** @param {number} row @param {number} column @param {string | null} char @param {CellStyle} style */
  put(row, column, char, style) {
    const slot = row * COLUMNS + column;
    const gained = Number(char !== null) - Number(this.chars[slot] !== null);
    this.chars[slot] = char;
    this.styles[slot] = char === null ? PLAIN : style;
    this.counts[row] = (this.counts[row] ?? 0) + gained;
    this.stored += gained;
  }
}

/**
 * The cells of one sheet: sparse, without limits, cheap to fork. `write`, `clear` and `erase` keep glyphs whole;
 * `put` stores columns as they are.
 */
export class Scene {
  /** Rows of chunks, each by column: no key has to be built to find one. @type {Map<number, Map<number, Chunk>>} */
  #bands = new Map();
  #owner = {};
  /** Known until something is written: panning asks for it with every frame. @type {Rect | null | undefined} */
  #bounds = undefined;

  /** A copy that shares chunks until either side writes. */
  fork() {
    const twin = new Scene();
    for (const [row, band] of this.#bands) twin.#bands.set(row, new Map(band));
    this.#owner = {};
    twin.#bounds = this.#bounds;
    return twin;
  }

  /**
   * Columns `x .. end` of row `y` as they are stored; a half at the edge shows as such.
   *
   * @param {number} y
   * @param {number} x
   * @param {number} end
   * @returns {Strip}
   */
  strip(y, x, end) {
    const chars = new Array(end - x).fill(null);
    const styles = new Array(end - x).fill(PLAIN);
    const band = this.#bands.get(Math.floor(y / ROWS));
    const row = modulo(y, ROWS);
    for (let left = x; band && left < end; left = nextChunk(left)) {
      const chunk = band.get(Math.floor(left / COLUMNS));
      if (!chunk?.counts[row]) continue;
      const from = row * COLUMNS + modulo(left, COLUMNS);
      const count = Math.min(end, nextChunk(left)) - left;
      for (let n = 0; n < count; n++) {
        chars[left - x + n] = chunk.chars[from + n];
        styles[left - x + n] = chunk.styles[from + n];
      }
    }
    return { chars, styles };
  }

  /** The cluster at a column, "" on a follower, null where nothing is stored. @param {number} x @param {number} y */
  charAt(x, y) {
    const chunk = this.#bands.get(Math.floor(y / ROWS))?.get(Math.floor(x / COLUMNS));
    return chunk?.chars[modulo(y, ROWS) * COLUMNS + modulo(x, COLUMNS)] ?? null;
  }

  /**
   * What is stored in row `y` between two columns, left to right; neighbours joined.
   *
   * @param {number} y
   * @param {number} [from]
   * @param {number} [to]
   * @returns {Stretch[]}
   */
  stretches(y, from = -Infinity, to = Infinity) {
    const band = this.#bands.get(Math.floor(y / ROWS)) ?? new Map();
    const row = modulo(y, ROWS);
    /** @type {[number, number][]} */
    const found = [];
    for (const column of [...band.keys()].sort((a, b) => a - b)) {
      const chunk = /** @type {Chunk} */ (band.get(column));
      if (!chunk.counts[row]) continue;
      const left = Math.max(from, column * COLUMNS);
      const right = Math.min(to, (column + 1) * COLUMNS);
      for (let x = left; x < right; x++) {
        if (chunk.chars[row * COLUMNS + modulo(x, COLUMNS)] === null) continue;
        const last = found.at(-1);
        if (last && last[1] === x) last[1] = x + 1;
        else found.push([x, x + 1]);
      }
    }
    return found;
  }

  /**
   * The rows between two that hold anything, top down. Cost follows the content.
   *
   * @param {number} [from]
   * @param {number} [to]
   * @returns {number[]}
   */
  rows(from = -Infinity, to = Infinity) {
    const found = [];
    for (const [row, band] of [...this.#bands].sort(([a], [b]) => a - b)) {
      for (let top = 0; top < ROWS; top++) {
        const y = row * ROWS + top;
        if (y >= from && y < to && [...band.values()].some((chunk) => chunk.counts[top])) found.push(y);
      }
    }
    return found;
  }

  /** The smallest rectangle around the occupied cells: what there is to see. @returns {Rect | null} */
  bounds() {
    if (this.#bounds === undefined) this.#bounds = union(this.#occupied());
    return this.#bounds;
  }

  /** Store columns as they are, empty ones too. @param {number} y @param {number} x @param {Strip} strip */
  put(y, x, { chars, styles }) {
    this.#bounds = undefined;
    const row = modulo(y, ROWS);
    for (let n = 0; n < chars.length; ) {
      const column = Math.floor((x + n) / COLUMNS);
      const upto = Math.min(chars.length, n + nextChunk(x + n) - (x + n));
      const chunk = this.#own(Math.floor(y / ROWS), column);
      for (; n < upto; n++) chunk.put(row, modulo(x + n, COLUMNS), chars[n] ?? null, styles[n] ?? PLAIN);
      if (!chunk.stored) this.#drop(Math.floor(y / ROWS), column);
    }
  }

  /**
   * Store columns and mend what they tear: the other half of a wide glyph at either end goes too.
   *
   * @param {number} y @param {number} x @param {Strip} strip
   * @returns {Rect} What was touched: the columns, and one more at an end that was mended.
   */
  write(y, x, strip) {
    const end = x + strip.chars.length;
    const left = this.charAt(x, y) === "" ? x - 1 : x;
    const right = this.charAt(end, y) === "" ? end + 1 : end;
    if (left < x) this.put(y, left, EMPTY);
    if (right > end) this.put(y, end, EMPTY);
    this.put(y, x, strip);
    return [left, y, right - left, 1];
  }

  /**
   * Removes every glyph that touches the rectangle, whole. Cost follows the content.
   *
   * @param {Rect} rect
   * @returns {Rect[]} What was touched.
   */
  erase([x, y, width, height]) {
    const rows = this.rows(y, y + height).map((row) => this.stretches(row, x, x + width).map((it) => ({ row, it })));
    return rows.flat().map(({ row, it: [from, to] }) => this.write(row, from, emptyStrip(to - from)));
  }

  /** @returns {Iterable<Rect>} */
  *#occupied() {
    for (const y of this.rows()) {
      const seen = this.stretches(y).flatMap(([x, end]) => {
        const { chars, styles } = this.strip(y, x, end);
        const marks = chars.map((char, n) => isOccupied(char || (chars[n - 1] ?? null), styles[n] ?? PLAIN));
        return marks.includes(true) ? [x + marks.indexOf(true), x + marks.lastIndexOf(true) + 1] : [];
      });
      if (seen.length) yield [seen[0] ?? 0, y, (seen.at(-1) ?? 0) - (seen[0] ?? 0), 1];
    }
  }

  /** The chunk, made or copied so that it may be written. @param {number} row @param {number} column */
  #own(row, column) {
    let band = this.#bands.get(row);
    if (!band) this.#bands.set(row, (band = new Map()));
    const found = band.get(column);
    if (found?.owner === this.#owner) return found;
    const mine = found ? found.copy(this.#owner) : new Chunk(this.#owner);
    band.set(column, mine);
    return mine;
  }

  /** @param {number} row @param {number} column */
  #drop(row, column) {
    const band = this.#bands.get(row);
    band?.delete(column);
    if (band?.size === 0) this.#bands.delete(row);
  }
}

/** A strip of empty columns. @param {number} columns @returns {Strip} */
export function emptyStrip(columns) {
  return { chars: new Array(columns).fill(null), styles: new Array(columns).fill(PLAIN) };
}

const EMPTY = emptyStrip(1);

/**
 * The remainder, never negative: bit tricks end at 32 bits, coordinates do not.
 *
 * @param {number} n
 * @param {number} size
 */
function modulo(n, size) {
  return ((n % size) + size) % size;
}

/** The first column of the next chunk. @param {number} x */
function nextChunk(x) {
  return (Math.floor(x / COLUMNS) + 1) * COLUMNS;
}
