// @ts-check
import { EN } from "./en.js";

/** A whole language: every sentence of the panels, in the shape of the English one. @typedef {typeof EN} Language */

/** Every language there is, by its BCP 47 primary tag. @type {Readonly<Record<string, Language>>} */
const LANGUAGES = { en: EN };

/** The sentences of the panels in the person's language, in English where there is none. */
export const T = LANGUAGES[navigator.language.split("-")[0] ?? "en"] ?? EN;
