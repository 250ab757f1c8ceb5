/** Scenes as text and back, and messages as the broker sends them. */
import { columnsOf } from "../../page/model/text.js";
import { PLAIN } from "../../page/model/cell.js";

/** What a person sees between two corners: one line a row, "·" for an empty column, trailing ones left out. */
export function drawn(cells, [x, y, width, height] = cells.bounds() ?? [0, 0, 0, 0]) {
  const rows = Array.from({ length: height }, (_, row) => cells.strip(y + row, x, x + width).chars);
  return rows.map((chars) => chars.map((char) => char ?? "·").join("").replace(/·+$/, "")).join("\n");
}

/** Packed cells of a text at a place, in one style. */
export function packed(text, [x, y] = [0, 0], style = PLAIN) {
  const rows = text.split("\n").map((line, row) => [y + row, [[x, columnsOf(line), 0]]]);
  return { styles: [style], rows };
}

/** Packed empty columns. */
export function emptied([x, y], columns) {
  return { styles: [], rows: [[y, [[x, columns, -1]]]] };
}

export function snapshot(cells, seq = 1, sheet = "pg-1") {
  return { type: "snapshot", sheet, seq, part: 0, parts: 1, cells };
}

export function change(seq, cells, more = {}) {
  return {
    type: "change",
    seq,
    sheet: "pg-1",
    cells,
    author: "ada",
    appliedBy: "ada",
    color: "#3366cc",
    tool: "canvas_write",
    operationId: `op-${seq}`,
    ...more,
  };
}

export function edit(id, op, more = {}) {
  return { type: "edit", id, epoch: 1, sheet: "pg-1", op, ...more };
}

export function typing(text, at, more = {}) {
  return { kind: "text", at, text, ...more };
}
