// Draws the board of a game by its kind.

import { drawGraphBoard } from "./graph_board.js";
import { drawGridBoard } from "./grid_board.js";
import { drawTileBoard } from "./tile_board.js";

/** @import { Board } from "../types.js" */
/** @import { Drawing } from "./drawing.js" */

/**
 * @param {Board} board
 * @param {boolean} flipped
 * @returns {Drawing}
 */
export function drawBoard(board, flipped) {
  if (board.kind === "graph") return drawGraphBoard(board, flipped);
  if (board.kind === "grid") return drawGridBoard(board, flipped);
  return drawTileBoard(board);
}
