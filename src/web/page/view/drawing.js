// The drawing of a board: its size, its points or cells, and how to find them.

/** The center of a point or cell. @typedef {{ name: string, x: number, y: number }} Spot */

/**
 * @typedef {object} Drawing
 * @property {number} width
 * @property {number} height
 * @property {Spot[]} spots
 * @property {number} radius the radius of a piece, or half the side of a cell
 * @property {boolean} isSquare whether the spots are cells, not points
 * @property {() => SVGElement[]} ground draws the board
 * @property {(scale: number) => SVGElement[]} labels draws the names of the points, or of rows and columns; `scale` is the pixels of a unit
 */

/** Minimum height of a name on the screen, in pixels. */
export const MIN_NAME_PX = 11;

/** Returns the name of a cell: a column letter and a row number from the bottom. @param {number} column from the left, from 0 @param {number} row from the bottom, from 0 */
export function cellName(column, row) {
  return `${String.fromCharCode(97 + column)}${row + 1}`;
}

/**
 * Returns the spot nearest to a position of the drawing; `null` if none is within reach.
 * @param {Drawing} drawing
 * @param {number} x
 * @param {number} y
 */
export function nearestSpot(drawing, x, y) {
  /** @type {Spot | null} */
  let nearest = null;
  let minDistance = Infinity;
  for (const spot of drawing.spots) {
    const distance = drawing.isSquare
      ? Math.max(Math.abs(spot.x - x), Math.abs(spot.y - y))
      : Math.hypot(spot.x - x, spot.y - y);
    if (distance < minDistance) [nearest, minDistance] = [spot, distance];
  }
  const reach = drawing.isSquare ? drawing.radius * 1.15 : Math.max(drawing.radius * 1.7, Math.min(drawing.width, drawing.height) * 0.07);
  return minDistance <= reach ? nearest : null;
}

/** The cost of a sideways unit, where a unit straight ahead costs 1. */
const SIDEWAYS_COST = 2.5;

/**
 * Returns the next spot in a direction, for the arrow keys. A spot straight ahead wins over a nearer one to the side.
 * @param {Drawing} drawing
 * @param {string} from
 * @param {number} dx
 * @param {number} dy downward
 */
export function spotInDirection(drawing, from, dx, dy) {
  const start = drawing.spots.find((spot) => spot.name === from);
  if (!start) return drawing.spots[0] ?? null;
  /** @type {Spot | null} */
  let best = null;
  let minCost = Infinity;
  for (const spot of drawing.spots) {
    const [x, y] = [spot.x - start.x, spot.y - start.y];
    const ahead = x * dx + y * dy;
    if (ahead <= 1) continue;
    const cost = ahead + SIDEWAYS_COST * (Math.abs(x * dy) + Math.abs(y * dx));
    if (cost < minCost) [best, minCost] = [spot, cost];
  }
  return best;
}
