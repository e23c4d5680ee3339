// What is marked on a board: the last move's ghost, what is chosen, where it may go, what tables know of that.

import { targets } from "../move_clicks.js";
import { s } from "../dom.js";
import { verdict } from "../value.js";
import { pieceDrawing } from "./pieces.js";

/** @import { Look } from "./board_view.js" */
/** @import { Scene, Spot } from "./drawing.js" */
/** @import { Solved, Turn } from "../types.js" */

/**
 * @param {Look} look
 * @param {Scene} scene
 * @returns {{ below: SVGElement[], above: SVGElement[] }}
 */
export function marks(look, scene) {
  /** @type {SVGElement[]} */
  const below = [];
  /** @type {SVGElement[]} */
  const above = [];
  const spots = new Map(scene.spots.map((spot) => [spot.name, spot]));
  const tiles = look.state.board.kind === "tiles";
  if (look.last && !tiles) below.push(...ghost(look, scene, spots));
  for (const name of look.state.ending?.points ?? []) {
    const spot = spots.get(name);
    if (spot) below.push(area(spot, scene, "won"));
  }
  for (const name of look.made) {
    const spot = spots.get(name);
    if (spot) below.push(area(spot, scene, "chosen"));
  }
  if (!look.live || tiles) return { below, above };
  const next = targets(look.state.moves, look.made);
  for (const [name, target] of next) {
    const spot = spots.get(name);
    if (!spot) continue;
    const known = look.colours ? best(target.done.map((move) => look.colours?.get(move.move)), look.state.turn) : null;
    const begins = target.more && look.made.length === 0;
    if (begins) {
      const onward = look.colours ? first(look, name) : null;
      if (onward) above.push(...badge(spot, scene, onward, look.state.turn, false));
      continue;
    }
    if (known) above.push(...badge(spot, scene, known, look.state.turn, true));
    else above.push(target.captures
      ? s("circle", { class: "target captures", cx: spot.x, cy: spot.y, r: scene.radius * 0.8 })
      : s("circle", { class: look.made.length ? "target" : "target drop", cx: spot.x, cy: spot.y, r: scene.radius * (look.made.length ? 0.3 : 0.2) }));
  }
  // What a leap would take.
  if (look.made.length) {
    const taken = new Set(look.state.moves.filter((move) => look.made.every((at, index) => (move.path ?? [move.from, move.to])[index] === at)).flatMap((move) => move.captures ?? []));
    for (const name of taken) {
      const spot = spots.get(name);
      if (spot) above.push(s("path", { class: "taken", "stroke-width": scene.radius * 0.16, d: `M${spot.x - scene.radius * 0.55} ${spot.y - scene.radius * 0.55}l${scene.radius * 1.1} ${scene.radius * 1.1}m0 ${-scene.radius * 1.1}l${-scene.radius * 1.1} ${scene.radius * 1.1}` }));
    }
  }
  return { below, above };
}

/** The best that is known of the moves that begin at a place. @param {Look} look @param {string} name */
function first(look, name) {
  return best(look.state.moves.filter((move) => move.from === name).map((move) => look.colours?.get(move.move)), look.state.turn);
}

/** @param {(Solved | undefined)[]} known @param {Turn} turn @returns {Solved | null} */
function best(known, turn) {
  /** @type {Solved | null} */
  let top = null;
  for (const one of known) {
    if (one && (!top || verdict({ end: one.verdict, plies: null }, turn) > verdict({ end: top.verdict, plies: null }, turn))) top = one;
  }
  return top;
}

/**
 * What a move is worth: a colour, a shape (up, level, down) and the distance to the end.
 * @param {Spot} spot
 * @param {Scene} scene
 * @param {Solved} known
 * @param {Turn} turn
 * @param {boolean} whole whether on an empty place, not on a piece's shoulder
 */
function badge(spot, scene, known, turn, whole) {
  const sign = verdict({ end: known.verdict, plies: null }, turn);
  const name = sign > 0 ? "win" : sign < 0 ? "loss" : "draw";
  const r = scene.radius * (whole ? 0.62 : 0.4);
  const [x, y] = whole ? [spot.x, spot.y] : [spot.x + scene.radius * 0.72, spot.y + scene.radius * 0.66];
  const outline = sign > 0
    ? `M${x} ${y - r * 1.1}L${x + r} ${y + r * 0.75}H${x - r}Z`
    : sign < 0
      ? `M${x} ${y + r * 1.1}L${x + r} ${y - r * 0.75}H${x - r}Z`
      : `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  const text = known.plies === null ? (known.traps ? `${Math.round(known.traps * 100)}%` : "=") : String(known.plies);
  const font = r * (text.length > 2 ? 0.72 : 0.85);
  const lift = sign > 0 ? r * 0.5 : sign < 0 ? r * 0.02 : font * 0.36;
  return [s("g", { class: `badge ${name}`, "data-worth": known.move },
    s("path", { d: outline }),
    whole || known.plies !== null ? s("text", { x, y: y + lift, "font-size": font }, text) : null)];
}

/** @param {Look} look @param {Scene} scene @param {Map<string, Spot>} spots */
function ghost(look, scene, spots) {
  const last = /** @type {NonNullable<Look["last"]>} */ (look.last);
  /** @type {SVGElement[]} */
  const drawn = [];
  for (const name of [last.to, ...(last.drops ?? [])]) {
    const spot = name ? spots.get(name) : null;
    if (spot) drawn.push(area(spot, scene, "last"));
  }
  const from = last.from ? spots.get(last.from) : null;
  const to = last.to ? spots.get(last.to) : null;
  if (from && to) {
    const way = (last.path ?? [last.from, last.to]).map((name) => spots.get(/** @type {string} */ (name))).filter((spot) => spot !== undefined);
    drawn.push(s("path", { class: "way", "stroke-width": scene.radius * 0.16, d: way.map((spot, at) => `${at ? "L" : "M"}${spot.x} ${spot.y}`).join("") }));
    const piece = look.state.pieces.find((one) => one.at === last.to);
    if (piece) drawn.push(s("g", { class: "ghost", transform: `translate(${from.x} ${from.y}) scale(${scene.radius / 56})` }, pieceDrawing(look.state, piece.kind, piece.player ?? "p1")));
  }
  for (const name of last.captures ?? []) {
    const spot = spots.get(name);
    if (spot) drawn.push(s("circle", { class: "captured", cx: spot.x, cy: spot.y, r: scene.radius * 0.75 }));
  }
  return drawn;
}

/** @param {Spot} spot @param {Scene} scene @param {string} name */
function area(spot, scene, name) {
  return scene.square
    ? s("rect", { class: name, x: spot.x - scene.radius * 0.92, y: spot.y - scene.radius * 0.92, width: scene.radius * 1.84, height: scene.radius * 1.84, rx: scene.radius * 0.16 })
    : s("circle", { class: name, cx: spot.x, cy: spot.y, r: scene.radius * 1.12 });
}
