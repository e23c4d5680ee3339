// Finds the texts of the page that are translated, and checks the file of a language against them.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { LANGUAGES, parsePattern } from "../../../src/web/page/language.js";
import { Server } from "./server.js";

/** @typedef {import("../../../src/web/page/language.js").Part} Part */
/** @typedef {Record<string, string>} Forms the forms of a noun */
/** @typedef {{ about?: string, same?: string[], messages: Record<string, string>, nouns: Record<string, Forms> }} LanguageFile `same`: English words that stay */
/** @typedef {{ text: string, place: string, isPattern: boolean }} Text a text of the page; `place` is `file:line` or names the data */
/** @typedef {{ texts: Text[], nouns: Text[], problems: string[] }} Found in the order of the sources; `problems` are calls that cannot be translated */

export const PAGE = fileURLToPath(new URL("../../../src/web/page/", import.meta.url));

/** The keys of the lessons' files with texts for people, and those with names for the program. */
const LESSON_TEXTS = ["title", "goal", "sentence", "note", "prompt"];
const LESSON_NAMES = ["algorithm", "tree", "ask", "node", "variant", "fen", "demands", "after", "switch", "cutOn", "where", "ordering", "picture", "moves", "legend", "term", "event", "compare", "puzzle", "heuristic"];

const SPACES = /\s*/y;
const LITERAL = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`/y;
const COMMENT_LINES = /^[ \t]*(?:\/\/[^\n]*|\/\*\*(?:(?!\*\/)[^])*\*\/)/gm;

/** Returns the files below the page's folder with an ending, sorted. @param {string} ending @returns {string[]} */
function filesWith(ending) {
  return /** @type {string[]} */ (readdirSync(PAGE, { recursive: true })).filter((name) => name.endsWith(ending)).sort();
}

/** Returns what a sticky expression matches at a place, or an empty text. @param {RegExp} pattern @param {string} source @param {number} at */
function matchAt(pattern, source, at) {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? "";
}

/** Returns the end of the value that starts at a place: a comma or a closing bracket of the enclosing list. @param {string} source @param {number} at @returns {number} */
function valueEnd(source, at) {
  for (let depth = 0; at < source.length; at++) {
    const letter = source[at];
    const literal = matchAt(LITERAL, source, at);
    if (literal) at += literal.length - 1;
    else if (letter === "`") {
      // A template with values.
      for (at++; source[at] !== "`"; at++) {
        if (source[at] === "\\") at++;
        else if (source.startsWith("${", at)) at = valueEnd(source, at + 2);
      }
    } else if ("([{".includes(letter)) depth++;
    else if (")]}".includes(letter) && depth-- === 0) return at;
    else if (letter === "," && depth === 0) return at;
  }
  return at;
}

/** Returns the keys of the object that starts at a place; `null` if they cannot be known. @param {string} source @param {number} at @returns {string[] | null} */
function keysAt(source, at) {
  if (source[at] !== "{") return null;
  const keys = [];
  for (at++; ;) {
    at += matchAt(SPACES, source, at).length;
    if (source[at] === "}") return keys;
    const key = matchAt(/\w+/y, source, at);
    if (!key) return null;
    keys.push(key);
    at = valueEnd(source, at);
    if (source[at] === ",") at++;
  }
}

/** Returns the names of the arguments of a pattern, those inside of cases included. @param {Part[]} parts @returns {Set<string>} */
function argumentsOf(parts) {
  return new Set(argumentParts(parts).map(({ name }) => name));
}

/** Returns the arguments of a pattern, those inside of cases included. @param {Part[]} parts @returns {Exclude<Part, string>[]} */
function argumentParts(parts) {
  return parts.flatMap((part) => (typeof part === "string" ? [] : [part, ...Object.values(part.cases).flatMap(argumentParts)]));
}

