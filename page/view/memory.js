// @ts-check
/** @import { Viewport } from "./viewport.js" */

const PREFIX = "chardesk/camera/";

/** Where the person was on a sheet. @typedef {{x: number, y: number}} Spot */

/**
 * Keep a sheet's camera and cursor over a reload and over a look at another sheet, for this window.
 * @param {string} sheet @param {Viewport} viewport @param {Spot} cursor
 */
export function remember(sheet, viewport, { x, y }) {
  try {
    if (sheet) sessionStorage.setItem(PREFIX + sheet, JSON.stringify({ camera: viewport.saved(), cursor: { x, y } }));
  } catch {
    // A full or forbidden storage loses a place to look at, nothing else.
  }
}

/**
 * Go back to where the person was; null if this window never showed the sheet.
 *
 * @param {string} sheet
 * @param {Viewport} viewport
 * @returns {Spot | null}
 */
export function recall(sheet, viewport) {
  try {
    const saved = JSON.parse(sessionStorage.getItem(PREFIX + sheet) ?? "null");
    if (saved) viewport.restore(saved.camera);
    return saved?.cursor ?? null;
  } catch {
    return null;
  }
}
