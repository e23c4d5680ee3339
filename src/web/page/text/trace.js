// The texts of a drawn search: its controls, its nodes, its events.

import { boundWords, valueWords, windowWords } from "./lessons.js";
import { pluralize } from "./moves.js";

/** @import { Progress, SearchEvent } from "../lessons/trace_events.js" */
/** @import { ShownPlace } from "../trace/shown_tree.js" */

/** A description of each traced algorithm. @type {Record<string, string>} */
export const ALGORITHM_NOTES = {
  minimax: "Searches every position up to the depth. Max takes the highest value, min the lowest.",
  expectimax: "The opponent moves at random, so an opponent's node has the average value of its children.",
  alphabeta: "Keeps a window (α, β) of values that still matter and cuts off moves outside it.",
  scout: "Tests with a null window that the other moves are no better than the first, and searches a better one again.",
  mtdf: "Null windows only: each search raises the lower bound or lowers the upper bound until the two meet.",
  pvs: "Alpha-beta for the first move, null windows for the others: a better one is searched again.",
};

export const TRACE_LABELS = {
  tree: "Tree of the search",
  whole: "All nodes as bars, one row a ply: green the current way, gray done, low and red cut, thin not visited.",
  view: "View of the tree",
  views: { follow: "Follow", whole: "Whole" },
  scrubber: "Event of the drawn search",
  cutBack: "Cut before (Shift and ←)",
  cutNext: "Next cut (Shift and →)",
  past: "Past this subtree (Alt and →)",
  start: "root",
  way: "The way to this node",
  events: "Events of this node",
  continueHere: "Continue from here",
  node: "Node",
  window: "Window",
  value: "Value",
  visits: "Visits",
  order: "Order",
  large: "Larger board",
  small: "Smaller board",
  beside: "Beside it",
  alone: "nothing",
  align: "Side by side at the same",
  alignments: { event: "event", node: "number of nodes", leaf: "number of leaves" },
  divider: "Width of the tree",
  only: "Dotted outline, or a line below a bar: only this search has been here.",
};

/** @type {Record<string, string>} */
const REASONS = { notation: "the usual order", iteration: "best in the iteration before", table: "the move of the table", capture: "it captures", killer: "it has cut off beside here", history: "it has cut off elsewhere" };

/** Returns the place of a move in the order of its node, and why it is there. @param {number} at from 1 @param {number} count @param {string | undefined} why */
export function orderText(at, count, why) {
  return `${at} of ${count}${why ? `: ${REASONS[why] ?? why}` : ""}`;
}

/** Returns the names of an event's kind on its button. @param {SearchEvent} event @param {string} child the move to the child, if it names one */
export function chipText({ e, i, found }, child) {
  /** @type {Record<string, string>} */
  const names = { make: "made", enter: "enter", order: "order", leaf: "evaluate", table: found === "answers" ? "▣ table" : "table", store: "store", back: `from ${child}`, cut: "═ cut", again: "↻ again", leave: "leave" };
  return `${i} ${names[e] ?? e}`;
}

/** @param {Progress} known @param {any} game */
function knownText(known, game) {
  if (known.status === "unseen") return "unseen";
  const window = known.window ? `window ${windowFact(known, game)}` : "";
  return [known.status === "done" ? `value ${boundWords(known.value, known.bound, game)}` : "open", window, known.isCut ? "cut" : "", known.how === "remembered" ? "from the table" : ""].filter(Boolean).join(", ");
}

/** Returns what a place is called for screen readers. @param {ShownPlace} place @param {Progress} known @param {any} game */
export function placeLabel(place, known, game) {
  return `${place.path || TRACE_LABELS.start}, ${place.kind}, ${knownText(known, game)}${place.isFolded ? `, ${pluralize(place.hidden ?? 0, "node")} folded` : ""}${place.isOnly ? ", only in this search" : ""}`;
}

/** @param {number} count @param {number} visited */
export function blockLabel(count, visited) {
  return `${count} siblings, ${visited} visited. Open them`;
}

/** @param {number} nodes @param {number} rows */
export function wholeLabel(nodes, rows) {
  return `${nodes} nodes in ${rows} rows`;
}

/** Returns a value with the plies to a forced end: `X wins in 3`. @param {import("../lessons/trace_events.js").SearchValue} value @param {any} game */
function fullValue(value, game) {
  return value !== null && typeof value === "object" && value.plies > 0 ? `${valueWords(value, game)} in ${value.plies}` : valueWords(value, game);
}

/** Returns the facts of a node: what it is called, and its value in words. @param {Progress} known @param {any} game */
export function valueFact(known, game) {
  if (known.status === "unseen") return "unseen";
  if (known.status === "open" && known.value !== null) return fullValue(known.value, game);
  if (known.status === "open") return known.sum === undefined ? "not known yet" : `Σ ${valueWords(known.sum)} so far`;
  return `${known.bound === "lower" ? "≥ " : known.bound === "upper" ? "≤ " : ""}${fullValue(known.value, game)}${known.how === "remembered" ? ", from the table" : known.isCut ? ", cut" : ""}`;
}

/** @param {Progress} known @param {any} game */
export function windowFact({ window }, game) {
  if (!window) return "–";
  const text = windowWords(window, game);
  return text.startsWith("(") ? `(${window[0] === null ? "−∞" : fullValue(window[0], game)}, ${window[1] === null ? "∞" : fullValue(window[1], game)})` : text;
}

/** Returns what is told of a search before its first event. @param {string} begin the sentence of the engine */
export function startText(begin) {
  return `The search has not started. ${begin}`.trim();
}

/** @param {number} at @param {number} last */
export function eventCounter(at, last) {
  return `${at} of ${last}`;
}

/** @param {number} count the number of events so far */
export function loadingText(count) {
  return count ? `Asking the engine: ${count.toLocaleString("en")} events …` : "Asking the engine …";
}

/** Returns why not all events are shown. @param {number} shown */
export function truncatedText(shown) {
  return `Only the first ${shown.toLocaleString("en")} events are shown. Value and counts are those of the whole search.`;
}

/** @param {string} algorithm @param {boolean} memory */
export function laneText(algorithm, memory) {
  return memory && algorithm !== "mtdf" ? `${algorithm}, table` : algorithm;
}
