// A board of places and pieces: drawn from the engine's geometry, pointed at by mouse, finger and keyboard.

import { s, set, still } from "../dom.js";
import { place, zoneWords } from "../text.js";
import { arrows } from "./arrows.js";
import { Keys } from "./board_keys.js";
import { marks } from "./marks.js";
import { match } from "./piece_matching.js";
import { pieceDrawing } from "./pieces.js";
import { Pointer } from "./pointer.js";
import { scene } from "./scene.js";
import { tile } from "./tile_board.js";

/** @import { State, Move, Piece, Solved } from "../types.js" */
/** @import { Scene } from "./drawing.js" */

/**
 * What a board shows.
 * @typedef {object} Look
 * @property {State} state
 * @property {string[]} made clicks so far
 * @property {Move | null} last
 * @property {Map<string, Solved> | null} colours what tables know of each move
 * @property {{ move: Move, weight: number, kind: string }[]} arrows
 * @property {boolean} names
 * @property {boolean} flip
 * @property {boolean} live whether a person may move
 * @property {boolean} preview whether this is not the game but a line looked at
 * @property {string} picture
 * @property {boolean} hasty whether moves come too quickly to be seen travelling
 */

/**
 * What a board tells of a person.
 * @typedef {object} Acts
 * @property {(place: string) => void} click
 * @property {(from: string, to: string) => void} drag
 * @property {(direction: "up" | "down" | "left" | "right") => void} swipe
 */

