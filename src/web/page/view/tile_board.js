// Boards of tiles: those that slide one at a time into the blank, and those that all slide and merge.

import { s } from "../dom.js";
import { cell } from "./drawing.js";
import { slice } from "./picture.js";

/** @import { Board, Piece } from "../types.js" */
/** @import { Scene, Spot } from "./drawing.js" */

const SIZE = 100;
const MARGIN = 16;

/** @param {Board} board @returns {Scene} */
export function scene(board) {
  const [rows, columns] = [board.rows ?? 1, board.columns ?? 1];
  const width = columns * SIZE + 2 * MARGIN;
  const height = rows * SIZE + 2 * MARGIN;
  /** @type {Spot[]} */
  const spots = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      spots.push({ name: cell(column, row), x: MARGIN + (column + 0.5) * SIZE, y: MARGIN + (rows - row - 0.5) * SIZE });
    }
  }
  return {
    width,
    height,
    spots,
    radius: SIZE / 2,
    square: true,
    ground: () => [
      s("rect", { class: "tray", x: 1, y: 1, width: width - 2, height: height - 2, rx: 18 }),
      ...spots.map((spot) => s("rect", { class: "well", x: spot.x - 46, y: spot.y - 46, width: 92, height: 92, rx: 10 })),
    ],
    labels: () => [],
  };
}

/**
 * A tile: its number, or its part of a picture, cut where the goal has it.
 * @param {Piece} piece
 * @param {Board} board
 * @param {string} picture the picture's name; empty for numbers
 */
export function tile(piece, board, picture) {
  const value = piece.value ?? 0;
  if (board.slides === "all") return merging(value);
  const goal = board.goal ?? [];
  const row = goal.findIndex((cells) => cells.includes(value));
  const column = row < 0 ? -1 : goal[row].indexOf(value);
  const home = row >= 0 && piece.at === cell(column, goal.length - 1 - row);
  const shape = s("g", { class: home ? "tile home" : "tile" }, s("rect", { class: "face", x: -46, y: -46, width: 92, height: 92, rx: 10 }));
  if (picture && row >= 0) {
    shape.append(slice(picture, column, row, goal[0].length, goal.length));
    shape.append(s("rect", { class: "rim", x: -46, y: -46, width: 92, height: 92, rx: 10 }));
    shape.append(s("text", { class: "small", x: -38, y: -28, "font-size": 15 }, value));
  } else shape.append(s("text", { class: "number", y: 15, "font-size": 42 }, value));
  return shape;
}

/** Which colour a tile of 2048 has, one for each up to the largest there can be, and how high its digits are. @param {number} value */
export function face(value) {
  const rank = Math.min(17, Math.max(1, Math.round(Math.log2(value || 2))));
  return { rank, font: [44, 44, 36, 29, 24, 20][String(value).length - 1] ?? 16 };
}

/** A tile of 2048: the brighter the higher. @param {number} value */
function merging(value) {
  const { rank, font } = face(value);
  return s("g", { class: `merging rank${rank}` },
    s("rect", { class: "face", x: -46, y: -46, width: 92, height: 92, rx: 8 }),
    s("text", { class: "number", y: font * 0.36, "font-size": font }, value));
}
