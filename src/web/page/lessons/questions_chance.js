// The kinds of question about chance nodes. Every answer is found in the events of a search.

import { t } from "../language.js";
import { CHANCE_CHOICES, CHANCE_HINTS, CHANCE_PROMPTS, CHANCE_WHY } from "./chance_texts.js";
import { WHY, valueWords } from "../text/lessons.js";
import { nodeOf } from "./question_places.js";

/** @import { Kind } from "./questions.js" */
/** @import { SearchEvents, SearchEvent } from "./trace_events.js" */

/** Returns the events in which the children of a node hand on their values. @param {SearchEvents} search @param {string} path */
function backsOf(search, path) {
  const n = search.nodes.get(path);
  return search.events.filter((event) => event.e === "back" && event.n === n);
}

/** Returns the children of a node with their values, the best for Max first. @param {SearchEvents} search @param {string} path */
function rankedChildren(search, path) {
  return backsOf(search, path).map(({ child, value }) => ({ path: search.paths[child], value })).sort((one, other) => other.value - one.value);
}

/** Rounds to hundredths, as the engine's values are. @param {number} value */
function rounded(value) {
  return Math.round(value * 100) / 100;
}

/** Returns the name of a child: its number in a tree, else its move. @param {SearchEvents} search @param {string} move */
function childName(search, move) {
  return search.isTree ? t("child {move}", { move }) : move;
}

/** @type {Record<string, Kind>} */
export const CHANCE_KINDS = {
  expected: {
    form: "number",
    prompt: CHANCE_PROMPTS.expected,
    hint: CHANCE_HINTS.expected,
    // The sum of a chance node is whole after its last child, so the question comes before that.
    at: (search, question) => {
      const path = nodeOf(search, question);
      const isChance = search.place(path).kind === "chance";
      return (isChance ? /** @type {SearchEvent} */ (backsOf(search, path).at(-1)).i : search.find("leave", path).i) - 1;
    },
    answer: (search, question) => search.find("leave", nodeOf(search, question)).value,
    shown: (search, question) => search.find("leave", nodeOf(search, question)).i,
    why: (search, question) => {
      const path = nodeOf(search, question);
      const { kind } = search.place(path);
      const backs = backsOf(search, path);
      if (kind !== "chance") return WHY.value(kind, backs.map(({ value }) => value));
      return CHANCE_WHY.expected(backs.map(({ child, value }) => ({ value, p: /** @type {number} */ (search.place(search.paths[child]).p) })), search.find("leave", path).value);
    },
  },
  choose: {
    form: "choice",
    prompt: CHANCE_PROMPTS.choose,
    hint: CHANCE_HINTS.choose,
    options: (search, question) => search.place(nodeOf(search, question)).children.map((path) => search.place(path).move),
    optionText: (move, search) => childName(search, move),
    words: (move, search) => childName(search, move),
    at: (search, question) => search.find("leave", nodeOf(search, question)).i - 1,
    answer: (search, question) => search.find("leave", nodeOf(search, question)).best,
    shown: (search, question) => search.find("leave", nodeOf(search, question)).i,
    why: (search, question) => CHANCE_WHY.choose(rankedChildren(search, nodeOf(search, question)).map(({ path, value }) => `${childName(search, search.place(path).move)}: ${valueWords(value)}`)),
  },
  tells: {
    form: "choice",
    hint: CHANCE_HINTS.tells,
    options: () => ["yes", "no"],
    optionText: (word) => CHANCE_CHOICES[word],
    words: (word) => CHANCE_CHOICES[word],
    at: (search, question) => search.find("leave", nodeOf(search, question)).i - 1,
    answer: (search, question) => {
      const [best, next] = rankedChildren(search, nodeOf(search, question));
      return best.value === next.value ? "no" : "yes";
    },
    shown: (search, question) => search.find("leave", nodeOf(search, question)).i,
    why: (search, question) => CHANCE_WHY.tells(...rankedChildren(search, nodeOf(search, question)).map(({ value }) => value)),
  },
  lead: {
    form: "number",
    prompt: () => CHANCE_PROMPTS.lead,
    hint: CHANCE_HINTS.lead,
    at: (search, question) => search.find("leave", nodeOf(search, question)).i - 1,
    answer: (search, question) => {
      const [best, next] = rankedChildren(search, nodeOf(search, question));
      return rounded(best.value - next.value);
    },
    shown: (search, question) => search.find("leave", nodeOf(search, question)).i,
    why: (search, question) => {
      const [best, next] = rankedChildren(search, nodeOf(search, question));
      return CHANCE_WHY.lead(best.value, next.value, rounded(best.value - next.value));
    },
  },
};
