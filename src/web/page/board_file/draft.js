// A board that a person draws: its points, lines, pieces and rules. Pure functions, for tests.

/** A point of the board. y grows upward. @typedef {{ x: number, y: number }} Place */

/**
 * A board being drawn. Its points have ids, which stay when other points are added or removed. The ids of `lines`, `pieces` and
 * `zones` are those of `points`.
 * @typedef {object} BoardDraft
 * @property {Map<string, Place>} points
 * @property {string[][]} lines
 * @property {Record<PieceKind, { at: Set<string>, hand: number }>} pieces where they stand at the start, and the number in hand
 * @property {Map<string, number>} heights the numbers of prey where several start
 * @property {Record<string, Set<string>>} zones by keyword, one of `ZONES`
 * @property {Record<string, string>} values the other keywords of the file and their values
 */

/** @typedef {"hunter" | "prey"} PieceKind */

/** The places where points can be added. @typedef {{ left: number, bottom: number, columns: number, rows: number, step: number }} Grid */

/** The keywords that mark points. */
export const ZONES = ["prey-zone", "prey-stacks", "hunters-goal", "hunters-trap", "prey-goal"];

/** Maximum distance of a point from the line through two others, as a share of their distance, that counts as none. */
const STRAIGHT_TOLERANCE = 0.01;

/** Minimum distance of a free place from a point, as a share of the distance of the closest two points, or of the step of the grid. */
const NEAR_SHARE = 0.95;
/** Distance of the closest two points below which a grid has half the step. */
const FINE_DISTANCE = 0.7;

/** @returns {BoardDraft} */
export function emptyDraft() {
  return {
    points: new Map(), lines: [], values: { game: "my-board", names: "tigers goats" },
    pieces: { hunter: { at: new Set(), hand: 0 }, prey: { at: new Set(), hand: 0 } },
    heights: new Map(), zones: Object.fromEntries(ZONES.map((keyword) => [keyword, new Set()])),
  };
}

/** Returns the id of a point at a place. @param {Place} place */
export function idOf({ x, y }) {
  return `${x},${y}`;
}

/** Returns the rows of a board from the top, each with its ids from the left. @param {BoardDraft} draft */
export function rowsOf({ points }) {
  /** @type {Map<number, string[]>} */
  const rows = new Map();
  const sorted = [...points].sort(([, one], [, other]) => other.y - one.y || one.x - other.x);
  for (const [id, { y }] of sorted) rows.set(y, [...(rows.get(y) ?? []), id]);
  return [...rows.values()];
}

/** Returns the name of each point by its id: the letter of its row, and its number from the left. @param {BoardDraft} draft @returns {Map<string, string>} */
export function namesOf(draft) {
  return new Map(rowsOf(draft).flatMap((ids, row) => ids.map((id, at) => [id, pointName(row, at)])));
}

/** Returns the name of a point. @param {number} row from the top, from 0 @param {number} at from the left, from 0 */
export function pointName(row, at) {
  return `${String.fromCharCode(97 + row)}${at + 1}`;
}

/** Returns the pairs of neighbors on a line. @param {string[]} line @returns {[string, string][]} */
function edgesOf(line) {
  return line.slice(1).map((id, at) => [line[at], id]);
}

/** Returns `true` if two points are neighbors on a line. @param {BoardDraft} draft @param {string} one @param {string} other */
function areNeighbors({ lines }, one, other) {
  return lines.some((line) => edgesOf(line).some(([from, to]) => (from === one && to === other) || (from === other && to === one)));
}

/** Returns `true` if `middle` is on the straight way from `from` to `to`. @param {Place} from @param {Place} middle @param {Place} to */
function isBetween(from, middle, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const [mx, my] = [middle.x - from.x, middle.y - from.y];
  const length = dx * dx + dy * dy;
  const along = (mx * dx + my * dy) / length;
  return along > 0 && along < 1 && Math.abs(mx * dy - my * dx) <= STRAIGHT_TOLERANCE * length;
}

