// Boards of m rows and n columns on which lines of equal signs are made.

import { s } from "../dom.js";
import { cell } from "./drawing.js";

/** @import { Board } from "../types.js" */
/** @import { Scene, Spot } from "./drawing.js" */

const SIZE = 100;

/**
 * @param {Board} board
 * @param {boolean} flip
 * @returns {Scene}
 */
export function scene(board, flip) {
  const [rows, columns] = [board.rows ?? 1, board.columns ?? 1];
  const margin = Math.max(rows, columns) * 6 + 10;
  const width = columns * SIZE + 2 * margin;
  const height = rows * SIZE + 2 * margin;
  /** @type {Spot[]} */
  const spots = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [x, y] = flip ? [columns - 1 - column, row] : [column, rows - 1 - row];
      spots.push({ name: cell(column, row), x: margin + (x + 0.5) * SIZE, y: margin + (y + 0.5) * SIZE });
    }
  }
  const thick = Math.max(rows, columns) * 0.7 + 1;
  let path = "";
  for (let column = 1; column < columns; column++) path += `M${margin + column * SIZE} ${margin + 4}V${height - margin - 4}`;
  for (let row = 1; row < rows; row++) path += `M${margin + 4} ${margin + row * SIZE}H${width - margin - 4}`;
  const font = margin * 0.5;
  return {
    width,
    height,
    spots,
    radius: SIZE / 2,
    square: true,
    ground: () => [
      s("rect", { class: "wood", x: 1, y: 1, width: width - 2, height: height - 2, rx: Math.max(rows, columns) * 3 }),
      s("path", { class: "line", d: path, "stroke-width": thick }),
    ],
    labels: () => [
      ...spots.slice(0, columns).map((spot) => s("text", { class: "name edge", x: spot.x, y: height - margin * 0.34, "font-size": font }, spot.name.replace(/\d+/, ""))),
      ...spots.filter((_, at) => at % columns === 0).map((spot) => s("text", { class: "name edge", x: margin * 0.5, y: spot.y + font * 0.36, "font-size": font }, spot.name.replace(/\D+/, ""))),
    ],
  };
}
