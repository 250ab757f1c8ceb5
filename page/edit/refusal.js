// @ts-check
/** A gesture that cannot be carried out, said to the person. @typedef {{ readonly kind: "refused", readonly message: string, readonly nextStep: string }} Refusal */

/** @param {string} message @param {string} nextStep @returns {Refusal} */
export function refused(message, nextStep) {
  return { kind: "refused", message, nextStep };
}
