// The texts of the dialog that sets up a position.

import { capitalize, t } from "../language.js";
import { pieceName, resultText, sideName } from "./moves.js";

/** @import { State } from "../types.js" */

export const SETUP_LABELS = { pieces: t("Piece to place"), turn: t("Side to move"), remove: t("Remove") };

export const SETUP_ACTIONS = { clear: t("Empty the board"), first: t("First position"), play: t("Play from here") };

export const SETUP_NOTE = t("Choose a piece, then click the points where it stands. A second click removes it.");

export const SETUP_LEGAL = t("This position is legal.");

/** Returns the label of a field: `Goats in hand`. @param {State} state @param {string} player */
export function handLabel(state, player) {
  return t("{Side} in hand", { side: sideName(state, player) });
}

/** Returns the name of a piece for a button. @param {State} state @param {string} player */
export function pieceButtonText(state, player) {
  return capitalize(String(pieceName(state, player)));
}

/** Returns why a position cannot be played, from the engine's error. @param {string} error */
export function illegalText(error) {
  return t("This position cannot be played: {reason}.", { reason: error.replace(/^column \d+: /, "") });
}

/** Returns why a finished game cannot be played. @param {State} state */
export function finishedText(state) {
  return `${t("This position cannot be played, because the game is over.")} ${resultText(state)}`;
}
