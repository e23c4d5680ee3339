// The values of positions and moves, as sentences and as short marks.

import { capitalize, numberText, t } from "../language.js";
import { firstPlayerExpectation, moverExpectation, outcomeSign } from "../value.js";
import { instructionText, sideName } from "./moves.js";

/** @import { Line, SolvedMove, State, Tree, Turn, Value } from "../types.js" */
/** @import { Loss, Review } from "../review.js" */

/** Returns `estimate, depth 9`, or `estimate` if the depth is not known. @param {number | undefined} depth */
function estimateText(depth) {
  return depth === undefined ? t("estimate") : t("estimate, depth {depth}", { depth });
}

/**
 * Returns a value as a phrase: `goats win in 12` if it is exact, `goats win within 12` if a search proved it, and
 * `tigers slightly better (estimate, depth 9)` if it is an estimate.
 * @param {State} state
 * @param {Value} value
 * @param {boolean} [showsDepth]
 */
function valuePhrase(state, value, showsDepth = true) {
  if (state.board.slides === "all") return scoreValuePhrase(value);
  if ("outcome" in value) {
    const { outcome, plies } = value;
    if (outcome === "draw") return plies === 0 ? t("a draw") : t("a draw with best play");
    const side = sideName(state, outcome === "p1win" ? "p1" : "p2");
    if (plies === 0) return t("{side} won", { side });
    if (plies === null) return t("{side} {side.number, select, one {wins} many {win}}", { side });
    return value.exact ? t("{side} {side.number, select, one {wins} many {win}} in {plies}", { side, plies }) : t("{side} {side.number, select, one {wins} many {win}} within {plies}", { side, plies });
  }
  const { depth } = value;
  if (state.board.kind === "tree") {
    const height = treeHeight(state);
    return depth === undefined || height !== null && depth >= height ? t("value {value}", { value: shortValue(value) }) : t("not known at depth {depth}", { depth });
  }
  const lead = firstPlayerExpectation(value) - 0.5;
  const values = { side: sideName(state, lead > 0 ? "p1" : "p2"), estimate: estimateText(showsDepth ? depth : undefined) };
  switch (degreeOf(lead)) {
    case 0: return t("about even ({estimate})", values);
    case 1: return t("{side} slightly better ({estimate})", values);
    case 2: return t("{side} better ({estimate})", values);
    default: return t("{side} much better ({estimate})", values);
  }
}

/** Returns a value as a sentence without its final period: `Goats win in 12`. @param {State} state @param {Value} value @param {boolean} [showsDepth] */
export function valueText(state, value, showsDepth) {
  return capitalize(valuePhrase(state, value, showsDepth));
}

/** Returns the size of a lead, from 0 for an even position to 3. @param {number} lead the expectation beyond one half, from -0.5 to 0.5 */
function degreeOf(lead) {
  return [0.06, 0.16, 0.32].filter((limit) => Math.abs(lead) >= limit).length;
}

/** Returns what a value is for a side: `winning in 12`, `a draw`, `slightly worse (estimate, depth 9)`. @param {Value} value @param {Turn} turn */
function standingText(value, turn) {
  if ("points" in value) {
    const lead = moverExpectation(value, turn) - 0.5;
    const estimate = estimateText(value.depth);
    switch (degreeOf(lead) * Math.sign(lead)) {
      case 3: return t("much better ({estimate})", { estimate });
      case 2: return t("better ({estimate})", { estimate });
      case 1: return t("slightly better ({estimate})", { estimate });
      case -1: return t("slightly worse ({estimate})", { estimate });
      case -2: return t("worse ({estimate})", { estimate });
      case -3: return t("much worse ({estimate})", { estimate });
      default: return t("about even ({estimate})", { estimate });
    }
  }
  const sign = outcomeSign(value, turn);
  const { plies } = value;
  if (sign === 0) return t("a draw");
  if (plies === 0) return sign > 0 ? t("won") : t("lost");
  if (plies === null) return sign > 0 ? t("winning") : t("losing");
  if (value.exact) return sign > 0 ? t("winning in {plies}", { plies }) : t("losing in {plies}", { plies });
  return sign > 0 ? t("winning within {plies}", { plies }) : t("losing within {plies}", { plies });
}

/** Returns the value of a position of 2048 as a phrase. Nobody wins there: a value is the points that are to be expected. @param {Value} value */
function scoreValuePhrase(value) {
  if ("points" in value) return t("about {points} more points if played well", { points: Math.round(value.points) });
  return value.plies === 0 ? t("the game is over") : t("the game ends soon");
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
    return value.plies === 0 ? (won ? t("won") : t("lost")) : `${sign}${won ? "" : "−"}#${value.plies ?? ""}`;
  }
  const points = Math.abs(value.points) >= 100 ? value.points.toFixed(0) : value.points.toFixed(2).replace(/\.00$/, "");
  return `${sign}${value.points > 0 ? "+" : ""}${points.replace("-", "−")}`;
}

/** Returns a number with a fixed number of decimals and no separators of thousands. @param {number} number @param {number} decimals */
function fixed(number, decimals) {
  return numberText(number, { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false });
}

