// The texts of the lesson about analysis backwards from the ends.

import { capitalize, t } from "../language.js";
import { sideNoun } from "../text/nouns.js";

export const SETTLED_LABELS = { caption: t("Positions, ring by ring. A ring has the positions that are won in the same number of plies."), ring: t("plies") };

/** Returns the head of a column. @param {string} player */
export function ringHead(player) {
  return capitalize(sideNoun(player).form(""));
}

export const BACKWARD_PROMPTS = {
  winning: t("Which move leads to a position that is settled as a win?"),
  plies: t("In how many plies is this position won?"),
  longest: (/** @type {string} */ player) => t("How many plies has the longest win of {side.the}?", { side: sideNoun(player) }),
  wrong: t("Which of the two can be wrong about who wins?"),
  winner: t("Who wins, if both play as well as they can?"),
};

export const BACKWARD_HINTS = {
  winning: t("Try each move. After the right one, every answer of the other side leads to a lost position."),
  plies: t("One ply more than the position that the best move leads to. A winner takes the quickest way, a loser the slowest."),
  longest: t("Read the table from below: the last ring in which the hounds have any position."),
  wrong: t("One has looked at every position down to the end of the game. The other has stopped after some plies and guessed."),
  winner: t("Small games that are solved are often a win for the side that closes in, if it does not hurry."),
};

/** Words of choices. @type {Record<string, string>} */
export const BACKWARD_CHOICES = { minimax: t("Minimax, which stops at depth 6 and evaluates"), backward: t("The analysis backwards from the ends"), draw: t("Nobody: a draw") };

/** Returns who wins after a move, and when. @param {{ move: string, player: string, plies: number }} settled */
function moveText({ move, player, plies }) {
  const side = sideNoun(player);
  if (plies === 0) return t("{move}: {side.the} {side.number, select, one {has} many {have}} won", { move, side });
  return t("{move}: {side.the} {side.number, select, one {wins} many {win}} in {plies, plural, one {# ply} other {# plies}}", { move, side, plies });
}

export const BACKWARD_WHY = {
  /** @param {{ move: string, player: string, plies: number }[]} moves @param {string[]} open the moves to positions that are never settled */
  winning: (moves, open) => [
    t("{moves}, counted from after the move.", { moves: moves.map(moveText).join("; ") }),
    ...(open.length ? [t("{moves}: no side can force a win.", { moves: open.join(", ") })] : []),
  ].join(" "),
  /** @param {string} player @param {number} plies */
  value: (player, plies) => {
    const side = sideNoun(player);
    if (plies === 0) return t("It is settled: {side.the} {side.number, select, one {has} many {have}} won.", { side });
    return t("It is settled: {side.the} {side.number, select, one {wins} many {win}} in {plies, plural, one {# ply} other {# plies}}.", { side, plies });
  },
  longest: (/** @type {number} */ positions, /** @type {number} */ settled, /** @type {number} */ plies) => t("Of {positions} positions {settled} are settled; {plies} is the longest.", { positions, settled, plies }),
  wrong: (/** @type {string} */ points, /** @type {string} */ player, /** @type {number} */ plies) => t("The {points} points are an evaluation six plies ahead: a guess. That {side.the} {side.number, select, one {wins} many {win}} in {plies, plural, one {# ply} other {# plies}} is proved.", { points, side: sideNoun(player), plies }),
};

/** @param {string} player */
export function playerText(player) {
  return t("{Side.the}", { side: sideNoun(player) });
}
