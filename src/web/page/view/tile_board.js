// Draws boards of tiles: sliding-tile puzzles and 2048.

import { svg } from "../dom.js";
import { cellName } from "./drawing.js";
import { pictureSlice } from "./picture.js";

/** @import { Board, Piece } from "../types.js" */
/** @import { Drawing, Spot } from "./drawing.js" */

/** The side of a cell. */
const SIZE = 100;
const MARGIN = 16;
/** The exponent of the largest tile on a board of 4 × 4 cells, 2^17. */
const MAX_RANK = 17;

/** @param {Board} board @returns {Drawing} */
export function drawTileBoard(board) {
  const [rows, columns] = [board.rows ?? 1, board.columns ?? 1];
  const width = columns * SIZE + 2 * MARGIN;
  const height = rows * SIZE + 2 * MARGIN;
  /** @type {Spot[]} */
  const spots = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      spots.push({ name: cellName(column, row), x: MARGIN + (column + 0.5) * SIZE, y: MARGIN + (rows - row - 0.5) * SIZE });
    }
  }
  return {
    width,
    height,
    spots,
    radius: SIZE / 2,
    isSquare: true,
    ground: () => [
      svg("rect", { class: "tray", x: 1, y: 1, width: width - 2, height: height - 2, rx: 18 }),
      ...spots.map((spot) => svg("rect", { class: "well", x: spot.x - 46, y: spot.y - 46, width: 92, height: 92, rx: 10 })),
    ],
    labels: () => [],
  };
}

/**
 * Draws a tile: its number, or the part of the picture at the tile's place in the goal.
 * @param {Piece} piece
 * @param {Board} board
 * @param {string} picture the name of the picture; empty for numbers
 */
export function drawTile(piece, board, picture) {
  const value = piece.value ?? 0;
  if (board.slides === "all") return drawMergingTile(value);
  const goal = board.goal ?? [];
  const row = goal.findIndex((cells) => cells.includes(value));
  const column = row < 0 ? -1 : goal[row].indexOf(value);
  const isHome = row >= 0 && piece.at === cellName(column, goal.length - 1 - row);
  const shape = svg("g", { class: isHome ? "tile home" : "tile" }, svg("rect", { class: "face", x: -46, y: -46, width: 92, height: 92, rx: 10 }));
  if (picture && row >= 0) {
    shape.append(pictureSlice(picture, column, row, goal[0].length, goal.length));
    shape.append(svg("rect", { class: "rim", x: -46, y: -46, width: 92, height: 92, rx: 10 }));
    shape.append(svg("text", { class: "small", x: -38, y: -28, "font-size": 15 }, value));
  } else shape.append(svg("text", { class: "number", y: 15, "font-size": 42 }, value));
  return shape;
}

/** Returns the color rank of a tile of 2048 (its exponent, at most `MAX_RANK`) and the height of its digits. @param {number} value */
export function tileFace(value) {
  const rank = Math.min(MAX_RANK, Math.max(1, Math.round(Math.log2(value || 2))));
  return { rank, font: [44, 44, 36, 29, 24, 20][String(value).length - 1] ?? 16 };
}

/** Draws a tile of 2048. @param {number} value */
function drawMergingTile(value) {
  const { rank, font } = tileFace(value);
  return svg("g", { class: `merging rank${rank}` },
    svg("rect", { class: "face", x: -46, y: -46, width: 92, height: 92, rx: 8 }),
    svg("text", { class: "number", y: font * 0.36, "font-size": font }, value));
}
