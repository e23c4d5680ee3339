// Trees that are made for an exercise. A tree that does not teach is thrown away; whether it teaches is read from its search.

import { generatePuzzle, generateSettled } from "./generated_puzzles.js";
import { countsOf } from "./leaf_trees.js";
import { lookUps } from "./question_places.js";
import { passes, rootAgains } from "./questions_null_windows.js";
import { fewestLeaves } from "./questions.js";
import { randomNumbers } from "../random_numbers.js";
import { SearchEvents } from "./trace_events.js";

/** @import { Material } from "./searches.js" */
/** @import { SearchEvent } from "./trace_events.js" */

/**
 * What a tree is searched with.
 * @typedef {{ tree: string, algorithm: string, depth: number, memory?: boolean }} Search
 */

/** Leaves are whole numbers from 0 to this one. */
const MAX_LEAF = 20;
/** Number of trees that are tried. The hardest demands of the lessons are met by one tree in 15. */
const MAX_TRIES = 200;

/** Returns the leaves from 0 to `MAX_LEAF` in a random order (Fisher and Yates). @param {() => number} random */
function shuffledLeaves(random) {
  const leaves = Array.from({ length: MAX_LEAF + 1 }, (_, value) => value);
  for (let at = leaves.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [leaves[at], leaves[other]] = [leaves[other], leaves[at]];
  }
  return leaves;
}

/** Returns a tree in notation. `shape` is the number of children at each level. Leaves are equal only if there are more than values. @param {number[]} shape @param {() => number} random */
export function randomTree(shape, random) {
  /** @type {number[]} */
  let left = [];
  /** @param {number[]} levels @returns {string} */
  const grow = ([count, ...below]) => `[${Array.from({ length: count }, () => (below.length ? grow(below) : takeLeaf())).join(",")}]`;
  const takeLeaf = () => {
    if (left.length === 0) left = shuffledLeaves(random);
    return left.pop();
  };
  return grow(shape);
}

/** Returns the values of the root's children by minimax. @param {SearchEvents} minimax @returns {number[]} */
function childValues(minimax) {
  return minimax.place("").children.map((path) => minimax.find("leave", path).value);
}

/** What a lesson can demand of the search of a tree by expectimax, where a coin moves in place of Min. @type {Record<string, (minimax: SearchEvents, expectimax: SearchEvents) => boolean>} */
const COIN_DEMANDS = {
  "coin-differs": (minimax, expectimax) => new Set(childValues(expectimax)).size === expectimax.place("").children.length && expectimax.end.line[0] !== minimax.end.line[0],
};

/** What a lesson can demand of other searches of a tree: the algorithm, and the condition. @type {Record<string, [string, (search: SearchEvents) => boolean]>} */
const OTHER_DEMANDS = {
  "searches-again": ["scout", (search) => rootAgains(search).length === 1],
  "three-passes": ["mtdf", (search) => passes(search).length === 3],
};

/** What a lesson can demand of a tree. @type {Record<string, (minimax: SearchEvents, alphaBeta: SearchEvents) => boolean>} */
const DEMANDS = {
  "leaves-differ": (minimax) => {
    const leaves = minimax.leaves().map(({ value }) => value);
    return new Set(leaves).size === leaves.length;
  },
  "one-best-child": (minimax) => {
    const values = childValues(minimax);
    return values.filter((value) => value === Math.max(...values)).length === 1;
  },
  "not-leftmost": (minimax) => minimax.end.line[0] !== "1",
  "two-cuts": (_, alphaBeta) => alphaBeta.cuts().length >= 2,
  "three-decisions": (_, alphaBeta) => alphaBeta.decisions().length >= 3 && alphaBeta.decisions().length > alphaBeta.cuts().length,
  "can-improve": (minimax, alphaBeta) => alphaBeta.end.counts.last.leaves > fewestLeaves(minimax.place("").children.length, minimax.end.line.length),
};

/**
 * A position that is made for an exercise: random moves from a position.
 * @typedef {{ variant: string, fen: string, plies: number, depth: number, demands: string[] }} WantedPosition
 */

/** Returns what the terms of a leaf count, by name. @param {SearchEvent} leaf @returns {Record<string, number>} */
function leafCounts({ terms }) {
  const [goats, steps, captures] = countsOf(terms);
  return { goats, steps, captures };
}

