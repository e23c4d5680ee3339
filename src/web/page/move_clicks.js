// Turns clicks on the board into moves: the points of a move, the points to click next, and the effect of a click.

/** @import { Move, State } from "./types.js" */

/**
 * A point to click next: the moves that the click completes, whether other moves continue there, whether one captures.
 * @typedef {{ completes: Move[], continues: boolean, captures: boolean }} ClickTarget
 */

/** Returns the points of a move in the order of their clicks; empty if the move has no point or is a slide. @param {Move} move @returns {string[]} */
export function clickSequence(move) {
  if (move.path) return move.path;
  if (move.drops) return move.drops;
  if (move.slides || move.crew) return [];
  if (move.from && move.to) return [move.from, move.to];
  return move.to ? [move.to] : [];
}

/** Returns `true` if the points of the move can be clicked in any order. @param {Move} move */
function allowsAnyOrder(move) {
  return move.drops !== undefined;
}

/** Returns `true` if the move starts with these clicks. @param {Move} move @param {string[]} clicks */
function startsWithClicks(move, clicks) {
  const points = clickSequence(move);
  if (points.length < clicks.length || points.length === 0) return false;
  if (allowsAnyOrder(move)) return clicks.every((point) => points.includes(point));
  return clicks.every((point, at) => points[at] === point);
}

/**
 * Returns the points that can be clicked next.
 * @param {Move[]} moves
 * @param {string[]} clicks the clicks so far
 * @returns {Map<string, ClickTarget>}
 */
export function nextClicks(moves, clicks) {
  /** @type {Map<string, ClickTarget>} */
  const targets = new Map();
  for (const move of moves) {
    if (!startsWithClicks(move, clicks)) continue;
    const points = clickSequence(move);
    const next = allowsAnyOrder(move) ? points.filter((point) => !clicks.includes(point)) : points.slice(clicks.length, clicks.length + 1);
    for (const point of next) {
      const target = targets.get(point) ?? { completes: [], continues: false, captures: false };
      if (points.length === clicks.length + 1) {
        if (!target.completes.includes(move)) target.completes.push(move);
      } else target.continues = true;
      if (move.captures?.length) target.captures = true;
      targets.set(point, target);
    }
  }
  return targets;
}

/** Returns the moves that the clicks so far complete. A longer chain of jumps may continue. @param {Move[]} moves @param {string[]} clicks */
export function completedMoves(moves, clicks) {
  return moves.filter((move) => startsWithClicks(move, clicks) && clickSequence(move).length === clicks.length);
}

/**
 * Returns the effect of a click: a move, a choice between moves, or the new clicks.
 * @param {Move[]} moves
 * @param {string[]} clicks the clicks so far
 * @param {string} point
 * @returns {{ play: Move } | { ask: Move[] } | { clicks: string[] }}
 */
export function handleClick(moves, clicks, point) {
  // A second click on the same point ends a chain of jumps there, or releases the piece.
  if (clicks.length && clicks.at(-1) === point) {
    const completed = completedMoves(moves, clicks);
    return completed.length ? playOrAsk(completed) : { clicks: [] };
  }
  const target = nextClicks(moves, clicks).get(point);
  if (target) return target.completes.length && !target.continues ? playOrAsk(target.completes) : { clicks: [...clicks, point] };
  // A click elsewhere selects another piece, or nothing.
  return { clicks: clicks.length && nextClicks(moves, []).get(point)?.continues ? [point] : [] };
}

/** @param {Move[]} moves @returns {{ play: Move } | { ask: Move[] }} */
function playOrAsk(moves) {
  return moves.length === 1 ? { play: moves[0] } : { ask: moves };
}

/** Returns the moves that have no point on the board, such as `pass`. Buttons play them. @param {Move[]} moves */
export function movesWithoutClicks(moves) {
  return moves.filter((move) => clickSequence(move).length === 0 && !move.slides && !move.crew);
}

/**
 * Returns the slide of all tiles between a tile and the gap in its row or column, with the tile: the move of the tile beside the gap and
 * the number of tiles; `null` if the gap is elsewhere.
 * @param {State} state a position of a sliding-tile puzzle
 * @param {string} at the cell of the tile
 * @returns {{ move: Move, count: number } | null}
 */
export function tileSlide({ moves }, at) {
  /** @param {string} cell */
  const place = (cell) => [cell.charCodeAt(0), Number(cell.slice(1))];
  const [column, row] = place(at);
  for (const move of moves) {
    if (!move.from || !move.to) continue;
    const [gap, from] = [place(move.to), place(move.from)];
    const [dx, dy] = [from[0] - gap[0], from[1] - gap[1]];
    const count = dx ? (column - gap[0]) / dx : (row - gap[1]) / dy;
    if (count >= 1 && column === gap[0] + count * dx && row === gap[1] + count * dy) return { move, count };
  }
  return null;
}
