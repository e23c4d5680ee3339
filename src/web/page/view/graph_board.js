// Draws boards of points and lines.

import { svg } from "../dom.js";
import { MIN_NAME_PX } from "./drawing.js";
import { placeNames } from "./point_names.js";

/** @import { Board } from "../types.js" */
/** @import { Drawing, Spot } from "./drawing.js" */

/** Distance of the two closest points in the drawing. */
const UNIT = 100;
/** Minimum ratio of the shorter side of a board to the longer one, after stretching. */
const MIN_RATIO = 0.8;
/** Ratio of height to width below which a board stays flat. */
const MIN_STRETCHED_RATIO = 0.35;

/**
 * Draws a board of points and lines. A flat or narrow board is stretched, so that its pieces get more room.
 * @param {Board} board
 * @param {boolean} flipped
 * @returns {Drawing}
 */
export function drawGraphBoard(board, flipped) {
  const points = board.points ?? [];
  const lines = board.lines ?? [];
  const free = new Set(board.free);
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const stretch = stretchFactors(right - left, high - low);
  const stretched = points.map((point) => ({ name: point.name, x: (point.x - left) * stretch.x, y: (high - point.y) * stretch.y }));
  const scale = UNIT / (minDistance(stretched) || 1);
  const width = (right - left) * stretch.x * scale;
  const height = (high - low) * stretch.y * scale;
  const size = Math.max(width, height, UNIT);
  // The closest two points limit the size of a piece; on a wide board the size of the board does.
  const radius = Math.min(0.47 * UNIT, size / 10.5);
  const margin = Math.max(radius * 1.5, radius + size * 0.052);
  const spots = stretched.map((point) => ({
    name: point.name,
    x: margin + (flipped ? width - point.x * scale : point.x * scale),
    y: margin + (flipped ? height - point.y * scale : point.y * scale),
  }));
  const total = { width: width + 2 * margin, height: height + 2 * margin };
  /** @param {string} name */
  const at = (name) => /** @type {Spot} */ (spots.find((spot) => spot.name === name));
  return {
    ...total,
    spots,
    radius,
    isSquare: false,
    ground: () => [
      svg("rect", { class: "wood", x: 1, y: 1, width: total.width - 2, height: total.height - 2, rx: size * 0.03 }),
      ...(board.zones ?? []).flatMap((zone) => zone.points.map((name) => svg("circle", { class: `zone ${zone.kind}`, cx: at(name).x, cy: at(name).y, r: radius * 1.04 }))),
      ...lines.map((line) => svg("path", {
        class: "line",
        "stroke-width": size * 0.0055,
        d: line.map((name, index) => `${index ? "L" : "M"}${roundToTenth(at(name).x)} ${roundToTenth(at(name).y)}`).join(""),
      })),
      ...spots.map((spot) => svg("circle", { class: free.has(spot.name) ? "free" : "point", cx: spot.x, cy: spot.y, r: size * 0.011 })),
    ],
    labels: (scale) => {
      const font = Math.max(size * 0.026, MIN_NAME_PX / scale);
      const marked = new Set((board.zones ?? []).flatMap((zone) => zone.points));
      const field = {
        spots: spots.filter(({ name }) => !free.has(name)),
        segments: lines.flatMap((line) => line.slice(1).map((name, index) => /** @type {[Spot, Spot]} */ ([at(line[index]), at(name)]))),
        radiusOf: (/** @type {string} */ name) => radius * (marked.has(name) ? 1.06 : 1),
        gap: size * 0.004,
        dot: size * 0.013,
        ...total,
      };
      return placeNames(field, font).map(({ name, x, y, isInner }) => svg("text", { class: isInner ? "name inner" : "name", "data-name": name, x: roundToTenth(x), y: roundToTenth(y + font * 0.35), "font-size": roundToTenth(font) }, name));
    },
  };
}

/** Returns the factors that stretch a board to at least `MIN_RATIO`. Boards below `MIN_STRETCHED_RATIO` stay flat. @param {number} width @param {number} height */
function stretchFactors(width, height) {
  if (!width || !height) return { x: 1, y: 1 };
  if (width < height * MIN_RATIO) return { x: (height * MIN_RATIO) / width, y: 1 };
  if (height < width * MIN_RATIO && height > width * MIN_STRETCHED_RATIO) return { x: 1, y: (width * MIN_RATIO) / height };
  return { x: 1, y: 1 };
}

/** Returns the minimum distance of two points. @param {{ x: number, y: number }[]} points */
function minDistance(points) {
  let min = Infinity;
  points.forEach((one, at) => {
    for (const other of points.slice(at + 1)) min = Math.min(min, Math.hypot(one.x - other.x, one.y - other.y));
  });
  return min === Infinity ? UNIT : min;
}

/** @param {number} value */
function roundToTenth(value) {
  return Math.round(value * 10) / 10;
}
