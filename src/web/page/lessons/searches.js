// Asks the engine for the searches of a lesson.

import { queries } from "../actions.js";
import { generateTree } from "./generated_trees.js";
import { SearchEvents, treePlaces } from "./trace_events.js";

/** @import { SearchEvent } from "./trace_events.js" */

/**
 * What is searched: a tree in notation, a tree to be generated, or a position of a game, to a depth in plies.
 * @typedef {object} Material
 * @property {string} [tree]
 * @property {{ shape: number[], demands: string[] }} [generate]
 * @property {string} [variant]
 * @property {string} [fen] a position, or `startpos`
 * @property {number} [depth]
 * @property {string} [algorithm]
 * @property {string} [ordering] `none` unless a lesson says otherwise
 * @property {"equal" | "worse"} [cutOn]
 */

/** The generated trees by seed and wish. @type {Map<string, Promise<string>>} */
const generated = new Map();
/** The searches by material. @type {Map<string, Promise<SearchEvents>>} */
const searches = new Map();

/** Returns the argument of the command `position`. @param {Material} material */
export function positionOf({ tree, fen }) {
  if (tree) return `fen ${tree}`;
  return fen === undefined || fen === "startpos" ? "startpos" : `fen ${fen}`;
}

/** Returns the number of levels of moves of a tree in notation. @param {string} tree */
function levelsOf(tree) {
  return Math.max(...[...treePlaces(tree).values()].map(({ level }) => level));
}

/** Returns the events of a search. @param {Material} material @returns {Promise<SearchEvent[]>} */
function trace(material) {
  const { variant = "tree", algorithm = "alphabeta", ordering = "none", cutOn, tree } = material;
  const depth = material.depth ?? levelsOf(/** @type {string} */ (tree));
  return queries.events(variant, positionOf(material), { algorithm, ordering, cutOn, depth });
}

/** Returns the search of a material. `seed` is that of a generated tree. @param {Material} material @param {number} seed @returns {Promise<SearchEvents>} */
export async function loadSearch(material, seed) {
  const { generate } = material;
  const tree = generate ? await cached(generated, JSON.stringify([seed, generate]), () => generateTree(seed, generate, trace)) : material.tree;
  const whole = { ...material, tree, generate: undefined };
  return cached(searches, JSON.stringify(whole), async () => new SearchEvents(await trace(whole)));
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
