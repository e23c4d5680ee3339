// How a person points at a move: the places to click one after the other, and what follows from those clicked so far.

/** @import { Move } from "./types.js" */

/**
 * The places that say a move, in order; none for a move that has a name only, and for slides, which have a direction.
 * @param {Move} move
 * @returns {string[]}
 */
export function clicks(move) {
  if (move.path) return move.path;
  if (move.drops) return move.drops;
  if (move.slides || move.crew) return [];
  if (move.from && move.to) return [move.from, move.to];
  return move.to ? [move.to] : [];
}

/** Whether the clicks so far may come in any order. @param {Move} move */
function unordered(move) {
  return move.drops !== undefined;
}

/**
 * Whether a move begins with these clicks.
 * @param {Move} move
 * @param {string[]} made
 */
export function begins(move, made) {
  const all = clicks(move);
  if (all.length < made.length || all.length === 0) return false;
  if (unordered(move)) return made.every((place) => all.includes(place));
  return made.every((place, at) => all[at] === place);
}

/**
 * Where a person may click next, and what that does: the moves it completes, whether it captures, whether it may go on.
 * @param {Move[]} moves
 * @param {string[]} made clicks so far
 * @returns {Map<string, { done: Move[], more: boolean, captures: boolean }>}
 */
export function targets(moves, made) {
  /** @type {Map<string, { done: Move[], more: boolean, captures: boolean }>} */
  const found = new Map();
  for (const move of moves) {
    if (!begins(move, made)) continue;
    const all = clicks(move);
    const next = unordered(move) ? all.filter((place) => !made.includes(place)) : all.slice(made.length, made.length + 1);
    for (const place of next) {
      const target = found.get(place) ?? { done: [], more: false, captures: false };
      if (all.length === made.length + 1) {
        if (!target.done.includes(move)) target.done.push(move);
      } else target.more = true;
      if (move.captures?.length) target.captures = true;
      found.set(place, target);
    }
  }
  return found;
}

/**
 * The moves that the clicks so far already say in full: a chain of leaps may stop, or go on.
 * @param {Move[]} moves
 * @param {string[]} made
 */
export function complete(moves, made) {
  return moves.filter((move) => begins(move, made) && clicks(move).length === made.length);
}

/**
 * What a click does.
 * @param {Move[]} moves
 * @param {string[]} made
 * @param {string} place
 * @returns {{ play: Move } | { ask: Move[] } | { made: string[] }}
 */
export function click(moves, made, place) {
  if (made.length && made.at(-1) === place) {
    const whole = complete(moves, made);
    return whole.length ? settled(whole) : { made: [] };
  }
  const target = targets(moves, made).get(place);
  if (target) {
    if (target.done.length && !target.more) return settled(target.done);
    return { made: [...made, place] };
  }
  // Somewhere else: begin anew there, if anything begins there.
  return { made: made.length && targets(moves, []).get(place)?.more ? [place] : [] };
}

/** @param {Move[]} whole @returns {{ play: Move } | { ask: Move[] }} */
function settled(whole) {
  return whole.length === 1 ? { play: whole[0] } : { ask: whole };
}

/** The moves that have to be chosen from a list, because no place says them. @param {Move[]} moves */
export function spoken(moves) {
  return moves.filter((move) => clicks(move).length === 0 && !move.slides && !move.crew);
}
