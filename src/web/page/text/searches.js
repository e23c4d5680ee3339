// What is said of searches: a step of a textbook's, a comparison, a puzzle's solution.

import { count } from "./moves.js";
import { big, seconds } from "./values.js";

/** @import { Trace, TraceValue, Visit } from "../types.js" */

/** @type {Record<string, string>} */
export const ALGORITHM = {
  auto: "auto, chosen for this game",
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

/** @type {Record<string, string>} what an algorithm does, in a line */
export const ABOUT = {
  minimax: "Looks at every position to the depth: max takes the highest value, min the lowest.",
  expectimax: "The opponent moves at random: his nodes are worth the average.",
  alphabeta: "Keeps a window (α, β) of values that still matter, and cuts off what falls outside it.",
  scout: "Proves with an empty window that the other moves are no better, and looks again if they are.",
  mtdf: "Only empty windows: it asks again and again whether the value is above or below a guess.",
};

/** A value as textbooks write it, a forced end as elsewhere on the page. @param {TraceValue} value @param {string} [infinite] */
export function number(value, infinite = "∞") {
  if (value === null) return infinite;
  if (typeof value === "number") return String(Math.round(value * 10000) / 10000).replace("-", "−");
  if (value.plies === 0) return value.win === "p1" ? "won" : "lost";
  return `${value.win === "p1" ? "" : "−"}#${value.plies}`;
}

/** `(−∞, 3)`. @param {Visit} visit */
export function interval(visit) {
  return `(${number(visit.window[0], "−∞")}, ${number(visit.window[1], "∞")})`;
}

/** `≥ 17`, `3`, `≤ 2`. @param {Visit} visit */
export function bounded(visit) {
  const sign = visit.bound === "lower" ? "≥ " : visit.bound === "upper" ? "≤ " : "";
  return sign + number(visit.value, "·");
}

/**
 * One step of a search, in a sentence.
 * @param {Trace} trace
 * @param {number} node
 * @param {"in" | "out"} way
 * @param {Visit} visit
 * @param {number} skipped children that were never looked at because of a cut-off
 */
export function step(trace, node, way, visit, skipped) {
  const { kind } = trace.nodes[node];
  const path = [];
  for (let at = node; trace.nodes[at].parent !== null; at = /** @type {number} */ (trace.nodes[at].parent)) path.unshift(trace.nodes[at].move);
  const name = path.length ? path.join(" ") : "the root";
  if (way === "in") {
    if (kind === "leaf") return `Look at the leaf behind ${name}.`;
    return `Enter ${name} (${kind}) with the window ${interval(visit)}.`;
  }
  if (visit.left === "leaf" || kind === "leaf") return `The leaf behind ${name} is worth ${number(visit.value, "·")}.`;
  if (visit.left === "remembered") return `${name} is remembered from before: ${bounded(visit)}.`.replace(/^./, (letter) => letter.toUpperCase());
  if (visit.left === "cut") return `Cut off at ${name}: ${bounded(visit)} lies outside ${interval(visit)}${skipped ? `, so ${skipped === 1 ? "the other child" : `the other ${skipped} children`} cannot matter` : ""}.`;
  return `Leave ${name} with ${bounded(visit)}.`;
}

/** @param {Trace} trace */
export function traceHead(trace) {
  const line = trace.line.length ? trace.line.join(" ") : "none";
  const counts = [[trace.visited, trace.leaves, "leaves"], [trace.at_limit_visited, trace.at_limit, "nodes at the depth limit"]];
  const visited = counts.filter(([, all]) => all).map(([some, all, what]) => `${some} of ${all} ${what}`).join(" and ");
  const best = trace.algorithm === "expectimax" ? "best move" : "principal variation";
  return `Value ${number(trace.value)}, ${trace.nodes[0].kind === "chance" ? "chance moves first" : `${best} ${line}`}; ${visited} visited.`;
}

/** @param {number} now @param {number} all */
export function stepOf(now, all) {
  return `Step ${now} of ${all}`;
}

/** The bound of a search that still runs. @param {{ length: number, nodes: number, speed: number, time: number }} quest */
export function boundWords({ length, nodes, speed, time }) {
  return `At least ${length} moves. ${big(nodes)} states, ${big(speed)} a second, ${seconds(time)}.`;
}

/**
 * A solution. It is called shortest only after the search has ended without telling a lower bound.
 * @param {{ length: number, nodes: number, time: number }} quest
 * @param {number | null} bound the proved minimum, if the engine told one
 * @param {boolean} ended whether the search has ended by itself
 */
export function solutionWords({ length, nodes, time }, bound, ended) {
  const best = bound !== null && bound < length ? `at least ${bound} are needed` : ended || bound === length ? "the fewest there are" : "perhaps not the fewest";
  return `${count(length, "move")}, ${best}. ${big(nodes)} states in ${seconds(time)}.`;
}

export const SEARCHING = {
  solving: "Searching …",
  none: "No solution was found within the limits. There may be one.",
  already: "This is the goal already.",
  running: "Running …",
};

/** @param {string} name */
export function algorithmName(name) {
  return ALGORITHM[name] ?? name;
}

/** The columns of the comparison. */
export const COLUMNS = { algorithm: "Algorithm", depth: "Depth", nodes: "Nodes", leaves: "Leaves", time: "Time", score: "Value", best: "Its move", steps: "Moves", examined: "Examined" };

/** What the numbers of the comparison count. */
export const EFFORT_NOTE = "Nodes are summed over all depths; leaves are those of the last depth. “auto” judges positions by its own evaluation, so its value may differ.";

/** 2048's rates so far. @param {{ moves: number, seconds: number, score: number, games: number, best: number }} run */
export function rates(run) {
  const rate = run.seconds > 0 ? run.moves / run.seconds : 0;
  return `${run.moves} moves, ${rate.toFixed(1)} a second; ${count(run.games, "game")} finished, best score ${run.best}.`;
}
