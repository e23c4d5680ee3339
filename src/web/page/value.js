// Compares the values of positions: expectations, ranks, and the loss of a move.

/** @import { Outcome, Turn, Value } from "./types.js" */

/**
 * Returns the first player's expectation, from 0 (lost) to 1 (won); 0.5 if the value is not known. Points are read as the
 * logarithm of the odds. That is exact for `auto` and a rough scale for the other algorithms.
 * @param {Value | null} value
 */
export function firstPlayerExpectation(value) {
  if (!value) return 0.5;
  if ("outcome" in value) return value.outcome === "p1win" ? 1 : value.outcome === "p2win" ? 0 : 0.5;
  // An estimate stays between 0.02 and 0.98, so that only a proved win reaches the end of the scale.
  return 0.02 + 0.96 / (1 + Math.exp(-value.points));
}

/** Returns the expectation of the side to move. @param {Value | null} value @param {Turn} turn */
export function moverExpectation(value, turn) {
  return turn === "p2" ? 1 - firstPlayerExpectation(value) : firstPlayerExpectation(value);
}

/**
 * Returns a rank of outcomes for the side to move: the higher, the better. A quick win ranks above a slow one, a slow loss
 * above a quick one.
 * @param {Outcome} value
 * @param {Turn} turn
 */
export function rankOutcome(value, turn) {
  const plies = value.plies ?? 0;
  const sign = outcomeSign(value, turn);
  return sign === 0 ? 0 : sign * (10000 - plies);
}

/** Returns 1 for a win of the side to move, 0 for a draw or none, -1 for a loss. @param {{ outcome: Outcome["outcome"] | null }} value @param {Turn} turn */
export function outcomeSign({ outcome }, turn) {
  if (outcome === "draw" || outcome === null) return 0;
  return (outcome === "p1win") === (turn !== "p2") ? 1 : -1;
}

/** Minimum fall of the expectation that counts as a loss between estimates. */
export const MIN_LOSS = 0.3;

/**
 * Returns the loss of a move, or `null` if it lost nothing. A lost win or draw is proved: both values are outcomes.
 * Lost `chances` are an estimate: the expectation fell by at least `MIN_LOSS`.
 * @param {Value | null} before
 * @param {Value | null} after
 * @param {Turn} turn the side that moved
 * @returns {{ lost: "win" | "draw" | "chances", before: Value, after: Value } | null}
 */
export function findLoss(before, after, turn) {
  if (!before || !after) return null;
  if ("outcome" in before && "outcome" in after) {
    const sign = outcomeSign(before, turn);
    return outcomeSign(after, turn) >= sign ? null : { lost: sign === 1 ? "win" : "draw", before, after };
  }
  return moverExpectation(before, turn) - moverExpectation(after, turn) < MIN_LOSS ? null : { lost: "chances", before, after };
}
