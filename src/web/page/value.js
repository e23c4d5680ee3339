// What a position is worth, as a share of the bar, as an order, and against another: nothing here knows a game.

/** @import { Worth, End, Turn } from "./types.js" */

/**
 * The first player's expectation, from 0 (lost) to 1 (won). Points are taken as the logarithm of the odds, which is what
 * `auto` means by them; for other evaluations it is a picture, not a promise.
 * @param {Worth | null} worth
 */
export function expectation(worth) {
  if (!worth) return 0.5;
  if ("end" in worth) return worth.end === "p1win" ? 1 : worth.end === "p2win" ? 0 : 0.5;
  // Never quite won or lost: that is for what is proved.
  return 0.02 + 0.96 / (1 + Math.exp(-worth.points));
}

/** The same from the mover's view. @param {Worth | null} worth @param {Turn} turn */
export function hope(worth, turn) {
  return turn === "p2" ? 1 - expectation(worth) : expectation(worth);
}

/**
 * Ranks ends from a player's view: a quick win first, a slow loss before a quick one.
 * @param {End | null} worth
 * @param {Turn} turn
 */
export function rank(worth, turn) {
  if (!worth) return Number.NaN;
  const plies = worth.plies ?? 0;
  if (worth.end === "draw") return 0;
  const won = (worth.end === "p1win") === (turn !== "p2");
  return won ? 10000 - plies : plies - 10000;
}

/** Won, drawn or lost for a player: 1, 0, -1. @param {End | null} worth @param {Turn} turn */
export function verdict(worth, turn) {
  if (!worth) return 0;
  if (worth.end === "draw") return 0;
  return (worth.end === "p1win") === (turn !== "p2") ? 1 : -1;
}

/** An estimate counts as given away when the mover's expectation falls by at least this. */
export const MUCH = 0.3;

/**
 * Returns what a move gave away, or null. A win or a draw is given away only where the verdicts before and after the move
 * are both proved; elsewhere the mover's expectation fell by at least `MUCH`, which is an estimate.
 * @param {Worth | null} before
 * @param {Worth | null} after
 * @param {Turn} turn who moved
 * @returns {{ lost: "win" | "draw" | "chances", was: Worth, now: Worth } | null}
 */
export function given(before, after, turn) {
  if (!before || !after) return null;
  const fall = hope(before, turn) - hope(after, turn);
  if ("end" in before && "end" in after) {
    const was = verdict(before, turn);
    const is = verdict(after, turn);
    if (is >= was) return null;
    return { lost: was === 1 ? "win" : "draw", was: before, now: after };
  }
  return fall < MUCH ? null : { lost: "chances", was: before, now: after };
}

/**
 * The best end among a position's moves, mover's view.
 * @param {(End | null)[]} ends
 * @param {Turn} turn
 */
export function best(ends, turn) {
  return ends.reduce((top, end) => (top === null || rank(end, turn) > rank(top, turn) ? end : top), /** @type {End | null} */ (null));
}
