// Which drawing a board gets: one module for each kind of geometry, none for a game.

import { scene as graph } from "./graph_board.js";
import { scene as grid } from "./grid_board.js";
import { scene as tiles } from "./tile_board.js";

/** @import { Board } from "../types.js" */
/** @import { Scene } from "./drawing.js" */

/**
 * @param {Board} board
 * @param {boolean} flip
 * @returns {Scene}
 */
export function scene(board, flip) {
  if (board.kind === "graph") return graph(board, flip);
  if (board.kind === "grid") return grid(board, flip);
  return tiles(board);
}
