import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const css = readFileSync(new URL("../../page/styles/theme.css", import.meta.url), "utf8");

/** The custom properties of the block that begins with these words. */
function colors(selector) {
  const body = css.slice(css.indexOf(selector)).split("{")[1].split("}")[0];
  return Object.fromEntries([...body.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]));
}

const luminance = (hex) => {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
};

const THEMES = {
  light: colors(":root,"),
  dark: colors(':root[data-theme="dark"]'),
  paper: colors(':root[data-theme="paper"]'),
  contrast: colors(':root[data-theme="contrast"]'),
};

test("the system's dark is the chosen dark", () => {
  assert.deepEqual(colors(":root:not([data-theme])"), THEMES.dark);
});

for (const [name, theme] of Object.entries(THEMES)) {
  test(`text on its ground is AA in ${name}`, () => {
    const inks = ["--ink", "--muted", "--accent", "--info", "--success", "--warning", "--danger"];
    for (const ground of ["--paper", "--desk", "--raised"])
      for (const ink of inks)
        assert.ok(contrast(theme[ink], theme[ground]) >= 4.5, `${ink} on ${ground}: ${contrast(theme[ink], theme[ground])}`);
    assert.ok(contrast(theme["--on-accent"], theme["--accent"]) >= 4.5);
    assert.ok(contrast(theme["--ink"], theme["--mark"]) >= 4.5);
  });
}
