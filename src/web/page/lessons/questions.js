// The kinds of question. Every answer is found in the events of a search, so no lesson contains one.

import { translated } from "../language.js";
import { NEVER_SEEN, WHY, answerText, nodeName, prompts, reasonText, hints } from "../text/lessons.js";
import { DEEPER_KINDS } from "./questions_deeper.js";
import { eventOf, nodeOf } from "./question_places.js";
import { CHANCE_KINDS } from "./questions_chance.js";
import { EVALUATION_KINDS } from "./questions_evaluation.js";
import { NULL_WINDOW_KINDS } from "./questions_null_windows.js";
import { BACKWARD_KINDS } from "./questions_backward.js";
import { PUZZLE_KINDS } from "./questions_puzzles.js";
import { isWithin } from "./trace_events.js";

export { readBound, readNumber } from "./notation.js";

/** @import { CountRow } from "./counts_picture.js" */
/** @import { Material } from "./searches.js" */
/** @import { SearchEvents, SearchEvent } from "./trace_events.js" */

/**
 * A question of a lesson. `node` is the path of the node asked about; `where` names a place of the search in its stead:
 * `decision:2` is the second place where it cuts off or goes on, `cut:-1` the last cutoff, `reordered:1` the first node whose moves are not in
 * the order of the notation.
 * @typedef {object} Question
 * @property {string} ask a kind of question, a key of `KINDS`
 * @property {string} [node]
 * @property {string} [after] the child whose value has just come back
 * @property {string} [where]
 * @property {string} [prompt] replaces the usual words
 * @property {string} [hint] replaces the usual hint
 * @property {string} [tree] replaces the tree of the step
 * @property {"equal" | "worse"} [cutOn] replaces when the search cuts off
 * @property {string} [event] names an event of a puzzle's search: `choice:1` is the first state that is expanded where there is a choice
 * @property {string[]} [compare] the names of searches or estimates that are compared
 * @property {string} [picture] replaces what the step draws
 * @property {boolean} [showsEstimates] whether the words of the question tell the estimates
 * @property {boolean} [unseen] whether nothing of the search is shown
 * @property {Partial<Material>} [search] replaces other parts of what is searched
 * @property {string[]} [moves] the moves that are compared
 * @property {string} [term] a term of the evaluation
 * @property {number} [perft] the plies to which positions are counted
 */

/** An answer: a number, a word, a path, paths, a window, or the values of several moves. @typedef {any} Answer */

/**
 * @typedef {object} Kind
 * @property {string} form the form that asks
 * @property {(search: SearchEvents, question: Question) => Record<string, Partial<Material>>} [beside] other searches of the same position, by name: what differs
 * @property {boolean} [evaluates] whether the evaluation of the position is asked for
 * @property {(search: SearchEvents, question: Question) => { min: number, max: number, unit: string }} [scale] the ends of a slider
 * @property {(word: string, search: SearchEvents, question: Question) => string} [optionText] the text of an option, if `choiceText` has none
 * @property {(search: SearchEvents, question: Question, shown: { isAnswered: boolean, guesses: any[] }) => CountRow[]} [rows] the counts that are drawn
 * @property {(search: SearchEvents, question: Question) => number} at the event at which it is asked
 * @property {(search: SearchEvents, question: Question) => Answer} answer
 * @property {(search: SearchEvents, question: Question) => number} shown the event that shows the answer
 * @property {(search: SearchEvents, question: Question) => string} why
 * @property {(search: SearchEvents, question: Question) => string[]} [options] the paths or words to choose from
 * @property {(guess: Answer, search: SearchEvents, question: Question) => boolean} [accepts] whether a guess is right, if more than one is
 * @property {(answer: Answer, search: SearchEvents, question: Question) => string} [words] an answer in words
 * @property {(name: string, search: SearchEvents, question: Question) => string} [prompt] the words of the question, if `prompts` has none
 * @property {string | ((kind: string) => string)} [hint] the hint, if `hints` has none
 * @property {(option: string, search: SearchEvents) => string} [optionText] an option in words, if `choiceText` has none
 */

/** Returns the `back` event before a decision. @param {SearchEvents} search @param {Question} question */
function decisionOf(search, question) {
  return question.where ? eventOf(search, question.where) : search.backFrom(/** @type {string} */ (question.after));
}

/** Returns the cutoff after a `back` event; `undefined` if the search goes on. @param {SearchEvents} search @param {SearchEvent} back */
function cutAfter(search, back) {
  const next = search.events[back.i + 1];
  return next.e === "cut" && next.n === back.n ? next : undefined;
}

/** Returns the leaves at or below a path that the search never enters. @param {SearchEvents} search @param {string} top */
function unseenLeaves(search, top) {
  return search.leaves(top).filter(({ path }) => !search.nodes.has(path)).map(({ path }) => path);
}

/** Returns the values of the leaves that the search looks at, in its order. @param {SearchEvents} search */
function seenValues(search) {
  return search.events.filter(({ e }) => e === "leaf").map(({ value }) => value);
}

