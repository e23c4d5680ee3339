// The keyboard on a board: arrow keys go to the next point or slide tiles, Enter and Space click.

import { spotInDirection } from "./drawing.js";

/** @import { BoardView } from "./board_view.js" */

/** The direction of each arrow key: its name, dx and dy. @type {Record<string, ["up" | "down" | "left" | "right", number, number]>} */
export const ARROW_KEYS = { ArrowUp: ["up", 0, -1], ArrowDown: ["down", 0, 1], ArrowLeft: ["left", -1, 0], ArrowRight: ["right", 1, 0] };

export class BoardKeys {
  /** @param {BoardView} view */
  constructor(view) {
    this.view = view;
    view.element.addEventListener("keydown", (event) => this.onKeyDown(event));
    document.addEventListener("keydown", () => view.element.removeAttribute("data-pointed"), true);
  }

  /** @param {KeyboardEvent} event */
  onKeyDown(event) {
    const { view } = this;
    const at = /** @type {Element} */ (event.target).closest(".spot")?.getAttribute("data-at");
    if (!at || !view.drawing || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROW_KEYS[event.key];
    if (!arrow && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (!arrow) return view.handlers.click(at);
    const [direction, dx, dy] = arrow;
    if (view.model?.state.board.kind === "tiles") return view.handlers.slide(direction);
    const next = spotInDirection(view.drawing, at, dx, dy);
    if (next) this.focus(next.name);
  }

  /** Focuses a point and makes it the only one that the Tab key reaches. @param {string} at */
  focus(at) {
    for (const spot of this.view.layers.spots.children) {
      const isTarget = spot.getAttribute("data-at") === at;
      spot.setAttribute("tabindex", isTarget ? "0" : "-1");
      if (isTarget) /** @type {SVGElement} */ (spot).focus({ preventScroll: true });
    }
  }
}