/** Adds a point, also to the lines that it meets, or removes the point there. @param {BoardDraft} draft @param {Place} place */
export function togglePoint(draft, place) {
  const id = idOf(place);
  if (draft.points.has(id)) return removePoint(draft, id);
  draft.points.set(id, place);
  for (const [index, line] of draft.lines.entries()) {
    const at = edgesOf(line).findIndex((edge) => isBetween(pointAt(draft, edge[0]), place, pointAt(draft, edge[1])) && !edge.some((end) => areNeighbors(draft, end, id)));
    if (at >= 0) draft.lines[index] = line.toSpliced(at + 1, 0, id);
  }
}

/** @param {BoardDraft} draft @param {string} id @returns {Place} */
function pointAt(draft, id) {
  return /** @type {Place} */ (draft.points.get(id));
}

/** Removes a point with its pieces and marks. A straight line through it stays. @param {BoardDraft} draft @param {string} id */
function removePoint(draft, id) {
  const { lines } = draft;
  draft.lines = lines.filter((line) => !line.includes(id));
  for (const line of lines.filter((one) => one.includes(id))) {
    const at = line.indexOf(id);
    const [before, after] = [line[at - 1], line[at + 1]];
    const joins = before !== undefined && after !== undefined && isBetween(pointAt(draft, before), pointAt(draft, id), pointAt(draft, after)) && !areNeighbors(draft, before, after);
    draft.lines.push(...(joins ? [line.toSpliced(at, 1)] : [line.slice(0, at), line.slice(at + 1)].filter((part) => part.length > 1)));
  }
  draft.points.delete(id);
  for (const set of [draft.pieces.hunter.at, draft.pieces.prey.at, draft.heights, ...Object.values(draft.zones)]) set.delete(id);
}

/** Draws the straight line between two points, through all points on the way, or removes it if all of it is drawn. @param {BoardDraft} draft @param {string} from @param {string} to */
export function toggleLine(draft, from, to) {
  const [start, end] = [pointAt(draft, from), pointAt(draft, to)];
  const distance = (/** @type {string} */ id) => Math.hypot(pointAt(draft, id).x - start.x, pointAt(draft, id).y - start.y);
  const between = [...draft.points.keys()].filter((id) => id !== from && id !== to && isBetween(start, pointAt(draft, id), end));
  const edges = edgesOf([from, ...between.sort((one, other) => distance(one) - distance(other)), to]);
  const missing = edges.filter(([one, other]) => !areNeighbors(draft, one, other));
  if (missing.length) for (const edge of missing) addEdge(draft, edge);
  else for (const edge of edges) removeEdge(draft, edge);
}

/** Adds a line of two points, joined to the lines that it continues. @param {BoardDraft} draft @param {string[]} edge */
function addEdge(draft, edge) {
  let added = edge;
  // The line can be continued at each of its two ends.
  for (let end = 0; end < 2; end++) {
    const [before, last] = added.slice(-2);
    /** @param {string[]} line */
    const continues = (line) => line[0] === last && isBetween(pointAt(draft, before), pointAt(draft, last), pointAt(draft, line[1])) && !line.slice(1).some((id) => added.includes(id));
    const at = draft.lines.findIndex((line) => continues(line) || continues(line.toReversed()));
    const [next] = at < 0 ? [[last]] : draft.lines.splice(at, 1);
    added = [...added, ...(next[0] === last ? next : next.toReversed()).slice(1)].reverse();
  }
  draft.lines.push(added);
}

/** @param {BoardDraft} draft @param {[string, string]} edge */
function removeEdge(draft, [one, other]) {
  draft.lines = draft.lines.flatMap((line) => {
    const at = edgesOf(line).findIndex((edge) => edge.includes(one) && edge.includes(other));
    return at < 0 ? [line] : [line.slice(0, at + 1), line.slice(at + 1)].filter((part) => part.length > 1);
  });
}

/** Puts a piece on a point, or removes it. @param {BoardDraft} draft @param {PieceKind} kind @param {string} id */
export function togglePiece({ pieces, heights }, kind, id) {
  heights.delete(id);
  const isThere = pieces[kind].at.has(id);
  for (const { at } of Object.values(pieces)) at.delete(id);
  if (!isThere) pieces[kind].at.add(id);
}

