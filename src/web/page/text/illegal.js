// Says why a click or a crossing is no move.

import { capitalize, pieceName, pluralize, sideName, withArticle } from "./moves.js";

/** @import { Move, State } from "../types.js" */

/**
 * Returns why a click does nothing, in a few words.
 * @param {State} state
 * @param {string[]} clicks the clicks before
 * @param {string} at
 */
export function illegalClickText(state, clicks, at) {
  const { board, pieces, moves, turn } = state;
  const piece = pieces.find((one) => one.at === at && (one.kind !== "tile" || one.value));
  if (board.slides === "one") return piece ? `Tile ${piece.value} is not in line with the gap.` : "Click a tile, not the gap.";
  if (board.kind === "tiles") return turn === "p1" ? "Slide all tiles: arrow keys, or swipe." : "Place the tile on an empty cell.";
  if (board.kind === "grid") return "This cell is taken.";
  const own = pieceName(state, turn);
  const places = moves.some((move) => !move.from && (move.to || move.drops));
  const from = clicks[0];
  if (from && !places) return illegalTargetText(state, from, at, piece?.player);
  if (!piece) return places ? `No ${own} can be placed here.` : `This point is empty: click ${withArticle(own)} first.`;
  if (piece.player !== turn) return `This is ${withArticle(pieceName(state, piece.player ?? "p1"))}: you move the ${sideName(state, turn)} now.`;
  if (places && moves.every((move) => !move.from)) return `${capitalize(sideName(state, turn))} move only after all are placed.`;
  return mustCapture(moves) ? "Another piece can capture, and must." : `This ${own} cannot move.`;
}

/** Returns why the selected piece cannot go to a point. @param {State} state @param {string} from @param {string} at @param {string | undefined} owner the owner of the piece on the point */
function illegalTargetText(state, from, at, owner) {
  const { moves, turn } = state;
  const own = pieceName(state, turn);
  if (owner === turn) return `This ${own} cannot move.`;
  if (owner) {
    const captures = moves.some((move) => move.captures?.length);
    return `The ${own} cannot go to ${at}, where ${withArticle(pieceName(state, owner))} stands${captures ? ": to capture it, click the point behind it" : ""}.`;
  }
  return `The ${own} cannot go from ${from} to ${at}${mustCapture(moves) ? ": it must capture" : ""}.`;
}

/** @param {Move[]} moves */
function mustCapture(moves) {
  return moves.length > 0 && moves.every((move) => move.captures?.length);
}

/** Returns why people cannot cross the river: `2 cannibals would outnumber 1 missionary on the left bank.` @param {State} state @param {{ missionaries: number, cannibals: number }} crew */
export function illegalCrossingText({ board, pieces }, { missionaries, cannibals }) {
  if (missionaries + cannibals === 0) return "The boat never crosses empty.";
  /** @param {string} bank @param {string} kind */
  const count = (bank, kind) => pieces.find((piece) => piece.at === bank && piece.kind === kind)?.count ?? 0;
  const [here, there] = board.boat === "right" ? ["right", "left"] : ["left", "right"];
  const groups = [
    { place: "in the boat", men: missionaries, eaters: cannibals },
    { place: `on the ${here} bank`, men: count(here, "missionary") - missionaries, eaters: count(here, "cannibal") - cannibals },
    { place: `on the ${there} bank`, men: count(there, "missionary") + missionaries, eaters: count(there, "cannibal") + cannibals },
  ];
  const danger = groups.find(({ men, eaters }) => men > 0 && eaters > men);
  return danger ? `${pluralize(danger.eaters, "cannibal")} would outnumber ${danger.men === 1 ? "1 missionary" : `${danger.men} missionaries`} ${danger.place}.` : "They cannot cross.";
}
