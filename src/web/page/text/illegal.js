// Says why a click or a crossing is no move.

import { t } from "../language.js";
import { pieceName, sideName } from "./moves.js";

/** @import { Move, State } from "../types.js" */

/**
 * Returns why a click does nothing, in a few words.
 * @param {State} state
 * @param {string[]} clicks the clicks before
 * @param {string} at
 */
export function illegalClickText(state, clicks, at) {
  const { board, pieces, moves, turn } = state;
  const clicked = pieces.find((one) => one.at === at && (one.kind !== "tile" || one.value));
  if (board.slides === "one") return clicked ? t("Tile {tile} is not in line with the gap.", { tile: clicked.value ?? "" }) : t("Click a tile, not the gap.");
  if (board.kind === "tiles") return turn === "p1" ? t("Slide all tiles: arrow keys, or swipe.") : t("Place the tile on an empty cell.");
  if (board.kind === "grid") return t("This cell is taken.");
  const piece = pieceName(state, turn);
  const side = sideName(state, turn);
  const places = moves.some((move) => !move.from && (move.to || move.drops));
  const from = clicks[0];
  if (from && !places) return illegalTargetText(state, from, at, clicked?.player);
  if (!clicked) return places ? t("No {piece} can be placed here.", { piece }) : t("This point is empty: click {piece.a} first.", { piece });
  if (clicked.player !== turn) return t("This is {other.a}: you move {side.the} now.", { other: pieceName(state, clicked.player ?? "p1"), side });
  if (places && moves.every((move) => !move.from)) return t("{Piece.many} move only after all are placed.", { piece });
  return mustCapture(moves) ? t("Another piece can capture, and must.") : t("This {piece} cannot move.", { piece });
}

/** Returns why the selected piece cannot go to a point. @param {State} state @param {string} from @param {string} at @param {string | undefined} owner the owner of the piece on the point */
function illegalTargetText(state, from, at, owner) {
  const { moves, turn } = state;
  const values = { piece: pieceName(state, turn), other: pieceName(state, owner ?? turn), from, to: at };
  if (owner === turn) return t("This {piece} cannot move.", values);
  if (owner) {
    return moves.some((move) => move.captures?.length)
      ? t("{Piece.the} cannot go to {to}, where {other.a} stands: to capture it, click the point behind it.", values)
      : t("{Piece.the} cannot go to {to}, where {other.a} stands.", values);
  }
  return mustCapture(moves) ? t("{Piece.the} cannot go from {from} to {to}: it must capture.", values) : t("{Piece.the} cannot go from {from} to {to}.", values);
}

/** @param {Move[]} moves */
function mustCapture(moves) {
  return moves.length > 0 && moves.every((move) => move.captures?.length);
}

/** Returns why people cannot cross the river: `2 cannibals would outnumber 1 missionary on the left bank.` @param {State} state @param {{ missionaries: number, cannibals: number }} crew */
export function illegalCrossingText({ board, pieces }, { missionaries, cannibals }) {
  if (missionaries + cannibals === 0) return t("The boat never crosses empty.");
  /** @param {string} bank @param {string} kind */
  const count = (bank, kind) => pieces.find((piece) => piece.at === bank && piece.kind === kind)?.count ?? 0;
  const [here, there] = board.boat === "right" ? ["right", "left"] : ["left", "right"];
  const groups = [
    { place: "boat", missionaries, cannibals },
    { place: here, missionaries: count(here, "missionary") - missionaries, cannibals: count(here, "cannibal") - cannibals },
    { place: there, missionaries: count(there, "missionary") + missionaries, cannibals: count(there, "cannibal") + cannibals },
  ];
  const danger = groups.find((group) => group.missionaries > 0 && group.cannibals > group.missionaries);
  if (!danger) return t("They cannot cross.");
  return t("{cannibals, plural, one {# cannibal} other {# cannibals}} would outnumber {missionaries, plural, one {# missionary} other {# missionaries}} {place, select, boat {in the boat} left {on the left bank} other {on the right bank}}.", danger);
}
