// @ts-check
/** The tools' own icons, as paths on a ground of 16 by 16. */
const PATHS = {
  select: "M3.5 2.5 12.5 7 8.6 8.6 7 12.5z",
  text: "M3.5 4.5v-1h9v1M8 3.5v9M6.5 12.5h3",
  pencil: "m3 13 .8-3.2 7-7 2.4 2.4-7 7zM9.4 4.2l2.4 2.4",
  eraser: "m2.8 9.6 6.4-6.4 3.8 3.8-5.8 5.8H5.4zM6.2 6.2l3.8 3.8M7.2 12.8h6",
  box: "M2.5 3.5h11v9h-11z",
  line: "M2.5 13.5v-6h11v-5",
  arrow: "M2.5 8h11M9.5 4l4 4-4 4",
  area: "m7 2.5 5.5 5.5-5 5L2 7.5zM3 7.5h8.8M14 10.5c.8 1.2.8 2 0 2.5-.8-.5-.8-1.3 0-2.5z",
  brush: "M13 2.5c-3 1-5.5 4-6.3 5.9l1.2 1.2C9.8 8.9 12.5 6 13 2.5zM6 9.2c-2 0-1.6 2.6-3.5 3.4 2.6 1 5 .2 4.9-2z",
  picker: "m9.5 3.5 3 3M8.5 5.5l2-2a1.6 1.6 0 0 1 2.3 0 1.6 1.6 0 0 1 0 2.3l-2 2zM9 6 3.5 11.5v1.7h1.6L10.5 7.5",
  hand: "M5 8V4.2a1 1 0 0 1 2 0V7.5V3.2a1 1 0 0 1 2 0V7.5V4a1 1 0 0 1 2 0v5.5c0 2.4-1.4 4-3.5 4S4.6 12.5 3 9.300c-.5-1 .8-1.7 1.5-.9z",
  join: "M8 2.5v11M2.5 8h11",
  elbow: "M2.5 3.500h6v9h5",
  search: "M7 2.800a4.2 4.2 0 1 0 0 8.400a4.2 4.2 0 0 0 0-8.400M10.2 10.200l3.3 3.3",
  up: "m4 10 4-4 4 4",
  down: "m4 6 4 4 4-4",
  news: "M8 2.500v8M4.5 7 8 10.5 11.5 7M3 13.500h10",
  map: "M2.5 3.500h11v9h-11zM5 6h4v3H5z",
};

/** @typedef {keyof typeof PATHS} Icon */

/** @param {Icon} name @returns {SVGSVGElement} */
export function toolIcon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
