// Mouse and touch input on a board that is being drawn: a drag from a point draws a line.

import { setAttributes, svg } from "../dom.js";
import { DRAG_THRESHOLD_PX, Pointer } from "./pointer.js";

export class LinePointer extends Pointer {
  /** @param {import("./board_view.js").BoardView} view */
  constructor(view) {
    super(view);
    /** Returns `true` if a line can begin on a spot. @type {(at: string) => boolean} */
    this.canDraw = () => false;
    /** The line from the point to the pointer. */
    this.line = svg("path", { class: "way" });
  }

  /** Returns `true` if the press can become a line. */
  startsMove() {
    return this.press?.at ? this.canDraw(this.press.at) : false;
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