/** Returns `true` if an argument only chooses between grammatical forms, which another language may not have: `{count, plural, one {is} other {are}}`. @param {Exclude<Part, string>} part */
function isGrammar({ kind, form, cases }) {
  const hasNumber = (/** @type {Part[]} */ parts) => parts.some((part) => (typeof part === "string" ? part.includes("#") : Object.values(part.cases).some(hasNumber)));
  return kind === "plural" ? !Object.values(cases).some(hasNumber) : kind === "select" && form === "number";
}

/** Finds the texts of one module. @param {string} name @param {string} source @returns {Found} */
export function scanModule(name, source) {
  /** @type {Found} */
  const found = { texts: [], nouns: [], problems: [] };
  const imports = source.match(/^import \{([^}]*)\} from "[^"]*\blanguage\.js";/m)?.[1].split(",").map((one) => one.trim()) ?? [];
  const code = source.replace(COMMENT_LINES, (comment) => comment.replace(/[^\n]/g, " "));
  for (const { index, 0: start, 1: callee } of code.matchAll(/(?<![\w.$])(t|translated|new Noun)\(/g)) {
    if (!imports.includes(callee.replace("new ", ""))) continue;
    const place = `${name}:${code.slice(0, index).split("\n").length}`;
    let at = index + start.length;
    at += matchAt(SPACES, code, at).length;
    const literal = matchAt(LITERAL, code, at);
    at += literal.length;
    at += matchAt(SPACES, code, at).length;
    if (!literal || !/[,)]/.test(code[at])) {
      if (callee === "t") found.problems.push(`${place}: expected a text written out as the first argument of t`);
      continue;
    }
    const text = String(new Function(`return ${literal}`)());
    if (callee !== "t") {
      (callee === "translated" ? found.texts : found.nouns).push({ text, place, isPattern: false });
      continue;
    }
    found.texts.push({ text, place, isPattern: true });
    try {
      const names = argumentsOf(parsePattern(text));
      const given = code[at] === ")" ? [] : keysAt(code, at + 1 + matchAt(SPACES, code, at + 1).length);
      const missing = given && [...names].filter((one) => !given.includes(one));
      const unused = given?.filter((one) => !names.has(one));
      if (missing?.length) found.problems.push(`${place}: '${text}' needs the arguments ${missing.join(", ")}`);
      if (unused?.length) found.problems.push(`${place}: '${text}' does not use the arguments ${unused.join(", ")}`);
    } catch (error) {
      found.problems.push(`${place}: ${error.message}`);
    }
  }
  return found;
}

/** Finds the texts of the document: those of elements with `data-t`, and the labels of those with `data-t-label`. @param {string} document @returns {Text[]} */
export function scanDocument(document) {
  return [...document.matchAll(/<(\w+)([^>]*)>([^<]*)/g)].flatMap(([, tag, attributes, content]) => {
    const value = (/** @type {string} */ name) => attributes.match(new RegExp(`\\s${name}="([^"]*)"`))?.[1] ?? "";
    const texts = [/\sdata-t(?=\s|$)/.test(attributes) && (tag === "meta" ? value("content") : content.trim()), /\sdata-t-label(?=\s|$)/.test(attributes) && value("aria-label")];
    return texts.filter((text) => text !== false).map((text) => ({ text: String(text), place: "index.html", isPattern: false }));
  });
}

/** Finds the texts of a lesson. @param {string} name @param {any} lesson @returns {Found} */
export function scanLesson(name, lesson) {
  /** @type {Found} */
  const found = { texts: [], nouns: [], problems: [] };
  const walk = (/** @type {any} */ value, /** @type {string} */ key) => {
    if (typeof value === "string") {
      if (LESSON_TEXTS.includes(key)) found.texts.push({ text: value, place: name, isPattern: false });
      else if (!LESSON_NAMES.includes(key)) found.problems.push(`${name}: list the key '${key}' in tests/page/support/messages.js, as one for texts or one for names`);
    } else if (Array.isArray(value)) value.forEach((one) => walk(one, key));
    else if (value !== null && typeof value === "object") Object.entries(value).forEach(([inner, one]) => walk(one, inner));
  };
  walk(lesson, "");
  return found;
}

