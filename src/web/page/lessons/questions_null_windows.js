// The questions of lessons 5 and 6: null windows, in Scout and in MTD(f).

import { NULL_WINDOWS } from "../text/lesson_null_windows.js";
import { movedTree } from "./notation.js";
import { eventOf } from "./question_places.js";
import { yesNo } from "./questions_deeper.js";

/** @import { Kind, Question } from "./questions.js" */
/** @import { SearchEvents, SearchEvent, SearchValue } from "./trace_events.js" */

/** The first guesses that are tried: those of the values of a tree. */
const GUESSES = { min: 0, max: 20 };

/** @typedef {{ relation: "least" | "more", value: number }} Test whether the root is worth at least a value, or more */

/** Returns the event that a question names. @param {SearchEvents} search @param {Question} question */
function named(search, { where }) {
  return eventOf(search, /** @type {string} */ (where));
}

/** Returns the passes that raise the lower bound or lower the upper bound. @param {SearchEvents} search */
export function passes(search) {
  return search.events.filter(({ e, why }) => e === "pass" && why === "close-in");
}

/** Returns the re-searches of the root's children. @param {SearchEvents} search */
export function rootAgains(search) {
  return search.events.filter(({ e, n }) => e === "again" && search.place(search.paths[n]).level === 1);
}

/** Returns the event in which the visit of a node ends that begins at an event. @param {SearchEvents} search @param {number} n @param {number} start */
function leaveAfter(search, n, start) {
  return /** @type {SearchEvent} */ (search.events.find((event) => event.e === "leave" && event.n === n && event.i > start));
}

/** Returns the end of a pass. @param {SearchEvents} search @param {SearchEvent} pass */
function passEnd(search, pass) {
  return leaveAfter(search, 0, pass.i);
}

/** Returns the number of the event that ends the last pass. @param {SearchEvents} search */
function lastPassEnd(search) {
  return passEnd(search, /** @type {SearchEvent} */ (passes(search).at(-1))).i;
}

/**
 * Returns the question of a test of the engine, which knows hundredths: whether the root is worth 3.01 or more is whether it is worth more than 3.
 * @param {number} test
 * @returns {Test}
 */
export function readTest(test) {
  const below = Math.round(test * 100 - 1) / 100;
  return String(below).length < String(test).length ? { relation: "more", value: below } : { relation: "least", value: test };
}

/** Returns the value that a test asks for where all values are whole numbers: "more than 3" asks for at least 4. @param {Test} test */
export function wholeTest({ relation, value }) {
  return relation === "more" ? value + 1 : value;
}

/** Returns the nodes of all iterations. @param {SearchEvents} search */
function nodesOf(search) {
  return search.end.counts.all.nodes;
}

/** Returns the four searches that are ranked, by name. @param {SearchEvents} search @returns {Record<string, SearchEvents>} */
function ranked(search) {
  return { "alpha-beta": search, ...search.beside };
}

/** Returns the leaves that a search looks at more than once. @param {SearchEvents} search */
function repeatedLeaves(search) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const { n } of search.events.filter(({ e }) => e === "leaf")) times.set(search.paths[n], (times.get(search.paths[n]) ?? 0) + 1);
  return [...times].filter(([, count]) => count > 1).map(([path]) => path);
}

/** Returns the number of passes of each first guess. @param {SearchEvents} search */
function passesByGuess(search) {
  return Object.entries(search.beside).map(([guess, other]) => ({ guess: Number(guess), count: passes(other).length }));
}

/** Returns the fewest passes of all first guesses. @param {SearchEvents} search */
function fewestPasses(search) {
  return Math.min(...passesByGuess(search).map(({ count }) => count));
}

/** Returns the children of the root with which in front Scout searches no child of the root again. @param {SearchEvents} search */
function goodFirstChildren(search) {
  return search.place("").children.filter((child) => rootAgains(search.beside[child]).length === 0);
}

/** The rungs from a pass on: the bound that each pass proves. @param {SearchEvents} search @returns {{ bound: "lower" | "upper", value: SearchValue }[]} */
function rungs(search) {
  return passes(search).map((pass) => passEnd(search, pass)).map(({ bound, value }) => ({ bound: bound === "lower" ? "lower" : "upper", value }));
}

