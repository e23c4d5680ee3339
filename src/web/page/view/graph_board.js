// Boards of points and lines: where everything stands, and what lies under the pieces.

import { s } from "../dom.js";

/** @import { Board } from "../types.js" */
/** @import { Scene } from "./drawing.js" */

const UNIT = 100;

/**
 * Lays the points out: x and y are stretched apart where that gives the pieces more room, up to a shape that still fits.
 * @param {Board} board
 * @param {boolean} flip
 * @returns {Scene}
 */
export function scene(board, flip) {
  const points = board.points ?? [];
  const lines = board.lines ?? [];
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const stretch = shape(right - left, high - low);
  const raw = points.map((point) => ({ name: point.name, x: (point.x - left) * stretch.x, y: (high - point.y) * stretch.y }));
  const near = nearest(raw);
  const scale = UNIT / (near || 1);
  const width = (right - left) * stretch.x * scale;
  const height = (high - low) * stretch.y * scale;
  const size = Math.max(width, height, UNIT);
  // Pieces are as large as the closest points let them be, and never lost on a wide board.
  const radius = Math.min(0.47 * UNIT, size / 10.5);
  const margin = Math.max(radius * 1.5, radius + size * 0.052);
  const spots = raw.map((point) => ({
    name: point.name,
    x: margin + (flip ? width - point.x * scale : point.x * scale),
    y: margin + (flip ? height - point.y * scale : point.y * scale),
  }));
  const total = { width: width + 2 * margin, height: height + 2 * margin };
  /** @param {string} name */
  const at = (name) => /** @type {{ x: number, y: number }} */ (spots.find((spot) => spot.name === name));
  return {
    ...total,
    spots,
    radius,
    square: false,
    ground: () => [
      s("rect", { class: "wood", x: 1, y: 1, width: total.width - 2, height: total.height - 2, rx: size * 0.03 }),
      ...(board.zones ?? []).flatMap((zone) => zone.points.map((name) => s("circle", { class: `zone ${zone.kind}`, cx: at(name).x, cy: at(name).y, r: radius * 1.04 }))),
      ...lines.map((line) => s("path", {
        class: "line",
        "stroke-width": size * 0.0055,
        d: line.map((name, index) => `${index ? "L" : "M"}${round(at(name).x)} ${round(at(name).y)}`).join(""),
      })),
      ...spots.map((spot) => s("circle", { class: "point", cx: spot.x, cy: spot.y, r: size * 0.011 })),
    ],
    labels: () => spots.map((spot) => {
      const font = Math.min(size * 0.026, radius * 0.8);
      const way = gap(spot, lines, at);
      const marked = (board.zones ?? []).some((zone) => zone.points.includes(spot.name));
      const away = radius * (marked ? 1.14 : 1) + font * 0.55;
      return s("text", { class: "name", x: round(spot.x + Math.cos(way) * away), y: round(spot.y + Math.sin(way) * away + font * 0.35), "font-size": round(font) }, spot.name);
    }),
  };
}

/**
 * The direction in which a point has most room for its name: as far as can be from the lines that leave it.
 * @param {{ name: string, x: number, y: number }} spot
 * @param {string[][]} lines
 * @param {(name: string) => { x: number, y: number }} at
 */
function gap(spot, lines, at) {
  const ways = lines.flatMap((line) => line.flatMap((name, index) => (name === spot.name ? [line[index - 1], line[index + 1]] : []))).filter((name) => name !== undefined).map((name) => {
    const other = at(name);
    return Math.atan2(other.y - spot.y, other.x - spot.x);
  });
  let best = 0;
  let most = -1;
  for (let step = 0; step < 16; step++) {
    // Of equal gaps that to the upper right is taken, where names are looked for.
    const way = -Math.PI / 4 + (step * Math.PI) / 8;
    const room = Math.min(Math.PI, ...ways.map((one) => Math.abs(Math.atan2(Math.sin(one - way), Math.cos(one - way)))));
    if (room > most + 0.05) [best, most] = [way, room];
  }
  return best;
}

/** How much to stretch either way so that the board is no narrower than three quarters of a square. @param {number} width @param {number} height */
function shape(width, height) {
  const flat = 0.8;
  if (!width || !height) return { x: 1, y: 1 };
  if (width < height * flat) return { x: (height * flat) / width, y: 1 };
  if (height < width * flat && height > width * 0.35) return { x: 1, y: (width * flat) / height };
  return { x: 1, y: 1 };
}

/** The least distance of two points. @param {{ x: number, y: number }[]} points */
function nearest(points) {
  let least = Infinity;
  points.forEach((one, at) => {
    for (const other of points.slice(at + 1)) least = Math.min(least, Math.hypot(one.x - other.x, one.y - other.y));
  });
  return least === Infinity ? UNIT : least;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
