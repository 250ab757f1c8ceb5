// @ts-check
/** @import { MAX_FRAME_BYTES, RefusedEdit } from "./messages.js" */
/** What the page refuses by itself, in the broker's words. */

/** @typedef {Pick<RefusedEdit, "code" | "message" | "nextStep" | "details">} Refusal */

/** @type {MAX_FRAME_BYTES} */
export const MAX_BYTES = 1_048_576;

/** @type {Refusal} */
export const NOT_CONNECTED = Object.freeze({
  code: "broker_unavailable",
  message: "the page is not connected to the broker",
  nextStep: "Wait until the page is connected, then call again.",
  details: {},
});

/** @type {Refusal} */
export const NO_SEAT = Object.freeze({
  code: "replaced",
  message: "this page does not hold the seat",
  nextStep: "Take over, then do it again.",
  details: {},
});

/** @type {Refusal} */
export const TOO_LARGE = Object.freeze({
  code: "too_large",
  message: `the edit is over the limit of ${MAX_BYTES} bytes a message`,
  nextStep: "Do it in several parts.",
  details: { limit: MAX_BYTES },
});
