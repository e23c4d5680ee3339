// Decides whether a move lost something: only what is proved, or what estimates support beyond their noise.

import { findLoss, firstPlayerExpectation, moverExpectation, outcomeSign } from "./value.js";

/** @import { GameNode } from "./game_tree.js" */
/** @import { Outcome, Value } from "./types.js" */

/** Minimum depth of an estimate that a loss rests on, in plies. */
const MIN_DEPTH = 6;
/** Maximum change of an expectation between the last two depths of a stable estimate. */
const MAX_NOISE = 0.1;
/**
 * Maximum points of an estimate that can be read as the logarithm of odds. It is far beyond what a fitted network says of an open
 * position. Other algorithms, and games that are no hunts, have other points, which often exceed it.
 */
const MAX_LOG_ODDS = 6;

/**
 * Returns the loss of the move to `node`, or `null` if it lost nothing or the values do not show it reliably.
 * @param {GameNode} node
 */
export function findReliableLoss(node) {
  const before = node.parent;
  const turn = before?.state?.turn;
  if (!before || !turn) return null;
  const loss = findLoss(before.value, node.value, turn);
  if (loss?.lost !== "chances") return loss;
  const { value } = node;
  if (value && "outcome" in value && outcomeSign(value, turn) < 0) return isNewLoss(before, value) ? loss : null;
  // An estimate that still favors the mover takes nothing away from a proved win.
  if (isProved(before.value) && moverExpectation(value, turn) > 0.5) return null;
  // The position before is one ply nearer to the start, so its search sees as far with one ply more.
  const neededDepth = before.value && "outcome" in before.value ? before.value.plies ?? 0 : before.depth - 1;
  const isComparable = isProved(value) || node.depth >= neededDepth;
  return isComparable && isStable(before) && isStable(node) ? loss : null;
}

/** Returns `true` if a value can be read as a chance: an outcome, or an estimate within the range of log-odds. @param {Value | null} value */
export function isChance(value) {
  return value !== null && ("outcome" in value || Math.abs(value.points) <= MAX_LOG_ODDS);
}

/**
 * Returns `true` if the position before a proved loss was not lost, as far as can be seen: its search looked further than the
 * loss is away and found none, and the last proved value before it was not the same loss.
 * @param {GameNode} before
 * @param {Outcome} loss
 */
function isNewLoss(before, loss) {
  if (before.depth <= (loss.plies ?? Infinity)) return false;
  let at = before.parent;
  while (at && !isProved(at.value)) at = at.parent;
  return !at?.value || !("outcome" in at.value) || at.value.outcome !== loss.outcome;
}

/** @param {Value | null} value */
function isProved(value) {
  return value !== null && "outcome" in value;
}

/** Returns `true` if the value of a position is proved, or a deep estimate of a chance that the last depth hardly changed. @param {GameNode} node */
function isStable({ value, previousValue, depth }) {
  if (isProved(value)) return true;
  return isChance(value) && depth >= MIN_DEPTH && previousValue !== null && Math.abs(firstPlayerExpectation(value) - firstPlayerExpectation(previousValue)) <= MAX_NOISE;
}

/** Returns how far the mover's expectation fell with the move to `node`; 0 if a value is no chance. @param {GameNode} node */
export function fallOf(node) {
  const before = node.parent;
  if (!before?.state || !isChance(before.value) || !isChance(node.value)) return 0;
  return moverExpectation(before.value, before.state.turn) - moverExpectation(node.value, before.state.turn);
}
