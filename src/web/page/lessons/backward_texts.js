// The texts of the lesson about analysis backwards from the ends.

import { capitalize } from "../text/moves.js";

export const SETTLED_LABELS = { caption: "Positions, ring by ring. A ring has the positions that are won in the same number of plies.", ring: "plies" };

/** Returns the head of a column. @param {string} player */
export function ringHead(player) {
  return `${capitalize(player)}`;
}

/** @param {number} count */
function plies(count) {
  return `${count} ${count === 1 ? "ply" : "plies"}`;
}

/** Returns who wins, and when. @param {string} player @param {number} count */
function winText(player, count) {
  const verb = player.endsWith("s") ? "win" : "wins";
  return count === 0 ? `the ${player} ${player.endsWith("s") ? "have" : "has"} won` : `the ${player} ${verb} in ${plies(count)}`;
}

/** Returns the sentence of an event that settles a position. @param {string} value who wins, in how many plies, by which move */
export function settledText(value) {
  return `A position is settled: ${value}`;
}

export const BACKWARD_PROMPTS = {
  winning: "Which move leads to a position that is settled as a win?",
  plies: "In how many plies is this position won?",
  longest: (/** @type {string} */ player) => `How many plies has the longest win of the ${player}?`,
  wrong: "Which of the two can be wrong about who wins?",
  winner: "Who wins, if both play as well as they can?",
};

export const BACKWARD_HINTS = {
  winning: "Try each move. After the right one, every answer of the other side leads to a lost position.",
  plies: "One ply more than the position that the best move leads to. A winner takes the quickest way, a loser the slowest.",
  longest: "Read the table from below: the last ring in which the hounds have any position.",
  wrong: "One has looked at every position down to the end of the game. The other has stopped after some plies and guessed.",
  winner: "Small games that are solved are often a win for the side that closes in, if it does not hurry.",
};

/** Words of choices. @type {Record<string, string>} */
export const BACKWARD_CHOICES = { minimax: "Minimax, which stops at depth 6 and evaluates", backward: "The analysis backwards from the ends", draw: "Nobody: a draw" };

export const BACKWARD_WHY = {
  /** @param {{ move: string, player: string, plies: number }[]} moves @param {string[]} open the moves to positions that are never settled */
  winning: (moves, open) => `${moves.map(({ move, player, plies: count }) => `${move}: ${winText(player, count)}`).join("; ")}, counted from after the move.${open.length ? ` ${open.join(", ")}: no side can force a win.` : ""}`,
  /** @param {string} player @param {number} count */
  value: (player, count) => `It is settled: ${winText(player, count)}.`,
  longest: (/** @type {number} */ positions, /** @type {number} */ settled, /** @type {number} */ count) => `Of ${positions.toLocaleString("en-US")} positions ${settled.toLocaleString("en-US")} are settled; ${count} is the longest.`,
  wrong: (/** @type {string} */ points, /** @type {string} */ player, /** @type {number} */ count) => `The ${points} points are an evaluation six plies ahead: a guess. That ${winText(player, count)} is proved.`,
};

/** @param {string} player */
export function playerText(player) {
  return `The ${player}`;
}
