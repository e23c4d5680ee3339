// What decided a finished game: which moves gave a value away, or by how many small steps it was lost.

import { MUCH, given, hope } from "./value.js";

/** @import { Node } from "./game_tree.js" */
/** @import { Worth } from "./types.js" */

/** At most this many moves are listed. */
const MAX_LISTED = 3;
/** Smaller falls of the expectation than this are noise and are not listed. */
const MIN_STEP = 0.03;

/** @typedef {{ node: Node, was: Worth, now: Worth, lost: "win" | "draw" | "chances" | "step", fall: number }} Loss */

/**
 * The review of a line.
 * @typedef {object} Review
 * @property {number} moves
 * @property {boolean} judged whether enough positions have a value
 * @property {boolean} proved whether the verdict of every position is proved
 * @property {boolean} partly whether some verdicts are proved, that of the end aside
 * @property {[number, number] | null} depths the least and the greatest depth of the estimates
 * @property {number} turning how many moves gave much away
 * @property {"p1" | "p2" | null} loser
 * @property {boolean} steps whether no move gave much away, but the loser's moves together did
 * @property {Loss[]} losses the worst turning points, or else the largest small steps; the worst first
 */

/**
 * Returns the review of a finished game. Without proved verdicts it never says that nothing was given away.
 * @param {Node[]} line from the start to the end
 * @returns {Review}
 */
export function review(line) {
  const outcome = line.at(-1)?.state?.outcome ?? null;
  const loser = outcome === "p1win" ? "p2" : outcome === "p2win" ? "p1" : null;
  const worths = line.map((node) => node.worth).filter((worth) => worth !== null);
  const depths = worths.flatMap((worth) => ("points" in worth ? [worth.depth ?? 0] : []));
  const falls = line.flatMap((node) => {
    /** @type {Loss[]} */
    const found = [];
    const before = node.parent;
    if (!before?.state || !before.worth || !node.worth) return found;
    const { turn } = before.state;
    const what = given(before.worth, node.worth, turn);
    const fall = hope(before.worth, turn) - hope(node.worth, turn);
    if (what) found.push({ node, ...what, fall });
    else if (fall >= MIN_STEP && turn === loser) found.push({ node, was: before.worth, now: node.worth, lost: "step", fall });
    return found;
  });
  const worst = falls.toSorted((one, other) => other.fall - one.fall);
  const turning = worst.filter((loss) => loss.lost !== "step");
  const small = worst.filter((loss) => loss.lost === "step");
  const steps = turning.length === 0 && small.reduce((sum, loss) => sum + loss.fall, 0) >= MUCH;
  return {
    moves: line.length - 1,
    judged: worths.length >= line.length * 0.9,
    proved: worths.length === line.length && depths.length === 0,
    partly: worths.some((worth) => "end" in worth && worth.plies !== 0),
    depths: depths.length ? [Math.min(...depths), Math.max(...depths)] : null,
    turning: turning.length,
    loser,
    steps,
    losses: (turning.length ? turning : steps ? small : []).slice(0, MAX_LISTED),
  };
}
