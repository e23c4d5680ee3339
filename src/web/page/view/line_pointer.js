// Mouse and touch input on a board that is being drawn: a drag draws a line. A finger must begin on a point, since it scrolls elsewhere.

import { setAttributes, svg } from "../dom.js";
import { DRAG_THRESHOLD_PX, Pointer } from "./pointer.js";

export class LinePointer extends Pointer {
  /** @param {import("./board_view.js").BoardView} view */
  constructor(view) {
    super(view);
    /** Returns `true` if a line can begin on a spot, with a mouse or with a finger. @type {(at: string, isMouse: boolean) => boolean} */
    this.canDraw = () => false;
    this.isMouse = false;
    /** The line from the point to the pointer. */
    this.line = svg("path", { class: "way" });
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    this.isMouse = event.pointerType === "mouse";
    super.onDown(event);
  }

  /** Returns `true` if the press can become a line. */
  startsMove() {
    return this.press?.at ? this.canDraw(this.press.at, this.isMouse) : false;
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const { press, view } = this;
    if (!press || press.id !== event.pointerId || !this.startsMove()) return;
    press.isDrag ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) >= DRAG_THRESHOLD_PX;
    const from = view.drawing?.spots.find(({ name }) => name === press.at);
    if (!press.isDrag || !from) return;
    const { x, y } = this.toDrawing(event);
    setAttributes(this.line, { d: `M${from.x} ${from.y}L${x} ${y}`, "stroke-width": (view.drawing?.radius ?? 0) * 0.3 });
    if (!this.line.parentNode) view.layers.above.append(this.line);
  }

  release() {
    this.line.remove();
    super.release();
  }
}
