// Decides which moves of a person deserve a warning: few, and only those whose loss is proved or stands out of the noise.

import { findLoss, firstPlayerExpectation } from "./value.js";

/** @import { GameNode } from "./game_tree.js" */
/** @import { Value } from "./types.js" */

/** Minimum depth of the estimates that a warning rests on, in plies. */
const MIN_DEPTH = 6;
/** Maximum change of an expectation between the last two depths of a stable estimate. */
const MAX_NOISE = 0.1;
/** Minimum plies from one warning to the next: a person is warned at most once in five own moves. */
const MIN_DISTANCE_PLIES = 10;

/** Returns the loss that a person is warned about after the move to `node`, or `null`. @param {GameNode} node */
export function lossToWarnOf(node) {
  const before = node.parent;
  if (!before?.state || node.isWarned || isNearWarning(before)) return null;
  const loss = findLoss(before.value, node.value, before.state.turn);
  if (loss?.lost !== "chances") return loss;
  // The position before is one ply nearer to the start, so its search sees as far with one ply more.
  const isComparable = isProved(node.value) || isProved(before.value) || node.depth >= before.depth - 1;
  return isComparable && isStable(before) && isStable(node) ? loss : null;
}

/** Returns `true` if one of the last moves before a position was warned about. @param {GameNode} node */
function isNearWarning(node) {
  let at = /** @type {GameNode | null} */ (node);
  for (let distance = 1; at && distance < MIN_DISTANCE_PLIES; distance++, at = at.parent) if (at.isWarned) return true;
  return false;
}

/** @param {Value | null} value */
function isProved(value) {
  return value !== null && "outcome" in value;
}

/** Returns `true` if the value of a position is proved, or a deep estimate that the last depth hardly changed. @param {GameNode} node */
function isStable({ value, previousValue, depth }) {
  if (isProved(value)) return true;
  return depth >= MIN_DEPTH && previousValue !== null && Math.abs(firstPlayerExpectation(value) - firstPlayerExpectation(previousValue)) <= MAX_NOISE;
}