/** Finds the texts of the games: titles, origins, and where they differ from their sources. The nouns are the names of pieces. @param {any[]} games @returns {Found} */
export function scanGames(games) {
  const text = (/** @type {any} */ game, /** @type {string} */ content) => ({ text: content, place: `game ${game.variant}`, isPattern: false });
  return {
    texts: games.flatMap((game) => [game.title, game.origin, ...(game.differences ?? [])].filter(Boolean).map((content) => text(game, content))),
    // The letters of a board game stay.
    nouns: games.flatMap((game) => game.each.filter((/** @type {string} */ one) => one.length > 1).map((/** @type {string} */ one) => text(game, one))),
    problems: [],
  };
}

/** Keeps the first of equal texts. @param {Text[]} texts */
function distinct(texts) {
  /** @type {Map<string, Text>} */
  const first = new Map();
  for (const one of texts) {
    const earlier = first.get(one.text);
    if (!earlier || (one.isPattern && !earlier.isPattern)) first.set(one.text, one);
  }
  return [...first.values()];
}

/** Finds all texts of the page. The program lists the games. @returns {Promise<Found>} */
export async function findTexts() {
  const server = await Server.start();
  /** @type {any[]} */
  const games = await fetch(new URL("variants.json", server.url)).then((answer) => answer.json()).then(({ variants }) => variants).finally(() => server.stop());
  const read = (/** @type {string} */ name) => readFileSync(PAGE + name, "utf8");
  const found = [
    { texts: scanDocument(read("index.html")), nouns: [], problems: [] },
    ...filesWith(".js").filter((name) => name !== "language.js").map((name) => scanModule(name, read(name))),
    ...filesWith(".json").filter((name) => name.startsWith("lessons/")).map((name) => scanLesson(name, JSON.parse(read(name)))),
    scanGames(games),
  ];
  return { texts: distinct(found.flatMap(({ texts }) => texts)), nouns: distinct(found.flatMap(({ nouns }) => nouns)), problems: found.flatMap(({ problems }) => problems) };
}

/** The tags of the languages that have a file. */
export function translatedLanguages() {
  return Object.keys(LANGUAGES).filter((tag) => existsSync(fileOf(tag)));
}

/** Returns the path of the file of a language. @param {string} tag */
export function fileOf(tag) {
  return `${PAGE}messages/${tag}.json`;
}

/** Returns the words of a text, without the arguments if it is a pattern. @param {Text} text @returns {string[]} */
function wordsOf({ text, isPattern }) {
  const words = (/** @type {Part[]} */ parts) => parts.flatMap((part) => (typeof part === "string" ? [part] : Object.values(part.cases).flatMap(words)));
  return (isPattern ? words(parsePattern(text)).join(" ") : text).match(/\p{L}{2,}/gu) ?? [];
}

/** Returns `true` if a text has words that are translated. @param {Text} text @param {LanguageFile} file */
function hasWords(text, { same = [] }) {
  return !same.includes(text.text) && wordsOf(text).some((word) => !same.includes(word));
}

/** Returns what is wrong with the arguments and cases of a translated pattern. @param {string} tag @param {string} english @param {string} translation @returns {string[]} */
export function patternProblems(tag, english, translation) {
  let parts;
  try {
    parts = parsePattern(translation);
  } catch (error) {
    return [error.message];
  }
  const englishArguments = argumentParts(parsePattern(english));
  const [known, given] = [argumentsOf(parsePattern(english)), argumentsOf(parts)];
  const wanted = new Set(englishArguments.filter((part) => !isGrammar(part)).map(({ name }) => name));
  const plurals = pluralsOf(tag);
  const choices = englishArguments.filter(({ kind }) => kind === "select");
  return [
    ...[...wanted].filter((name) => !given.has(name)).map((name) => `the argument ${name} is missing`),
    ...[...given].filter((name) => !known.has(name)).map((name) => `there is no argument ${name}`),
    ...argumentParts(parts).flatMap(({ name, form, kind, cases }) => Object.keys(cases).filter((one) => {
      if (kind === "plural") return !/^=\d+$/.test(one) && !plurals.includes(one);
      if (form === "number") return !["one", "many", "other"].includes(one);
      return one !== "other" && !choices.some((choice) => choice.name === name && one in choice.cases);
    }).map((one) => `there is no case ${one} of ${name}`)),
  ];
}

