// The values of positions and moves, as sentences and as short marks.

import { firstPlayerExpectation, moverExpectation, outcomeSign } from "../value.js";
import { capitalize, moveInstruction, pluralize, sideName, sideWithArticle, winVerb } from "./moves.js";

/** @import { Estimate, Line, SolvedMove, State, Tree, Turn, Value } from "../types.js" */
/** @import { Loss, Review } from "../review.js" */

/** Returns `estimate, depth 9`, or `estimate` if the depth is not known. @param {Estimate} value */
function estimateText(value) {
  return value.depth === undefined ? "estimate" : `estimate, depth ${value.depth}`;
}

/**
 * Returns a value as a sentence: `Goats win in 12` if it is exact, `Goats win within 12` if a search proved it, and
 * `Tigers slightly better (estimate, depth 9)` if it is an estimate.
 * @param {State} state
 * @param {Value} value
 */
export function valueText(state, value) {
  if (state.board.slides === "all") return scoreValueText(value);
  if ("outcome" in value) {
    if (value.outcome === "draw") return value.plies === 0 ? "A draw" : "A draw with best play";
    const winner = value.outcome === "p1win" ? "p1" : "p2";
    const side = capitalize(sideName(state, winner));
    if (value.plies === 0) return `${side} won`;
    return `${side} ${winVerb(state, winner)}${value.plies === null ? "" : `${value.exact ? " in" : " within"} ${value.plies}`}`;
  }
  if (state.board.kind === "tree") {
    const { depth } = value;
    const height = treeHeight(state);
    return depth === undefined || height !== null && depth >= height ? `Value ${shortValue(value)}` : `Not known at depth ${depth}`;
  }
  const lead = firstPlayerExpectation(value) - 0.5;
  const degree = leadText(Math.abs(lead));
  return `${degree ? `${capitalize(sideName(state, lead > 0 ? "p1" : "p2"))} ${degree}` : "About even"} (${estimateText(value)})`;
}

/** Returns `slightly better`, `better` or `much better`; empty if the position is about even. @param {number} lead the expectation beyond one half, from -0.5 to 0.5 */
function leadText(lead) {
  const size = Math.abs(lead);
  const word = lead > 0 ? "better" : "worse";
  return size < 0.06 ? "" : size < 0.16 ? `slightly ${word}` : size < 0.32 ? word : `much ${word}`;
}

/** Returns what a value is for a side: `winning in 12`, `a draw`, `slightly worse (estimate, depth 9)`. @param {Value} value @param {Turn} turn */
function standingText(value, turn) {
  if ("points" in value) return `${leadText(moverExpectation(value, turn) - 0.5) || "about even"} (${estimateText(value)})`;
  const sign = outcomeSign(value, turn);
  if (sign === 0) return "a draw";
  if (value.plies === 0) return sign > 0 ? "won" : "lost";
  return `${sign > 0 ? "winning" : "losing"}${value.plies === null ? "" : `${value.exact ? " in" : " within"} ${value.plies}`}`;
}

/** Returns the value of a position of 2048 as a sentence. Nobody wins there: a value is the points that are to be expected. @param {Value} value */
function scoreValueText(value) {
  if ("points" in value) return `About ${Math.round(value.points).toLocaleString("en")} more points if played well`;
  return value.plies === 0 ? "The game is over" : "The game ends soon";
}

/** Returns the plies from a tree's position to its deepest leaf; `null` if the engine did not send the tree. @param {State} state */
function treeHeight(state) {
  /** @type {Tree | null} */
  let tree = state.board.root ?? null;
  for (const child of state.board.at ?? []) tree = Array.isArray(tree) ? tree[child - 1] : tree;
  /** @param {Tree} from @returns {number} */
  const height = (from) => (Array.isArray(from) ? 1 + Math.max(...from.map(height)) : 0);
  return tree === null ? null : height(tree);
}

/**
 * Returns a value as a short mark from the first player's view: `+1.25`, `#12` for a win in 12 plies, `−#9` for a loss in 9,
 * `=` for a draw, and `won` or `lost` after the end.
 * @param {Value} value
 */
