// @ts-check
/** Why a gesture cannot be carried out. @typedef {"area_open" | "selection_large"} Why */

/** A gesture that cannot be carried out, and the cells that it may have. @typedef {{ readonly kind: "refused", readonly why: Why, readonly limit: number }} Refusal */

/** @param {Why} why @param {number} limit @returns {Refusal} */
export function refused(why, limit) {
  return { kind: "refused", why, limit };
}
