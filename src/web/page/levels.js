// The strength of the engine: its search limits, and the deliberate errors of the weak levels.

import { outcomeSign, rankOutcome } from "./value.js";

/** @import { State } from "./types.js" */

/**
 * @typedef {object} Level
 * @property {string} name
 * @property {string} go the argument of the command `go`
 * @property {number} errorInterval one move in this many loses value on purpose; 0 for none
 * @property {number} softness scale of the random choice among moves of similar expectation; 0 for always the best
 * @property {string} algorithm
 */

/** @type {Level[]} */
export const LEVELS = [
  { name: "beginner", go: "depth 1", errorInterval: 2, softness: 0.25, algorithm: "auto" },
  { name: "easy", go: "depth 2", errorInterval: 4, softness: 0.1, algorithm: "auto" },
  { name: "medium", go: "depth 4", errorInterval: 10, softness: 0.03, algorithm: "auto" },
  { name: "quick", go: "movetime 100", errorInterval: 0, softness: 0, algorithm: "auto" },
  { name: "strong", go: "movetime 1000", errorInterval: 0, softness: 0, algorithm: "auto" },
  { name: "full", go: "movetime 5000", errorInterval: 0, softness: 0, algorithm: "auto" },
];

/** The name of the level that a person sets by hand. */
export const OWN_LEVEL = "own";

/** Maximum lines that a level with random choices searches. */
const MAX_CHOICES = 8;

/** The limits of the own level, by the word of `go`: range and first value. */
export const LIMITS = {
  depth: { min: 1, max: 40, initial: 6 },
  movetime: { min: 50, max: 60000, initial: 1000 },
  nodes: { min: 1, max: 100000000, initial: 100000 },
};

/**
 * Returns the level with this name. Unknown names give the level `easy`.
 * @param {string} name
 * @param {{ limit: string, amount: number, errs: number, algorithm: string }} own the settings of the own level
 * @returns {Level}
 */
export function findLevel(name, own) {
  const level = LEVELS.find((one) => one.name === name);
  if (level) return level;
  if (name !== OWN_LEVEL) return LEVELS[1];
  return { name: OWN_LEVEL, go: `${own.limit} ${own.amount}`, errorInterval: own.errs, softness: own.errs ? 0.4 / own.errs : 0, algorithm: own.algorithm };
}

/** Returns `true` if the level moves by the exact values of a solved game. Levels with a depth are too weak for that. @param {Level} level */
export function usesExactValues(level) {
  return !level.go.startsWith("depth");
}

/** Returns the number of lines that a level needs for its choice. @param {Level} level */
export function lineCount(level) {
  return level.softness > 0 ? MAX_CHOICES : 1;
}

/**
 * Chooses the move of a level with errors from exact values. One move in `errorInterval` loses value, if there is such a
 * move. Returns `null` if the level makes no errors or the value of a move is missing or in points.
 * @param {State} state
 * @param {Level} level
 * @param {() => number} random returns a number from 0 to 1
 * @returns {string | null}
 */
export function chooseSolvedMove(state, level, random) {
  const moves = (state.solved?.moves ?? []).flatMap(({ move, verdict, plies, points }) => (verdict && points === undefined ? [{ move, outcome: verdict, plies }] : []));
  if (!level.errorInterval || moves.length === 0 || moves.length < state.moves.length) return null;
  const best = Math.max(...moves.map((move) => outcomeSign(move, state.turn)));
  const errors = moves.filter((move) => outcomeSign(move, state.turn) < best);
  if (errors.length === 0 || random() >= 1 / level.errorInterval) {
    return randomItem(moves.filter((move) => outcomeSign(move, state.turn) === best), random).move;
  }
  // People make errors that are hard to refute, so only the better half of the errors is used.
  const ranked = errors.toSorted((one, other) => rankOutcome(other, state.turn) - rankOutcome(one, state.turn));
  return randomItem(ranked.slice(0, Math.ceil(ranked.length / 2)), random).move;
}

/**
 * Chooses a move at random. The weight of a move falls with its distance from the best expectation (a softmax).
 * @param {{ move: string, expectation: number }[]} choices
 * @param {number} softness
 * @param {() => number} random returns a number from 0 to 1
 * @returns {string}
 */
export function chooseByWeight(choices, softness, random) {
  const best = Math.max(...choices.map((choice) => choice.expectation));
  const weights = choices.map((choice) => Math.exp((choice.expectation - best) / softness));
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (let at = 0; at < choices.length; at++) {
    left -= weights[at];
    if (left < 0) return choices[at].move;
  }
  return choices[choices.length - 1].move;
}

/** @template T @param {T[]} items @param {() => number} random @returns {T} */
function randomItem(items, random) {
  return items[Math.min(items.length - 1, Math.floor(random() * items.length))];
}
