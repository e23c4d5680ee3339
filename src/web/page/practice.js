// Finds positions for practice in random games, by exact values only, and judges answers. Pure functions, for tests.

import { outcomeSign } from "./value.js";

/** @import { SolvedMove, State, Turn } from "./types.js" */

/** The exercises: find the only move that keeps the value, or win a won position within its distance. @typedef {"only" | "endgame"} Exercise */

/** The grades by the plies that the win takes, as minimum and maximum. `draw` has no win. @type {Record<string, [number, number]>} */
export const GRADES = { any: [1, Infinity], short: [1, 5], medium: [6, 11], long: [12, Infinity], draw: [0, 0] };

/** Maximum number of states that one search for a position requests. */
export const MAX_STATES = 800;
/** Maximum length of a random game. */
const MAX_PLIES = 80;
/** A position is taken only after a random number of plies below this one, so that positions differ. */
const MAX_SKIPPED_PLIES = 20;
/** The share of moves in random games that keep the value. The others are random. */
const KEEPING_SHARE = 0.7;

/** Returns the moves that keep the value of a position; `null` if the value of a move is not known exactly. @param {State} state @returns {SolvedMove[] | null} */
export function keepingMoves({ solved, moves, turn, outcome }) {
  if (outcome !== null || !solved?.verdict || solved.points !== undefined || solved.moves.length !== moves.length) return null;
  const sign = outcomeSign({ outcome: solved.verdict }, turn);
  return solved.moves.filter((move) => outcomeSign({ outcome: move.verdict }, turn) >= sign);
}

/** Returns `true` if the distance to the win is in the grade. A win by endless play counts as the longest. @param {State} state @param {string} grade */
function hasGrade({ solved }, grade) {
  if (solved?.verdict === "draw") return grade === "any" || grade === "draw";
  const [min, max] = GRADES[grade] ?? GRADES.any;
  const plies = solved?.plies ?? Infinity;
  return plies >= min && plies <= max;
}

/**
 * Returns `true` if a position fits an exercise: exactly one move keeps the value, or the side to move has a choice and a win
 * in at least 3 plies.
 * @param {State} state
 * @param {Exercise} exercise
 * @param {string} grade
 */
export function fits(state, exercise, grade) {
  const keeping = keepingMoves(state);
  if (!keeping || state.moves.length < 2 || !hasGrade(state, grade)) return false;
  if (exercise === "only") return keeping.length === 1;
  const { verdict, plies } = /** @type {NonNullable<State["solved"]>} */ (state.solved);
  return outcomeSign({ outcome: verdict }, state.turn) > 0 && plies !== null && plies >= 3;
}

/**
 * Plays random games until a position fits. Returns its state without history, or `null` if none is found.
 * @param {object} search
 * @param {(position: string) => Promise<State>} search.fetch returns the state of an argument of `position`
 * @param {string} search.start the argument of `position` for the start
 * @param {Exercise} search.exercise
 * @param {string} search.grade
 * @param {(fen: string) => boolean} search.isKnown returns `true` for a position that was practiced before
 * @param {() => number} search.random returns a number from 0 to 1
 * @param {() => boolean} search.isStopped
 * @returns {Promise<State | null>}
 */
export async function findPosition({ fetch, start, exercise, grade, isKnown, random, isStopped }) {
  /** @type {string[]} */
  let moves = [];
  let skipped = Math.floor(random() * MAX_SKIPPED_PLIES);
  for (let count = 0; count < MAX_STATES && !isStopped(); count++) {
    const state = await fetch(moves.length ? `${start} moves ${moves.join(" ")}` : start);
    const keeping = keepingMoves(state);
    // The second half of the search takes positions of any ply.
    const isLateEnough = moves.length >= skipped || count > MAX_STATES / 2;
    if (isLateEnough && fits(state, exercise, grade) && !isKnown(state.fen)) {
      // Repetitions do not count in the position that is set up.
      const alone = await fetch(`fen ${state.fen}`);
      if (fits(alone, exercise, grade)) return alone;
    }
    if (!keeping || moves.length >= MAX_PLIES) {
      moves = [];
      skipped = Math.floor(random() * MAX_SKIPPED_PLIES);
      continue;
    }
    const choices = random() < KEEPING_SHARE ? keeping : state.moves;
    moves.push(choices[Math.floor(random() * choices.length)].move);
  }
  return null;
}

/**
 * Judges a position after a move in an endgame, for the side that must win within `left` plies.
 * @param {State} state
 * @param {Turn} side
 * @param {number} left
 * @returns {"won" | "good" | "slow" | "lost"} `slow`: still won, but not within `left` plies
 */
export function judgeEndgame(state, side, left) {
  const verdict = state.outcome ?? state.solved?.verdict ?? null;
  if (outcomeSign({ outcome: verdict }, side) <= 0) return "lost";
  if (state.outcome) return "won";
  const plies = state.solved?.plies;
  return plies !== null && plies !== undefined && plies <= left ? "good" : "slow";
}
