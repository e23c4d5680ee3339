// Draws the marks on a board: the last move, the selection, the targets of moves, and exact values.

import { svg } from "../dom.js";
import { nextClicks } from "../move_clicks.js";
import { outcomeName } from "../text.js";
import { outcomeSign } from "../value.js";
import { drawPieceOf } from "./pieces.js";

/** @import { ViewModel } from "./board_view.js" */
/** @import { Drawing, Spot } from "./drawing.js" */
/** @import { Move, SolvedMove, Turn } from "../types.js" */

/**
 * Draws the marks below and above the pieces.
 * @param {ViewModel} model
 * @param {Drawing} drawing
 * @returns {{ below: SVGElement[], above: SVGElement[] }}
 */
export function drawMarks(model, drawing) {
  const { state, clicks, lastMove } = model;
  const spots = new Map(drawing.spots.map((spot) => [spot.name, spot]));
  const isTiles = state.board.kind === "tiles";
  /** @param {string[]} names @param {string} className */
  const highlightAll = (names, className) => findSpots(spots, names).map((spot) => highlight(spot, drawing, className));
  const below = [
    ...(lastMove && !isTiles ? drawLastMove(model, lastMove, drawing, spots) : []),
    ...highlightAll(state.ending?.points ?? [], "won"),
    ...highlightAll(clicks, "chosen"),
  ];
  const above = model.canMove && !isTiles ? [...drawTargets(model, drawing, spots), ...drawCaptures(model, drawing, spots)] : [];
  return { below, above };
}

/** Draws the points that can be clicked next, with their exact values if these are known. @param {ViewModel} model @param {Drawing} drawing @param {Map<string, Spot>} spots */
function drawTargets({ state, clicks, solvedMoves: all }, drawing, spots) {
  const solvedMoves = all?.size ? informativeMoves(all) : null;
  /** @param {Move[]} moves */
  const bestOf = (moves) => solvedMoves ? bestMove(moves.map((move) => solvedMoves.get(move.move)), state.turn) : null;
  return [...nextClicks(state.moves, clicks)].flatMap(([name, target]) => {
    const spot = spots.get(name);
    if (!spot) return [];
    if (target.continues && clicks.length === 0) {
      const best = bestOf(state.moves.filter((move) => move.from === name));
      return best ? [drawBadge(spot, drawing, best, state.turn, false)] : [];
    }
    const best = bestOf(target.completes);
    if (best) return [drawBadge(spot, drawing, best, state.turn, true)];
    return [target.captures
      ? svg("circle", { class: "target captures", cx: spot.x, cy: spot.y, r: drawing.radius * 0.8 })
      : svg("circle", { class: clicks.length ? "target" : "target drop", cx: spot.x, cy: spot.y, r: drawing.radius * (clicks.length ? 0.3 : 0.2) })];
  });
}

/**
 * Returns the moves whose values are drawn. If all moves win, draw or lose, only the best ones have a badge, and none if all are
 * equally good: badges on every point would hide a small board.
 * @param {Map<string, SolvedMove>} moves the best first
 */
function informativeMoves(moves) {
  const all = [...moves];
  const [[, first]] = all;
  if (all.some(([, { verdict }]) => verdict !== first.verdict)) return moves;
  const best = all.filter(([, { plies }]) => plies === first.plies);
  return best.length < all.length ? new Map(best) : null;
}

/** Crosses out the pieces that the selected piece can capture. @param {ViewModel} model @param {Drawing} drawing @param {Map<string, Spot>} spots */
function drawCaptures({ state, clicks }, { radius }, spots) {
  if (!clicks.length) return [];
  const moves = state.moves.filter((move) => clicks.every((at, index) => (move.path ?? [move.from, move.to])[index] === at));
  const captures = [...new Set(moves.flatMap((move) => move.captures ?? []))];
  const size = radius * 1.1;
  return findSpots(spots, captures).map((spot) => svg("path", { class: "taken", "stroke-width": radius * 0.16, d: `M${spot.x - size / 2} ${spot.y - size / 2}l${size} ${size}m0 ${-size}l${-size} ${size}` }));
}

