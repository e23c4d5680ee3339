// Looking closer at a large drawing: wheel and buttons zoom, dragging moves it, two fingers do both.

import { set } from "../dom.js";

export class Zoom {
  /** @param {SVGElement} element @param {SVGElement} stage what is moved and scaled */
  constructor(element, stage) {
    this.element = element;
    this.stage = stage;
    this.size = { width: 1, height: 1 };
    this.at = { x: 0, y: 0, scale: 1 };
    /** @type {Map<number, { x: number, y: number }>} */
    this.fingers = new Map();
    element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && this.at.scale === 1 && event.deltaY > 0) return;
      event.preventDefault();
      this.by(event.deltaY < 0 ? 1.15 : 1 / 1.15, this.inside(event));
    }, { passive: false });
    element.addEventListener("pointerdown", (event) => this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY }));
    element.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      element.addEventListener(end, (event) => this.fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
    }
  }

  /** The whole drawing's size; `anew` looks at all of it. @param {number} width @param {number} height @param {boolean} anew */
  frame(width, height, anew) {
    this.size = { width, height };
    set(this.element, { viewBox: `0 0 ${width} ${height}` });
    if (anew) this.at = { x: 0, y: 0, scale: 1 };
    this.apply();
  }

  /** @param {number} factor @param {{ x: number, y: number }} [centre] in the drawing's measure */
  by(factor, centre = { x: this.size.width / 2, y: this.size.height / 2 }) {
    const scale = Math.min(12, Math.max(1, this.at.scale * factor));
    const ratio = scale / this.at.scale;
    this.at = { scale, x: centre.x - (centre.x - this.at.x) * ratio, y: centre.y - (centre.y - this.at.y) * ratio };
    this.apply();
  }

  /** Brings a point of the drawing into view. @param {number} x @param {number} y */
  reveal(x, y) {
    if (this.at.scale === 1) return;
    const shown = { x: this.at.x + x * this.at.scale, y: this.at.y + y * this.at.scale };
    const { width, height } = this.size;
    if (shown.x < width * 0.1 || shown.x > width * 0.9) this.at.x += width / 2 - shown.x;
    if (shown.y < height * 0.1 || shown.y > height * 0.9) this.at.y += height / 2 - shown.y;
    this.apply();
  }

  apply() {
    const { width, height } = this.size;
    const { scale } = this.at;
    this.at.x = Math.min(0, Math.max(width * (1 - scale), this.at.x));
    this.at.y = Math.min(0, Math.max(height * (1 - scale), this.at.y));
    set(this.stage, { transform: `translate(${this.at.x} ${this.at.y}) scale(${scale})` });
    this.element.classList.toggle("zoomed", scale > 1);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before || this.at.scale === 1 && this.fingers.size < 2) return;
    const all = [...this.fingers.values()];
    const matrix = /** @type {SVGSVGElement} */ (this.element).getScreenCTM();
    const share = matrix ? 1 / matrix.a : 1;
    if (this.fingers.size >= 2) {
      const other = all.find((finger) => finger !== before) ?? before;
      const was = Math.hypot(before.x - other.x, before.y - other.y) || 1;
      this.by(Math.hypot(event.clientX - other.x, event.clientY - other.y) / was, this.inside(event));
    } else {
      this.at.x += (event.clientX - before.x) * share;
      this.at.y += (event.clientY - before.y) * share;
      this.apply();
    }
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {MouseEvent} event */
  inside(event) {
    const matrix = /** @type {SVGSVGElement} */ (this.element).getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY);
    return matrix ? point.matrixTransform(matrix.inverse()) : point;
  }
}
