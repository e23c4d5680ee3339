// What a drawing of a board is, whatever draws it: its places, and which of them lies where.

/** @typedef {{ name: string, x: number, y: number }} Spot */

/**
 * @typedef {object} Scene
 * @property {number} width
 * @property {number} height
 * @property {Spot[]} spots
 * @property {number} radius of a piece
 * @property {boolean} square whether the places are squares, not points
 * @property {() => SVGElement[]} ground
 * @property {() => SVGElement[]} labels
 */

/** The name of a cell: column letter from the left, row number from the bottom. @param {number} column @param {number} row from the bottom, from 0 */
export function cell(column, row) {
  return `${String.fromCharCode(97 + column)}${row + 1}`;
}

/**
 * The place nearest to a point of the drawing; null beyond the reach of any.
 * @param {Scene} scene
 * @param {number} x
 * @param {number} y
 */
export function nearest(scene, x, y) {
  /** @type {Spot | null} */
  let best = null;
  let least = Infinity;
  for (const spot of scene.spots) {
    const away = scene.square
      ? Math.max(Math.abs(spot.x - x), Math.abs(spot.y - y))
      : Math.hypot(spot.x - x, spot.y - y);
    if (away < least) [best, least] = [spot, away];
  }
  const reach = scene.square ? scene.radius * 1.15 : Math.max(scene.radius * 1.7, Math.min(scene.width, scene.height) * 0.07);
  return least <= reach ? best : null;
}

/**
 * The place that lies next in a direction: what an arrow key goes to. Straight ahead counts more than near.
 * @param {Scene} scene
 * @param {string} from
 * @param {number} dx
 * @param {number} dy downwards
 */
export function beside(scene, from, dx, dy) {
  const start = scene.spots.find((spot) => spot.name === from);
  if (!start) return scene.spots[0] ?? null;
  /** @type {Spot | null} */
  let best = null;
  let least = Infinity;
  for (const spot of scene.spots) {
    const [x, y] = [spot.x - start.x, spot.y - start.y];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (ahead <= 1) continue;
    const cost = ahead + 2.5 * aside;
    if (cost < least) [best, least] = [spot, cost];
  }
  return best;
}
