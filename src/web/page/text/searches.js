// Texts about searches: the comparison, and the solution of a puzzle.

import { pluralize } from "./moves.js";
import { compactNumber, durationText } from "./values.js";

/** @import { Forecast } from "../info.js" */

/** @type {Record<string, string>} */
const ALGORITHM_NAMES = {
  auto: "auto",
  minimax: "minimax",
  expectimax: "expectimax",
  alphabeta: "alpha-beta",
  scout: "Scout",
  mtdf: "MTD(f)",
  pvs: "principal variation search",
  bfs: "breadth first",
  iddfs: "iterative deepening",
  greedy: "greedy",
  astar: "A*",
  idastar: "IDA*",
};

/** Returns the lower bound of a running puzzle search. @param {{ length: number, nodes: number, speed: number, time: number }} line */
export function boundText({ length, nodes, speed, time }) {
  return `At least ${pluralize(length, "move")}. ${compactNumber(nodes)} states, ${compactNumber(speed)} a second, ${durationText(time)}.`;
}

/**
 * Returns the length of a solution. It is called the minimum if it equals the lower bound, or if the search has ended
 * without a lower bound.
 * @param {{ length: number, nodes: number, time: number }} line
 * @param {number | null} lowerBound the lower bound from the engine, if any
 * @param {boolean} ended whether the search has ended
 */
export function solutionText({ length, nodes, time }, lowerBound, ended) {
  const note = lowerBound !== null && lowerBound < length ? `at least ${lowerBound} are needed` : ended || lowerBound === length ? "the minimum" : "maybe not the minimum";
  return `${pluralize(length, "move")}, ${note}. ${compactNumber(nodes)} states in ${durationText(time)}.`;
}

/** Returns the label of the button that solves the game. @param {Forecast} forecast */
export function solveOfferText({ time, memory }) {
  return `Solve this game: ${time}, ${memory}`;
}

/** Returns the progress of solving the game. @param {{ positions: number, seconds: number, forecast: Forecast | null }} progress */
export function solvingText({ positions, seconds, forecast }) {
  return `${positions.toLocaleString("en")} positions after ${Math.round(seconds)} s${forecast ? ` of about ${forecast.time}` : ""}.`;
}

/** @param {number} positions */
export function solvedCountText(positions) {
  return `All ${positions.toLocaleString("en")} positions of this game are solved.`;
}

/** Returns why a game cannot be solved in memory. @param {Forecast | null} forecast `null` if the game has too many positions to forecast @param {number} mebibytes the memory that may be used */
export function tooLargeText(forecast, mebibytes) {
  if (!forecast) return "This game is too large to be solved.";
  return `This game is too large to be solved in memory: it takes about ${forecast.memory}, and only ${mebibytes / 1024} GiB may be used.`;
}

export const SEARCH_MESSAGES = {
  noSolution: "No solution was found within the limits. There may be one.",
  alreadySolved: "This position is already the goal.",
  running: "runs",
  waiting: "waits",
};

/** @param {string} name */
export function algorithmName(name) {
  return ALGORITHM_NAMES[name] ?? name;
}

/** Returns the rates of 2048. @param {{ moves: number, seconds: number, games: number, bestScore: number }} counts */
export function rateText({ moves, seconds, games, bestScore }) {
  const rate = seconds > 0 ? moves / seconds : 0;
  return `${pluralize(moves, "move")}, ${rate.toFixed(1)} a second; ${pluralize(games, "game")} finished, best score ${bestScore}.`;
}
