// The words that open the glossary: in the line of signs below a tree, and in sentences. The glossary is loaded when it is opened.

import { html } from "../dom.js";
import { language } from "../language.js";
import { ENTRIES, GLOSSARY_LABELS, LEGEND } from "../text/glossary.js";

/** The entry of each word, in lower case. */
const ENTRY_OF = new Map(Object.entries(ENTRIES).flatMap(([name, { words }]) => words.split("|").filter(Boolean).map((word) => [word.toLowerCase(), name])));

/** What is no edge of a word. Chinese has no blanks between words. */
const LETTERS = language === "zh" ? "\\w" : "\\p{L}\\p{M}\\p{N}_";

/** Finds the words, the longest one at a place. */
const WORDS = new RegExp(`(?<![${LETTERS}(-])(?:${[...ENTRY_OF.keys()].sort((one, other) => other.length - one.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})(?![${LETTERS}-])`, "giu");

/** Opens the glossary at an entry. @param {string} name */
async function openGlossary(name) {
  const { openEntry } = await import("./glossary.js");
  await openEntry(name);
}

/** Creates a word that opens its entry. @param {string} name @param {...import("../dom.js").Child} content */
export function termButton(name, ...content) {
  return html("button.term", { type: "button", "data-term": name, "aria-haspopup": "dialog", onclick: () => void openGlossary(name) }, ...content);
}

/** Creates the line of signs. @param {string[][]} [more] further signs, with their words and entries */
export function createLegend(more = []) {
  return html("div.legend", { role: "group", "aria-label": GLOSSARY_LABELS.legend }, ...[...LEGEND, ...more].map(([sign, word, name]) => termButton(name, html("b", { "aria-hidden": "true" }, sign), ` ${word}`)));
}

/** Returns the entries whose words a text contains. @param {string} text */
export function termsIn(text) {
  return new Set([...text.matchAll(WORDS)].map(([word]) => /** @type {string} */ (ENTRY_OF.get(word.toLowerCase()))));
}

/** Returns the entries that occur in each text, and in no text before it. @param {string[]} texts */
export function newTerms(texts) {
  /** @type {Set<string>} */
  const known = new Set();
  return texts.map((text) => {
    const found = known.size === Object.keys(ENTRIES).length ? [] : [...termsIn(text)].filter((name) => !known.has(name));
    for (const name of found) known.add(name);
    return new Set(found);
  });
}

/** Returns a text as nodes, in which the first word of each of these entries opens it. @param {string} text @param {Set<string>} terms @returns {Node[]} */
export function withTerms(text, terms) {
  /** @type {Node[]} */
  const nodes = [];
  const open = new Set(terms);
  let from = 0;
  for (const match of text.matchAll(WORDS)) {
    const name = /** @type {string} */ (ENTRY_OF.get(match[0].toLowerCase()));
    if (!open.delete(name)) continue;
    nodes.push(document.createTextNode(text.slice(from, match.index)), termButton(name, match[0]));
    from = match.index + match[0].length;
  }
  return [...nodes, document.createTextNode(text.slice(from))];
}

/** Shows a text with words that open the glossary, if it is not shown already. @param {Element} element @param {string} text @param {Set<string>} terms */
export function setTermText(element, text, terms) {
  if (element.textContent !== text) element.replaceChildren(...withTerms(text, terms));
}