export function shortValue(value) {
  const sign = value.bound === "lower" ? "≥ " : value.bound === "upper" ? "≤ " : "";
  if ("outcome" in value) {
    if (value.outcome === "draw") return "=";
    const won = value.outcome === "p1win";
    return value.plies === 0 ? (won ? "won" : "lost") : `${sign}${won ? "" : "−"}#${value.plies ?? ""}`;
  }
  const points = Math.abs(value.points) >= 100 ? value.points.toFixed(0) : value.points.toFixed(2).replace(/\.00$/, "");
  return `${sign}${value.points > 0 ? "+" : ""}${points.replace("-", "−")}`;
}

/** Returns a number with at most four digits and a unit prefix: `3.8 M`. @param {number} number */
export function compactNumber(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 1e4) return `${(number / 1e3).toFixed(0)} k`;
  return String(Math.round(number));
}

/** Returns `750 ms` or `1.2 s`. @param {number} milliseconds */
export function durationText(milliseconds) {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/**
 * Returns the warning after a move.
 * @param {State} state the position before the move
 * @param {string} move
 * @param {{ lost: "win" | "draw" | "chances", before: Value, after: Value }} loss
 */
export function warningText(state, move, { lost, before, after }) {
  const head = lost === "chances" ? "This seems to lose a lot" : `This gives away the ${lost}`;
  return `${head}: ${lowerFirst(state, valueText(state, after))} after ${move}, ${lowerFirst(state, valueText(state, before))} before.`;
}

/** Makes the first letter lower case, except of a side's name. @param {State} state @param {string} text */
function lowerFirst(state, text) {
  return state.players.some((player) => text.startsWith(player)) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

/** Returns the exact value of a position as a sentence; empty if it is not known. @param {State} state */
export function solvedText(state) {
  const { solved } = state;
  if (!solved) return "";
  if (state.players.length === 1) return `Solved: ${goalDistance(solved.plies)}.`;
  if (state.board.slides === "all") return solved.points ? `Solved: ${pointsText(state, solved.points)} more on average with best play.` : "Solved: no more points.";
  if (solved.points !== undefined) return `Solved: ${pointsText(state, solved.points)}.`;
  if (solved.verdict === "draw") return "Solved: a draw with best play.";
  const winner = solved.verdict === "p1win" ? "p1" : "p2";
  return `Solved: ${sideWithArticle(state, winner)} ${winVerb(state, winner)}${solved.plies === null ? "" : ` in ${pluralize(solved.plies, "move")}, counting both sides`}.`;
}

/**
 * Returns points as text: `66.96 points` in 2048, `max wins 3 points` in a tree.
 * @param {State} state
 * @param {number} points
 */
function pointsText(state, points) {
  const amount = pluralize(Math.round(Math.abs(points) * 100) / 100, "point");
  if (state.board.slides === "all") return amount;
  if (points === 0) return "neither side wins points";
  const winner = points > 0 ? "p1" : "p2";
  return `${sideName(state, winner)} ${winVerb(state, winner)} ${amount}`;
}

/** Returns the number of moves to the goal of a puzzle. @param {number | null} moves */
export function goalDistance(moves) {
  return moves === null ? "no way to the goal" : moves === 0 ? "this is the goal" : `${pluralize(moves, "move")} to the goal`;
}

/** Returns the exact value of a move: `wins in 12`, `draws; a trap: 33% of replies lose`, `solves it in 9`, `66.96 points`. @param {SolvedMove} move @param {State} state */
export function moveValueText(move, state) {
  if (state.players.length === 1) return move.plies === null ? "never solves it" : `solves it in ${move.plies}`;
  if (move.points !== undefined) return pointsText(state, move.points);
  const { turn } = state;
  const sign = outcomeSign({ outcome: move.verdict }, turn);
  if (sign === 0) return move.traps ? `draws; a trap: ${Math.round(move.traps * 100)}% of replies lose` : "draws";
  return `${sign > 0 ? "wins" : "loses"}${move.plies === null ? "" : ` in ${move.plies}`}`;
}

/** Returns `win`, `loss` or `draw` for the sign of an outcome. @param {number} sign */
export function outcomeName(sign) {
  return sign > 0 ? "win" : sign < 0 ? "loss" : "draw";
}

/** Returns `Depth 12 · 3.8 M nodes · 9.1 M a second`. @param {Line} line */
export function effortText(line) {
  return `Depth ${line.depth} · ${compactNumber(line.nodes)} nodes · ${compactNumber(line.speed)} a second`;
}

/**
 * Returns the parts of an entry of the review: what was played, what it cost, and what was better.
 * @param {State} state the position before the move
 * @param {Loss} loss
 * @returns {string[]} two or three parts
 */
export function lossParts(state, { node, before, after, lost, fall, better }) {
  const change = `from ${standingText(before, state.turn)} to ${standingText(after, state.turn)}`;
  const cost = lost === "step" ? `cost ${Math.round(fall * 100)} of 100 chances (estimate)` : lost === "chances" ? change : `gave away the ${lost}, ${change}`;
  const move = state.moves.find((one) => one.move === better);
  return [`Move ${node.ply}: ${node.move} by ${sideWithArticle(state, state.turn)}`, cost, ...(move ? [`Better: ${lowerFirst(state, moveInstruction(state, move))}`] : [])];
}

/** Returns an entry of the review as a sentence or two. @param {State} state the position before the move @param {Loss} loss */
export function lossText(state, loss) {
  const [head, cost, better] = lossParts(state, loss);
  return `${head}${loss.lost === "chances" ? "," : ""} ${cost}.${better ? ` ${better}.` : ""}`;
}

/**
 * Returns the sentence about the move that decided a finished game; empty if none stands out.
 * @param {State} state
 * @param {Review} review
 */
export function coachText(state, { hasEnoughValues, allProved, loser, lostInSmallSteps, losses: [worst] }) {
  if (!hasEnoughValues) return "";
  if (lostInSmallSteps && loser) return `${capitalize(sideWithArticle(state, loser))} lost step by step.`;
  if (!worst) return allProved ? "No move gave away a win or a draw." : "";
  const move = `Move ${worst.node.ply}, ${worst.node.move},`;
  return worst.lost === "chances" ? `${move} seems to have decided it.` : `${move} gave away the ${worst.lost}.`;
}

/** Returns the progress of the search for the turning point. @param {number} missing the positions that need a search @param {number} moves */
export function seekingText(missing, moves) {
  return `Looking for the move that decided it: ${moves + 1 - missing} of ${moves + 1} positions.`;
}

/**
 * Returns the summary of a review. Only if every outcome is proved can it say that no move gave away anything.
 * @param {State} state
 * @param {Review} review
 */
export function reviewSummary(state, { moves, allProved, someProved, depths, turningPoints, loser, lostInSmallSteps, losses }) {
  const count = pluralize(moves, "move");
  const worst = turningPoints > losses.length ? `, the worst ${losses.length}` : "";
  if (allProved) return `${count}. By exact values, ${turningPoints ? `${pluralize(turningPoints, "move")} gave away a win or a draw${worst}:` : "no move gave away a win or a draw."}`;
  const range = depths ? ` of depth ${depths[0] === depths[1] ? depths[0] : `${depths[0]} to ${depths[1]}`}` : "";
  const head = depths ? `${count}, judged ${someProved ? "partly " : ""}by estimates${range}. Estimates prove nothing.` : `${count}. Some positions have no value.`;
  if (turningPoints) return `${head} ${pluralize(turningPoints, "turning point")}${worst}:`;
  if (!loser) return `${head} No single move stands out.`;
  const side = sideWithArticle(state, loser);
  return `${head} No single move stands out: ${lostInSmallSteps ? `${side} lost step by step, most in these moves:` : `the estimates do not show where ${side} lost.`}`;
}
