// Draws states of puzzles from their notation: boards of tiles, and rivers with a boat.

import { svg } from "../dom.js";
import { t } from "../language.js";
import { crowdWords } from "./puzzle_texts.js";

/** People on the left bank, all people, the seats of the boat, and the bank of the boat. @typedef {{ left: number[], all: number[], seats: number, isLeft: boolean }} River */

const TILE_GAP_PX = 1.5;
const RIVER = { width: 122, height: 42, bank: 40 };
/** People of a bank that have a row each. */
const PERSON_PX = 7.6;
const PERSON_RADIUS_PX = 3.2;

/** Returns the rows of a board of tiles, `0` for the blank. @param {string} fen */
export function readTiles(fen) {
  return fen.split(" ")[0].split("/").map((row) => row.split(",").map(Number));
}

/** Returns the goal of a board of tiles: the one in its notation, or the tiles in order with the blank first. @param {string} fen */
export function goalTiles(fen) {
  const goal = fen.split(" goal ")[1];
  if (goal) return readTiles(goal);
  const rows = readTiles(fen);
  return rows.map((row, at) => row.map((_, column) => at * row.length + column));
}

/** Returns each tile's distance from its goal, in rows and columns, by tile. @param {string} fen @returns {Map<number, number>} */
export function tileDistances(fen) {
  const rows = readTiles(fen);
  /** @type {Map<number, [number, number]>} */
  const places = new Map();
  goalTiles(fen).forEach((row, at) => row.forEach((tile, column) => places.set(tile, [at, column])));
  const distances = new Map();
  rows.forEach((row, at) => row.forEach((tile, column) => {
    const [goalRow, goalColumn] = /** @type {[number, number]} */ (places.get(tile));
    if (tile) distances.set(tile, Math.abs(at - goalRow) + Math.abs(column - goalColumn));
  }));
  return distances;
}

/** Draws a board of tiles. `shares` are small numbers in the corners of tiles. @param {string} fen @param {number} cell width of a cell in pixels @param {Map<number, number>} [shares] @param {boolean} [isChecked] whether the cells are colored like a chess board */
export function drawTiles(fen, cell, shares, isChecked = false) {
  const rows = readTiles(fen);
  const [width, height] = [rows[0].length * cell, rows.length * cell];
  const size = Math.max(12, cell * 0.5);
  return svg("svg", { class: "tiles-picture", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
    svg("rect", { class: "tray", width, height, rx: 3 }),
    ...rows.flatMap((row, at) => row.map((tile, column) => {
      const [x, y] = [column * cell, at * cell];
      if (tile === 0) return svg("rect", { class: "blank", x: x + TILE_GAP_PX, y: y + TILE_GAP_PX, width: cell - 2 * TILE_GAP_PX, height: cell - 2 * TILE_GAP_PX, rx: 3 });
      return svg("g", {},
        svg("rect", { class: isChecked && (at + column) % 2 ? "one-tile dark" : "one-tile", x: x + TILE_GAP_PX, y: y + TILE_GAP_PX, width: cell - 2 * TILE_GAP_PX, height: cell - 2 * TILE_GAP_PX, rx: 3 }),
        svg("text", { class: "tile-number", x: x + cell / 2, y: y + cell / 2 + size * 0.36, "font-size": size }, tile),
        shares?.has(tile) && svg("text", { class: shares.get(tile) ? "share" : "share none", x: x + cell - 5, y: y + 15, "font-size": 12 }, shares.get(tile)));
    })));
}

/** Reads a state of missionaries and cannibals. @param {string} fen @returns {River} */
export function readRiver(fen) {
  const [, missionaries, cannibals, bank, allMissionaries = "3", allCannibals = "3", seats = "2"] = /** @type {RegExpMatchArray} */ (fen.match(/^(\d+) (\d+) (left|right)(?: of (\d+) (\d+) boat (\d+))?/));
  return { left: [missionaries, cannibals].map(Number), all: [allMissionaries, allCannibals].map(Number), seats: Number(seats), isLeft: bank === "left" };
}

/** Draws a river: missionaries as circles, cannibals as triangles. @param {string} fen */
export function drawRiver(fen) {
  const { left, all, isLeft } = readRiver(fen);
  const { width, height, bank } = RIVER;
  const crowd = (/** @type {number[]} */ counts, /** @type {number} */ start) => counts.flatMap((count, kind) => Array.from({ length: count }, (_, at) => {
    const [x, y] = [start + 4.5 + at * PERSON_PX, kind ? 30 : 12];
    return kind ? svg("path", { class: "cannibal", d: `M${x} ${y - 4}L${x + 3.8} ${y + 3.4}H${x - 3.8}Z` }) : svg("circle", { class: "missionary", cx: x, cy: y, r: PERSON_RADIUS_PX });
  }));
  const boat = isLeft ? bank + 1 : width - bank - 15;
  return svg("svg", { class: "river-picture", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
    svg("rect", { class: "stream", x: bank, width: width - 2 * bank, height }),
    svg("rect", { class: "riverbank", width: bank, height, rx: 3 }), svg("rect", { class: "riverbank", x: width - bank, width: bank, height, rx: 3 }),
    svg("path", { class: "small-boat", d: `M${boat} 18H${boat + 14}L${boat + 11} 25H${boat + 3}Z` }),
    ...crowd(left, 0), ...crowd(all.map((count, at) => count - left[at]), width - bank));
}

/** Draws a state of a puzzle. @param {string} variant @param {string} fen @param {number} [cell] @param {Map<number, number>} [shares] @param {boolean} [isChecked] */
export function drawState(variant, fen, cell = 22, shares = undefined, isChecked = false) {
  return variant === "missionaries" ? drawRiver(fen) : drawTiles(fen, cell, shares, isChecked);
}

/** Returns a state in words. @param {string} variant @param {string} fen */
export function stateWords(variant, fen) {
  if (variant !== "missionaries") return readTiles(fen).map((row) => row.map((tile) => tile || t("blank")).join(" ")).join(", ");
  const { left, all, isLeft } = readRiver(fen);
  return crowdWords(left, all.map((count, at) => count - left[at]), isLeft);
}
