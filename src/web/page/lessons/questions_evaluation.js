// The questions of lesson 7: the evaluation at the limit of the depth, and the horizon.

import { EVALUATION } from "../text/lesson_evaluation.js";
import { REFERENCE_WEIGHTS, WEIGHTS, bestMoves, minimax, quietValue, readLeafTree } from "./leaf_trees.js";
import { eventOf } from "./question_places.js";

/** @import { Kind, Question } from "./questions.js" */
/** @import { LeafNode, Weights } from "./leaf_trees.js" */
/** @import { SearchEvents } from "./trace_events.js" */

/** Plies that are searched after each of the moves: they are compared to depth 4. */
const WEIGHED_PLIES = 3;
/** The weights that are tried for an example of an answer. */
const TRIED_WEIGHTS = [0, 1, 2, 4];
/** The weights of a better guess: a capture counts more. @type {Weights} */
const WARY_WEIGHTS = [4, 1, 3];

/** Returns the terms of the position of a search, or those of a leaf if the question names one. @param {SearchEvents} search @param {Question} question @returns {Record<string, number>} */
function termsOf(search, question) {
  return question.where ? Object.fromEntries(eventOf(search, question.where).terms) : search.terms;
}

/** Returns the sum of the terms. @param {Record<string, number>} terms */
function sumOf(terms) {
  return Object.keys(WEIGHTS).reduce((sum, name) => sum + (terms[name] ?? 0), 0);
}

/** Returns how many things a term counts. @param {SearchEvents} search @param {Question} question */
function termCount(search, question) {
  const name = /** @type {string} */ (question.term);
  return Math.abs((termsOf(search, question)[name] ?? 0) / WEIGHTS[name]);
}

/** Returns the values of the searches to depth 1, 2 and so on. @param {SearchEvents} search @returns {number[]} */
function valuesByDepth(search) {
  return [...Object.values(search.beside), search].map(({ end }) => end.value);
}

/** Returns whom odd depths flatter, and whether that side has moved last: at odd depths, the side to move at the root has. @param {SearchEvents} search */
function flattered(search) {
  const values = valuesByDepth(search);
  const changes = values.slice(1).map((value, at) => (value - values[at]) * (at % 2 ? 1 : -1));
  const side = changes.reduce((sum, change) => sum + change, 0) > 0 ? 0 : 1;
  const mover = search.place("").kind === "max" ? 0 : 1;
  return `${search.begin.players[side]} ${side === mover ? "last" : "next"}`;
}

/** Returns the moves of the root that are worth as much as the root. @param {SearchEvents} search @returns {string[]} */
function equalMoves(search) {
  return search.events.filter(({ e, n, value }) => e === "back" && n === 0 && value === search.end.value).map(({ child }) => search.paths[child]);
}

/** Returns the best of the equal moves one ply deeper. @param {SearchEvents} search */
function deeperBest(search) {
  const [best] = equalMoves(search).sort((one, other) => search.beside[other].end.value - search.beside[one].end.value);
  return best;
}

/** Returns the searches of each equal move to other depths. @param {SearchEvents} search @param {number[]} depths */
function moveSearches(search, depths) {
  return Object.fromEntries(equalMoves(search).flatMap((move) => depths.map((depth) => [`${move} ${depth}`, { moves: move, depth, algorithm: "minimax" }])));
}

/** Returns the equal moves and what a cure says of each: the cure works if it prefers the one that is better one ply deeper. @param {SearchEvents} search */
function cureValues(search) {
  const depth = search.begin.depth - 1;
  return equalMoves(search).map((move) => {
    const [node, deeper] = [depth, depth + 1].map((plies) => readLeafTree(search.beside[`${move} ${plies}`].events));
    return { move, deeper: minimax(deeper, REFERENCE_WEIGHTS), captures: quietValue(node, deeper, REFERENCE_WEIGHTS), guess: minimax(node, WARY_WEIGHTS) };
  });
}

const CURES = /** @type {const} */ (["deeper", "captures", "guess"]);

/** Returns the cures that tell the equal moves apart as one more ply does. @param {SearchEvents} search @returns {string[]} */
function workingCures(search) {
  const values = cureValues(search);
  const top = (/** @type {typeof CURES[number]} */ cure) => [...values].sort((one, other) => other[cure] - one[cure]).map((one) => ({ move: one.move, value: one[cure] }));
  const [best] = top("deeper");
  return CURES.filter((cure) => {
    const [first, second] = top(cure);
    return first.move === best.move && first.value > second.value;
  });
}

/** Returns the first weights, from those of the engine outwards, with which another first move is best. @param {LeafNode} tree @returns {Weights} */
function otherWeights(tree) {
  const usual = bestMoves(tree, REFERENCE_WEIGHTS).moves;
  /** @type {Weights[]} */
  const all = [];
  for (const goat of TRIED_WEIGHTS) for (const step of TRIED_WEIGHTS) for (const capture of TRIED_WEIGHTS) all.push([goat, step, capture]);
  const distance = (/** @type {Weights} */ weights) => weights.reduce((sum, weight, at) => sum + Math.abs(weight - REFERENCE_WEIGHTS[at]), 0);
  return /** @type {Weights} */ (all.sort((one, other) => distance(one) - distance(other)).find((weights) => !bestMoves(tree, weights).moves.some((move) => usual.includes(move))));
}

/** The trees whose leaves keep their counts, and weights that are an answer, by search. @type {WeakMap<SearchEvents, { tree: LeafNode, weights: Weights }>} */
const found = new WeakMap();

