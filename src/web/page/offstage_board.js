// Draws positions outside the screen, for files and for paper.

import { html } from "./dom.js";
import { bake } from "./picture_file.js";
import { display, preferences } from "./state.js";
import { BoardView } from "./view/board_view.js";
import { RiverView } from "./view/river_view.js";
import { TreeView } from "./view/tree_view.js";

/** @import { Move, State } from "./types.js" */

const nothing = () => {};

export class OffstageBoard {
  /** @param {State} state a position of the game */
  constructor({ board: { kind } }) {
    this.view = kind === "river" ? new RiverView({ cross: nothing }) : kind === "tree" ? new TreeView({ play: nothing }) : new BoardView({ click: nothing, drag: nothing, slide: nothing });
    this.element = /** @type {SVGSVGElement} */ (this.view.element);
    this.stage = html("div.offstage", { "aria-hidden": "true" }, this.element);
    document.body.append(this.stage);
  }

  /** Draws a position. @param {State} state @param {Move | null} lastMove */
  show(state, lastMove) {
    this.view.render({ state, lastMove, clicks: [], solvedMoves: null, arrows: [], showNames: preferences.showNames, flipped: display.flipped, canMove: false, isPreview: false, picture: preferences.picture, skipAnimation: true });
  }

  /** Returns the drawing with its styles as attributes. */
  picture() {
    return /** @type {SVGElement} */ (bake(this.element));
  }

  close() {
    this.stage.remove();
  }
}
