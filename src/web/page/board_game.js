// The game of the drawn board in the list of games.

import { BoardFileError, translateErrors } from "./board_file/errors.js";
import { boardName, drawnBoard, isTooLarge, saveDrawnBoard, setDrawnBoard } from "./drawn_board.js";
import { server } from "./state.js";
import { MESSAGES } from "./text.js";

/** @import { QuerySession } from "./queries.js" */

/** Throws an error if the page cannot play a board. @param {string} text a board file */
function refuseBoard(text) {
  if (isTooLarge(text)) throw new BoardFileError([{ line: 0, column: 1, text: MESSAGES.boardTooLarge }]);
  const name = boardName(text);
  if (!server.variants.some(({ variant, isDrawn }) => variant === name && !isDrawn)) return;
  const before = text.slice(0, text.search(new RegExp(`(?<=^[ \\t]*game[ \\t]+)${name}`, "m"))).split("\n");
  throw new BoardFileError([{ line: before.length, column: (before.at(-1) ?? "").length + 1, text: MESSAGES.nameTaken(name) }]);
}

/** Returns an error of the engine with its places in the board file alone, without the column of the command. @param {any} error @param {string} text the board file */
async function fileError(error, text) {
  return error instanceof BoardFileError ? error : new BoardFileError(await translateErrors(error.message.replace(/^column \d+: /, ""), text));
}

/** Puts the game of the drawn board into the list of games, and saves the board. @param {QuerySession} queries */
async function listBoard(queries) {
  const { name, text } = drawnBoard;
  if (!text) return;
  const state = await queries.state(name, "startpos");
  if (drawnBoard.text !== text) return;
  // Another name of a game of the list.
  if (state.variant !== name) throw new BoardFileError([{ line: 0, column: 1, text: MESSAGES.nameTaken(name) }]);
  server.variants = [{ ...state, moves: [], origin: null, year: null, positions: null, isDrawn: true }, ...server.variants.filter(({ isDrawn }) => !isDrawn)];
  saveDrawnBoard();
}

/**
 * Makes a board the drawn one at once, and then lists its game. Returns a function that restores the board before. If the engine
 * cannot play the board, it is restored.
 * @param {string} text a board file; empty for the drawn board
 * @param {QuerySession} queries
 */
export async function openBoard(text, queries) {
  const { variants } = server;
  const before = drawnBoard.text;
  const restore = () => {
    setDrawnBoard(before);
    server.variants = variants;
    saveDrawnBoard();
  };
  if (text) {
    refuseBoard(text);
    setDrawnBoard(text);
  }
  try {
    await listBoard(queries);
  } catch (error) {
    const { text: shown } = drawnBoard;
    restore();
    throw await fileError(error, shown);
  }
  return restore;
}

/** Opens a board as `openBoard` does, after the engine has read it without an error. @param {string} text @param {QuerySession} queries */
export async function openCheckedBoard(text, queries) {
  refuseBoard(text);
  await queries.checkBoard(text).catch(async (error) => {
    throw await fileError(error, text);
  });
  return openBoard(text, queries);
}