/** Returns the tree of the moves that a question compares, and weights that are an answer. @param {SearchEvents} search @param {Question} question */
export function weighing(search, question) {
  let known = found.get(search);
  if (!known) {
    const moves = /** @type {string[]} */ (question.moves);
    const tree = { move: "", isMax: true, children: moves.map((move) => ({ ...readLeafTree(search.beside[move].events), move })), counts: null, value: null };
    known = { tree, weights: otherWeights(tree) };
    found.set(search, known);
  }
  return known;
}

/** @type {Record<string, Kind>} */
export const EVALUATION_KINDS = {
  term: {
    form: "number",
    evaluates: true,
    at: (search, question) => (question.where ? eventOf(search, question.where).i - 1 : 0),
    answer: termCount,
    shown: (search, question) => (question.where ? eventOf(search, question.where).i - 1 : 0),
    why: (search, question) => EVALUATION.term.why(/** @type {string} */ (question.term), termCount(search, question), WEIGHTS[/** @type {string} */ (question.term)]),
    prompt: (_, _search, question) => EVALUATION.term.prompt(/** @type {string} */ (question.term)),
    hint: EVALUATION.term.hint,
  },
  evaluation: {
    form: "number",
    evaluates: true,
    at: (search, question) => (question.where ? eventOf(search, question.where).i - 1 : 0),
    answer: (search, question) => sumOf(termsOf(search, question)),
    shown: (search, question) => (question.where ? eventOf(search, question.where).i : 0),
    why: (search, question) => EVALUATION.evaluation.why(termsOf(search, question), sumOf(termsOf(search, question))),
    prompt: EVALUATION.evaluation.prompt,
    hint: EVALUATION.evaluation.hint,
  },
  flatters: {
    form: "choice",
    options: (search) => search.begin.players.flatMap((/** @type {string} */ side) => [`${side} last`, `${side} next`]),
    optionText: (word) => EVALUATION.flatters.option(word),
    beside: (search) => Object.fromEntries(Array.from({ length: search.begin.depth - 1 }, (_, at) => [String(at + 1), { depth: at + 1, max: 2 }])),
    at: () => 0,
    answer: flattered,
    shown: () => 0,
    why: (search) => EVALUATION.flatters.why(valuesByDepth(search), flattered(search)),
    words: (answer) => EVALUATION.flatters.option(answer),
    prompt: EVALUATION.flatters.prompt,
    hint: EVALUATION.flatters.hint,
  },
  play: {
    form: "choice",
    options: equalMoves,
    beside: (search) => Object.fromEntries(equalMoves(search).map((move) => [move, { moves: move, algorithm: "alphabeta", max: 2 }])),
    at: (search) => search.last,
    answer: deeperBest,
    shown: (search) => search.last,
    why: (search) => EVALUATION.play.why(equalMoves(search).map((move) => [move, search.beside[move].end.value]), search.begin.depth + 1),
    words: (answer) => answer,
    prompt: EVALUATION.play.prompt,
    hint: EVALUATION.play.hint,
  },
  reply: {
    form: "choice",
    options: (search) => search.find("order", "").moves,
    at: () => 0,
    answer: (search) => search.end.line[0],
    accepts: (guess, search) => search.backFrom(guess).value === search.end.value,
    shown: () => 0,
    why: (search) => EVALUATION.reply.why(search.end.line[0], Object.fromEntries(search.find("leaf", search.end.line[0]).terms), search.end.value, search.begin.players[search.place("").kind === "max" ? 0 : 1]),
    words: (answer) => answer,
    prompt: (_, search) => EVALUATION.reply.prompt(search.begin.players[search.place("").kind === "max" ? 0 : 1]),
    hint: EVALUATION.reply.hint,
  },
  cures: {
    form: "several",
    options: () => [...CURES],
    optionText: (word) => EVALUATION.cures.options[/** @type {typeof CURES[number]} */ (word)],
    beside: (search) => moveSearches(search, [search.begin.depth - 1, search.begin.depth]),
    at: (search) => search.last,
    answer: workingCures,
    shown: (search) => search.last,
    why: (search) => EVALUATION.cures.why(cureValues(search), workingCures(search)),
    words: (answer) => (answer.length ? answer.map((/** @type {typeof CURES[number]} */ cure) => EVALUATION.cures.names[cure]).join(", ") : EVALUATION.cures.none),
    prompt: EVALUATION.cures.prompt,
    hint: EVALUATION.cures.hint,
  },
  weights: {
    form: "weights",
    beside: (_, question) => Object.fromEntries((question.moves ?? []).map((move) => [move, { moves: move, depth: WEIGHED_PLIES, algorithm: "minimax" }])),
    at: () => 0,
    answer: (search, question) => weighing(search, question).weights,
    accepts: (guess, search, question) => {
      const { tree } = weighing(search, question);
      const usual = bestMoves(tree, REFERENCE_WEIGHTS).moves;
      return !bestMoves(tree, guess).moves.some((move) => usual.includes(move));
    },
    shown: () => 0,
    why: (search, question) => {
      const { tree, weights } = weighing(search, question);
      return EVALUATION.weights.why(weights, bestMoves(tree, weights).values);
    },
    words: (answer) => EVALUATION.weights.words(answer),
    prompt: (_, search, question) => {
      const { tree } = weighing(search, question);
      const { moves, values } = bestMoves(tree, REFERENCE_WEIGHTS);
      return EVALUATION.weights.prompt(moves, values.map(({ move }) => move).filter((move) => !moves.includes(move)));
    },
    hint: EVALUATION.weights.hint,
  },
};
