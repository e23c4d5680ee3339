// The kinds of question about analysis backwards from the ends. Every answer is found in its events.

import { BACKWARD_CHOICES, BACKWARD_HINTS, BACKWARD_PROMPTS, BACKWARD_WHY, playerText } from "./backward_texts.js";
import { valueWords } from "../text/lessons.js";

/** @import { BackwardSearch } from "./backward_search.js" */
/** @import { Kind } from "./questions.js" */
/** @import { SearchEvents } from "./trace_events.js" */

/** Depth of the minimax search that is compared. */
const MINIMAX_PLIES = 6;

/** @param {SearchEvents} search */
function backwardOf(search) {
  return /** @type {BackwardSearch} */ (search);
}

/** Returns the moves of the position, each with the value of the position after it; without one if that is never settled. @param {SearchEvents} search */
function settledMoves(search) {
  return search.beside.moves.events.filter(({ e, parent }) => e === "make" && parent === 0).map(({ move, fen }) => ({ move, value: backwardOf(search).settled.get(fen)?.value ?? null }));
}

/** Returns the side to move: `p1` or `p2`. @param {SearchEvents} search */
function moverOf(search) {
  return search.beside.moves.events.find(({ e, n }) => e === "make" && n === 0)?.kind === "max" ? "p1" : "p2";
}

/** @param {SearchEvents} search @param {string} side */
function playerOf({ begin }, side) {
  return begin.players[side === "p1" ? 0 : 1];
}

/** @param {SearchEvents} search */
function longestWin(search) {
  return Math.max(...search.events.filter(({ e, value }) => e === "settle" && value.win === "p1").map(({ value }) => value.plies));
}

/** @type {Record<string, Kind>} */
export const BACKWARD_KINDS = {
  winning: {
    form: "choice",
    prompt: () => BACKWARD_PROMPTS.winning,
    hint: BACKWARD_HINTS.winning,
    beside: () => ({ moves: { algorithm: "minimax", depth: 1, positions: true } }),
    options: (search) => settledMoves(search).map(({ move }) => move),
    at: (search) => backwardOf(search).settle(search.begin.fen).i - 1,
    answer: (search) => backwardOf(search).settle(search.begin.fen).because,
    accepts: (guess, search) => settledMoves(search).some(({ move, value }) => move === guess && value?.win === moverOf(search)),
    shown: (search) => backwardOf(search).settle(search.begin.fen).i,
    why: (search) => BACKWARD_WHY.winning(settledMoves(search).flatMap(({ move, value }) => (value ? [{ move, player: playerOf(search, value.win), plies: value.plies }] : [])), settledMoves(search).filter(({ value }) => !value).map(({ move }) => move)),
  },
  plies: {
    form: "number",
    prompt: () => BACKWARD_PROMPTS.plies,
    hint: BACKWARD_HINTS.plies,
    at: (search) => (search.end.truncated ? 0 : backwardOf(search).settle(search.begin.fen).i - 1),
    answer: (search) => search.end.value.plies,
    shown: (search) => (search.end.truncated ? search.last : backwardOf(search).settle(search.begin.fen).i),
    why: (search) => BACKWARD_WHY.value(playerOf(search, search.end.value.win), search.end.value.plies),
  },
  longest: {
    form: "number",
    prompt: (_, search) => BACKWARD_PROMPTS.longest(playerOf(search, "p1")),
    hint: BACKWARD_HINTS.longest,
    at: (search) => search.last,
    answer: longestWin,
    shown: (search) => search.last,
    why: (search) => BACKWARD_WHY.longest(search.end.counts.all.nodes, search.end.counts.all.settled, longestWin(search)),
  },
  wrong: {
    form: "choice",
    prompt: () => BACKWARD_PROMPTS.wrong,
    hint: BACKWARD_HINTS.wrong,
    beside: () => ({ minimax: { algorithm: "minimax", depth: MINIMAX_PLIES, max: 2 } }),
    options: () => ["backward", "minimax"],
    optionText: (word) => BACKWARD_CHOICES[word],
    words: (word) => BACKWARD_CHOICES[word],
    at: () => 0,
    answer: (search) => (search.end.proved && !search.beside.minimax.end.proved ? "minimax" : "backward"),
    shown: (search) => search.last,
    why: (search) => BACKWARD_WHY.wrong(valueWords(search.beside.minimax.end.value), playerOf(search, search.end.value.win), search.end.value.plies),
  },
  winner: {
    form: "choice",
    prompt: () => BACKWARD_PROMPTS.winner,
    hint: BACKWARD_HINTS.winner,
    options: () => ["p1", "p2", "draw"],
    optionText: (word, search) => (word === "draw" ? BACKWARD_CHOICES.draw : playerText(playerOf(search, word))),
    words: (word, search) => (word === "draw" ? BACKWARD_CHOICES.draw : playerText(playerOf(search, word))),
    at: () => 0,
    answer: (search) => search.end.value?.win ?? "draw",
    shown: (search) => search.last,
    why: (search) => BACKWARD_WHY.value(playerOf(search, search.end.value.win), search.end.value.plies),
  },
};
