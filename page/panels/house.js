// @ts-check
/** @import { Edit, EditOp } from "../wire/messages.js" */
/** @import { Link } from "../wire/link.js" */
/** @import { Preferences } from "../lib/preferences.js" */
/** @import { Rect } from "../model/region.js" */
/** @import { Replica } from "../model/replica.js" */
/** @import { Viewport } from "../view/viewport.js" */
/** @import { Keymap } from "./help.js" */
/** @import { Seat } from "../parts/seat.js" */

/** Where something is. @typedef {{ canvas: string, sheet: string, bounds?: Rect | undefined }} Place */

/**
 * @typedef {object} House what the rooms around the canvas need of it
 * @property {Link} link
 * @property {Viewport} viewport
 * @property {HTMLElement} sheet the element whose size the camera has
 * @property {HTMLElement} marks
 * @property {HTMLTextAreaElement} field
 * @property {Preferences} preferences
 * @property {Keymap} keymap
 * @property {(id: string) => HTMLElement} element
 * @property {() => Replica} replica what is shown now
 * @property {() => { cursor: { x: number, y: number }, selected: Rect | null }} where the person is
 * @property {(op: EditOp) => Edit | null} perform
 * @property {(place: Place) => void} goTo
 * @property {(message: string, nextStep?: string) => void} say
 * @property {Seat} seat
 */

export {};
