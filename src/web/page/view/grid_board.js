// Draws boards of m rows and n columns for m,n,k games.

import { svg } from "../dom.js";
import { MIN_NAME_PX, cellName } from "./drawing.js";

/** @import { Board } from "../types.js" */
/** @import { Drawing, Spot } from "./drawing.js" */

/** The side of a cell. */
const SIZE = 100;

/**
 * @param {Board} board
 * @param {boolean} flipped
 * @returns {Drawing}
 */
export function drawGridBoard(board, flipped) {
  const [rows, columns] = [board.rows ?? 1, board.columns ?? 1];
  const margin = Math.max(rows, columns) * 6 + 10;
  const width = columns * SIZE + 2 * margin;
  const height = rows * SIZE + 2 * margin;
  /** @type {Spot[]} */
  const spots = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = flipped ? [columns - 1 - column, row] : [column, rows - 1 - row];
      spots.push({ name: cellName(column, row), x: margin + (x + 0.5) * SIZE, y: margin + (y + 0.5) * SIZE });
    }
  }
  // On the screen, the lines of a large board are as thin as its cells are small.
  const lineWidth = 2.6 + Math.max(rows, columns) * 0.16;
  let path = "";
  for (let column = 1; column < columns; column++) path += `M${margin + column * SIZE} ${margin + 4}V${height - margin - 4}`;
  for (let row = 1; row < rows; row++) path += `M${margin + 4} ${margin + row * SIZE}H${width - margin - 4}`;
  return {
    width,
    height,
    spots,
    radius: SIZE / 2,
    isSquare: true,
    ground: () => [
      svg("rect", { class: "wood", x: 1, y: 1, width: width - 2, height: height - 2, rx: Math.max(rows, columns) * 3 }),
      svg("path", { class: "line", d: path, "stroke-width": lineWidth }),
    ],
    labels: (scale) => {
      const font = Math.max(margin * 0.5, MIN_NAME_PX / scale);
      return [
        ...spots.slice(0, columns).map((spot) => svg("text", { class: "name edge", x: spot.x, y: height - margin * 0.5 + font * 0.36, "font-size": font }, spot.name.replace(/\d+/, ""))),
        ...spots.filter((_, at) => at % columns === 0).map((spot) => svg("text", { class: "name edge", x: margin * 0.5, y: spot.y + font * 0.36, "font-size": font }, spot.name.replace(/\D+/, ""))),
      ];
    },
  };
}
