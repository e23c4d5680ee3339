// Texts about searches: the comparison, and the solution of a puzzle.

import { numberText, t } from "../language.js";
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
  return t("At least {length, plural, one {# move} other {# moves}}. {nodes} states, {speed} a second, {time}.", { length, nodes: compactNumber(nodes), speed: compactNumber(speed), time: durationText(time) });
}

/**
 * Returns the length of a solution. It is called the minimum if it equals the lower bound, or if the search has ended
 * without a lower bound.
 * @param {{ length: number, nodes: number, time: number }} line
 * @param {number | null} lowerBound the lower bound from the engine, if any
 * @param {boolean} ended whether the search has ended
 */
export function solutionText({ length, nodes, time }, lowerBound, ended) {
  const values = { length, bound: lowerBound ?? 0, nodes: compactNumber(nodes), time: durationText(time) };
  if (lowerBound !== null && lowerBound < length) return t("{length, plural, one {# move} other {# moves}}, at least {bound} are needed. {nodes} states in {time}.", values);
  return ended || lowerBound === length
    ? t("{length, plural, one {# move} other {# moves}}, the minimum. {nodes} states in {time}.", values)
    : t("{length, plural, one {# move} other {# moves}}, maybe not the minimum. {nodes} states in {time}.", values);
}

/** Returns the time of a forecast: `12 min`. @param {Forecast} forecast */
function forecastTime({ time }) {
  const [amount, unit] = time.split(" ");
  return t("{amount} {unit, select, s {s} min {min} h {h} days {days} other {years}}", { amount: numberText(Number(amount)), unit });
}

/** Returns the label of the button that solves the game. @param {Forecast} forecast */
export function solveOfferText(forecast) {
  return t("Solve this game: {time}, {memory}", { time: forecastTime(forecast), memory: forecast.memory });
}

/** Returns the progress of solving the game. @param {{ positions: number, seconds: number, forecast: Forecast | null }} progress */
export function solvingText({ positions, seconds, forecast }) {
  const values = { positions, seconds: Math.round(seconds), time: forecast ? forecastTime(forecast) : "" };
  return forecast ? t("{positions} positions after {seconds} s of about {time}.", values) : t("{positions} positions after {seconds} s.", values);
}

/** @param {number} positions */
export function solvedCountText(positions) {
  return t("All {positions} positions of this game are solved.", { positions });
}

/** Returns why a game cannot be solved in memory. @param {Forecast | null} forecast `null` if the game has too many positions to forecast @param {number} mebibytes the memory that may be used */
export function tooLargeText(forecast, mebibytes) {
  if (!forecast) return t("This game is too large to be solved.");
  return t("This game is too large to be solved in memory: it takes about {memory}, and only {gibibytes} GiB may be used.", { memory: forecast.memory, gibibytes: mebibytes / 1024 });
}

export const SEARCH_MESSAGES = {
  noSolution: t("No solution was found within the limits. There may be one."),
  alreadySolved: t("This position is already the goal."),
  running: t("runs"),
  waiting: t("waits"),
};

/** @param {string} name */
export function algorithmName(name) {
  return ALGORITHM_NAMES[name] ?? name;
}

/** Returns the rates of 2048. @param {{ moves: number, seconds: number, games: number, bestScore: number }} counts */
export function rateText({ moves, seconds, games, bestScore }) {
  const rate = numberText(seconds > 0 ? moves / seconds : 0, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return t("{moves, plural, one {# move} other {# moves}}, {rate} a second; {games, plural, one {# game} other {# games}} finished, best score {bestScore}.", { moves, rate, games, bestScore });
}