/** Returns a number with at most four digits and a unit prefix: `3.8 M`. @param {number} number */
export function compactNumber(number) {
  if (number >= 1e9) return `${fixed(number / 1e9, 1)} G`;
  if (number >= 1e6) return `${fixed(number / 1e6, 1)} M`;
  if (number >= 1e4) return `${fixed(number / 1e3, 0)} k`;
  return fixed(number, 0);
}

/** Returns `750 ms` or `1.2 s`. @param {number} milliseconds */
export function durationText(milliseconds) {
  return milliseconds < 1000 ? `${fixed(milliseconds, 0)} ms` : `${fixed(milliseconds / 1000, 1)} s`;
}

/** Returns the time of a move, as a step of the speed slider. @param {number} milliseconds */
export function paceText(milliseconds) {
  if (milliseconds === 0) return t("at once");
  const seconds = milliseconds === 250 ? "¼" : milliseconds / 1000;
  return milliseconds >= 2000 ? t("{seconds} s a move", { seconds }) : t("{seconds} s", { seconds });
}

/**
 * Returns the warning after a move.
 * @param {State} state the position before the move
 * @param {string} move
 * @param {{ lost: "win" | "draw" | "chances", before: Value, after: Value }} loss
 */
export function warningText(state, move, { lost, before, after }) {
  const values = { move, lost, after: valuePhrase(state, after), before: valuePhrase(state, before) };
  return lost === "chances"
    ? t("This seems to lose a lot: {after} after {move}, {before} before.", values)
    : t("This gives away the {lost, select, win {win} other {draw}}: {after} after {move}, {before} before.", values);
}

/** Returns the exact value of a position as a sentence; empty if it is not known. @param {State} state */
export function solvedText(state) {
  const { solved } = state;
  if (!solved) return "";
  const { verdict, plies, points } = solved;
  if (state.players.length === 1) return t("Solved: {value}.", { value: goalDistance(plies) });
  if (state.board.slides === "all" && !points) return t("Solved: no more points.");
  if (state.board.slides === "all") return t("Solved: {points, plural, one {# point} other {# points}} more on average with best play.", { points: rounded(points) });
  if (points !== undefined) return t("Solved: {value}.", { value: pointsText(state, points) });
  if (verdict === "draw") return t("Solved: a draw with best play.");
  const side = sideName(state, verdict === "p1win" ? "p1" : "p2");
  return plies === null
    ? t("Solved: {side.the} {side.number, select, one {wins} many {win}}.", { side })
    : t("Solved: {side.the} {side.number, select, one {wins} many {win}} in {plies, plural, one {# move} other {# moves}}, counting both sides.", { side, plies });
}

/** Returns the absolute value with at most two decimals. @param {number | undefined} points */
function rounded(points = 0) {
  return Math.round(Math.abs(points) * 100) / 100;
}

/**
 * Returns points as text: `66.96 points` in 2048, `max wins 3 points` in a tree.
 * @param {State} state
 * @param {number} value
 */
function pointsText(state, value) {
  const points = rounded(value);
  if (state.board.slides === "all") return t("{points, plural, one {# point} other {# points}}", { points });
  if (value === 0) return t("neither side wins points");
  const side = sideName(state, value > 0 ? "p1" : "p2");
  return t("{side} {side.number, select, one {wins} many {win}} {points, plural, one {# point} other {# points}}", { side, points });
}

/** Returns the number of moves to the goal of a puzzle. @param {number | null} moves */
export function goalDistance(moves) {
  if (moves === null) return t("no way to the goal");
  return moves === 0 ? t("this is the goal") : t("{moves, plural, one {# move} other {# moves}} to the goal", { moves });
}

/** Returns the exact value of a move: `wins in 12`, `draws; a trap: 33% of replies lose`, `solves it in 9`, `66.96 points`. @param {SolvedMove} move @param {State} state */
export function moveValueText({ plies, points, traps, verdict }, state) {
  if (state.players.length === 1) return plies === null ? t("never solves it") : t("solves it in {plies}", { plies });
  if (points !== undefined) return pointsText(state, points);
  const sign = outcomeSign({ outcome: verdict }, state.turn);
  if (sign === 0) return traps ? t("draws; a trap: {share} of replies lose", { share: numberText(traps, { style: "percent" }) }) : t("draws");
  if (plies === null) return sign > 0 ? t("wins") : t("loses");
  return sign > 0 ? t("wins in {plies}", { plies }) : t("loses in {plies}", { plies });
}

/** Returns `win`, `loss` or `draw` for the sign of an outcome. @param {number} sign */
export function outcomeName(sign) {
  return sign > 0 ? "win" : sign < 0 ? "loss" : "draw";
}

/** Returns `Depth 12 · 3.8 M nodes · 9.1 M a second`. @param {Line} line */
export function effortText({ depth, nodes, speed }) {
  return t("Depth {depth} · {nodes} nodes · {speed} a second", { depth, nodes: compactNumber(nodes), speed: compactNumber(speed) });
}

