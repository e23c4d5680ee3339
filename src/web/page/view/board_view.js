// A board of points or cells with pieces, for mouse, touch and keyboard.

import { prefersReducedMotion, setAttributes, svg } from "../dom.js";
import { nextClicks } from "../move_clicks.js";
import { spotLabel, titleText, zoneLabel } from "../text.js";
import { drawArrows } from "./arrows.js";
import { BoardKeys } from "./board_keys.js";
import { drawMarks } from "./marks.js";
import { pictureKey } from "./picture.js";
import { matchPieces } from "./piece_matching.js";
import { drawPieceOf } from "./pieces.js";
import { Pointer } from "./pointer.js";
import { drawBoard } from "./scene.js";
import { drawTile } from "./tile_board.js";

/** @import { State, Move, Piece, SolvedMove } from "../types.js" */
/** @import { Drawing } from "./drawing.js" */

/**
 * What a board shows.
 * @typedef {object} ViewModel
 * @property {State} state
 * @property {string[]} clicks the points clicked so far
 * @property {Move | null} lastMove
 * @property {Map<string, SolvedMove> | null} solvedMoves the exact values to show, by move
 * @property {{ move: Move, weight: number, kind: string }[]} arrows `weight` is the width, from 0 to 1
 * @property {boolean} showNames
 * @property {boolean} flipped
 * @property {boolean} canMove whether a person may move
 * @property {boolean} isPreview whether this is a position of an engine line
 * @property {string} picture the picture on the tiles; empty for numbers
 * @property {boolean} skipAnimation
 */

/**
 * @typedef {object} InputHandlers
 * @property {(at: string) => void} click
 * @property {(from: string, to: string) => void} drag
 * @property {(direction: "up" | "down" | "left" | "right") => void} slide
 */

/** Duration of a slide in 2048 before tiles merge. */
const SLIDE_MS = 110;

export class BoardView {
  /** @param {InputHandlers} handlers @param {typeof Pointer} PointerType */
  constructor(handlers, PointerType = Pointer) {
    this.handlers = handlers;
    this.element = svg("svg", { class: "board", role: "group" });
    this.layers = {
      ground: svg("g", { class: "ground", "aria-hidden": "true" }),
      names: svg("g", { class: "names", "aria-hidden": "true" }),
      below: svg("g", { class: "below", "aria-hidden": "true" }),
      pieces: svg("g", { class: "pieces", "aria-hidden": "true" }),
      above: svg("g", { class: "above", "aria-hidden": "true" }),
      spots: svg("g", { class: "spots" }),
    };
    this.element.append(...Object.values(this.layers));
    /** @type {Drawing | null} */
    this.drawing = null;
    /** The key of the drawn ground. */
    this.groundKey = "";
    /** @type {{ piece: Piece, element: SVGElement }[]} */
    this.drawnPieces = [];
    /** @type {ViewModel | null} */
    this.model = null;
    this.shownFen = "";
    this.pointer = new PointerType(this);
    this.keys = new BoardKeys(this);
    this.slideTimer = 0;
    new ResizeObserver(() => this.drawNames()).observe(this.element);
  }

  /** @param {ViewModel} model */
  render(model) {
    const { state } = model;
    const groundKey = JSON.stringify([state.variant, { ...state.board, goal: null }, model.flipped]);
    const isNew = groundKey !== this.groundKey;
    if (isNew) this.drawGround(model, groundKey);
    const namesChanged = isNew || this.model?.showNames !== model.showNames;
    this.model = model;
    const drawing = /** @type {Drawing} */ (this.drawing);
    if (namesChanged) this.drawNames();
    this.hideCoveredNames(model);
    setAttributes(this.element, { class: `board ${state.board.kind} ${model.isPreview ? "preview" : ""} ${model.canMove ? "live" : ""} ${drawing.isSquare ? "square" : ""}` });
    this.placePieces(model, drawing, isNew);
    const { below, above } = drawMarks(model, drawing);
    this.layers.below.replaceChildren(...below);
    this.layers.above.replaceChildren(...above, ...drawArrows(model.arrows, drawing));
    this.labelSpots(model);
  }

  /** Draws the board without pieces and marks. @param {ViewModel} model @param {string} groundKey */
  drawGround(model, groundKey) {
    this.groundKey = groundKey;
    const drawing = drawBoard(model.state.board, model.flipped);
    this.drawing = drawing;
    const legend = this.drawLegend(model.state, drawing);
    setAttributes(this.element, { viewBox: `0 0 ${drawing.width} ${drawing.height + legend.height}` });
    this.layers.ground.replaceChildren(...drawing.ground(), ...legend.rows);
    this.layers.pieces.replaceChildren();
    this.drawnPieces = [];
    this.layers.spots.replaceChildren(...drawing.spots.map((spot, at) => svg("g",
      { class: "spot", role: "button", tabindex: at ? -1 : 0, "data-at": spot.name },
      drawing.isSquare
        ? svg("rect", { class: "hit", x: spot.x - drawing.radius, y: spot.y - drawing.radius, width: 2 * drawing.radius, height: 2 * drawing.radius })
        : svg("circle", { class: "hit", cx: spot.x, cy: spot.y, r: drawing.radius * 1.05 }))));
  }

  /** Draws the names of the points for the size of the board on the screen. */
  drawNames() {
    const { model, drawing } = this;
    if (!model || !drawing) return;
    const scale = /** @type {SVGSVGElement} */ (this.element).getScreenCTM()?.a || 1;
    this.layers.names.replaceChildren(...(model.showNames ? drawing.labels(scale) : []));
    this.hideCoveredNames(model);
  }

