// @ts-check
/**
 * Line pieces and their arms, as the broker has them (tools/text/shapes/pieces.py): what `┼` joins, and which character
 * joins what. tests/vectors/joins.json holds both sides to each other.
 */

/** The weight of an arm up, right, down and left; 0 where there is none. @typedef {readonly [number, number, number, number]} Arms */

export const LIGHT = 1;
export const HEAVY = 2;
export const DOUBLE = 3;

/** @type {Arms} */
export const NO_ARMS = [0, 0, 0, 0];

/** Columns and rows to the neighbour in each direction of Arms. @type {readonly (readonly [number, number])[]} */
export const STEPS = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];

/** U+2500 to U+257F, two hex digits each, two bits an arm; 00 for diagonals, which join nothing. */
const BOX_DRAWING =
  "112244881122448811224488142418280506090a506090a04142818254649458" +
  "98a468a84546854989864a8a15162526191a292a515261629192a1a255566566" +
  "95599996a55a69a66a9aa9aa1122448833cc341c3c070d0f70d0f043c1c374dc" +
  "fc47cdcf371d3f73d1f377ddff14054150000000014010040280200821481284";
const DASHED = "┄┅┆┇┈┉┊┋╌╍╎╏";

/** @type {Readonly<Record<string, Arms>>} */
const ASCII = { "-": [0, 1, 0, 1], "|": [1, 0, 1, 0], "+": [1, 1, 1, 1] };

/** The rounded corners. @type {Readonly<Record<string, Arms>>} */
export const ROUND = { "╭": [0, 1, 1, 0], "╮": [0, 0, 1, 1], "╯": [1, 0, 0, 1], "╰": [1, 1, 0, 0] };

/** Every piece that can be joined. @type {ReadonlyMap<string, Arms>} */
export const ARMS = new Map(
  Array.from({ length: 0x80 }, (_, n) => /** @type {const} */ ([
    String.fromCharCode(0x2500 + n),
    unpackedArms(Number.parseInt(BOX_DRAWING.slice(2 * n, 2 * n + 2), 16)),
  ])).filter(([, arms]) => arms.some(Boolean)),
);

const PLAIN_PIECES = [...ARMS].filter(([char]) => !DASHED.includes(char) && !Object.hasOwn(ROUND, char));
/** The first character wins where two have the same arms. */
const EXACT = new Map(PLAIN_PIECES.reverse().map(([char, arms]) => [String(arms), char]));
const CORNERS = new Map(Object.entries(ROUND).map(([char, arms]) => [String(arms), char]));

/**
 * The arms of what stands in a cell. `-`, `|` and `+` are pieces only among lines of ASCII.
 *
 * @param {string | null} char
 * @param {boolean} [isAscii]
 * @returns {Arms}
 */
export function armsOf(char, isAscii = false) {
  return ARMS.get(char ?? "") ?? (isAscii ? (ASCII[char ?? ""] ?? NO_ARMS) : NO_ARMS);
}

/** Both pieces as one; where both have an arm, the first one's weight counts. @param {Arms} mine @param {Arms} below @returns {Arms} */
export function over(mine, below) {
  return eachArm((way) => mine[way] || below[way] || 0);
}

/** @param {(way: 0 | 1 | 2 | 3) => number} weight @returns {Arms} */
export function eachArm(weight) {
  return [weight(0), weight(1), weight(2), weight(3)];
}

/**
 * The character with these arms, or the nearest that has arms in the same directions: Unicode has no piece for a heavy
 * line that meets a double one.
 *
 * @param {Arms} arms
 */
export function piece(arms) {
  const wanted = straightened(arms);
  return EXACT.get(String(wanted)) ?? nearest(wanted);
}

/** The rounded form of a light corner; null if these arms are not one. @param {Arms} arms */
export function roundCorner(arms) {
  return CORNERS.get(String(arms)) ?? null;
}

/** `-`, `|`, or `+` for whatever turns or joins. @param {Arms} arms */
export function asciiPiece(arms) {
  const [up, right, down, left] = straightened(arms);
  if (!up && !down) return "-";
  return right || left ? "+" : "|";
}

/** A loose end as the whole line it is the end of: `╶` is drawn `─`. @param {Arms} arms @returns {Arms} */
function straightened(arms) {
  if (arms.filter(Boolean).length !== 1) return arms;
  return eachArm((way) => arms[way] || arms[(way + 2) % 4] || 0);
}

/** @param {Arms} wanted */
function nearest(wanted) {
  const alike = PLAIN_PIECES.filter(([, known]) => known.every((weight, way) => !weight === !wanted[way]));
  const ranked = alike.map(([char, known]) => ({ char, distance: distance(known, wanted) }));
  ranked.sort((a, b) => a.distance - b.distance || (a.char < b.char ? -1 : 1));
  return ranked[0]?.char ?? "┼";
}

/** How unlike two pieces are; an arm of the wrong weight is worse the heavier it should be. @param {Arms} one @param {Arms} wanted */
function distance(one, wanted) {
  return wanted.reduce((sum, weight, way) => sum + (weight === one[way] ? 0 : weight), 0);
}

/** @param {number} bits @returns {Arms} */
function unpackedArms(bits) {
  return [bits >> 6, (bits >> 4) & 3, (bits >> 2) & 3, bits & 3];
}