/** Returns the best of some moves for the side to move, or `null`. @param {(SolvedMove | undefined)[]} moves @param {Turn} turn @returns {SolvedMove | null} */
function bestMove(moves, turn) {
  /** @type {SolvedMove | null} */
  let best = null;
  for (const move of moves) {
    if (move && (!best || outcomeSign({ outcome: move.verdict }, turn) > outcomeSign({ outcome: best.verdict }, turn))) best = move;
  }
  return best;
}

/**
 * Draws the exact value of a move: a color, a shape (up for a win, round for a draw, down for a loss) and the distance.
 * @param {Spot} spot
 * @param {Drawing} drawing
 * @param {SolvedMove} move
 * @param {Turn} turn
 * @param {boolean} isLarge whether the badge fills an empty point; otherwise it is small, beside a piece
 */
function drawBadge(spot, drawing, move, turn, isLarge) {
  const sign = outcomeSign({ outcome: move.verdict }, turn);
  const r = drawing.radius * (isLarge ? 0.62 : 0.4);
  const [x, y] = isLarge ? [spot.x, spot.y] : [spot.x + drawing.radius * 0.72, spot.y + drawing.radius * 0.66];
  const outline = sign > 0
    ? `M${x} ${y - r * 1.1}L${x + r} ${y + r * 0.75}H${x - r}Z`
    : sign < 0
      ? `M${x} ${y + r * 1.1}L${x + r} ${y - r * 0.75}H${x - r}Z`
      : `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  // A win without a distance is a win by endless play.
  const text = move.plies !== null ? String(move.plies) : sign === 0 ? "=" : "∞";
  const font = r * (text.length > 2 ? 0.72 : 0.85);
  const baseline = sign > 0 ? r * 0.5 : sign < 0 ? r * 0.02 : font * 0.36;
  return svg("g", { class: `badge ${outcomeName(sign)}`, "data-move": move.move },
    svg("path", { d: outline }),
    isLarge || move.plies !== null ? svg("text", { x, y: y + baseline, "font-size": font }, text) : null);
}

/** Draws the last move: its path, a ghost of the piece where it was, and the captured pieces. @param {ViewModel} model @param {Move} move @param {Drawing} drawing @param {Map<string, Spot>} spots */
function drawLastMove({ state }, move, drawing, spots) {
  const { radius } = drawing;
  const drawn = findSpots(spots, [move.to, ...(move.drops ?? [])]).map((spot) => highlight(spot, drawing, "last"));
  const from = move.from ? spots.get(move.from) : null;
  if (from && move.to && spots.has(move.to)) {
    const path = findSpots(spots, move.path ?? [move.from, move.to]);
    drawn.push(svg("path", { class: "way", "stroke-width": radius * 0.16, d: path.map((spot, at) => `${at ? "L" : "M"}${spot.x} ${spot.y}`).join("") }));
    const piece = state.pieces.find((one) => one.at === move.to);
    if (piece) drawn.push(svg("g", { class: "ghost", transform: `translate(${from.x} ${from.y}) scale(${radius / 56})` }, drawPieceOf(state, piece.kind, piece.player ?? "p1")));
  }
  const captured = findSpots(spots, move.captures ?? []).map((spot) => svg("circle", { class: "captured", cx: spot.x, cy: spot.y, r: radius * 0.75 }));
  return [...drawn, ...captured];
}

/** Returns the spots with these names. Unknown names are left out. @param {Map<string, Spot>} spots @param {(string | undefined)[]} names */
function findSpots(spots, names) {
  return names.map((name) => spots.get(name ?? "")).filter((spot) => spot !== undefined);
}

/** @param {Spot} spot @param {Drawing} drawing @param {string} className */
function highlight(spot, { isSquare, radius }, className) {
  return isSquare
    ? svg("rect", { class: className, x: spot.x - radius * 0.92, y: spot.y - radius * 0.92, width: radius * 1.84, height: radius * 1.84, rx: radius * 0.16 })
    : svg("circle", { class: className, cx: spot.x, cy: spot.y, r: radius * 1.12 });
}
