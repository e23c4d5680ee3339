// Helps to translate the page. The program must be built: target/release/puli, or $PULI.
//
// Usage: node tests/page/messages.js LANG              prints the texts that LANG lacks, as JSON to fill in
//        node tests/page/messages.js --places          prints where each English text is used
//        node tests/page/messages.js --write LANG      adds the filled JSON of the standard input to the file of LANG
//        node tests/page/messages.js --check [LANG]    prints what is wrong with the file of LANG, or with all files
//
// Exit status: 0 if nothing is missing or wrong, 1 if something is, 2 for bad usage.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { LANGUAGES } from "../../src/web/page/language.js";
import { fileOf, findTexts, formsOf, languageProblems, mergeTranslations, missingOf, translatedLanguages } from "./support/messages.js";

const [option, tag] = process.argv[2]?.startsWith("--") ? process.argv.slice(2) : ["--missing", process.argv[2]];
const needsTag = option === "--missing" || option === "--write";
if (!["--missing", "--places", "--write", "--check"].includes(option) || (needsTag ? !tag : false) || (tag && (!(tag in LANGUAGES) || tag === "en"))) {
  console.error(`usage: node tests/page/messages.js [--places | --write | --check] [LANG]; LANG is one of ${Object.keys(LANGUAGES).slice(1).join(", ")}`);
  process.exit(2);
}

/** Returns the head of a new file. @param {string} language */
function aboutOf(language) {
  return `The texts of the page in ${LANGUAGES[language]}. Corrections by speakers of the language are welcome: change the text after a colon, and run: node tests/page/messages.js --check ${language}`;
}

/** @param {string} language @returns {import("./support/messages.js").LanguageFile} */
function readFile(language) {
  return existsSync(fileOf(language)) ? JSON.parse(readFileSync(fileOf(language), "utf8")) : { about: aboutOf(language), same: [], messages: {}, nouns: {} };
}

/** Prints the problems of a language. @param {string} language @param {string[]} problems */
function report(language, problems) {
  for (const problem of problems) console.error(`${language}: ${problem}`);
  if (problems.length) process.exitCode = 1;
}

const found = await findTexts();
report("sources", found.problems);
if (option === "--places") console.log(JSON.stringify(Object.fromEntries([...found.texts, ...found.nouns].map(({ text, place }) => [text, place])), null, 2));
else if (option === "--missing") {
  const { messages, nouns } = missingOf(tag, readFile(tag), found);
  console.log(JSON.stringify({
    messages: Object.fromEntries(messages.map(({ text }) => [text, ""])),
    nouns: Object.fromEntries(nouns.map(({ text }) => [text, Object.fromEntries(formsOf(tag).map((form) => [form, ""]))])),
  }, null, 2));
  if (messages.length || nouns.length) process.exitCode = 1;
} else if (option === "--write") {
  const file = mergeTranslations(readFile(tag), JSON.parse(readFileSync(0, "utf8")), found);
  mkdirSync(dirname(fileOf(tag)), { recursive: true });
  writeFileSync(fileOf(tag), `${JSON.stringify(file, null, 2)}\n`);
  report(tag, languageProblems(tag, file, found));
} else for (const language of tag ? [tag] : translatedLanguages()) report(language, languageProblems(language, readFile(language), found));