/** What a lesson can demand of a position, by its minimax search. @type {Record<string, (search: SearchEvents) => boolean>} */
const POSITION_DEMANDS = {
  // The last leaf has something of every kind to count.
  "something-to-count": (search) => {
    const { steps, captures } = leafCounts(/** @type {SearchEvent} */ (search.events.findLast(({ e }) => e === "leaf")));
    return steps >= MIN_TIGER_MOVES && captures > 0;
  },
  // The best reply is a capture, and no other move is as good.
  "capture-is-best": (search) => {
    const leaves = search.events.filter(({ e }) => e === "leaf");
    const best = leaves.filter(({ value }) => value === search.end.value);
    return best.length === 1 && leafCounts(best[0]).goats < Math.max(...leaves.map((leaf) => leafCounts(leaf).goats));
  },
  "look-ups": (search) => {
    const found = lookUps(search).map((event) => event.found === "answers");
    return found.length >= MIN_LOOK_UPS && found.slice(0, MIN_LOOK_UPS).includes(true) && found.slice(-MIN_LOOK_UPS).includes(true) && found.slice(-MIN_LOOK_UPS).includes(false);
  },
};
/** Least number of steps and captures of the tigers in a position that is evaluated by hand. */
const MIN_TIGER_MOVES = 4;
const MIN_LOOK_UPS = 8;

/**
 * Returns the first position of a seed that meets all demands: the moves that lead to it.
 * @param {number} seed
 * @param {WantedPosition} wanted
 * @param {boolean} memory whether the search has a table
 * @param {(search: any) => Promise<SearchEvent[]>} trace
 */
export async function generateMoves(seed, { variant, fen, plies, depth, demands }, memory, trace) {
  const random = randomNumbers(seed);
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    /** @type {string[]} */
    const played = [];
    while (played.length < plies) {
      const order = (await trace({ variant, fen, moves: played.join(" "), algorithm: "minimax", depth: 1 })).find(({ e }) => e === "order");
      if (!order) break;
      played.push(order.moves[Math.floor(random() * order.moves.length)]);
    }
    const moves = played.join(" ");
    const events = await trace({ variant, fen, moves, algorithm: "minimax", memory, depth });
    if (!events.some(({ e }) => e === "order")) continue;
    const search = new SearchEvents(events);
    if (demands.every((name) => POSITION_DEMANDS[name](search))) return moves;
  }
  throw new Error(`no position of ${MAX_TRIES} meets the demands ${demands.join(", ")}`);
}

/**
 * Returns a material in which what has to be generated is there.
 * @param {Material} material
 * @param {number} seed
 * @param {(search: any) => Promise<SearchEvent[]>} trace
 * @returns {Promise<Material>}
 */
export async function generatedMaterial({ generate, ...material }, seed, trace) {
  if (!generate) return material;
  if ("shape" in generate) return { ...material, tree: await generateTree(seed, generate, trace) };
  if ("settled" in generate) return { ...material, fen: await generateSettled(seed, generate, () => trace({ variant: material.variant, algorithm: "backward" })) };
  if ("puzzle" in generate) return { ...material, fen: await generatePuzzle(seed, generate, (search) => trace({ variant: material.variant, ...search })) };
  const { variant, fen, depth } = generate;
  return { depth, ...material, variant, fen, moves: await generateMoves(seed, generate, material.memory ?? false, trace) };
}

/**
 * Returns the first tree of a seed that meets all demands.
 * @param {number} seed
 * @param {{ shape: number[], demands: string[] }} wanted
 * @param {(search: Search) => Promise<SearchEvent[]>} trace asks the engine for the events of a search
 */
export async function generateTree(seed, { shape, demands }, trace) {
  const random = randomNumbers(seed);
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const tree = randomTree(shape, random);
    const search = async (/** @type {string} */ algorithm) => new SearchEvents(await trace({ tree, algorithm, depth: shape.length, memory: algorithm === "mtdf" }));
    const minimax = await search("minimax");
    const treeDemands = demands.filter((name) => name in DEMANDS);
    if (!treeDemands.filter((name) => DEMANDS[name].length < 2).every((name) => DEMANDS[name](minimax, minimax))) continue;
    const coinDemands = demands.filter((name) => name in COIN_DEMANDS);
    const expectimax = coinDemands.length ? await search("expectimax") : minimax;
    if (!coinDemands.every((name) => COIN_DEMANDS[name](minimax, expectimax))) continue;
    let isWanted = true;
    for (const [algorithm, isMet] of demands.filter((name) => name in OTHER_DEMANDS).map((name) => OTHER_DEMANDS[name])) isWanted &&= isMet(await search(algorithm));
    if (!isWanted) continue;
    const alphaBeta = await search("alphabeta");
    if (treeDemands.every((name) => DEMANDS[name](minimax, alphaBeta))) return tree;
  }
  throw new Error(`no tree of ${MAX_TRIES} meets the demands ${demands.join(", ")}`);
}
