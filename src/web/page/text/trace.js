// The texts of a drawn search: its controls, its nodes, its events.

import { t } from "../language.js";
import { boundWords, valueWords, windowWords } from "./lessons.js";
import { sideNoun } from "./nouns.js";

/** @import { Progress, SearchEvent } from "../lessons/trace_events.js" */
/** @import { ShownPlace } from "../trace/shown_tree.js" */

/** A description of each traced algorithm. @type {Record<string, string>} */
export const ALGORITHM_NOTES = {
  minimax: t("Searches every position up to the depth. Max takes the highest value, min the lowest."),
  expectimax: t("The opponent moves at random, so an opponent's node has the average value of its children."),
  alphabeta: t("Keeps a window (α, β) of values that still matter and cuts off moves outside it."),
  scout: t("Tests with a null window that the other moves are no better than the first, and searches a better one again."),
  mtdf: t("Null windows only: each search raises the lower bound or lowers the upper bound until the two meet."),
  pvs: t("Alpha-beta for the first move, null windows for the others: a better one is searched again."),
};

export const TRACE_LABELS = {
  tree: t("Tree of the search"),
  whole: t("All nodes as bars, one row a ply: green the current way, gray done, low and red cut, thin not visited."),
  view: t("View of the tree"),
  views: { follow: t("Follow"), whole: t("Whole") },
  scrubber: t("Event of the drawn search"),
  cutBack: t("Cut before (Shift and ←)"),
  cutNext: t("Next cut (Shift and →)"),
  start: t("root"),
  way: t("The way to this node"),
  events: t("Events of this node"),
  continueHere: t("Continue from here"),
  node: t("Node"),
  window: t("Window"),
  value: t("Value"),
  visits: t("Visits"),
  order: t("Order"),
  large: t("Larger board"),
  small: t("Smaller board"),
  beside: t("Beside it"),
  alone: t("nothing"),
  align: t("Side by side at the same"),
  alignments: { event: t("event"), node: t("number of nodes"), leaf: t("number of leaves") },
  only: t("Dotted outline, or a line below a bar: only this search has been here."),
};

/** @type {Record<string, string>} */
const REASONS = {
  notation: t("the usual order"), iteration: t("best in the iteration before"), table: t("the move of the table"), capture: t("it captures"),
  killer: t("it has cut off at this depth"), history: t("it has cut off elsewhere"),
};

/** The kinds of nodes. @type {Record<string, string>} */
const KINDS = { max: t("max"), min: t("min"), chance: t("chance"), leaf: t("leaf") };

/** Returns the place of a move in the order of its node, and why it is there. @param {number} at from 1 @param {number} count @param {string | undefined} why */
export function orderText(at, count, why) {
  return why ? t("{at} of {count}: {reason}", { at, count, reason: REASONS[why] ?? why }) : countText(at, count);
}

/** @param {number} at @param {number} count */
export function countText(at, count) {
  return t("{at} of {count}", { at, count });
}

/** The names of the kinds of events on their buttons. @type {Record<string, string>} */
const CHIPS = { make: t("made"), enter: t("enter"), order: t("order"), leaf: t("evaluate"), table: t("table"), store: t("store"), cut: t("═ cut"), again: t("↻ again"), leave: t("leave") };

/** Returns the text of an event's button. @param {SearchEvent} event @param {string} child the move to the child, if it names one */
export function chipText({ e, i, found }, child) {
  return `${i} ${e === "back" ? t("from {child}", { child }) : e === "table" && found === "answers" ? t("▣ table") : CHIPS[e] ?? e}`;
}

/** @param {Progress} known @param {any} game */
function knownText(known, game) {
  if (known.status === "unseen") return t("unseen");
  return [
    known.status === "done" ? t("value {value}", { value: boundWords(known.value, known.bound, game) }) : t("open"),
    known.window ? t("window {window}", { window: windowFact(known, game) }) : "",
    known.isCut ? t("cut") : "",
    known.how === "remembered" ? t("from the table") : "",
  ].filter(Boolean).join(", ");
}

/** Returns what a place is called for screen readers. @param {ShownPlace} place @param {Progress} known @param {any} game */
export function placeLabel(place, known, game) {
  return [
    place.path || TRACE_LABELS.start, KINDS[place.kind], knownText(known, game),
    place.isFolded ? t("{count, plural, one {# node} other {# nodes}} folded", { count: place.hidden ?? 0 }) : "",
    place.isOnly ? t("only in this search") : "",
  ].filter(Boolean).join(", ");
}

/** @param {number} count @param {number} visited */
export function blockLabel(count, visited) {
  return t("{count} siblings, {visited} visited. Open them", { count, visited });
}

/** @param {number} nodes @param {number} rows */
export function wholeLabel(nodes, rows) {
  return t("{nodes} nodes in {rows} rows", { nodes, rows });
}

/** Returns a value with the plies to a forced end: `X wins in 3`. @param {import("../lessons/trace_events.js").SearchValue} value @param {any} game */
function fullValue(value, game) {
  if (value === null || typeof value !== "object" || value.plies === 0) return valueWords(value, game);
  return t("{side} {side.number, select, one {wins} many {win}} in {plies}", { side: sideNoun(game.players[value.win === "p1" ? 0 : 1]), plies: value.plies });
}

/** Returns the value of a node in words. @param {Progress} known @param {any} game */
export function valueFact(known, game) {
  if (known.status === "unseen") return t("unseen");
  if (known.status === "open" && known.value !== null) return fullValue(known.value, game);
  if (known.status === "open") return known.sum === undefined ? t("not known yet") : t("Σ {sum} so far", { sum: valueWords(known.sum) });
  const value = `${known.bound === "lower" ? "≥ " : known.bound === "upper" ? "≤ " : ""}${fullValue(known.value, game)}`;
  if (known.how === "remembered") return t("{value}, from the table", { value });
  return known.isCut ? t("{value}, cut", { value }) : value;
}

/** @param {Progress} known @param {any} game */
export function windowFact({ window }, game) {
  if (!window) return "–";
  const text = windowWords(window, game);
  return text.startsWith("(") ? `(${window[0] === null ? "−∞" : fullValue(window[0], game)}, ${window[1] === null ? "∞" : fullValue(window[1], game)})` : text;
}

/** Returns what is told of a search before its first event. @param {string} begin the sentence of the event `begin` */
export function startText(begin) {
  return `${t("The search has not started.")} ${begin}`;
}

/** @param {number} count the number of events so far */
export function loadingText(count) {
  return count ? t("Asking the engine: {count} events …", { count }) : t("Asking the engine …");
}

/** Returns why not all events are shown. @param {number} shown */
export function truncatedText(shown) {
  return t("Only the first {shown} events are shown. Value and counts are those of the whole search.", { shown });
}

/** @param {number} value events a second */
export function speedText(value) {
  return t("{value} a second", { value });
}

/** Returns what is told of one of two searches. @param {string} title @param {string} text */
export function laneLine(title, text) {
  return t("{title}: {text}", { title, text });
}

/** @param {string} algorithm @param {boolean} memory */
export function laneText(algorithm, memory) {
  return memory && algorithm !== "mtdf" ? t("{algorithm}, table", { algorithm }) : algorithm;
}