/** @type {Record<string, Kind>} */
export const NULL_WINDOW_KINDS = {
  "worth-more": {
    form: "choice",
    options: () => ["yes", "no"],
    at: (search, question) => named(search, question).i,
    answer: (search, question) => {
      const { n, i, window } = named(search, question);
      return yesNo(leaveAfter(search, n, i).value >= window[1]);
    },
    shown: (search, question) => leaveAfter(search, named(search, question).n, named(search, question).i).i,
    why: (search, question) => {
      const { n, i, window } = named(search, question);
      return NULL_WINDOWS.worthMore.why(search.paths[n], leaveAfter(search, n, i), window);
    },
    prompt: (name, search, question) => NULL_WINDOWS.worthMore.prompt(name, named(search, question).window),
    hint: NULL_WINDOWS.worthMore.hint,
  },
  spared: {
    form: "leaves",
    options: (search) => search.leaves().map(({ path }) => path),
    beside: () => ({ alphabeta: { algorithm: "alphabeta" } }),
    at: (search, question) => named(search, question).i,
    answer: (search) => search.leaves().map(({ path }) => path).filter((path) => !search.nodes.has(path) && search.beside.alphabeta.nodes.has(path)),
    shown: (search) => search.last,
    why: (search) => NULL_WINDOWS.spared.why(search.end.counts.last.leaves, search.beside.alphabeta.end.counts.last.leaves, search.cuts().map((cut) => search.sentence(cut)).at(-1) ?? ""),
    words: (answer, search) => answer.map((/** @type {string} */ path) => search.place(path).value).join(", ") || NULL_WINDOWS.spared.none,
    prompt: NULL_WINDOWS.spared.prompt,
    hint: NULL_WINDOWS.spared.hint,
  },
  "again-window": {
    form: "window",
    at: (search, question) => named(search, question).i,
    answer: (search, question) => named(search, question).window,
    shown: (search, question) => named(search, question).i + 1,
    why: (search, question) => NULL_WINDOWS.again.why(named(search, question)),
    words: (answer) => NULL_WINDOWS.again.words(answer),
    prompt: (name) => NULL_WINDOWS.again.prompt(name),
    hint: NULL_WINDOWS.again.hint,
  },
  "first-for-scout": {
    form: "choice",
    options: (search) => search.place("").children,
    optionText: (path) => NULL_WINDOWS.first.option(path),
    beside: (search) => Object.fromEntries([["alphabeta", { algorithm: "alphabeta" }], ...search.place("").children.map((child) => [child, { fen: movedTree(search.begin.fen, child, 0) }])]),
    at: (search) => search.last,
    answer: (search) => goodFirstChildren(search)[0],
    accepts: (guess, search) => goodFirstChildren(search).includes(guess),
    shown: (search) => search.last,
    why: (search) => NULL_WINDOWS.first.why(goodFirstChildren(search)[0], search.end.counts.last.nodes, search.beside[goodFirstChildren(search)[0]].end.counts.last.nodes),
    words: (answer) => NULL_WINDOWS.first.option(answer),
    prompt: (_, search) => NULL_WINDOWS.first.prompt(search.end.counts.last.nodes, search.beside.alphabeta.end.counts.last.nodes),
    hint: NULL_WINDOWS.first.hint,
  },
  looks: {
    form: "number",
    at: () => 0,
    answer: (search) => search.end.counts.last.leaves,
    shown: (search) => search.last,
    why: (search) => NULL_WINDOWS.looks.why(search.events.filter(({ e }) => e === "leaf").map(({ value }) => value), search.end.counts.last.different),
    prompt: NULL_WINDOWS.looks.prompt,
    hint: NULL_WINDOWS.looks.hint,
  },
  twice: {
    form: "leaf",
    options: (search) => search.leaves().map(({ path }) => path),
    at: (search) => search.last,
    answer: (search) => repeatedLeaves(search)[0],
    accepts: (guess, search) => repeatedLeaves(search).includes(guess),
    shown: (search) => search.last,
    why: (search) => NULL_WINDOWS.twice.why(repeatedLeaves(search).map((path) => search.place(path).value)),
    words: (answer, search) => String(search.place(answer).value),
    prompt: NULL_WINDOWS.twice.prompt,
    hint: NULL_WINDOWS.twice.hint,
  },
  rank: {
    form: "rank",
    options: () => ["alpha-beta", "Scout", "alpha-beta with a table", "Scout with a table"],
    optionText: (name) => NULL_WINDOWS.rank.option(name),
    beside: () => ({ Scout: { algorithm: "scout", deepen: true, max: 2 }, "alpha-beta with a table": { memory: true, deepen: true, max: 2 }, "Scout with a table": { algorithm: "scout", memory: true, deepen: true, max: 2 } }),
    at: () => 0,
    answer: (search) => Object.entries(ranked(search)).sort(([, one], [, other]) => nodesOf(one) - nodesOf(other)).map(([name]) => name),
    shown: () => 0,
    why: () => NULL_WINDOWS.rank.why,
    words: (answer) => answer.map(NULL_WINDOWS.rank.option).join(", "),
    prompt: NULL_WINDOWS.rank.prompt,
    hint: NULL_WINDOWS.rank.hint,
    rows: (search, _, { isAnswered }) => Object.entries(ranked(search)).map(([name, other]) => ({ label: NULL_WINDOWS.rank.option(name), value: isAnswered ? nodesOf(other) : null })),
  },
  "root-answer": {
    form: "choice",
    options: () => ["yes", "no"],
    at: (search, question) => named(search, question).i,
    answer: (search, question) => yesNo(passEnd(search, named(search, question)).bound === "lower"),
    shown: (search, question) => passEnd(search, named(search, question)).i,
    why: (search, question) => NULL_WINDOWS.rootAnswer.why(passEnd(search, named(search, question))),
    prompt: (_, search, question) => NULL_WINDOWS.rootAnswer.prompt(readTest(named(search, question).test)),
    hint: NULL_WINDOWS.rootAnswer.hint,
  },
  "next-test": {
    form: "test",
    at: (search, question) => named(search, question).i - 1,
    answer: (search, question) => readTest(named(search, question).test),
    accepts: (guess, search, question) => wholeTest(guess) === wholeTest(readTest(named(search, question).test)),
    shown: (search, question) => named(search, question).i,
    why: (search, question) => NULL_WINDOWS.nextTest.why(named(search, question)),
    words: (answer) => NULL_WINDOWS.nextTest.words(answer),
    prompt: NULL_WINDOWS.nextTest.prompt,
    hint: NULL_WINDOWS.nextTest.hint,
  },
  rungs: {
    form: "ladder",
    options: (search) => passes(search).map((_, at) => String(at + 1)),
    at: (search) => passes(search)[0].i,
    answer: rungs,
    shown: lastPassEnd,
    why: (search) => NULL_WINDOWS.rungs.why(passes(search).map(({ test }) => readTest(test)), search.events.some(({ e, why }) => e === "pass" && why === "first-of-equals")),
    words: (answer) => NULL_WINDOWS.rungs.words(answer),
    prompt: (_, search) => NULL_WINDOWS.rungs.prompt(readTest(passes(search)[0].test), passes(search).length),
    hint: NULL_WINDOWS.rungs.hint,
  },
  "best-guess": {
    form: "slider",
    scale: () => ({ ...GUESSES, unit: "" }),
    beside: () => Object.fromEntries(Array.from({ length: GUESSES.max - GUESSES.min + 1 }, (_, at) => [String(GUESSES.min + at), { guess: GUESSES.min + at }])),
    at: lastPassEnd,
    // The root's value is among the best first guesses: one pass proves each bound.
    answer: (search) => (passesByGuess(search).find(({ guess, count }) => guess === search.end.value && count === fewestPasses(search)) ?? /** @type {{ guess: number }} */ (passesByGuess(search).find(({ count }) => count === fewestPasses(search)))).guess,
    accepts: (guess, search) => passesByGuess(search).some((one) => one.guess === guess && one.count === fewestPasses(search)),
    shown: lastPassEnd,
    why: (search) => NULL_WINDOWS.bestGuess.why(passesByGuess(search), search.end.value),
    words: (answer) => String(answer),
    prompt: (_, search) => NULL_WINDOWS.bestGuess.prompt(passes(search).length),
    hint: NULL_WINDOWS.bestGuess.hint,
  },
};
