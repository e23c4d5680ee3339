// Asks the engine for the searches of a lesson.

import { queries } from "../actions.js";
import { PERFT_END, algorithmOption, eventsCommand, positionOf, puzzleRequest, readEvaluation, readPerft } from "./engine_lines.js";
import { generatedMaterial } from "./generated_trees.js";
import { createSearch, isRefusal, refusedSearch } from "./puzzle_search.js";
import { treePlaces } from "./trace_events.js";

/** @import { WantedPuzzle, WantedSettled } from "./generated_puzzles.js" */
/** @import { WantedPosition } from "./generated_trees.js" */
/** @import { SearchEvent, SearchEvents } from "./trace_events.js" */

/**
 * What is searched: a tree in notation, a tree to be generated, or a position of a game, to a depth in plies.
 * @typedef {object} Material
 * @property {string} [tree]
 * @property {{ shape: number[], demands: string[] } | WantedPosition | WantedPuzzle | WantedSettled} [generate]
 * @property {string} [variant]
 * @property {string} [fen] a position, or `startpos`
 * @property {number} [depth]
 * @property {string} [algorithm]
 * @property {string} [ordering] `none` unless a lesson says otherwise
 * @property {"equal" | "worse"} [cutOn]
 * @property {string} [moves] moves from the position, with blanks
 * @property {boolean} [memory] whether the search has a transposition table
 * @property {boolean} [deepen] whether it searches to depth 1, 2, 3 and so on
 * @property {number} [guess] the first value that `mtdf` tests
 * @property {string} [heuristic] the estimate of a puzzle
 * @property {boolean} [positions] whether the positions of the nodes are asked for
 * @property {boolean} [isRefusable] whether the engine may refuse the position, because its goal cannot be reached
 * @property {number} [max] the most events that are sent; the counts are whole in any case
 */

/** The generated materials by seed and wish. @type {Map<string, Promise<Material>>} */
const generated = new Map();
/** The searches by material. @type {Map<string, Promise<SearchEvents>>} */
const searches = new Map();

/** Returns the number of levels of moves of a tree in notation. @param {string} tree */
function levelsOf(tree) {
  return Math.max(...[...treePlaces(tree).values()].map(({ level }) => level));
}

/** What an event of a search begins with, and the last one. */
const EVENT_PREFIX = "trace {";
const EVENTS_END = 'trace {"e":"end"';
const TRACE_PREFIX_LENGTH = "trace ".length;

/** Returns the events of a search, in the order in which it did them, each with its sentence. @param {Material} material @returns {Promise<SearchEvent[]>} */
async function trace(material) {
  const { variant = "tree", algorithm = "alphabeta", ordering = "none", tree, memory = false, cutOn, deepen, guess, max } = material;
  const { heuristic, positions, depth = material.depth ?? levelsOf(/** @type {string} */ (tree)) } = puzzleRequest(material);
  const options = { Algorithm: algorithmOption(algorithm), Memory: memory, Ordering: ordering, ...(heuristic ? { Heuristic: heuristic } : {}) };
  // A position that is refused is found before the search, since the engine would search the position before it.
  if (positions) await queries.ask(variant, positionOf(material), "isready", "readyok");
  const lines = await queries.ask(variant, positionOf(material), eventsCommand({ algorithm, cutOn, deepen, guess, max, depth, positions }), EVENTS_END, options);
  return lines.filter((line) => line.startsWith(EVENT_PREFIX)).map((line) => JSON.parse(line.slice(TRACE_PREFIX_LENGTH)));
}

/** Returns the search of a material. `seed` is that of a generated tree. @param {Material} material @param {number} seed @returns {Promise<SearchEvents>} */
export async function loadSearch(material, seed) {
  const whole = material.generate ? await cached(generated, JSON.stringify([seed, material]), () => generatedMaterial(material, seed, trace)) : material;
  return cached(searches, JSON.stringify(whole), () => search(whole));
}

/** Asks for a search. A position that the engine refuses has an empty one, if a lesson expects that. @param {Material} material */
async function search(material) {
  try {
    return createSearch(await trace(material));
  } catch (error) {
    if (!material.isRefusable || !isRefusal(String(error))) throw error;
    return refusedSearch(/** @type {string} */ (material.variant), /** @type {string} */ (material.fen));
  }
}

/** Returns other searches by name. @param {Record<string, Material>} materials @returns {Promise<Record<string, SearchEvents>>} */
export async function loadBeside(materials) {
  const found = await Promise.all(Object.entries(materials).map(async ([name, material]) => [name, await loadSearch(material, 0)]));
  return Object.fromEntries(found);
}

/** Returns the number of positions at each ply, up to `plies`. @param {SearchEvents} search @param {number} plies @returns {Promise<number[]>} */
export async function loadPerft({ begin }, plies) {
  const counts = [];
  for (let ply = 1; ply <= plies; ply++) counts.push(readPerft(await queries.ask(begin.variant, `fen ${begin.fen}`, `go perft ${ply}`, PERFT_END)));
  return counts;
}

/** Returns the terms of the reference evaluation of the position that is searched, and their sum as `Evaluation`. @param {SearchEvents} search @returns {Promise<Record<string, number>>} */
export async function loadEvaluation({ begin }) {
  return readEvaluation(await queries.ask(begin.variant, `fen ${begin.fen}`, "eval", "Evaluation:", { Algorithm: "minimax" }));
}

/** Returns a cached answer, or asks for it. @template T @param {Map<string, Promise<T>>} cache @param {string} name @param {() => Promise<T>} ask */
function cached(cache, name, ask) {
  let answer = cache.get(name);
  if (!answer) {
    answer = ask();
    answer.catch(() => cache.delete(name));
    cache.set(name, answer);
  }
  return answer;
}

/** Returns a tree of two levels in the order in which alpha-beta sees the fewest leaves: the best child first, each with its worst reply first. @param {string} tree */
export function bestOrder(tree) {
  /** @type {number[][]} */
  const children = JSON.parse(tree);
  const sorted = children.map((child) => [...child].sort((one, other) => one - other));
  return JSON.stringify(sorted.sort(([one], [other]) => other - one));
}