/** Returns the forms that every noun has in a language. @param {string} tag */
export function formsOf(tag) {
  return pluralsOf(tag).length > 1 ? ["one", "many"] : ["one"];
}

/** @param {string} tag @returns {string[]} */
function pluralsOf(tag) {
  return new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
}

/** Returns what the file of a language lacks. @param {string} tag @param {LanguageFile} file @param {Found} found */
export function missingOf(tag, file, { texts, nouns }) {
  return {
    messages: texts.filter((one) => !file.messages[one.text] && hasWords(one, file)),
    nouns: nouns.filter(({ text }) => formsOf(tag).some((form) => !file.nouns[text]?.[form])),
  };
}

/** Returns what is wrong with the file of a language. @param {string} tag @param {LanguageFile} file @param {Found} found @returns {string[]} */
export function languageProblems(tag, file, found) {
  const missing = missingOf(tag, file, found);
  const texts = new Map(found.texts.map((one) => [one.text, one]));
  const nouns = new Set(found.nouns.map(({ text }) => text));
  // Articles are the usual form where a language has none.
  const forms = new Set([...Object.values(file.nouns).flatMap(Object.keys), "one", "many", "a", "the", "number", ""]);
  const translations = Object.entries(file.messages);
  return [
    ...Object.keys(file).filter((key) => !["about", "same", "messages", "nouns"].includes(key)).map((key) => `unknown key '${key}'`),
    ...missing.messages.map(({ text, place }) => `missing: '${text}' (${place})`),
    ...missing.nouns.map(({ text, place }) => `missing: the forms ${formsOf(tag).join(" and ")} of the noun '${text}' (${place})`),
    ...translations.filter(([english]) => !texts.has(english)).map(([english]) => `unused: '${english}'`),
    ...Object.keys(file.nouns).filter((noun) => !nouns.has(noun)).map((noun) => `unused: the noun '${noun}'`),
    ...translations.flatMap(([english, translation]) => {
      const text = texts.get(english);
      if (!text || !translation) return [];
      const problems = text.isPattern ? patternProblems(tag, english, translation) : [];
      if (english === translation && hasWords(text, file)) problems.push("not translated");
      if (text.isPattern && !problems.length) problems.push(...argumentParts(parsePattern(translation)).filter(({ form }) => !forms.has(form)).map(({ form }) => `no noun has the form ${form}`));
      return problems.map((problem) => `'${english}': ${problem}`);
    }),
  ];
}

/**
 * Adds translations to the file of a language. The result has the order of the sources, and nothing that is unused.
 * @param {LanguageFile} file @param {Partial<LanguageFile>} added empty texts are left out @param {Found} found
 * @returns {LanguageFile}
 */
export function mergeTranslations(file, added, { texts, nouns }) {
  const messages = { ...file.messages, ...Object.fromEntries(Object.entries(added.messages ?? {}).filter(([, text]) => text)) };
  const forms = { ...file.nouns, ...Object.fromEntries(Object.entries(added.nouns ?? {}).filter(([, one]) => one.one)) };
  const pick = (/** @type {Text[]} */ all, /** @type {any} */ from) => Object.fromEntries(all.filter(({ text }) => from[text]).map(({ text }) => [text, from[text]]));
  return { about: added.about ?? file.about, same: [...new Set([...(file.same ?? []), ...(added.same ?? [])])].sort(), messages: pick(texts, messages), nouns: pick(nouns, forms) };
}
