// Decides which moves of a person deserve a warning: few, and only those whose loss is proved or stands out of the noise.

import { findReliableLoss } from "./loss.js";

/** @import { GameNode } from "./game_tree.js" */

/** Minimum plies from one warning to the next: a person is warned at most once in five own moves. */
const MIN_DISTANCE_PLIES = 10;

/** Returns the loss that a person is warned about after the move to `node`, or `null`. @param {GameNode} node */
export function lossToWarnOf(node) {
  const before = node.parent;
  return !before || node.isWarned || isNearWarning(before) ? null : findReliableLoss(node);
}

/** Returns `true` if one of the last moves before a position was warned about. @param {GameNode} node */
function isNearWarning(node) {
  let at = /** @type {GameNode | null} */ (node);
  for (let distance = 1; at && distance < MIN_DISTANCE_PLIES; distance++, at = at.parent) if (at.isWarned) return true;
  return false;
}
