// Texts about searches: the steps of a trace, the comparison, and the solution of a puzzle.

import { pluralize } from "./moves.js";
import { compactNumber, durationText } from "./values.js";

/** @import { Forecast } from "../info.js" */
/** @import { Trace, TraceValue, Visit } from "../types.js" */

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

/** A description of each traced algorithm. @type {Record<string, string>} */
export const ALGORITHM_NOTES = {
  minimax: "Searches every position up to the depth. Max takes the highest value, min the lowest.",
  expectimax: "The opponent moves at random, so an opponent's node has the average value of its children.",
  alphabeta: "Keeps a window (α, β) of values that still matter and cuts off moves outside it.",
  scout: "Tests with a null window that the other moves are no better than the first, and searches a better one again.",
  mtdf: "Null windows only: each search raises the lower bound or lowers the upper bound until the two meet.",
};

/** Returns a trace value: points, or `#5` for a win of the first player in 5 plies and `−#5` for a loss. @param {TraceValue} value @param {string} [missing] the text of `null` */
export function traceValueText(value, missing = "∞") {
  if (value === null) return missing;
  if (typeof value === "number") return String(Math.round(value * 10000) / 10000).replace("-", "−");
  if (value.plies === 0) return value.win === "p1" ? "won" : "lost";
  return `${value.win === "p1" ? "" : "−"}#${value.plies}`;
}

/** Returns the window of a visit: `(−∞, 3)`. @param {Visit} visit */
export function windowText(visit) {
  return `(${traceValueText(visit.window[0], "−∞")}, ${traceValueText(visit.window[1], "∞")})`;
}

/** Returns the value of a visit with its bound: `≥ 17`, `3`, `≤ 2`. @param {Visit} visit */
export function boundedValueText(visit) {
  const sign = visit.bound === "lower" ? "≥ " : visit.bound === "upper" ? "≤ " : "";
  return sign + traceValueText(visit.value, "·");
}

/**
 * Returns a step of a search as a sentence.
 * @param {Trace} trace
 * @param {number} node
 * @param {"in" | "out"} direction
 * @param {Visit} visit
 * @param {number} skippedChildren the number of children that a cutoff left unvisited
 */
export function stepText(trace, node, direction, visit, skippedChildren) {
  const { kind } = trace.nodes[node];
  const path = [];
  for (let at = node; trace.nodes[at].parent !== null; at = /** @type {number} */ (trace.nodes[at].parent)) path.unshift(trace.nodes[at].move);
  const name = path.length ? path.join(" ") : "the root";
  if (direction === "in") return kind === "leaf" ? `Visit the leaf ${name}.` : `Enter ${name} (${kind}) with the window ${windowText(visit)}.`;
  const value = boundedValueText(visit);
  if (visit.left === "leaf" || kind === "leaf") return `The leaf ${name} has the value ${traceValueText(visit.value, "·")}.`;
  if (visit.left === "remembered") return `The transposition table has the value of ${name}: ${value}.`;
  if (visit.left === "cut") return `Cutoff at ${name}: ${value} is outside ${windowText(visit)}${skippedChildren ? `, so ${skippedChildren === 1 ? "the other child" : `the other ${skippedChildren} children`} cannot matter` : ""}.`;
  return `Leave ${name} with ${value}.`;
}

/** Returns the result of a traced search and the share of visited nodes. @param {Trace} trace */
export function traceSummary(trace) {
  const line = trace.line.length ? trace.line.join(" ") : "none";
  const counts = /** @type {const} */ ([[trace.visited, trace.leaves, "leaves"], [trace.at_limit_visited, trace.at_limit, "nodes at the depth limit"]]);
  const visited = counts.filter(([, all]) => all).map(([some, all, what]) => `${some} of ${all} ${what}`).join(" and ");
  const best = trace.algorithm === "expectimax" ? "best move" : "principal variation";
  return `Value ${traceValueText(trace.value)}, ${trace.nodes[0].kind === "chance" ? "chance moves first" : `${best} ${line}`}; ${visited} visited.`;
}

/** @param {number} step @param {number} count */
export function stepCounter(step, count) {
  return `Step ${step} of ${count}`;
}

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

/** The column headings of the comparison. */
export const COLUMNS = { algorithm: "Algorithm", depth: "Depth", nodes: "Nodes", leaves: "Leaves", time: "Time", score: "Value", best: "Best move", steps: "Moves", examined: "Examined" };

export const EFFORT_NOTE = "Nodes are counted over all depths, leaves only at the last depth. “auto” has its own evaluation, so its value may differ.";

/** Returns the rates of 2048. @param {{ moves: number, seconds: number, games: number, bestScore: number }} counts */
export function rateText({ moves, seconds, games, bestScore }) {
  const rate = seconds > 0 ? moves / seconds : 0;
  return `${pluralize(moves, "move")}, ${rate.toFixed(1)} a second; ${pluralize(games, "game")} finished, best score ${bestScore}.`;
}
