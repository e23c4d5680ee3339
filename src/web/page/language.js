// The language of the page. English sentences stand in the code as patterns; `t` words them in the chosen language, whose file
// in `messages` is loaded before any other module runs. Another language therefore takes effect when the page is loaded again.
//
// A pattern is text with arguments in braces, a part of ICU MessageFormat:
//   {name}                                       text, a number, a list, or a noun in its usual number
//   {name.form}                                  a form of a noun: one, many, a, the, or any other form that the language's file defines
//   {Name}, {Name.form}                          the same with a capital letter
//   {name, plural, one {# move} other {# moves}} the case of a number, which `#` stands for; `=0` is one number
//   {name, select, win {won} other {lost}}       the case of a word; {name.number, select, …} has the cases one and many
//   {name, or}                                   a list joined by “or” instead of “and”

import { loadSetting, saveSetting } from "./storage.js";

/** @typedef {string | number | Noun | (string | number | Noun)[]} Argument */
/** @typedef {Record<string, Argument>} Arguments */
/** @typedef {Record<string, string>} Forms the forms of a noun by name; `one` is always there */
/** @typedef {string | { name: string, form: string, isCapital: boolean, kind: string, cases: Record<string, Part[]> }} Part */

/** The languages of the page, each by its own name. @type {Readonly<Record<string, string>>} */
export const LANGUAGES = Object.freeze({ en: "English", zh: "中文", vi: "Tiếng Việt", ta: "தமிழ்", ne: "नेपाली", hi: "हिन्दी" });

const SETTING = "language";

