// Small boards in a lesson: the positions after each move, and the position of an event.

import { queries } from "../actions.js";
import { html, setAttributes, setShown, svg } from "../dom.js";
import { LESSON_LABELS, boardCaption, moveOrderText } from "../text/lessons.js";
import { MIN_NAME_PX } from "../view/drawing.js";
import { drawBoard } from "../view/scene.js";
import { thumbnail } from "../view/thumb.js";
import { nodeOf } from "./question_places.js";
import { positionOf } from "./engine_lines.js";

/** @import { State } from "../types.js" */
/** @import { Step } from "./player.js" */
/** @import { Question } from "./questions.js" */
/** @import { SearchEvents } from "./trace_events.js" */

/** The smallest text of a lesson, in pixels. */
const MIN_TEXT_PX = 12;

/** Returns the state after moves from the position of a search. @param {SearchEvents} search @param {string} path the moves, with blanks @returns {Promise<State>} */
function stateAfter({ begin: { variant, fen } }, path) {
  return queries.state(variant, positionOf({ fen, moves: path }));
}

export class BoardPictures {
  constructor() {
    /** The boards after each move. */
    this.row = html("div.lesson-boards", {});
    /** The board of the current event. */
    this.board = html("figure.lesson-board", {});
    /** What the board shows or loads. */
    this.shown = "";
  }

  /** Shows the boards of a question. @param {Step} step @param {SearchEvents} search @param {Question} question */
  async show(step, search, question) {
    setShown(this.row, step.boards === true || step.moves === true || step.order === true);
    setShown(this.board, step.moves === true || step.picture === "board");
    this.row.replaceChildren();
    this.shown = "";
    if (step.boards) {
      const moves = search.place("").children;
      const states = await Promise.all(moves.map((move) => stateAfter(search, move)));
      this.row.replaceChildren(...moves.map((move, at) => html("figure", {}, ringed(states[at], move), html("figcaption", {}, move))));
    }
    if (step.order) this.row.replaceChildren(html("p", {}, moveOrderText(search.find("order", "").moves)));
    if (step.moves) this.row.replaceChildren(html("p", {}, moveOrderText(search.find("order", nodeOf(search, question)).moves)));
  }

  /**
   * Shows the position of an event. The first move of the question's node is marked there, or the move that a person has chosen.
   * @param {SearchEvents} search
   * @param {number} at
   * @param {Step} step
   * @param {Question} question
   * @param {string | null} chosen
   */
  async follow(search, at, step, question, chosen) {
    const path = search.stateAt(at).current ?? "";
    const isAsked = path === nodeOf(search, question);
    const marked = isAsked ? (step.moves ? search.find("order", path).moves[0] : chosen) : null;
    // The names of the points are drawn for the size of the picture.
    const shown = `${search.begin.fen} ${path} ${marked} ${this.board.clientWidth}`;
    if (shown === this.shown) return;
    this.shown = shown;
    const state = await stateAfter(search, path);
    if (shown !== this.shown) return;
    const picture = thumbnail(state);
    setAttributes(picture, { role: "img", "aria-label": path || LESSON_LABELS.start });
    picture.removeAttribute("aria-hidden");
    if (marked) picture.append(...moveMark(state, marked));
    this.board.replaceChildren(picture, html("figcaption", {}, boardCaption(path, state)));
    picture.append(pointNames(state, /** @type {SVGSVGElement} */ (picture).getScreenCTM()?.a || 1));
  }
}

/** Draws the position after a move, with a ring around the piece that it has placed. @param {State} state @param {string} move */
function ringed(state, move) {
  const picture = thumbnail(state);
  const { spots, radius } = drawBoard(state.board, false);
  const spot = spots.find(({ name }) => name === move);
  if (spot) picture.append(svg("circle", { class: "move-ring", cx: spot.x, cy: spot.y, r: radius }));
  return picture;
}

/** Draws the names of the points, except below pieces. @param {State} state @param {number} scale the pixels of a unit */
function pointNames(state, scale) {
  const covered = new Set(state.pieces.map(({ at }) => at));
  const names = drawBoard(state.board, false).labels((scale * MIN_NAME_PX) / MIN_TEXT_PX);
  return svg("g", { class: "point-names" }, ...names.filter((name) => !(name.classList.contains("inner") && covered.has(name.getAttribute("data-name") ?? ""))));
}

/** Draws a move on a board: an arrow, or a ring where a piece is placed. @param {State} state @param {string} name */
export function moveMark(state, name) {
  const move = state.moves.find((one) => one.move === name);
  const { spots, radius } = drawBoard(state.board, false);
  const spot = (/** @type {string | undefined | null} */ at) => spots.find((one) => one.name === at);
  const [from, to] = [spot(move?.from), spot(move?.to)];
  if (!to) return [];
  const ring = svg("circle", { class: "move-ring", cx: to.x, cy: to.y, r: radius });
  return from ? [svg("path", { class: "move-arrow", d: `M${from.x} ${from.y}L${to.x} ${to.y}` }), ring] : [ring];
}