/** Marks a point, or removes its mark. @param {BoardDraft} draft @param {string} keyword one of `ZONES` @param {string} id */
export function toggleMark({ zones }, keyword, id) {
  if (!zones[keyword].delete(id)) zones[keyword].add(id);
}

/** Returns the places of a grid where a point can be added: none too near to a point. @param {BoardDraft} draft @param {Grid} grid @returns {Place[]} */
export function freePlaces({ points }, { left, bottom, columns, rows, step }) {
  const places = Array.from({ length: columns * rows }, (_, at) => ({ x: left + step * (at % columns), y: bottom + step * Math.floor(at / columns) }));
  const least = NEAR_SHARE * Math.min(step, leastDistance(points));
  return places.filter((place) => [...points.values()].every(({ x, y }) => Math.hypot(x - place.x, y - place.y) > least));
}

/** Returns the distance of the two closest points. @param {Map<string, Place>} points */
function leastDistance(points) {
  const places = [...points.values()];
  return Math.min(...places.flatMap((one, at) => places.slice(at + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y))));
}

/** The sizes of a grid, in places a side. */
export const GRID_SIZES = [5, 7, 9, 11];

/** Returns the smallest grid of at least `size` places a side that covers the board. Its step is 1, unless the board needs another. @param {BoardDraft} draft @param {number} size @returns {Grid} */
export function gridAround({ points }, size) {
  const [xs, ys] = [[...points.values()].map(({ x }) => x), [...points.values()].map(({ y }) => y)];
  const fine = leastDistance(points) < FINE_DISTANCE ? 0.5 : 1;
  const [left, bottom] = [xs, ys].map((values) => fine * Math.floor(Math.min(0, ...values) / fine));
  const [right, top] = [xs, ys].map((values) => fine * Math.ceil(Math.max(0, ...values) / fine));
  const most = /** @type {number} */ (GRID_SIZES.at(-1)) - 1;
  const step = fine * Math.max(1, Math.ceil(Math.max(right - left, top - bottom) / (most * fine)));
  const [columns, rows] = [right - left, top - bottom].map((span) => Math.max(size, Math.ceil(span / step) + 1));
  return { left, bottom, step, columns, rows };
}

/** Returns the text of the board file. @param {BoardDraft} draft */
export function formatBoard(draft) {
  const { points, lines, pieces, heights, zones, values } = draft;
  const names = namesOf(draft);
  /** @param {Iterable<string>} ids */
  const list = (ids) => [...ids].map((id) => names.get(id)).join(" ");
  const order = [...names.keys()];
  /** @param {Set<string>} set */
  const sorted = (set) => list(order.filter((id) => set.has(id)));
  /** @param {...string} keywords */
  const valueLines = (...keywords) => keywords.flatMap((keyword) => (values[keyword] ? values[keyword].split("\n").map((value) => `${keyword} ${value}`) : []));
  /** @param {PieceKind} kind */
  const pieceText = (kind) => {
    const { at, hand } = pieces[kind];
    const stacks = order.filter((id) => at.has(id)).map((id) => ({ name: names.get(id), height: (kind === "prey" && heights.get(id)) || 1 }));
    const count = stacks.reduce((sum, { height }) => sum + height, hand);
    return `${count}${stacks.length ? " at" : ""}${stacks.map(({ name, height }) => ` ${name}${height > 1 ? `*${height}` : ""}`).join("")}`;
  };
  return [
    ...valueLines("game", "about", "origin", "year", "source", "differs", "names"),
    ...rowsOf(draft).map((ids) => `row ${points.get(ids[0])?.y}   ${ids.map((id) => points.get(id)?.x).join(" ")}`),
    ...lines.map((line) => `line ${list(line)}`),
    `hunters ${pieceText("hunter")}`, ...valueLines("hunters-drop"), `prey ${pieceText("prey")}`,
    ...valueLines("first", "first-drops", "captures", "leap", "capture", "huff", "prey-steps"), ...("prey-turn" in values ? ["prey-turn"] : []), ...valueLines("prey-stuck"),
    ...ZONES.filter((keyword) => zones[keyword].size).map((keyword) => `${keyword} ${sorted(zones[keyword])}`),
    ...valueLines("repetition"),
  ].map((line) => `${line}\n`).join("");
}
