// What lessons ask the engine, and what they read from its answers.

/** @import { Material } from "./searches.js" */

/** Returns the argument of the command `position`. @param {Material} material */
export function positionOf({ tree, fen, moves }) {
  const start = tree ? `fen ${tree}` : fen === undefined || fen === "startpos" ? "startpos" : `fen ${fen}`;
  return moves ? `${start} moves ${moves}` : start;
}

/**
 * Returns the command that lists the events of a search.
 * @param {{ algorithm?: string, depth: number, cutOn?: string, deepen?: boolean, guess?: number, max?: number }} search `max`: the most events that are sent
 */
export function eventsCommand({ algorithm = "alphabeta", depth, cutOn = "equal", deepen = false, guess, max }) {
  const options = [deepen && "deepen", max !== undefined && `max ${max}`, algorithm === "alphabeta" && `cut-on ${cutOn}`, guess !== undefined && `guess ${guess}`];
  return ["trace depth", depth, "events explain", ...options.filter(Boolean)].join(" ");
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
