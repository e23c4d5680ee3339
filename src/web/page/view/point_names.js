// Finds places for the names of points, so that no name meets a line, a piece, or another name.

/** @import { Spot } from "./drawing.js" */

/** Half the height of a letter, and half its width, in multiples of the font size. */
const HALF_HEIGHT = 0.46;
const HALF_WIDTH = 0.33;
/** Number of directions that are tried around a point. */
const DIRECTIONS = 48;
/** The preferred direction: to the upper right. */
const PREFERRED_ANGLE = -Math.PI / 4;
/** A name belongs to the nearest point: the distance to its own point is at most this share of that to any other. */
const MAX_DISTANCE_SHARE = 0.87;
/** What the direction farthest from the preferred one costs, in font sizes. */
const ANGLE_COST = 0.3;

/**
 * @typedef {object} NameField what stands on a board, in the units of the drawing
 * @property {Spot[]} spots
 * @property {[Spot, Spot][]} segments
 * @property {(name: string) => number} radiusOf the radius that the piece or the mark of a point needs
 * @property {number} gap the distance of a name from lines and pieces
 * @property {number} dot the radius of a point without a piece
 * @property {number} width
 * @property {number} height
 */

/** The place of a name. An inner name stands where a piece on its own point would be. @typedef {{ name: string, x: number, y: number, isInner: boolean }} NamePlace */

/**
 * Returns the places of the names. A name without any place is left out.
 * @param {NameField} field
 * @param {number} font the font size
 * @returns {NamePlace[]}
 */
export function placeNames(field, font) {
  /** @type {NamePlace[]} */
  const placed = [];
  const left = new Set(field.spots);
  // Places beside the pieces come first, since their names are always visible.
  for (const isInner of [false, true]) {
    for (const spot of left) {
      const place = findPlace(field, font, spot, isInner, placed);
      if (!place) continue;
      placed.push(place);
      left.delete(spot);
    }
  }
  return placed;
}

/** Returns the cheapest free place of a name, or `null`. @param {NameField} field @param {number} font @param {Spot} spot @param {boolean} isInner @param {NamePlace[]} placed @returns {NamePlace | null} */
function findPlace(field, font, spot, isInner, placed) {
  const start = isInner ? field.dot : field.radiusOf(spot.name);
  const end = isInner ? field.radiusOf(spot.name) + font : start + 3 * font;
  /** @type {NamePlace | null} */
  let best = null;
  let minCost = Infinity;
  for (let step = 0; step < DIRECTIONS; step++) {
    const turn = (step % 2 ? 1 : -1) * Math.ceil(step / 2) * (2 * Math.PI / DIRECTIONS);
    const angle = PREFERRED_ANGLE + turn;
    const angleCost = (Math.abs(turn) / Math.PI) * ANGLE_COST * font;
    for (let distance = start; distance <= end && distance + angleCost < minCost; distance += font * 0.1) {
      const place = { name: spot.name, x: spot.x + Math.cos(angle) * distance, y: spot.y + Math.sin(angle) * distance, isInner };
      if (isFree(field, font, spot, place, placed)) [best, minCost] = [place, distance + angleCost];
    }
  }
  return best;
}

/** Returns `true` if a name at this place meets nothing and is nearest to its own point. @param {NameField} field @param {number} font @param {Spot} own @param {NamePlace} place @param {NamePlace[]} placed */
function isFree({ spots, segments, radiusOf, gap, dot, width, height }, font, own, place, placed) {
  const [halfWidth, halfHeight] = [HALF_WIDTH * font * place.name.length, HALF_HEIGHT * font];
  if (place.x < halfWidth + gap || place.y < halfHeight + gap || place.x > width - halfWidth - gap || place.y > height - halfHeight - gap) return false;
  const ownDistance = Math.hypot(place.x - own.x, place.y - own.y);
  for (const spot of spots) {
    const [dx, dy] = [Math.abs(spot.x - place.x), Math.abs(spot.y - place.y)];
    const radius = spot === own && place.isInner ? dot : radiusOf(spot.name);
    if (Math.hypot(Math.max(0, dx - halfWidth), Math.max(0, dy - halfHeight)) < radius + gap) return false;
    if (spot !== own && ownDistance > MAX_DISTANCE_SHARE * Math.hypot(dx, dy)) return false;
  }
  for (const other of placed) {
    if (Math.abs(other.x - place.x) < HALF_WIDTH * font * other.name.length + halfWidth + gap && Math.abs(other.y - place.y) < 2 * halfHeight + gap) return false;
  }
  return !segments.some(([from, to]) => meetsBox(from, to, place, halfWidth + gap, halfHeight + gap));
}

/** Returns `true` if a segment meets a box around `center`. @param {Spot} from @param {Spot} to @param {{ x: number, y: number }} center @param {number} halfWidth @param {number} halfHeight */
function meetsBox(from, to, center, halfWidth, halfHeight) {
  // Clips the segment to the box, one axis after the other.
  let [low, high] = [0, 1];
  for (const [start, delta, half] of [[from.x - center.x, to.x - from.x, halfWidth], [from.y - center.y, to.y - from.y, halfHeight]]) {
    if (Math.abs(delta) < 1e-9) {
      if (Math.abs(start) > half) return false;
      continue;
    }
    const ends = [(-half - start) / delta, (half - start) / delta];
    low = Math.max(low, Math.min(...ends));
    high = Math.min(high, Math.max(...ends));
  }
  return low <= high;
}
