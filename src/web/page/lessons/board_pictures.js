// Small boards in a lesson: the positions after each move, and the position of an event.

import { queries } from "../actions.js";
import { html, setAttributes, setShown, svg } from "../dom.js";
import { moveOrderText } from "../text/lessons.js";
import { drawBoard } from "../view/scene.js";
import { thumbnail } from "../view/thumb.js";
import { nodeOf } from "./question_places.js";
import { positionOf } from "./engine_lines.js";

/** @import { State } from "../types.js" */
/** @import { Step } from "./player.js" */
/** @import { Question } from "./questions.js" */
/** @import { SearchEvents } from "./trace_events.js" */

/** Returns the state after moves from the position of a step. @param {Step} step @param {string} path the moves, with blanks @returns {Promise<State>} */
function stateAfter({ material }, path) {
  return queries.state(/** @type {string} */ (material.variant), positionOf({ ...material, moves: [material.moves, path].filter(Boolean).join(" ") }));
}

export class BoardPictures {
  constructor() {
    /** The boards after each move. */
    this.row = html("div.lesson-boards", {});
    /** The board of the current event. */
    this.board = html("figure.lesson-board", {});
    /** The path that the board shows or loads. */
    this.path = "";
  }

  /** Shows the boards of a question. @param {Step} step @param {SearchEvents} search @param {Question} question */
  async show(step, search, question) {
    setShown(this.row, step.boards === true || step.moves === true);
    setShown(this.board, step.moves === true);
    this.row.replaceChildren();
    this.path = "-";
    if (step.boards) {
      const moves = search.place("").children;
      const states = await Promise.all(moves.map((move) => stateAfter(step, move)));
      this.row.replaceChildren(...moves.map((move, at) => html("figure", {}, thumbnail(states[at]), html("figcaption", {}, move))));
    }
    if (step.moves) this.row.replaceChildren(html("p", {}, moveOrderText(search.find("order", nodeOf(search, question)).moves)));
  }

  /** Shows the position of an event. The first move of the question's node is marked there. @param {SearchEvents} search @param {number} at @param {Step} step @param {Question} question */
  async follow(search, at, step, question) {
    const path = search.stateAt(at).current ?? "";
    const node = nodeOf(search, question);
    if (path === this.path) return;
    this.path = path;
    const state = await stateAfter(step, path);
    if (path !== this.path) return;
    const picture = thumbnail(state);
    setAttributes(picture, { role: "img", "aria-label": path || "start" });
    picture.removeAttribute("aria-hidden");
    if (path === node) picture.append(...moveMark(state, search.find("order", node).moves[0]));
    this.board.replaceChildren(picture, html("figcaption", {}, path === "" ? "The start" : `After ${path}`));
  }
}

/** Draws a move on a board: an arrow, or a ring where a piece is placed. @param {State} state @param {string} name */
function moveMark(state, name) {
  const move = state.moves.find((one) => one.move === name);
  const { spots, radius } = drawBoard(state.board, false);
  const spot = (/** @type {string | undefined | null} */ at) => spots.find((one) => one.name === at);
  const [from, to] = [spot(move?.from), spot(move?.to)];
  if (!to) return [];
  const ring = svg("circle", { class: "move-ring", cx: to.x, cy: to.y, r: radius });
  return from ? [svg("path", { class: "move-arrow", d: `M${from.x} ${from.y}L${to.x} ${to.y}` }), ring] : [ring];
}
