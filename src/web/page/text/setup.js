// The texts of the dialog that sets up a position.

import { capitalize, pieceName, resultText, sideName } from "./moves.js";

/** @import { State } from "../types.js" */

export const SETUP_LABELS = { pieces: "Piece to place", turn: "Side to move", remove: "Remove" };

export const SETUP_ACTIONS = { clear: "Empty the board", first: "First position", play: "Play from here" };

export const SETUP_NOTE = "Choose a piece, then click the points where it stands. A second click removes it.";

export const SETUP_LEGAL = "This position is legal.";

/** Returns the label of a field: `Goats in hand`. @param {State} state @param {string} player */
export function handLabel(state, player) {
  return `${capitalize(sideName(state, player))} in hand`;
}

/** Returns the name of a piece for a button. @param {State} state @param {string} player */
export function pieceButtonText(state, player) {
  return capitalize(pieceName(state, player));
}

/** Returns why a position cannot be played, from the engine's error. @param {string} error */
export function illegalText(error) {
  return `This position cannot be played: ${error.replace(/^column \d+: /, "")}.`;
}

/** Returns why a finished game cannot be played. @param {State} state */
export function finishedText(state) {
  return `This position cannot be played, because the game is over. ${resultText(state)}`;
}