/** The language in the address with which the page was opened; empty if there is none. */
export const addressLanguage = new URLSearchParams(globalThis.location?.hash.replace(/^#/, "")).get("lang") ?? "";

/** Returns the language of the address, of the settings or of the browser; English if the page does not speak any of these. */
function chooseLanguage() {
  const wanted = [addressLanguage, loadSetting(SETTING, ""), ...(globalThis.navigator?.languages ?? [])];
  return wanted.map((tag) => (tag ?? "").toLowerCase().split("-")[0]).find((tag) => tag in LANGUAGES) ?? "en";
}

const chosen = globalThis.document ? chooseLanguage() : "en";
const file = chosen === "en" ? null : await fetch(new URL(`messages/${chosen}.json`, import.meta.url)).catch(() => null);

/** The language of the page, such as `ta`; English if the file of the chosen language cannot be loaded. */
export const language = file?.ok ? chosen : "en";

/** Saves the language that the page has from the next load on. @param {string} tag */
export function saveLanguage(tag) {
  saveSetting(SETTING, tag);
}

/** The translations by English pattern, and the forms of nouns by English noun. @type {{ messages: Record<string, string>, nouns: Record<string, Forms> }} */
const translations = { messages: {}, nouns: {} };

/** Replaces the translations. @param {{ messages: Record<string, string>, nouns: Record<string, Forms> }} file the content of a language's file */
export function useTranslations({ messages, nouns }) {
  Object.assign(translations, { messages, nouns });
  parsed.clear();
}

const numberFormat = new Intl.NumberFormat(language, { numberingSystem: "latn", maximumFractionDigits: 20 });
const pluralRules = new Intl.PluralRules(language);
// American English would have a comma before the last word of a list, which no sentence of the page has.
const listLanguage = language === "en" ? "en-GB" : language;
const andList = new Intl.ListFormat(listLanguage, { type: "conjunction" });
const orList = new Intl.ListFormat(listLanguage, { type: "disjunction" });

/** Returns a number with the separators of the language. @param {number} number @param {Intl.NumberFormatOptions} [options] */
export function numberText(number, options) {
  return options ? number.toLocaleString(language, { numberingSystem: "latn", ...options }) : numberFormat.format(number);
}

/** Makes the first letter upper case. @param {string} text */
export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The names of pieces whose plural equals the singular. */
const INVARIABLE = ["cattle", "deer", "fish", "prey", "sheep", "swine"];

/** A name of pieces or players as an argument of a pattern, such as `goat`. */
export class Noun {
  /**
   * @param {string} one the English word for one: `goat`
   * @param {string} [many] the English word for several: `goats`
   * @param {{ isMany?: boolean, hasArticle?: boolean }} [use] whether the noun without a form means several, and whether it takes an article
   */
  constructor(one, many = one, { isMany = false, hasArticle = true } = {}) {
    Object.assign(this, { one, many, isMany, hasArticle });
    /** @type {string} */ this.one;
    /** @type {string} */ this.many;
    /** @type {boolean} */ this.isMany;
    /** @type {boolean} */ this.hasArticle;
  }

  /**
   * Creates the name of a side, which takes a verb in the plural if it means several pieces: `sheep win`, `hare wins`.
   * @param {string} one the name of one piece @param {string} name the name of the side @param {boolean} [hasArticle]
   */
  static side(one, name, hasArticle = true) {
    return new Noun(one, name, { isMany: one !== name || INVARIABLE.includes(name), hasArticle });
  }

  /** Returns a form of the noun in the language of the page; its usual number if there is no such form. @param {string} form */
  form(form) {
    const usual = this.isMany ? "many" : "one";
    if (form === "number") return usual;
    const forms = translations.nouns[this.one];
    if (forms) return forms[form] ?? forms[usual] ?? forms.one;
    const word = this[usual];
    if (form === "one" || form === "many") return this[form];
    if (!this.hasArticle || language !== "en") return word;
    if (form === "a") return `${/^([aeiou]|X$)/i.test(this.one) ? "an" : "a"} ${this.one}`;
    return form === "the" ? `the ${word}` : word;
  }

  toString() {
    return this.form("");
  }
}

/** The parsed patterns. @type {Map<string, Part[]>} */
const parsed = new Map();

/** Parses a pattern. Throws an `Error` that names the pattern if a brace is missing. @param {string} pattern @returns {Part[]} */
export function parsePattern(pattern) {
  let at = 0;
  /** @returns {never} */
  const fail = (/** @type {string} */ wanted) => { throw new Error(`expected ${wanted} at character ${at + 1} of '${pattern}'`); };

  /** Reads the text and the arguments up to the end or to a closing brace. @param {boolean} isInside whether a brace is open @returns {Part[]} */
  const readParts = (isInside) => {
    /** @type {Part[]} */
    const parts = [];
    for (;;) {
      const from = at;
      while (at < pattern.length && pattern[at] !== "{" && pattern[at] !== "}") at++;
      if (at > from) parts.push(pattern.slice(from, at));
      if (at === pattern.length) return isInside ? fail("}") : parts;
      if (pattern[at] === "}") return isInside ? parts : fail("no }");
      at++;
      parts.push(readArgument());
    }
  };

  /** Reads an argument after its opening brace. @returns {Part} */
  const readArgument = () => {
    const [head, name, form = "", kind = ""] = /^([A-Za-z]\w*)(?:\.(\w+))?\s*(?:,\s*(plural|select|or)\s*)?/.exec(pattern.slice(at)) ?? fail("a name");
    at += head.length;
    /** @type {Record<string, Part[]>} */
    const cases = {};
    if (pattern[at] === ",") {
      at++;
      for (let match; (match = /^\s*(=?\w+)\s*\{/.exec(pattern.slice(at))); at++) {
        at += match[0].length;
        cases[match[1]] = readParts(true);
      }
      at += /^\s*/.exec(pattern.slice(at))?.[0].length ?? 0;
    }
    if (pattern[at] !== "}") fail("}");
    at++;
    if ((kind === "plural" || kind === "select") !== "other" in cases && !(form === "number" && "many" in cases)) fail("the case other");
    return { name: name.charAt(0).toLowerCase() + name.slice(1), form, isCapital: /^[A-Z]/.test(name), kind, cases };
  };

  return readParts(false);
}

/** Returns the text of an argument. @param {Argument | undefined} value @param {string} form @param {Intl.ListFormat} list @returns {string} */
function argumentText(value, form, list = andList) {
  if (value instanceof Noun) return value.form(form);
  if (typeof value === "number") return numberText(value);
  return Array.isArray(value) ? list.format(value.map((one) => argumentText(one, form))) : value ?? "";
}

/** @param {Part[]} parts @param {Arguments} values @param {string} number the text of `#` @returns {string} */
function formatParts(parts, values, number) {
  return parts.map((part) => {
    if (typeof part === "string") return number ? part.replaceAll("#", number) : part;
    const { name, form, isCapital, kind, cases } = part;
    const value = values[name];
    if (kind === "plural") {
      const count = Number(value);
      return formatParts(cases[`=${count}`] ?? cases[pluralRules.select(count)] ?? cases.other, values, numberText(count));
    }
    const text = argumentText(value, form, kind === "or" ? orList : andList);
    if (kind === "select") return formatParts(cases[text] ?? cases.other ?? cases.many, values, number);
    return isCapital ? capitalize(text) : text;
  }).join("");
}

/**
 * Returns a sentence in the language of the page; in English if it has no translation.
 * @param {string} pattern the English pattern, written out in the call, where the tests find it
 * @param {Arguments} [values] the arguments by name
 */
export function t(pattern, values = {}) {
  let parts = parsed.get(pattern);
  if (!parts) parsed.set(pattern, parts = parsePattern(translations.messages[pattern] ?? pattern));
  return formatParts(parts, values, "");
}

/** Returns a text of a data file, such as a lesson or the name of a game, in the language of the page. The text has no arguments. @param {string} text */
export function translated(text) {
  return translations.messages[text] ?? text;
}

/** Words the elements of the document that have texts of their own: the content of `data-t`, and the labels of `data-t-label`. */
export function wordDocument() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-t]")) {
    if (element instanceof HTMLMetaElement) element.content = translated(element.content);
    else element.textContent = translated(element.textContent?.trim() ?? "");
  }
  for (const element of document.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", translated(element.getAttribute("aria-label") ?? ""));
}

if (file?.ok) useTranslations(await file.json());
if (globalThis.document?.documentElement) wordDocument();
