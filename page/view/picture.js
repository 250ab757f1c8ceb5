// @ts-check
/** @import { Rect } from "../model/region.js" */
/** @import { Cells } from "../model/selection.js" */
/** @import { View } from "./view.js" */
import { CELL_HEIGHT, CELL_WIDTH, Viewport } from "./viewport.js";

/** Device pixels per CSS pixel: sharp on any screen that it is pasted on. */
const RATIO = 2;

/** Cells of one picture: some browsers refuse a canvas of more than 16 million pixels. */
export const MAX_PICTURE_CELLS = 20_000;

/**
 * Cells as a PNG, as they look on the page now, at 100 %.
 *
 * @param {View} view
 * @param {Cells} cells
 * @param {Rect} rect
 * @returns {Promise<Blob | null>} Null for more than MAX_PICTURE_CELLS.
 */
export function pictureOf(view, cells, [x, y, columns, rows]) {
  if (columns * rows > MAX_PICTURE_CELLS) return Promise.resolve(null);
  const canvas = document.createElement("canvas");
  const camera = new Viewport();
  const [width, height] = [columns * CELL_WIDTH, rows * CELL_HEIGHT];
  [canvas.width, canvas.height] = [width * RATIO, height * RATIO];
  camera.resize(width, height, RATIO);
  camera.restore({ x, y, zoom: 1 });
  const painter = view.painter(canvas, camera);
  painter.show({ strip: (row, x0, x1) => cells.strip(row, x0, x1), bounds: () => [x, y, columns, rows], size: null });
  painter.paint();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
