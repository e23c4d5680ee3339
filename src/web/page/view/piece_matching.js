// Which piece of a position is which of the next one, so that it can be seen to travel.

/** @import { Piece } from "../types.js" */

/**
 * For every piece of the next position the index of the piece it was, or -1 where it is new. What stood still is itself;
 * of the others each is taken for the nearest of its kind.
 * @param {Piece[]} was
 * @param {Piece[]} now
 * @param {(one: string, other: string) => number} distance
 * @returns {number[]}
 */
export function match(was, now, distance) {
  /** @type {Set<number>} */
  const taken = new Set();
  const same = now.map((piece) => {
    const at = was.findIndex((old, index) => !taken.has(index) && old.at === piece.at && alike(old, piece));
    if (at >= 0) taken.add(at);
    return at;
  });
  return now.map((piece, index) => {
    if (same[index] >= 0) return same[index];
    let nearest = -1;
    was.forEach((old, at) => {
      if (taken.has(at) || !alike(old, piece)) return;
      if (nearest < 0 || distance(old.at, piece.at) < distance(was[nearest].at, piece.at)) nearest = at;
    });
    if (nearest >= 0) taken.add(nearest);
    return nearest;
  });
}

/** @param {Piece} one @param {Piece} other */
function alike(one, other) {
  return one.kind === other.kind && one.value === other.value && one.player === other.player;
}
