// @ts-check

/** WCAG's bound for text. */
const ENOUGH = 4.5;

/** @typedef {readonly [red: number, green: number, blue: number]} Rgb 0 to 255 */

/**
 * An agent's colour as text on a sheet: itself, or mixed with the sheet's ink until it can be read.
 * Anything but `#rrggbb` comes back as it is.
 * @param {string} color
 * @param {string} paper `#rrggbb`
 * @param {string} ink `#rrggbb`
 */
export function readable(color, paper, ink) {
  const [from, ground, to] = [color, paper, ink].map(parsed);
  if (!from || !ground || !to) return color;
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(from, to, share);
    if (contrast(mixed, ground) >= ENOUGH) return written(mixed);
  }
  return ink;
}

/** WCAG's contrast ratio, 1 to 21. @param {Rgb} a @param {Rgb} b */
export function contrast(a, b) {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {string} color @returns {Rgb | null} */
export function parsed(color) {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  return parts && [parseInt(parts[1] ?? "", 16), parseInt(parts[2] ?? "", 16), parseInt(parts[3] ?? "", 16)];
}

/** @param {Rgb} color */
function written(color) {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** @param {Rgb} a @param {Rgb} b @param {number} share of b @returns {Rgb} */
function mix([r, g, b], [r2, g2, b2], share) {
  return [r + (r2 - r) * share, g + (g2 - g) * share, b + (b2 - b) * share];
}

/** @param {Rgb} color */
function luminance(color) {
  const [r = 0, g = 0, b = 0] = color.map((part) => {
    const s = part / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