export class BoardView {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.element = s("svg", { class: "board", role: "group" });
    this.layers = {
      ground: s("g", { class: "ground", "aria-hidden": "true" }),
      names: s("g", { class: "names", "aria-hidden": "true" }),
      below: s("g", { class: "below", "aria-hidden": "true" }),
      pieces: s("g", { class: "pieces", "aria-hidden": "true" }),
      above: s("g", { class: "above", "aria-hidden": "true" }),
      spots: s("g", { class: "spots" }),
    };
    this.element.append(...Object.values(this.layers));
    /** @type {Scene | null} */
    this.scene = null;
    this.drawn = "";
    /** @type {{ piece: Piece, element: SVGElement }[]} */
    this.shown = [];
    /** @type {Look | null} */
    this.look = null;
    this.fenShown = "";
    this.pointer = new Pointer(this);
    this.keys = new Keys(this);
    this.later = 0;
  }

  /** @param {Look} look */
  show(look) {
    const { state } = look;
    const kind = JSON.stringify([state.variant, { ...state.board, goal: null }, look.flip]);
    const anew = kind !== this.drawn;
    if (anew) this.ground(look, kind);
    const changed = this.look?.names !== look.names || anew;
    this.look = look;
    const seen = /** @type {Scene} */ (this.scene);
    if (changed) this.layers.names.replaceChildren(...(look.names ? seen.labels() : []));
    set(this.element, { class: `board ${state.board.kind} ${look.preview ? "preview" : ""} ${look.live ? "live" : ""} ${seen.square ? "square" : ""}` });
    this.settle(look, seen, anew);
    const { below, above } = marks(look, seen);
    this.layers.below.replaceChildren(...below);
    this.layers.above.replaceChildren(...above, ...arrows(look.arrows, seen));
    this.describe(look);
  }

  /** Draws what does not move. @param {Look} look @param {string} kind */
  ground(look, kind) {
    this.drawn = kind;
    const drawn = scene(look.state.board, look.flip);
    this.scene = drawn;
    const legend = this.legend(look.state, drawn);
    set(this.element, { viewBox: `0 0 ${drawn.width} ${drawn.height + legend.height}` });
    this.layers.ground.replaceChildren(...drawn.ground(), ...legend.rows);
    this.layers.pieces.replaceChildren();
    this.shown = [];
    this.layers.spots.replaceChildren(...drawn.spots.map((spot, at) => s("g",
      { class: "spot", role: "button", tabindex: at ? -1 : 0, "data-at": spot.name },
      drawn.square
        ? s("rect", { class: "hit", x: spot.x - drawn.radius, y: spot.y - drawn.radius, width: 2 * drawn.radius, height: 2 * drawn.radius })
        : s("circle", { class: "hit", cx: spot.x, cy: spot.y, r: drawn.radius * 1.05 }))));
  }

  /** Names the marked parts of the board in rows below it. @param {State} state @param {Scene} drawn */
  legend(state, drawn) {
    const zones = state.board.zones ?? [];
    const font = drawn.width * 0.034;
    const rows = zones.map((zone, at) => s("g", { transform: `translate(${font} ${drawn.height + font * (1.1 + 1.6 * at)})` },
      s("circle", { class: `zone ${zone.kind}`, cx: font * 0.6, r: font * 0.6 }),
      s("text", { class: "legend", x: font * 1.8, y: font * 0.36, "font-size": font }, zoneWords(state, zone))));
    return { rows, height: rows.length ? font * (0.6 + 1.6 * rows.length) : 0 };
  }

  /** Puts every piece in its place, travelling where it can be seen to. @param {Look} look @param {Scene} seen @param {boolean} anew */
  settle(look, seen, anew) {
    clearTimeout(this.later);
    const slides = look.last?.slides;
    const moves = !anew && !still() && !look.hasty;
    if (moves && slides && this.fenShown !== look.state.fen && this.travel(slides, seen)) {
      this.later = window.setTimeout(() => this.reconcile(look, seen, true), 110);
    } else this.reconcile(look, seen, moves);
    this.fenShown = look.state.fen;
  }

  /** Lets all tiles slide where they merge; false where they do not stand where the slide begins. @param {{ from: string, to: string }[]} slides @param {Scene} seen */
  travel(slides, seen) {
    const moving = slides.map((slide) => ({ slide, at: this.shown.find((one) => one.piece.at === slide.from) }));
    if (moving.some((one) => !one.at)) return false;
    for (const { slide, at } of moving) if (at) this.put(at.element, slide.to, seen);
    for (const { slide, at } of moving) if (at) at.piece = { ...at.piece, at: slide.to };
    return true;
  }

  /** @param {Look} look @param {Scene} seen @param {boolean} moves */
  reconcile(look, seen, moves) {
    const now = look.state.pieces.filter((piece) => piece.kind !== "tile" || (piece.value ?? 0) > 0);
    /** @param {string} name */
    const spot = (name) => seen.spots.find((one) => one.name === name) ?? { x: 0, y: 0 };
    const pairs = match(this.shown.map((one) => one.piece), now, (one, other) => Math.hypot(spot(one).x - spot(other).x, spot(one).y - spot(other).y));
    const kept = new Set(pairs.filter((at) => at >= 0));
    this.shown.forEach((one, at) => kept.has(at) || one.element.remove());
    this.shown = now.map((piece, at) => {
      const old = pairs[at] >= 0 ? this.shown[pairs[at]] : null;
      const element = old ? old.element : s("g", { class: moves ? "piece new" : "piece" });
      const picture = piece.kind === "tile" ? `${look.picture}|${piece.at}` : "";
      if (!old || old.piece.value !== piece.value || element.getAttribute("data-picture") !== picture) {
        set(element, { "data-picture": picture });
        element.replaceChildren(this.draw(piece, look, seen));
      }
      set(element, { "data-kind": piece.kind, "data-on": piece.at });
      element.classList.toggle("travels", moves && old !== null && old.piece.at !== piece.at);
      this.put(element, piece.at, seen);
      if (!old) this.layers.pieces.append(element);
      return { piece, element };
    });
  }

  /** @param {Piece} piece @param {Look} look @param {Scene} seen */
  draw(piece, look, seen) {
    if (piece.kind === "tile") return tile(piece, look.state.board, look.picture);
    return s("g", { transform: `scale(${seen.square ? 0.86 : seen.radius / 50})` }, pieceDrawing(look.state, piece.kind, piece.player ?? "p1"));
  }

  /** @param {SVGElement} element @param {string} at @param {Scene} seen */
  put(element, at, seen) {
    const spot = seen.spots.find((one) => one.name === at);
    if (spot) element.style.transform = `translate(${spot.x}px, ${spot.y}px)`;
  }

  /** Gives every place its name for those who hear the board. @param {Look} look */
  describe(look) {
    const { state } = look;
    set(this.element, { "aria-label": state.title });
    for (const spot of this.layers.spots.children) {
      const at = spot.getAttribute("data-at") ?? "";
      const piece = state.pieces.find((one) => one.at === at);
      set(spot, { "aria-label": place(state, at, piece), "aria-pressed": look.made.includes(at) ? "true" : "false" });
    }
  }

  /** The element of a piece. @param {string} at */
  piece(at) {
    return this.shown.find((one) => one.piece.at === at)?.element ?? null;
  }
}
