// @ts-check
/** @import { CanvasInfo } from "../../wire/messages.js" */
/** @import { Result } from "../../wire/calls.js" */
import { dialog } from "../../parts/dialog.js";
import { button, make } from "../../parts/dom.js";
import { T } from "../../words/language.js";

const PRESETS = /** @type {const} */ ([
  [80, 24],
  [100, 27],
  [120, 40],
]);

/** The broker's own limit. */
const LARGEST = 1000;

/**
 * Asks for a slide's new size. What would be cropped is said before it is.
 *
 * @param {CanvasInfo} canvas
 * @param {number} n
 * @param {(args: Result) => Promise<boolean>} manage false if it was refused
 */
export function askForSize({ id: canvasId, sheets }, n, manage) {
  const sheet = sheets[n];
  if (!sheet) return;
  const [columns, rows] = [number(T.columns, sheet.size?.[0] ?? 100), number(T.rows, sheet.size?.[1] ?? 27)];
  const presets = PRESETS.map(([w, h]) =>
    button("button", `${w} × ${h}`, () => {
      [columns.field.valueAsNumber, rows.field.valueAsNumber] = [w, h];
    }),
  );
  const crop = make("input", "");
  crop.type = "checkbox";
  const warning = make("p", "warns", T.cropWarning);
  warning.setAttribute("role", "alert");
  const apply = make("button", "button primary", T.resize);
  const form = make(
    "form",
    "sizes",
    make("div", "presets", ...presets),
    make("div", "pair", columns.label, rows.label),
    make("label", "check", crop, T.cropAgree),
    warning,
    make("div", "dialog-foot", apply),
  );
  warning.hidden = true;
  const sheetDialog = dialog(T.resizeOf(sheet.name || T.slide(n + 1)), form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const size = [columns.field.valueAsNumber, rows.field.valueAsNumber];
    const more = crop.checked ? { crop: true, mode: "apply" } : {};
    if (await manage({ action: "resize_page", canvasId, pageId: sheet.id, size, ...more })) sheetDialog.close();
    else warning.hidden = crop.checked;
  });
}

/** @param {string} name @param {number} value */
function number(name, value) {
  const field = make("input", "");
  field.type = "number";
  [field.min, field.max, field.required] = ["1", String(LARGEST), true];
  field.valueAsNumber = value;
  return { field, label: make("label", "", name, field) };
}
