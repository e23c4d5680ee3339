// The keyboard on a board: arrows walk from place to place (or slide), Enter and Space click, Escape lets go.

import { beside } from "./drawing.js";

/** @import { BoardView } from "./board_view.js" */

/** @type {Record<string, ["up" | "down" | "left" | "right", number, number]>} */
export const ARROWS = { ArrowUp: ["up", 0, -1], ArrowDown: ["down", 0, 1], ArrowLeft: ["left", -1, 0], ArrowRight: ["right", 1, 0] };

export class Keys {
  /** @param {BoardView} view */
  constructor(view) {
    this.view = view;
    view.element.addEventListener("keydown", (event) => this.press(event));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { view } = this;
    const spot = /** @type {Element} */ (event.target).closest(".spot");
    const at = spot?.getAttribute("data-at");
    if (!at || !view.scene || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      event.preventDefault();
      event.stopPropagation();
      if (view.look?.state.board.kind === "tiles") return view.acts.swipe(arrow[0]);
      const next = beside(view.scene, at, arrow[1], arrow[2]);
      if (next) this.focus(next.name);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      view.acts.click(at);
    }
  }

  /** Gives a place the keyboard; Tab comes back to it. @param {string} at */
  focus(at) {
    for (const spot of this.view.layers.spots.children) {
      const here = spot.getAttribute("data-at") === at;
      spot.setAttribute("tabindex", here ? "0" : "-1");
      if (here) /** @type {SVGElement} */ (spot).focus({ preventScroll: true });
    }
  }
}