/** Returns the event that the step about spared leaves starts from. @param {SearchEvents} search @param {Question} question */
function skippedAt(search, question) {
  return question.after ? search.backFrom(question.after).i : 0;
}

/**
 * Returns the fewest leaves that alpha-beta can see in a tree with `children` children a node and `levels` levels of moves
 * (Knuth and Moore 1975).
 * @param {number} children
 * @param {number} levels
 */
export function fewestLeaves(children, levels) {
  return children ** Math.ceil(levels / 2) + children ** Math.floor(levels / 2) - 1;
}

/** Returns the least number of leaves of the uniform tree of a search. @param {SearchEvents} search */
function fewestOf(search) {
  return fewestLeaves(search.place("").children.length, Math.max(...search.leaves().map(({ level }) => level)));
}

/** Returns the replies to a min node that refute it: those that are no better for Max than what Max has. @param {SearchEvents} search @param {string} path */
function refutersOf(search, path) {
  const [alpha] = search.find("enter", path).window;
  return search.leaves(path).filter(({ value }) => Number(value) <= Number(alpha));
}

/** Returns who wins with best play: `p1`, `p2` or `draw`. @param {any} value */
function winnerOf(value) {
  return typeof value === "object" ? value.win : "draw";
}

/** @type {Record<string, Kind>} */
export const KINDS = {
  mover: {
    form: "choice",
    options: () => ["max", "min"],
    at: () => 0,
    answer: (search, question) => search.place(nodeOf(search, question)).kind,
    shown: () => 0,
    why: (search, question) => WHY.mover(search.place(nodeOf(search, question))),
  },
  value: {
    form: "number",
    at: (search, question) => search.find("leave", nodeOf(search, question)).i - 1,
    answer: (search, question) => search.find("leave", nodeOf(search, question)).value,
    shown: (search, question) => search.find("leave", nodeOf(search, question)).i,
    why: (search, question) => {
      const path = nodeOf(search, question);
      const { kind, children } = search.place(path);
      return `${WHY.value(kind, children.map((child) => search.backFrom(child).value))} ${search.sentence(search.find("leave", path))}`;
    },
  },
  line: {
    form: "line",
    at: (search) => search.last - 1,
    answer: (search) => search.end.line.join(" "),
    shown: (search) => search.last,
    why: (search) => WHY.line(search.end.value, search.end.line),
  },
  label: {
    form: "labels",
    options: (search) => search.find("order", "").moves,
    at: () => 0,
    answer: (search) => Object.fromEntries(search.find("order", "").moves.map((/** @type {string} */ move) => [move, winnerOf(search.find("leave", move).value)])),
    shown: (search) => search.last,
    why: (search) => search.find("order", "").moves.map((/** @type {string} */ move) => WHY.label(move, search.find("leave", move).value, search.begin.players)).join(" "),
  },
  window: {
    form: "window",
    at: (search, question) => (nodeOf(search, question) ? search.find("enter", nodeOf(search, question)).i - 1 : 0),
    answer: (search, question) => search.find("enter", nodeOf(search, question)).window,
    shown: (search, question) => search.find("enter", nodeOf(search, question)).i,
    why: (search, question) => {
      const event = search.find("enter", nodeOf(search, question));
      const [alpha, beta] = event.sure.map((/** @type {number | null} */ n) => (n === null ? null : search.paths[n]));
      return `${search.sentence(event)} ${WHY.window(event.window, alpha, beta)}`;
    },
  },
  cut: {
    form: "choice",
    options: () => ["cut", "go on"],
    at: (search, question) => decisionOf(search, question).i,
    answer: (search, question) => (cutAfter(search, decisionOf(search, question)) ? "cut" : "go on"),
    shown: (search, question) => decisionOf(search, question).i + 1,
    why: (search, question) => {
      const back = decisionOf(search, question);
      const cut = cutAfter(search, back);
      const { kind } = search.place(search.paths[back.n]);
      return cut ? `${WHY.cut(kind, cut.value, cut.window)} ${search.sentence(cut)}` : WHY.goOn(back.window);
    },
  },
  skipped: {
    form: "leaves",
    options: (search, question) => search.leaves(question.after ? nodeOf(search, question) : "").map(({ path }) => path),
    at: skippedAt,
    answer: (search, question) => unseenLeaves(search, question.after ? nodeOf(search, question) : ""),
    shown: (search, question) => (question.after ? skippedAt(search, question) + 1 : search.last),
    why: (search, question) => {
      const top = question.after ? nodeOf(search, question) : "";
      return search.cuts().filter(({ n }) => isWithin(search.paths[n], top)).map((event) => search.sentence(event)).join(" ") || NEVER_SEEN;
    },
  },
  count: {
    form: "number",
    at: () => 0,
    answer: (search) => search.end.counts.last.leaves,
    shown: (search) => search.last,
    why: (search) => WHY.count(seenValues(search), search.leaves().length),
  },
  refuter: {
    form: "leaf",
    options: (search, question) => search.leaves(nodeOf(search, question)).map(({ path }) => path),
    at: (search, question) => search.find("enter", nodeOf(search, question)).i,
    answer: (search, question) => search.paths[search.find("cut", nodeOf(search, question)).by],
    accepts: (guess, search, question) => refutersOf(search, nodeOf(search, question)).some(({ path }) => path === guess),
    shown: (search, question) => search.find("cut", nodeOf(search, question)).i,
    why: (search, question) => {
      const path = nodeOf(search, question);
      return `${WHY.refuters(refutersOf(search, path).map(({ value }) => value))} ${search.sentence(search.find("cut", path))}`.trim();
    },
  },
  fewest: {
    form: "number",
    at: () => 0,
    answer: fewestOf,
    shown: (search) => search.last,
    why: (search) => WHY.fewest(seenValues(search)),
  },
  order: {
    form: "order",
    at: () => 0,
    answer: fewestOf,
    shown: (search) => search.last,
    why: (search) => WHY.order(fewestOf(search)),
  },
  first: {
    form: "choice",
    options: () => ["notation", "capture", "killer"],
    at: (search, question) => search.find("order", nodeOf(search, question)).i - 1,
    answer: (search, question) => search.find("order", nodeOf(search, question)).why[0],
    shown: (search, question) => search.find("order", nodeOf(search, question)).i,
    why: (search, question) => {
      const { why, moves } = search.find("order", nodeOf(search, question));
      return reasonText(why[0], moves[0]);
    },
  },
  ...DEEPER_KINDS,
  ...NULL_WINDOW_KINDS,
  ...EVALUATION_KINDS,
  ...CHANCE_KINDS,
  ...PUZZLE_KINDS,
  ...BACKWARD_KINDS,
};

