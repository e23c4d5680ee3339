// Arrows of moves that the engine thinks of: the better, the broader.

import { s } from "../dom.js";

/** @import { Scene } from "./drawing.js" */
/** @import { Move } from "../types.js" */

/**
 * @param {{ move: Move, weight: number, kind: string }[]} moves
 * @param {Scene} scene
 * @returns {SVGElement[]}
 */
export function arrows(moves, scene) {
  const spots = new Map(scene.spots.map((spot) => [spot.name, spot]));
  /** @type {SVGElement[]} */
  const drawn = [];
  for (const { move, weight, kind } of moves) {
    if (move.slides) {
      drawn.push(slide(move.move, scene, kind));
      continue;
    }
    const places = move.path ?? move.drops ?? [move.from, move.to].filter((name) => name !== undefined);
    const way = places.map((name) => spots.get(/** @type {string} */ (name))).filter((spot) => spot !== undefined);
    if (way.length === 0) continue;
    const width = scene.radius * (0.1 + 0.16 * weight);
    if (way.length === 1 || move.drops) {
      for (const spot of way) drawn.push(s("circle", { class: `arrow ${kind}`, cx: spot.x, cy: spot.y, r: scene.radius * 0.78, "stroke-width": width }));
      continue;
    }
    drawn.push(arrow(way, width, scene.radius, kind));
  }
  return drawn;
}

/** All tiles one way: an arrow across the middle of the board. @param {string} direction @param {Scene} scene @param {string} kind */
function slide(direction, scene, kind) {
  const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction] ?? [0, 0];
  const reach = Math.min(scene.width, scene.height) * 0.3;
  const [x, y] = [scene.width / 2, scene.height / 2];
  return arrow([{ x: x - dx * reach, y: y - dy * reach }, { x: x + dx * reach, y: y + dy * reach }], scene.radius * 0.4, scene.radius, kind);
}

/** @param {{ x: number, y: number }[]} way @param {number} width @param {number} radius @param {string} kind */
function arrow(way, width, radius, kind) {
  const end = way[way.length - 1];
  const before = way[way.length - 2];
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length];
  const head = width * 2.6;
  const tip = { x: end.x - dx * radius * 0.2, y: end.y - dy * radius * 0.2 };
  const neck = { x: tip.x - dx * head, y: tip.y - dy * head };
  const line = [...way.slice(0, -1), neck].map((at, index) => `${index ? "L" : "M"}${at.x} ${at.y}`).join("");
  return s("g", { class: `arrow ${kind}` },
    s("path", { class: "shaft", d: line, "stroke-width": width }),
    s("path", { class: "head", d: `M${tip.x} ${tip.y}L${neck.x - dy * head * 0.6} ${neck.y + dx * head * 0.6}L${neck.x + dy * head * 0.6} ${neck.y - dx * head * 0.6}Z` }));
}