/** Returns the arguments of the sentences about a loss. @param {State} state the position before the move @param {Loss} loss */
function lossValues(state, { node, before, after, lost, fall, better }) {
  const move = state.moves.find((one) => one.move === better);
  return {
    ply: node.ply, move: node.move, side: sideName(state, state.turn), lost, before: standingText(before, state.turn), after: standingText(after, state.turn),
    chances: Math.round(fall * 100), better: move ? instructionText(state, move) : "",
  };
}

/**
 * Returns the parts of an entry of the review: what was played, what it cost, and what was better.
 * @param {State} state the position before the move
 * @param {Loss} loss
 * @returns {string[]} two or three parts
 */
export function lossParts(state, loss) {
  const values = lossValues(state, loss);
  const cost = loss.lost === "step" ? t("Cost {chances} of 100 chances (estimate)", values)
    : loss.lost === "chances" ? t("From {before} to {after}", values)
    : t("Gave away the {lost, select, win {win} other {draw}}, from {before} to {after}", values);
  return [t("Move {ply}: {move} by {side.the}", values), cost, ...(values.better ? [t("Better: {better}", values)] : [])];
}

/** Returns an entry of the review as a sentence or two. @param {State} state the position before the move @param {Loss} loss */
export function lossText(state, loss) {
  const values = lossValues(state, loss);
  const text = loss.lost === "step" ? t("Move {ply}: {move} by {side.the} cost {chances} of 100 chances (estimate).", values)
    : loss.lost === "chances" ? t("Move {ply}: {move} by {side.the}, from {before} to {after}.", values)
    : t("Move {ply}: {move} by {side.the} gave away the {lost, select, win {win} other {draw}}, from {before} to {after}.", values);
  return values.better ? `${text} ${t("Better: {better}.", values)}` : text;
}

/**
 * Returns the sentence about the move that decided a finished game; empty if none stands out.
 * @param {State} state
 * @param {Review} review
 */
export function coachText(state, { hasEnoughValues, allProved, loser, lostInSmallSteps, losses: [worst] }) {
  if (!hasEnoughValues) return "";
  if (lostInSmallSteps && loser) return t("{Side.the} lost step by step.", { side: sideName(state, loser) });
  if (!worst) return allProved ? t("No move gave away a win or a draw.") : "";
  const values = { ply: worst.node.ply, move: worst.node.move, lost: worst.lost };
  return worst.lost === "chances" ? t("Move {ply}, {move}, seems to have decided it.", values) : t("Move {ply}, {move}, gave away the {lost, select, win {win} other {draw}}.", values);
}

/** Returns the name of a position of a game: `12. a2b3`. @param {{ ply: number, move: string }} node */
export function positionName({ ply, move }) {
  return `${ply}. ${move || t("start")}`;
}

/** Returns the progress of the search for the turning point. @param {number} missing the positions that need a search @param {number} moves */
export function seekingText(missing, moves) {
  return t("Looking for the move that decided it: {done} of {positions} positions.", { done: moves + 1 - missing, positions: moves + 1 });
}

/**
 * Returns the summary of a review. Only if every outcome is proved can it say that no move gave away anything.
 * @param {State} state
 * @param {Review} review
 */
export function reviewSummary(state, { moves, allProved, someProved, depths, turningPoints, loser, lostInSmallSteps, losses }) {
  const listed = losses.length;
  const values = { moves, count: turningPoints, listed, someProved: someProved ? "yes" : "no", depth: depths?.[0] ?? 0, max: depths?.[1] ?? 0, side: loser ? sideName(state, loser) : "" };
  const head = allProved || !depths ? t("{moves, plural, one {# move} other {# moves}}.", values)
    : depths[0] === depths[1] ? t("{moves, plural, one {# move} other {# moves}}, judged {someProved, select, yes {partly by} other {by}} estimates of depth {depth}. Estimates prove nothing.", values)
    : t("{moves, plural, one {# move} other {# moves}}, judged {someProved, select, yes {partly by} other {by}} estimates of depth {depth} to {max}. Estimates prove nothing.", values);
  if (allProved) {
    const result = !turningPoints ? t("By exact values, no move gave away a win or a draw.")
      : turningPoints > listed ? t("By exact values, {count, plural, one {# move} other {# moves}} gave away a win or a draw, the worst {listed}:", values)
      : t("By exact values, {count, plural, one {# move} other {# moves}} gave away a win or a draw:", values);
    return `${head} ${result}`;
  }
  const result = turningPoints > listed ? t("{count, plural, one {# turning point} other {# turning points}}, the worst {listed}:", values)
    : turningPoints ? t("{count, plural, one {# turning point} other {# turning points}}:", values)
    : !loser ? t("No single move stands out.")
    : lostInSmallSteps ? t("No single move stands out: {side.the} lost step by step, most in these moves:", values)
    : t("No single move stands out: the estimates do not show where {side.the} lost.", values);
  return [head, depths ? "" : t("Some positions have no value."), result].filter(Boolean).join(" ");
}
