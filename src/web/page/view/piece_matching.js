// Matches the pieces of two positions, so that moved pieces can be animated.

/** @import { Piece } from "../types.js" */

/**
 * Returns for every piece of `after` the index of its piece in `before`, or -1 for a new piece. A piece of the same kind on
 * the same point matches first, then the nearest piece of the same kind.
 * @param {Piece[]} before
 * @param {Piece[]} after
 * @param {(one: string, other: string) => number} distance between two points
 * @returns {number[]}
 */
export function matchPieces(before, after, distance) {
  /** @type {Set<number>} */
  const used = new Set();
  const unmoved = after.map((piece) => {
    const at = before.findIndex((old, index) => !used.has(index) && old.at === piece.at && isSameKind(old, piece));
    if (at >= 0) used.add(at);
    return at;
  });
  return after.map((piece, index) => {
    if (unmoved[index] >= 0) return unmoved[index];
    let nearest = -1;
    before.forEach((old, at) => {
      if (used.has(at) || !isSameKind(old, piece)) return;
      if (nearest < 0 || distance(old.at, piece.at) < distance(before[nearest].at, piece.at)) nearest = at;
    });
    if (nearest >= 0) used.add(nearest);
    return nearest;
  });
}

/** @param {Piece} one @param {Piece} other */
function isSameKind(one, other) {
  return one.kind === other.kind && one.value === other.value && one.player === other.player;
}
