// @ts-check
/** @import { Result } from "../wire/calls.js" */
import { dialog } from "../parts/dialog.js";
import { button, make } from "../parts/dom.js";
import { T } from "../words/language.js";
import { rendered } from "../parts/markdown.js";

/** @typedef {{ ask: (tool: string, args: Result) => Promise<Result> }} Asking */
/** Chords and the commands they mean. @typedef {Readonly<Record<string, string>>} Keymap */

/**
 * The materials that agents read, and the keys of the page.
 *
 * @param {Asking} link
 * @param {Keymap} keymap
 * @param {() => void} tour
 */
export function openHelp(link, keymap, tour) {
  const text = make("div", "help-text");
  text.tabIndex = 0;
  text.setAttribute("role", "region");
  text.setAttribute("aria-label", T.help);
  const topics = make("nav", "help-topics");
  topics.setAttribute("aria-label", T.topics);
  const sheet = dialog(T.help, make("div", "help", topics, text));
  sheet.classList.add("is-wide");
  const show = async (/** @type {HTMLElement} */ opener, /** @type {() => Node | Promise<Node>} */ content) => {
    for (const each of topics.children) each.removeAttribute("aria-current");
    opener.setAttribute("aria-current", "true");
    text.replaceChildren(make("p", "fine", T.loading));
    text.replaceChildren(await Promise.resolve(content()).catch((error) => make("p", "fault", error.message)));
    text.scrollTop = 0;
  };
  /** @param {string} label @param {() => Node | Promise<Node>} content */
  const add = (label, content) => {
    const opener = button("", label, () => void show(opener, content));
    topics.append(opener);
    return opener;
  };
  const keyTable = () => tableOf(keymap);
  const keys = add(T.keys, keyTable);
  topics.append(button("", T.tour, () => (sheet.close(), tour())));
  void show(keys, keyTable);
  void topicsOf(link).then((names) => names.forEach((name) => add(T.topic(name), () => material(link, name))));
}

/** The topics there are; none while the broker is away. @param {Asking} link @returns {Promise<string[]>} */
async function topicsOf(link) {
  const { topics } = await link.ask("chardesk_read_materials", {}).catch(() => ({ topics: [] }));
  return /** @type {string[]} */ (topics);
}

/** @param {Asking} link @param {string} topic */
async function material(link, topic) {
  const { content } = await link.ask("chardesk_read_materials", { topic });
  return rendered(String(content));
}

/** Every chord of the canvas and of the page with what it does. */
function tableOf(/** @type {Keymap} */ keymap) {
  const chords = new Map(T.pageKeys);
  for (const [chord, command] of Object.entries(keymap)) chords.set(chord, T.command(command));
  const rows = [...chords].map(([chord, words]) =>
    make("tr", "", make("td", "", make("kbd", "", spelled(chord))), make("td", "", words)),
  );
  return make("table", "keys", make("tbody", "", ...rows));
}

/** @param {string} chord */
function spelled(chord) {
  const isMac = /^Mac|^iP/.test(navigator.platform);
  return chord.replace("Mod", isMac ? "⌘" : "Ctrl").replaceAll("Arrow", "");
}
