// Trees whose leaves keep the counts that their evaluation is made of, so that other weights need no other search.

/** @import { SearchEvent } from "./trace_events.js" */

/** The terms of the reference evaluation of Aadu Puli, and the weight of each. @type {Record<string, number>} */
export const WEIGHTS = { goats: 4, "tiger steps": -1, "tiger captures": -2 };

/** The weights of a goat, and of a step and a capture of a tiger: the evaluation adds the first, and subtracts the others. @typedef {[number, number, number]} Weights */
/** @type {Weights} */
export const REFERENCE_WEIGHTS = /** @type {any} */ (Object.values(WEIGHTS).map(Math.abs));

/** The largest weight that can be chosen. */
export const MAX_WEIGHT = 10;

/**
 * A node. `counts` are the goats, the steps and the captures of a leaf at the limit of the depth; `value` is that of a leaf at which the game is over.
 * @typedef {{ move: string, isMax: boolean, children: LeafNode[], counts: number[] | null, value: number | null }} LeafNode
 */

/** Returns the counts of the terms of a leaf. @param {[string, number][]} terms */
export function countsOf(terms) {
  return Object.entries(WEIGHTS).map(([name, weight]) => Math.round((terms.find(([term]) => term === name)?.[1] ?? 0) / weight));
}

/** Returns the tree of a minimax search. @param {SearchEvent[]} events those that make nodes and value leaves are enough */
export function readLeafTree(events) {
  /** @type {LeafNode[]} */
  const nodes = [];
  for (const { e, n, parent, move, kind, terms, value, why } of events) {
    if (e === "make") {
      nodes[n] = { move: move ?? "", isMax: kind === "max", children: [], counts: null, value: null };
      if (parent !== null) nodes[parent].children.push(nodes[n]);
    } else if (e === "leaf") {
      if (why === "over") nodes[n].value = typeof value === "object" ? (value.win === "p1" ? Infinity : -Infinity) : value;
      else nodes[n].counts = countsOf(terms);
    }
  }
  return nodes[0];
}

/** Returns the value of counts. @param {number[]} counts @param {Weights} weights */
function weighted([goats, steps, captures], [goat, step, capture]) {
  return goats * goat - steps * step - captures * capture;
}

/** Returns the minimax value of a tree. @param {LeafNode} node @param {Weights} weights @returns {number} */
export function minimax({ isMax, children, counts, value }, weights) {
  if (counts) return weighted(counts, weights);
  if (value !== null) return value;
  let best = isMax ? -Infinity : Infinity;
  for (const child of children) {
    const found = minimax(child, weights);
    if (isMax ? found > best : found < best) best = found;
  }
  return best;
}

/** Returns the children of a root with the best value, and that value. @param {LeafNode} root @param {Weights} weights */
export function bestMoves(root, weights) {
  const values = root.children.map((child) => ({ move: child.move, value: minimax(child, weights) }));
  const value = (root.isMax ? Math.max : Math.min)(...values.map((one) => one.value));
  return { value, moves: values.filter((one) => one.value === value).map(({ move }) => move), values };
}

/**
 * Returns the value of a tree in which captures are searched to their end: at the limit, the tigers may stop there or capture. `deeper` is the tree
 * with one ply more. Goats capture nothing, so one ply is the end of all captures.
 * @param {LeafNode} node
 * @param {LeafNode} deeper
 * @param {Weights} weights
 * @returns {number}
 */
export function quietValue(node, deeper, weights) {
  if (node.value !== null) return node.value;
  if (node.counts) {
    const goats = node.counts[0];
    const captures = deeper.children.filter((child) => child.counts && child.counts[0] < goats);
    return Math.min(weighted(node.counts, weights), ...captures.map((child) => minimax(child, weights)));
  }
  const values = node.children.map((child) => quietValue(child, /** @type {LeafNode} */ (deeper.children.find(({ move }) => move === child.move)), weights));
  return (node.isMax ? Math.max : Math.min)(...values);
}
