// Draws arrows for the hint and the engine's lines. The better the line, the wider its arrow.

import { svg } from "../dom.js";

/** @import { Drawing } from "./drawing.js" */
/** @import { Move } from "../types.js" */

/**
 * @param {{ move: Move, weight: number, kind: string }[]} moves
 * @param {Drawing} drawing
 * @returns {SVGElement[]}
 */
export function drawArrows(moves, drawing) {
  const spots = new Map(drawing.spots.map((spot) => [spot.name, spot]));
  return moves.flatMap(({ move, weight, kind }) => {
    if (move.slides) return [drawSlideArrow(move.move, drawing, kind)];
    const names = move.path ?? move.drops ?? [move.from, move.to];
    const path = names.map((name) => spots.get(name ?? "")).filter((spot) => spot !== undefined);
    const width = drawing.radius * (0.1 + 0.16 * weight);
    if (path.length > 1 && !move.drops) return [drawArrow(path, width, drawing.radius, kind)];
    return path.map((spot) => svg("circle", { class: `arrow ${kind}`, cx: spot.x, cy: spot.y, r: drawing.radius * 0.78, "stroke-width": width }));
  });
}

/** Draws an arrow across the middle of the board, for a slide of all tiles. @param {string} direction @param {Drawing} drawing @param {string} kind */
function drawSlideArrow(direction, drawing, kind) {
  const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] ?? [0, 0];
  const length = Math.min(drawing.width, drawing.height) * 0.3;
  const [x, y] = [drawing.width / 2, drawing.height / 2];
  return drawArrow([{ x: x - dx * length, y: y - dy * length }, { x: x + dx * length, y: y + dy * length }], drawing.radius * 0.4, drawing.radius, kind);
}

/** Draws an arrow along a path. @param {{ x: number, y: number }[]} path @param {number} width @param {number} radius @param {string} kind */
function drawArrow(path, width, radius, kind) {
  const end = path[path.length - 1];
  const before = path[path.length - 2];
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const headLength = width * 2.6;
  const tip = { x: end.x - dx * radius * 0.2, y: end.y - dy * radius * 0.2 };
  const neck = { x: tip.x - dx * headLength, y: tip.y - dy * headLength };
  const shaft = [...path.slice(0, -1), neck].map((at, index) => `${index ? "L" : "M"}${at.x} ${at.y}`).join("");
  return svg("g", { class: `arrow ${kind}` },
    svg("path", { class: "shaft", d: shaft, "stroke-width": width }),
    svg("path", { class: "head", d: `M${tip.x} ${tip.y}L${neck.x - dy * headLength * 0.6} ${neck.y + dx * headLength * 0.6}L${neck.x + dy * headLength * 0.6} ${neck.y - dx * headLength * 0.6}Z` }));
}
