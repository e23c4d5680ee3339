// Finds the moves that decided a finished game: turning points, or else the largest of many small losses.

import { fallOf, findReliableLoss } from "./loss.js";
import { MIN_LOSS, findLoss, moverExpectation } from "./value.js";

/** @import { GameNode } from "./game_tree.js" */
/** @import { Value } from "./types.js" */

/** Maximum number of listed moves. */
const MAX_LISTED = 3;
/** Minimum fall of the expectation that is listed. Smaller ones are noise. */
const MIN_LISTED_LOSS = 0.03;
/** Minimum share of positions with a value for a review. */
const MIN_VALUE_SHARE = 0.9;

/**
 * The loss of a move. `fall` is the fall of the mover's expectation, from 0 to 1; `step` is a small loss. `better` is the best
 * move instead; empty if it is not known.
 * @typedef {{ node: GameNode, before: Value, after: Value, lost: "win" | "draw" | "chances" | "step", fall: number, better: string }} Loss
 */

/**
 * @typedef {object} Review
 * @property {number} moves
 * @property {boolean} hasEnoughValues whether enough positions have a value
 * @property {boolean} allProved whether the outcome of every position is proved
 * @property {boolean} someProved whether the outcome of a position before the last is proved
 * @property {[number, number] | null} depths the minimum and the maximum depth of the estimates
 * @property {number} turningPoints the number of moves that lost a win, a draw or at least `MIN_LOSS`
 * @property {"p1" | "p2" | null} loser
 * @property {boolean} lostInSmallSteps whether there is no turning point, but the loser's small losses add up to one
 * @property {Loss[]} losses the largest turning points, or else the largest small losses; the largest first
 */

/** Returns `true` if the value of a position is neither proved nor from a search that has ended. A search ends early if a person moves at once. @param {GameNode} node */
export function needsSearch({ value, searchEnded }) {
  return !searchEnded && !(value && "outcome" in value);
}

/**
 * Reviews a finished game.
 * @param {GameNode[]} line from the start to the end
 * @returns {Review}
 */
export function reviewGame(line) {
  const outcome = line.at(-1)?.state?.outcome ?? null;
  const loser = outcome === "p1win" ? "p2" : outcome === "p2win" ? "p1" : null;
  const values = line.map((node) => node.value).filter((value) => value !== null);
  const depths = values.flatMap((value) => ("points" in value ? [value.depth ?? 0] : []));
  const losses = line.flatMap((node) => lossOf(node, loser)).toSorted((one, other) => other.fall - one.fall);
  const turningPoints = losses.filter((loss) => loss.lost !== "step");
  const steps = losses.filter((loss) => loss.lost === "step");
  const lostInSmallSteps = turningPoints.length === 0 && steps.reduce((sum, loss) => sum + loss.fall, 0) >= MIN_LOSS;
  return {
    moves: line.length - 1,
    hasEnoughValues: values.length >= line.length * MIN_VALUE_SHARE,
    allProved: values.length === line.length && depths.length === 0,
    someProved: values.some((value) => "outcome" in value && value.plies !== 0),
    depths: depths.length ? [Math.min(...depths), Math.max(...depths)] : null,
    turningPoints: turningPoints.length,
    loser,
    lostInSmallSteps,
    losses: (turningPoints.length ? turningPoints : lostInSmallSteps ? steps : []).slice(0, MAX_LISTED),
  };
}

/** Returns the loss of the move to a position; empty if it lost nothing, or if the values do not show it reliably. @param {GameNode} node @param {"p1" | "p2" | null} loser @returns {Loss[]} */
function lossOf(node, loser) {
  const parent = node.parent;
  if (!parent?.state || !parent.value || !node.value) return [];
  const { turn } = parent.state;
  const loss = findReliableLoss(node);
  const best = parent.state.solved?.moves[0]?.move ?? parent.best;
  const better = best === node.move ? "" : best;
  if (loss) return [{ node, ...loss, fall: moverExpectation(parent.value, turn) - moverExpectation(node.value, turn), better }];
  const fall = fallOf(node);
  const isStep = fall >= MIN_LISTED_LOSS && turn === loser && !findLoss(parent.value, node.value, turn);
  return isStep ? [{ node, before: parent.value, after: node.value, lost: "step", fall, better }] : [];
}
