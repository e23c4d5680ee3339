// The coach: after a game it finds the moves that decided it, shows them on the board, and lets a person try again.

import { goToEnd, goToNode } from "./actions.js";
import { isAgainstEngine } from "./analysis_target.js";
import { byId } from "./dom.js";
import { needsSearch, reviewGame } from "./review.js";
import { display, game, hasChance, interaction, isPuzzle, notifyChange, practice } from "./state.js";

/** @import { State } from "./types.js" */
/** @import { Loss, Review } from "./review.js" */

/**
 * The review of a finished line of moves.
 * @typedef {object} LineReview
 * @property {State} end the state after the last move
 * @property {Review} review
 * @property {number} missing the positions whose value needs a search
 * @property {boolean} isSearching whether the engine searches them: after a game against it, or because a person asked
 */

/** Returns the review of the line on the board; `null` if the line has no end, or the game has no sides that could lose. @returns {LineReview | null} */
export function lineReview() {
  const line = game.tree.currentLine();
  const end = line.at(-1)?.state;
  if (!end || end.outcome === null || line.length < 2 || practice.tree === game.tree || isPuzzle(end) || hasChance(end) || end.board.kind === "tree") return null;
  const missing = line.filter(needsSearch).length;
  return { end, review: reviewGame(line), missing, isSearching: missing > 0 && (interaction.seeksTurn || isAgainstEngine(end)) };
}

/** Shows the turning point that a person has asked for, as soon as it is found. Called after every change. */
export function update() {
  const found = interaction.seeksTurn ? lineReview() : null;
  if (!found || found.missing) return;
  interaction.seeksTurn = false;
  const [worst] = found.review.losses;
  if (worst) return showLoss(worst);
  display.tab = "play";
  byId("panel").scrollIntoView({ behavior: "smooth", block: "nearest" });
}

/** Asks for the turning point of the game that has just ended. */
export function seekTurn() {
  if (!game.tree.current.state?.outcome) goToEnd();
  interaction.seeksTurn = true;
  notifyChange();
}

/** Shows the position before a move of the review, with the move that was better. @param {Loss} loss */
export function showLoss(loss) {
  tryAgain(loss);
  interaction.lesson = loss;
  notifyChange();
}

/** Returns to the position before a move of the review, to play on from there. @param {Loss} loss */
export function tryAgain({ node }) {
  if (node.parent) goToNode(node.parent);
}

/** Returns the worst move of a person in a review, or `null`. @param {Review} review @returns {Loss | null} */
export function lossOfPerson({ losses }) {
  return losses.find(({ node }) => game.players[node.parent?.state?.turn === "p2" ? "p2" : "p1"] === "person") ?? null;
}
