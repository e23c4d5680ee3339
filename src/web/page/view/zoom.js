// Zooms a large drawing by wheel, buttons or two fingers, and moves it by dragging.

import { setAttributes } from "../dom.js";

const MAX_SCALE = 12;
/** The factor of a step of the wheel. */
const WHEEL_FACTOR = 1.15;

export class Zoom {
  /** @param {SVGElement} element @param {SVGElement} content the group that is moved and scaled */
  constructor(element, content) {
    this.element = element;
    this.content = content;
    this.size = { width: 1, height: 1 };
    this.offset = { x: 0, y: 0, scale: 1 };
    /** @type {Map<number, { x: number, y: number }>} */
    this.pointers = new Map();
    element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && this.offset.scale === 1 && event.deltaY > 0) return;
      event.preventDefault();
      this.zoomBy(event.deltaY < 0 ? WHEEL_FACTOR : 1 / WHEEL_FACTOR, this.toDrawing(event));
    }, { passive: false });
    element.addEventListener("pointerdown", (event) => this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY }));
    element.addEventListener("pointermove", (event) => this.onMove(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      element.addEventListener(end, (event) => this.pointers.delete(/** @type {PointerEvent} */ (event).pointerId));
    }
  }

  /** Sets the size of the drawing. @param {number} width @param {number} height @param {boolean} showsAll whether to show all of it again */
  setSize(width, height, showsAll) {
    this.size = { width, height };
    setAttributes(this.element, { viewBox: `0 0 ${width} ${height}` });
    if (showsAll) this.offset = { x: 0, y: 0, scale: 1 };
    this.apply();
  }

  /** Zooms by a factor. The scale stays between 1 and `MAX_SCALE`. @param {number} factor @param {{ x: number, y: number }} [center] the point that stays, in the coordinates of the drawing */
  zoomBy(factor, center = { x: this.size.width / 2, y: this.size.height / 2 }) {
    const scale = Math.min(MAX_SCALE, Math.max(1, this.offset.scale * factor));
    const ratio = scale / this.offset.scale;
    this.offset = { scale, x: center.x - (center.x - this.offset.x) * ratio, y: center.y - (center.y - this.offset.y) * ratio };
    this.apply();
  }

  /** Moves a zoomed drawing so that a point is visible. @param {number} x @param {number} y */
  reveal(x, y) {
    if (this.offset.scale === 1) return;
    const shown = { x: this.offset.x + x * this.offset.scale, y: this.offset.y + y * this.offset.scale };
    const { width, height } = this.size;
    if (shown.x < width * 0.1 || shown.x > width * 0.9) this.offset.x += width / 2 - shown.x;
    if (shown.y < height * 0.1 || shown.y > height * 0.9) this.offset.y += height / 2 - shown.y;
    this.apply();
  }

  apply() {
    const { width, height } = this.size;
    const { scale } = this.offset;
    this.offset.x = Math.min(0, Math.max(width * (1 - scale), this.offset.x));
    this.offset.y = Math.min(0, Math.max(height * (1 - scale), this.offset.y));
    setAttributes(this.content, { transform: `translate(${this.offset.x} ${this.offset.y}) scale(${scale})` });
    this.element.classList.toggle("zoomed", scale > 1);
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before || this.offset.scale === 1 && this.pointers.size < 2) return;
    const all = [...this.pointers.values()];
    const matrix = /** @type {SVGSVGElement} */ (this.element).getScreenCTM();
    const share = matrix ? 1 / matrix.a : 1;
    if (this.pointers.size >= 2) {
      const other = all.find((finger) => finger !== before) ?? before;
      const oldDistance = Math.hypot(before.x - other.x, before.y - other.y) || 1;
      this.zoomBy(Math.hypot(event.clientX - other.x, event.clientY - other.y) / oldDistance, this.toDrawing(event));
    } else {
      this.offset.x += (event.clientX - before.x) * share;
      this.offset.y += (event.clientY - before.y) * share;
      this.apply();
    }
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** Returns the position of the pointer in the coordinates of the drawing. @param {MouseEvent} event */
  toDrawing(event) {
    const matrix = /** @type {SVGSVGElement} */ (this.element).getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY);
    return matrix ? point.matrixTransform(matrix.inverse()) : point;
  }
}
