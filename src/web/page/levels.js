// How strong the engine plays: what it may think, and how it errs where a level is meant to.

import { rank, verdict } from "./value.js";

/** @import { State } from "./types.js" */

/**
 * @typedef {object} Level
 * @property {string} name
 * @property {string} go what to search
 * @property {number} errs gives the value away about once in so many moves; 0 never
 * @property {number} soft how freely it chooses among moves of nearly the same expectation, 0 the best
 * @property {string} algorithm
 */

/** @type {Level[]} */
export const LEVELS = [
  { name: "beginner", go: "depth 1", errs: 2, soft: 0.25, algorithm: "auto" },
  { name: "easy", go: "depth 2", errs: 4, soft: 0.1, algorithm: "auto" },
  { name: "medium", go: "depth 4", errs: 10, soft: 0.03, algorithm: "auto" },
  { name: "quick", go: "movetime 100", errs: 0, soft: 0, algorithm: "auto" },
  { name: "strong", go: "movetime 1000", errs: 0, soft: 0, algorithm: "auto" },
  { name: "full", go: "movetime 5000", errs: 0, soft: 0, algorithm: "auto" },
];

export const OWN = "own";

/** Limits that a person may set: the word of `go`, and how far it may be turned. */
export const LIMITS = {
  depth: { least: 1, most: 40, first: 6 },
  movetime: { least: 50, most: 60000, first: 1000 },
  nodes: { least: 1, most: 100000000, first: 100000 },
};

/**
 * The level of a name, or the person's own.
 * @param {string} name
 * @param {{ limit: string, amount: number, errs: number, algorithm: string }} own
 * @returns {Level}
 */
export function level(name, own) {
  const known = LEVELS.find((one) => one.name === name);
  if (known) return known;
  if (name !== OWN) return LEVELS[1];
  const soft = own.errs ? 0.4 / own.errs : 0;
  return { name: OWN, go: `${own.limit} ${own.amount}`, errs: own.errs, soft, algorithm: own.algorithm };
}

/** How many lines a level has to see before it chooses. @param {Level} level */
export function lines(level) {
  return level.soft > 0 ? 8 : 1;
}

/**
 * The move of a level that errs, where tables know every move: once in `errs` moves one that gives the value away,
 * if there is one, else one that keeps it. Null where they do not know.
 * @param {State} state
 * @param {Level} level
 * @param {() => number} dice a number from 0 to 1
 * @returns {string | null}
 */
export function known(state, level, dice) {
  const solved = state.solved?.moves ?? [];
  if (!level.errs || solved.length === 0 || solved.length < state.moves.length) return null;
  /** @param {typeof solved[0]} one */
  const end = (one) => ({ end: one.verdict, plies: one.plies });
  const top = Math.max(...solved.map((one) => verdict(end(one), state.turn)));
  const keeps = solved.filter((one) => verdict(end(one), state.turn) === top);
  const loses = solved.filter((one) => verdict(end(one), state.turn) < top);
  const errs = loses.length > 0 && dice() < 1 / level.errs;
  if (!errs) return pick(keeps, dice).move;
  // A human mistake is one whose punishment is far away.
  const ranked = loses.toSorted((one, other) => rank(end(other), state.turn) - rank(end(one), state.turn));
  return pick(ranked.slice(0, Math.ceil(ranked.length / 2)), dice).move;
}

/**
 * The move of a level that errs, where only a search knows: the nearer to the best, the likelier.
 * @param {{ move: string, hope: number }[]} choices the mover's expectation of each
 * @param {number} soft
 * @param {() => number} dice
 * @returns {string}
 */
export function softened(choices, soft, dice) {
  const best = Math.max(...choices.map((choice) => choice.hope));
  const weights = choices.map((choice) => Math.exp((choice.hope - best) / soft));
  let left = dice() * weights.reduce((sum, weight) => sum + weight, 0);
  for (let at = 0; at < choices.length; at++) {
    left -= weights[at];
    if (left < 0) return choices[at].move;
  }
  return choices[choices.length - 1].move;
}

/** @template T @param {T[]} from @param {() => number} dice @returns {T} */
function pick(from, dice) {
  return from[Math.min(from.length - 1, Math.floor(dice() * from.length))];
}
