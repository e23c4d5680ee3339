// The questions of lesson 4: iterative deepening and the transposition table.

import { numberText } from "../language.js";
import { DEEPER, reportedValue } from "../text/lesson_deeper.js";
import { sideOf } from "./answer_cells.js";
import { eventOf, nodeOf } from "./question_places.js";

/** @import { Kind } from "./questions.js" */
/** @import { SearchEvents, SearchEvent } from "./trace_events.js" */

/** A guess of a count is right if it is within this factor of the count. */
const COUNT_FACTOR = 3;
/** A guess of a share is right if it is within this number of percentage points. */
const SHARE_POINTS = 5;
/** A guess on a scale up to a known count is right if it is within this share of the count. */
const SCALE_SHARE = 0.15;

/** Returns the nodes of the minimax search to each depth: to depth 3 it visits the positions at plies 1, 2 and 3. @param {SearchEvents} search */
function iterationNodes({ perft }) {
  return perft.map((_, at) => perft.slice(0, at + 1).reduce((sum, nodes) => sum + nodes, 0));
}

/** Returns the sum of all numbers. @param {number[]} numbers */
function sumOf(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Returns the share of the last iteration in all nodes, in percent. @param {SearchEvents} search */
function lastShare(search) {
  const nodes = iterationNodes(search);
  return (100 * /** @type {number} */ (nodes.at(-1))) / sumOf(nodes);
}

/** Returns the event at which the last iteration begins. @param {SearchEvents} search */
function lastIteration(search) {
  return /** @type {SearchEvent} */ (search.events.findLast(({ e }) => e === "iteration"));
}

/** Returns the value that each root move had in the iteration before the last one. @param {SearchEvents} search */
function valuesBefore(search) {
  const end = lastIteration(search).i;
  const start = /** @type {SearchEvent} */ (search.events.slice(0, end).findLast(({ e }) => e === "iteration")).i;
  const backs = search.events.slice(start, end).filter(({ e, n }) => e === "back" && n === 0);
  return new Map(backs.map(({ child, value }) => [search.paths[child], value]));
}

/** Returns the first `order` event of the root in the last iteration. @param {SearchEvents} search */
function nextOrder(search) {
  return search.find("order", "", lastIteration(search).i);
}

/** Returns the paths that lead to the same position as a path, by as many moves. @param {SearchEvents} search @param {string} path */
function twins(search, path) {
  const { key, ply } = search.find("make", path);
  return search.events.filter((event) => event.e === "make" && event.key === key && event.ply === ply && search.paths[event.n] !== path).map(({ n }) => search.paths[n]);
}

/** Returns the window of a `table` event's node, and the plies that are left there. @param {SearchEvents} search @param {SearchEvent} table */
function needOf(search, { i, n }) {
  const enter = /** @type {SearchEvent} */ (search.events.slice(0, i).findLast((event) => event.e === "enter" && event.n === n));
  const depth = search.events.slice(0, i).findLast(({ e }) => e === "iteration")?.depth ?? search.begin.depth;
  return { window: enter.window, plies: depth - search.paths[n].split(" ").length };
}

/** Returns `yes` or `no`. @param {boolean} is */
export function yesNo(is) {
  return is ? "yes" : "no";
}

/** Returns `true` if a guess is within a factor of a count. @param {number} guess @param {number} count */
function isNear(guess, count) {
  return guess * COUNT_FACTOR >= count && guess <= count * COUNT_FACTOR;
}

/** @type {Record<string, Kind>} */
export const DEEPER_KINDS = {
  share: {
    form: "slider",
    scale: () => ({ min: 0, max: 100, unit: "%" }),
    at: () => 0,
    answer: (search) => Math.round(lastShare(search)),
    accepts: (guess, search) => Math.abs(guess - lastShare(search)) <= SHARE_POINTS,
    shown: () => 0,
    why: (search) => DEEPER.share.why(/** @type {number} */ (iterationNodes(search).at(-1)), sumOf(iterationNodes(search)), lastShare(search)),
    words: (answer) => `${answer}%`,
    prompt: DEEPER.share.prompt,
    hint: DEEPER.share.hint,
    rows: (search, _, { isAnswered }) => iterationNodes(search).map((nodes, at, all) => ({ label: DEEPER.share.row(at + 1), value: at < all.length - 1 || isAnswered ? nodes : null })),
  },
  "next-first": {
    form: "choice",
    options: (search) => [...search.find("order", "").moves],
    optionText: (move, search) => `${move}: ${reportedValue(valuesBefore(search).get(move) ?? null, search)}`,
    at: (search) => lastIteration(search).i - 1,
    answer: (search) => nextOrder(search).moves[0],
    shown: (search) => nextOrder(search).i,
    why: (search) => DEEPER.nextFirst.why(nextOrder(search).moves[0], valuesBefore(search).get(nextOrder(search).moves[0]) ?? null, search),
    prompt: (_, search) => DEEPER.nextFirst.prompt(lastIteration(search).depth),
    hint: DEEPER.nextFirst.hint,
  },
  meets: {
    form: "cells",
    options: (search, question) => nodeOf(search, question).split(" "),
    at: (search, question) => search.find("enter", nodeOf(search, question)).i,
    answer: (search, question) => twins(search, nodeOf(search, question))[0],
    accepts: (guess, search, question) => twins(search, nodeOf(search, question)).includes(guess),
    shown: (search, question) => search.find("enter", nodeOf(search, question)).i,
    why: (search, question) => DEEPER.meets.why(nodeOf(search, question), twins(search, nodeOf(search, question))),
    prompt: (_, search, question) => DEEPER.meets.prompt(nodeOf(search, question), sideOf(search.begin.fen)),
    hint: DEEPER.meets.hint,
    words: (answer) => answer,
  },
  entry: {
    form: "choice",
    options: () => ["yes", "no"],
    optionText: (word) => DEEPER.entry.options[/** @type {"yes" | "no"} */ (word)],
    at: (search, question) => eventOf(search, /** @type {string} */ (question.where)).i - 1,
    answer: (search, question) => yesNo(eventOf(search, /** @type {string} */ (question.where)).found === "answers"),
    shown: (search, question) => eventOf(search, /** @type {string} */ (question.where)).i,
    why: (search, question) => {
      const table = eventOf(search, /** @type {string} */ (question.where));
      return DEEPER.entry.why(table, needOf(search, table));
    },
    words: (answer) => DEEPER.entry.answers[/** @type {"yes" | "no"} */ (answer)],
    prompt: (_, search, question) => {
      const table = eventOf(search, /** @type {string} */ (question.where));
      return DEEPER.entry.prompt(table, needOf(search, table));
    },
    hint: DEEPER.entry.hint,
  },
  "leaves-with-table": {
    form: "dot",
    scale: () => ({ min: 1, max: 1e6, unit: "" }),
    beside: () => ({ table: { memory: true, max: 2 } }),
    at: () => 0,
    answer: (search) => search.beside.table.end.counts.last.leaves,
    accepts: (guess, search) => isNear(guess, search.beside.table.end.counts.last.leaves),
    shown: () => 0,
    why: (search) => DEEPER.leaves.why(search.end.counts.last.leaves, search.beside.table.end.counts.last),
    words: (answer) => numberText(answer),
    prompt: DEEPER.leaves.prompt,
    hint: DEEPER.leaves.hint,
    rows: (search, _, { isAnswered, guesses }) => [
      { label: DEEPER.leaves.without, value: search.end.counts.last.leaves },
      { label: DEEPER.leaves.with, value: isAnswered ? search.beside.table.end.counts.last.leaves : null, guesses },
    ],
  },
  "looked-up": {
    form: "choice",
    options: () => ["searched", "looked up"],
    optionText: (word) => DEEPER.lookedUp.options[word],
    at: (search, question) => eventOf(search, /** @type {string} */ (question.where)).i - 1,
    answer: (search, question) => (eventOf(search, /** @type {string} */ (question.where)).found === "answers" ? "looked up" : "searched"),
    shown: (search, question) => eventOf(search, /** @type {string} */ (question.where)).i,
    why: (search, question) => {
      const { n, found, first, value } = eventOf(search, /** @type {string} */ (question.where));
      return found === "answers" ? DEEPER.lookedUp.known(search.paths[n], search.paths[first], value, search) : DEEPER.lookedUp.searched(search.paths[n]);
    },
    words: (answer) => DEEPER.lookedUp.answers[answer],
    prompt: (_, search, question) => DEEPER.lookedUp.prompt(nodeOf(search, question)),
    hint: DEEPER.lookedUp.hint,
  },
  "nodes-with-table": {
    form: "slider",
    scale: (search) => ({ min: 0, max: search.beside.plain.end.counts.last.nodes, unit: "" }),
    beside: () => ({ plain: { memory: false, max: 2 } }),
    at: (search) => search.last - 1,
    answer: (search) => search.end.counts.last.nodes,
    accepts: (guess, search) => Math.abs(guess - search.end.counts.last.nodes) <= SCALE_SHARE * search.beside.plain.end.counts.last.nodes,
    shown: (search) => search.last,
    why: (search) => DEEPER.nodes.why(search.beside.plain.end.counts.last.nodes, search.end.counts.last),
    words: (answer) => DEEPER.nodes.words(answer),
    prompt: (_, search) => DEEPER.nodes.prompt(search.beside.plain.end.counts.last.nodes, Math.floor(SCALE_SHARE * search.beside.plain.end.counts.last.nodes)),
    hint: DEEPER.nodes.hint,
  },
};
