// Mouse and touch input on a board: clicks, dragged pieces, swipes.

import { nextClicks } from "../move_clicks.js";
import { nearestSpot } from "./drawing.js";

/** @import { BoardView } from "./board_view.js" */

/** Minimum distance that makes a press a drag. */
export const DRAG_THRESHOLD_PX = 6;
/** Minimum distance of a swipe. */
const SWIPE_THRESHOLD_PX = 28;

export class Pointer {
  /** @param {BoardView} view */
  constructor(view) {
    this.view = view;
    /** The press of a button or finger, from down to up. @type {{ id: number, x: number, y: number, at: string | null, piece: SVGElement | null, isDrag: boolean } | null} */
    this.press = null;
    const { element } = view;
    element.addEventListener("pointerdown", (event) => this.onDown(event));
    element.addEventListener("pointermove", (event) => this.onMove(event));
    element.addEventListener("pointerup", (event) => this.onUp(event));
    element.addEventListener("pointercancel", () => this.release());
    // A finger that begins on a movable piece drags the piece; elsewhere it scrolls the page.
    element.addEventListener("touchstart", (event) => {
      if (event.touches.length === 1 && this.startsMove()) event.preventDefault();
    }, { passive: false });
    // A screen reader clicks without a pointer.
    element.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      const spot = /** @type {Element} */ (event.target).closest(".spot");
      if (spot) view.handlers.click(spot.getAttribute("data-at") ?? "");
    });
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    if (event.button !== 0 || !this.view.drawing) return;
    const at = this.spotAt(event);
    // A pointer needs no focus ring, which would look like a mark on the board.
    this.view.element.setAttribute("data-pointed", "");
    const { model } = this.view;
    const canDrag = model?.canMove && at !== null && model.state.moves.some((move) => move.from === at);
    this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, at, piece: canDrag ? this.view.pieceElement(at) : null, isDrag: false };
    if (at) /** @type {SVGElement | null} */ (this.view.layers.spots.querySelector(`[data-at="${CSS.escape(at)}"]`))?.focus({ preventScroll: true });
    this.view.element.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  /** Returns `true` if the press can become a move: on a movable piece, or anywhere if all tiles slide. */
  startsMove() {
    const { press, view: { model } } = this;
    return press !== null && (press.piece !== null || model?.canMove === true && model.state.board.slides === "all");
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const { press, view } = this;
    if (!press || press.id !== event.pointerId || !press.piece || !view.model) return;
    const distance = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!press.isDrag && distance < DRAG_THRESHOLD_PX) return;
    if (!press.isDrag) {
      press.isDrag = true;
      press.piece.classList.add("dragged");
      view.layers.pieces.append(press.piece);
      // A click on the dragged piece shows its targets. On a tile it would play the move.
      const { state, clicks } = view.model;
      if (state.board.kind !== "tiles" && clicks.at(-1) !== press.at && press.at && nextClicks(state.moves, []).get(press.at)?.continues) view.handlers.click(press.at);
    }
    const { x, y } = this.toDrawing(event);
    press.piece.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    const { press, view } = this;
    if (!press || press.id !== event.pointerId) return;
    const { model } = view;
    const at = this.spotAt(event);
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    const clicks = model?.state.board.kind === "tiles" && press.at ? [press.at] : model?.clicks ?? [];
    this.release(press.isDrag && at !== null && model !== null && nextClicks(model.state.moves, clicks).has(at) ? at : null);
    if (model?.state.board.slides === "all" && Math.max(Math.abs(dx), Math.abs(dy)) > SWIPE_THRESHOLD_PX) {
      view.handlers.slide(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "right" : "left") : dy > 0 ? "down" : "up");
    } else if (press.isDrag && press.at && at && at !== press.at) view.handlers.drag(press.at, at);
    else if (!press.isDrag && at && at === press.at) view.handlers.click(at);
  }

  /** Ends a drag: the piece goes to `to`, or back to its point. @param {string | null} to */
  release(to = null) {
    const { press, view } = this;
    this.press = null;
    if (!press?.piece || !press.isDrag) return;
    press.piece.classList.remove("dragged", "travels");
    const at = to ?? press.piece.getAttribute("data-on");
    if (at && view.drawing) view.moveTo(press.piece, at, view.drawing);
  }

  /** Returns the name of the point or cell under the pointer, or `null`. @param {PointerEvent} event */
  spotAt(event) {
    const { x, y } = this.toDrawing(event);
    return this.view.drawing ? nearestSpot(this.view.drawing, x, y)?.name ?? null : null;
  }

  /** Returns the position of the pointer in the coordinates of the drawing. @param {PointerEvent} event */
  toDrawing(event) {
    const matrix = /** @type {SVGSVGElement} */ (this.view.element).getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY);
    return matrix ? point.matrixTransform(matrix.inverse()) : point;
  }
}
