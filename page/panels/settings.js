// @ts-check
/** @import { Choices, Name, Preferences } from "../lib/preferences.js" */
import { dialog } from "../parts/dialog.js";
import { make } from "../parts/dom.js";
import { T } from "../words/language.js";

/** In this order; the greeting is not a choice but a memory. @type {readonly Exclude<Name, "greeting">[]} */
const SHOWN = ["theme", "font", "cells", "grid", "rulers", "paste", "keys"];

/** Every choice as a row of options; a choice holds at once. @param {Preferences} preferences */
export function openSettings(preferences) {
  const rows = SHOWN.map((name) => row(name, preferences));
  dialog(T.settings, make("form", "settings", ...rows), make("p", "fine", T.settingsKept));
}

/** The options stand in the order of their words. @param {Exclude<Name, "greeting">} name @param {Preferences} preferences */
function row(name, preferences) {
  /** @type {Readonly<Record<string, string>>} */
  const words = T.choices[name];
  const options = Object.keys(words).map((value) => {
    const field = make("input", "");
    [field.type, field.name, field.value] = ["radio", name, value];
    field.checked = preferences.value[name] === value;
    field.addEventListener("change", () => preferences.choose(/** @type {Partial<Choices>} */ ({ [name]: value })));
    return make("label", "option", field, make("span", "", words[value] ?? value));
  });
  return make("fieldset", "", make("legend", "", T.choiceNames[name]), make("div", "options", ...options));
}
