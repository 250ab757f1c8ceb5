// @ts-check
/** @import { Viewport } from "./viewport.js" */

const PREFIX = "chardesk/camera/";

/** Keep a sheet's camera over a reload and over a look at another sheet, for this window. @param {string} sheet @param {Viewport} viewport */
export function remember(sheet, viewport) {
  try {
    if (sheet) sessionStorage.setItem(PREFIX + sheet, JSON.stringify(viewport.saved()));
  } catch {
    // A full or forbidden storage loses a place to look at, nothing else.
  }
}

/** @param {string} sheet @param {Viewport} viewport @returns {boolean} Was there one to go back to? */
export function recall(sheet, viewport) {
  try {
    const saved = sessionStorage.getItem(PREFIX + sheet);
    if (saved) viewport.restore(JSON.parse(saved));
    return saved !== null;
  } catch {
    return false;
  }
}
