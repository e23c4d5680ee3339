// Mouse and finger on a board: a click, a drag of a piece, a swipe.

import { targets } from "../move_clicks.js";
import { nearest } from "./drawing.js";

/** @import { BoardView } from "./board_view.js" */

/** So far a pointer may stray, in pixels, before it drags. */
const STRAY = 6;
/** So far it has to go to be a swipe. */
const SWIPE = 28;

export class Pointer {
  /** @param {BoardView} view */
  constructor(view) {
    this.view = view;
    /** @type {{ id: number, x: number, y: number, at: string | null, piece: SVGElement | null, drags: boolean } | null} */
    this.held = null;
    const { element } = view;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", () => this.drop());
    // Screen readers press places without a pointer.
    element.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      const spot = /** @type {Element} */ (event.target).closest(".spot");
      if (spot) view.acts.click(spot.getAttribute("data-at") ?? "");
    });
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button !== 0 || !this.view.scene) return;
    const at = this.spot(event);
    const look = this.view.look;
    const movable = look?.live && at !== null && look.state.moves.some((move) => move.from === at);
    this.held = { id: event.pointerId, x: event.clientX, y: event.clientY, at, piece: movable ? this.view.piece(at) : null, drags: false };
    if (at) /** @type {SVGElement | null} */ (this.view.layers.spots.querySelector(`[data-at="${CSS.escape(at)}"]`))?.focus({ preventScroll: true });
    this.view.element.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { held, view } = this;
    if (!held || held.id !== event.pointerId || !held.piece || !view.look) return;
    const away = Math.hypot(event.clientX - held.x, event.clientY - held.y);
    if (!held.drags && away < STRAY) return;
    if (!held.drags) {
      held.drags = true;
      held.piece.classList.add("dragged");
      view.layers.pieces.append(held.piece);
      // What is dragged is chosen, so that its targets show; a tile has one only, and a click would move it.
      if (view.look.state.board.kind !== "tiles" && view.look.made.at(-1) !== held.at && held.at && targets(view.look.state.moves, []).get(held.at)?.more) view.acts.click(held.at);
    }
    const { x, y } = this.inside(event);
    held.piece.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { held, view } = this;
    if (!held || held.id !== event.pointerId) return;
    const at = this.spot(event);
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    const made = view.look?.state.board.kind === "tiles" && held.at ? [held.at] : view.look?.made ?? [];
    this.drop(held.drags && at !== null && view.look !== null && targets(view.look.state.moves, made).has(at) ? at : null);
    const slides = view.look?.state.board.slides === "all";
    if (slides && Math.max(Math.abs(dx), Math.abs(dy)) > SWIPE) {
      view.acts.swipe(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "right" : "left") : dy > 0 ? "down" : "up");
    } else if (held.drags && held.at && at && at !== held.at) view.acts.drag(held.at, at);
    else if (!held.drags && at && at === held.at) view.acts.click(at);
  }

  /** Lets go of what is held: where it may go, or back where it stood. @param {string | null} to */
  drop(to = null) {
    const { held, view } = this;
    this.held = null;
    if (!held?.piece || !held.drags) return;
    held.piece.classList.remove("dragged");
    held.piece.classList.remove("travels");
    const at = to ?? held.piece.getAttribute("data-on");
    if (at && view.scene) view.put(held.piece, at, view.scene);
  }

  /** @param {PointerEvent} event */
  spot(event) {
    const { x, y } = this.inside(event);
    return this.view.scene ? nearest(this.view.scene, x, y)?.name ?? null : null;
  }

  /** Where the pointer is in the drawing's own measure. @param {PointerEvent} event */
  inside(event) {
    const matrix = /** @type {SVGSVGElement} */ (this.view.element).getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY);
    return matrix ? point.matrixTransform(matrix.inverse()) : point;
  }
}