/** Returns the kind of a question. @param {Question} question @returns {Kind} */
export function kindOf(question) {
  const kind = KINDS[question.ask];
  if (!kind) throw new Error(`there is no kind of question '${question.ask}'`);
  return kind;
}

/** The kinds whose answer the sentence of the event at which they are asked would tell. */
const TOLD_BY_EVENT = ["value", "expected", "choose", "first-for-scout", "next-first", "play", "cures", "winning", "plies", "longest", "length"];

/** Returns `true` if the sentence of the event at which a question is asked would tell the answer. @param {Question} question */
export function isToldByEvent({ ask }) {
  return TOLD_BY_EVENT.includes(ask);
}

/** Returns the event at which a question is asked. @param {SearchEvents} search @param {Question} question */
export function askedAt(search, question) {
  return question.unseen ? 0 : kindOf(question).at(search, question);
}

/** Returns the words of a question. @param {SearchEvents} search @param {Question} question */
export function promptText(search, question) {
  if (question.prompt) return translated(question.prompt);
  const { prompt } = kindOf(question);
  if (prompt) return prompt(nodeName(nodeOf(search, question)), search, question);
  return prompts[question.ask](nodeName(nodeOf(search, question)), search, question);
}

/** Returns the hint after two misses. @param {SearchEvents} search @param {Question} question */
export function hintText(search, question) {
  if (question.hint) return translated(question.hint);
  const hint = kindOf(question).hint ?? hints[question.ask];
  return typeof hint === "string" ? hint : hint(search.place(nodeOf(search, question)).kind);
}

/** Returns `true` if two answers are the same. The order of paths does not matter. @param {Answer} one @param {Answer} other */
export function isSameAnswer(one, other) {
  const sorted = (/** @type {Answer} */ answer) => (answer && typeof answer === "object" && !Array.isArray(answer) ? Object.entries(answer).sort() : answer);
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** Returns `true` if a guess is right. @param {Answer} guess @param {SearchEvents} search @param {Question} question */
export function isRight(guess, search, question) {
  const { accepts, answer } = kindOf(question);
  return accepts ? accepts(guess, search, question) : isSameAnswer(guess, answer(search, question));
}

/** Returns an answer in words. @param {Answer} answer @param {SearchEvents} search @param {Question} question */
export function answerWords(answer, search, question) {
  return kindOf(question).words?.(answer, search, question) ?? answerText(question.ask, answer, search);
}

/** Returns the other searches that a question needs, by name. @param {SearchEvents} search @param {Question} question @returns {Record<string, Material>} */
export function besideMaterials(search, question) {
  const { variant, fen, algorithm, depth, options } = search.begin;
  const changes = kindOf(question).beside?.(search, question) ?? {};
  return Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, { variant, fen, algorithm, depth, ordering: options.ordering, memory: options.memory, ...change }]));
}

/** Returns the place that a question marks in the tree; `null` if it is about all of it. @param {SearchEvents} search @param {Question} question */
export function markedPlace(search, question) {
  if (["mover", "value", "expected", "window", "refuter"].includes(question.ask) || question.after || question.where?.startsWith("decision")) return nodeOf(search, question);
  return null;
}