  /** Hides the names that a piece or an exact value covers. @param {ViewModel} model */
  hideCoveredNames({ state, clicks, solvedMoves }) {
    const covered = new Set([...state.pieces.map((piece) => piece.at), ...(solvedMoves ? nextClicks(state.moves, clicks).keys() : [])]);
    for (const name of this.layers.names.children) name.classList.toggle("covered", name.classList.contains("inner") && covered.has(name.getAttribute("data-name") ?? ""));
  }

  /** Draws a row below the board for each marked area. @param {State} state @param {Drawing} drawing */
  drawLegend(state, drawing) {
    const zones = state.board.zones ?? [];
    const font = drawing.width * 0.034;
    const rows = zones.map((zone, at) => svg("g", { transform: `translate(${font} ${drawing.height + font * (1.1 + 1.6 * at)})` },
      svg("circle", { class: `zone ${zone.kind}`, cx: font * 0.6, r: font * 0.6 }),
      svg("text", { class: "legend", x: font * 1.8, y: font * 0.36, "font-size": font }, zoneLabel(state, zone))));
    return { rows, height: rows.length ? font * (0.6 + 1.6 * rows.length) : 0 };
  }

  /** Moves every piece to its point, with an animation if allowed. @param {ViewModel} model @param {Drawing} drawing @param {boolean} isNew */
  placePieces(model, drawing, isNew) {
    clearTimeout(this.slideTimer);
    const slides = model.lastMove?.slides;
    const animates = !isNew && !prefersReducedMotion() && !model.skipAnimation;
    if (animates && slides && this.shownFen !== model.state.fen && this.slideTiles(slides, drawing)) {
      this.slideTimer = window.setTimeout(() => this.syncPieces(model, drawing, true), SLIDE_MS);
    } else this.syncPieces(model, drawing, animates);
    this.shownFen = model.state.fen;
  }

  /** Slides all tiles before they merge. Returns `false` if a slide starts at an empty cell. @param {{ from: string, to: string }[]} slides @param {Drawing} drawing */
  slideTiles(slides, drawing) {
    const moving = slides.map((slide) => ({ slide, drawn: this.drawnPieces.find(({ piece }) => piece.at === slide.from) }));
    if (moving.some(({ drawn }) => !drawn)) return false;
    for (const { slide, drawn } of moving) {
      if (!drawn) continue;
      this.moveTo(drawn.element, slide.to, drawing);
      drawn.piece = { ...drawn.piece, at: slide.to };
    }
    return true;
  }

  /** Updates the elements of the pieces to match the position. @param {ViewModel} model @param {Drawing} drawing @param {boolean} animates */
  syncPieces(model, drawing, animates) {
    const pieces = model.state.pieces.filter((piece) => piece.kind !== "tile" || (piece.value ?? 0) > 0);
    /** @param {string} name */
    const spot = (name) => drawing.spots.find((one) => one.name === name) ?? { x: 0, y: 0 };
    const matches = matchPieces(this.drawnPieces.map(({ piece }) => piece), pieces, (one, other) => Math.hypot(spot(one).x - spot(other).x, spot(one).y - spot(other).y));
    const kept = new Set(matches.filter((at) => at >= 0));
    this.drawnPieces.forEach(({ element }, at) => kept.has(at) || element.remove());
    this.drawnPieces = pieces.map((piece, at) => {
      const old = matches[at] >= 0 ? this.drawnPieces[matches[at]] : null;
      const element = old ? old.element : svg("g", { class: animates ? "piece new" : "piece" });
      const picture = piece.kind === "tile" ? `${pictureKey(model.picture)}|${piece.at}` : "";
      if (!old || old.piece.value !== piece.value || old.piece.count !== piece.count || element.getAttribute("data-picture") !== picture) {
        setAttributes(element, { "data-picture": picture });
        element.replaceChildren(this.drawPiece(piece, model, drawing));
      }
      setAttributes(element, { "data-kind": piece.kind, "data-on": piece.at });
      element.classList.toggle("travels", animates && old !== null && old.piece.at !== piece.at);
      this.moveTo(element, piece.at, drawing);
      if (!old) this.layers.pieces.append(element);
      return { piece, element };
    });
  }

  /** @param {Piece} piece @param {ViewModel} model @param {Drawing} drawing */
  drawPiece(piece, model, drawing) {
    if (piece.kind === "tile") return drawTile(piece, model.state.board, model.picture);
    return svg("g", { transform: `scale(${drawing.isSquare ? 0.86 : drawing.radius / 50})` }, drawPieceOf(model.state, piece.kind, piece.player ?? "p1", piece.count));
  }

  /** Moves an element to a point. @param {SVGElement} element @param {string} at @param {Drawing} drawing */
  moveTo(element, at, drawing) {
    const spot = drawing.spots.find((one) => one.name === at);
    if (spot) element.style.transform = `translate(${spot.x}px, ${spot.y}px)`;
  }

  /** Labels every point for screen readers. @param {ViewModel} model */
  labelSpots(model) {
    const { state, clicks, canMove, isPreview } = model;
    setAttributes(this.element, { "aria-label": titleText(state) });
    const targets = canMove && !isPreview && state.board.kind !== "tiles" ? nextClicks(state.moves, clicks) : new Map();
    for (const spot of this.layers.spots.children) {
      const at = spot.getAttribute("data-at") ?? "";
      const piece = state.pieces.find((one) => one.at === at);
      setAttributes(spot, { "aria-label": spotLabel(state, at, piece, targets.get(at)), "aria-pressed": model.clicks.includes(at) ? "true" : "false" });
    }
  }

  /** Returns the element of the piece on a point, or `null`. @param {string} at */
  pieceElement(at) {
    return this.drawnPieces.find(({ piece }) => piece.at === at)?.element ?? null;
  }
}
