// What lessons ask the engine, and what they read from its answers.

/** @import { Material } from "./searches.js" */

/** The puzzles of the lessons. */
const PUZZLES = ["missionaries", "8-puzzle", "15-puzzle"];
/** Maximum length of a solution, in moves. */
const MAX_SOLUTION_MOVES = 255;

/** Returns what a search of a puzzle is asked for beside its material: positions, a depth, an estimate. Empty in other games. @param {Material} material */
export function puzzleRequest({ variant = "", algorithm, heuristic = "auto", positions }) {
  if (PUZZLES.includes(variant)) return { positions: true, depth: MAX_SOLUTION_MOVES, heuristic };
  return algorithm === "backward" ? { depth: MAX_SOLUTION_MOVES } : { ...(positions ? { positions } : {}) };
}

/** Returns the value of the option `Algorithm` for a search. The analysis backwards from the ends uses none. @param {string} algorithm */
export function algorithmOption(algorithm) {
  return algorithm === "backward" ? "minimax" : algorithm;
}

/** Returns the argument of the command `position`. @param {Material} material */
export function positionOf({ tree, fen, moves }) {
  const start = tree ? `fen ${tree}` : fen === undefined || fen === "startpos" ? "startpos" : `fen ${fen}`;
  return moves ? `${start} moves ${moves}` : start;
}

/**
 * Returns the command that lists the events of a search.
 * @param {{ algorithm?: string, depth: number, cutOn?: string, deepen?: boolean, guess?: number, max?: number, positions?: boolean }} search `max`: the most events that are sent
 */
export function eventsCommand({ algorithm = "alphabeta", depth, cutOn = "equal", deepen = false, guess, max, positions = false }) {
  const options = [algorithm === "backward" && "backward", positions && "positions", deepen && "deepen", max !== undefined && `max ${max}`, algorithm === "alphabeta" && `cut-on ${cutOn}`, guess !== undefined && `guess ${guess}`];
  return ["trace depth", depth, "events", ...options.filter(Boolean)].join(" ");
}

/** Returns the terms of an evaluation, and their sum as `Evaluation`, from the lines of the command `eval`. @param {string[]} lines @returns {Record<string, number>} */
export function readEvaluation(lines) {
  return Object.fromEntries(lines.map((line) => line.split(": ")).filter(([, value]) => Number.isFinite(Number(value))).map(([term, value]) => [term, Number(value)]));
}

/** What the last line of `go perft` begins with. */
export const PERFT_END = "Nodes searched:";

/** Returns the number of positions from the lines of `go perft`. @param {string[]} lines */
export function readPerft(lines) {
  return Number(/** @type {string} */ (lines.at(-1)).slice(PERFT_END.length));
}
