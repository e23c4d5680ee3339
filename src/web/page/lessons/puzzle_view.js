// Draws a search for a solution as it is after an event: its lists of states, its rings, or its ladder of bounds.

import { html } from "../dom.js";
import { BackwardSearch } from "./backward_search.js";
import { SETTLED_LABELS, ringHead } from "./backward_texts.js";
import { drawState, stateWords, tileDistances } from "./puzzle_boards.js";
import { PUZZLE_LABELS, closedText, entryText, openText, ringText, rungText, stateLabel, sumText } from "./puzzle_texts.js";

/** @import { PuzzleSearch, PuzzleState } from "./puzzle_search.js" */
/** @import { Question } from "./questions.js" */

/**
 * What is drawn. `isAsked`: whether the question is open and shown at the event at which it is asked.
 * @typedef {{ search: PuzzleSearch, at: number, picture: string, question: Question, isAsked: boolean }} PuzzleModel
 */

/** Width of a cell of the large board, and of the small boards, in pixels. */
const LARGE_CELL_PX = 44;
const SMALL_CELL_PX = 22;
/** Number of cells from which a board is large. */
const MANY_CELLS = 9;
const MAX_SHOWN = 60;

/** Questions about the order of the open list, which is then shown in no order. */
const ABOUT_ORDER = ["next", "lowest"];

export class PuzzleView {
  constructor() {
    this.element = html("div.puzzle-view", { tabindex: "0", role: "group", "aria-label": PUZZLE_LABELS.picture });
  }

  /** @param {Omit<PuzzleModel, "search"> & { search: PuzzleSearch | BackwardSearch }} shown */
  render(shown) {
    const { search } = shown;
    if (search instanceof BackwardSearch) return this.element.replaceChildren(settledTable(search, shown.at));
    const model = { ...shown, search };
    const drawn = model.picture === "ladder" ? this.ladder(model) : model.picture === "rings" ? this.rings(model) : model.picture === "strip" ? this.strip(model) : this.board(model);
    this.element.replaceChildren(...drawn);
    this.element.querySelector(".current")?.scrollIntoView({ block: "nearest" });
  }

  /** Draws a state with a line below it. @param {PuzzleModel} model @param {PuzzleState} state @param {string} text @param {string} [classes] */
  figure({ search }, state, text, classes = "") {
    const { variant } = search.begin;
    const fen = state.fen ?? search.begin.fen;
    return html("figure", { class: `one-state ${classes}`.trim(), "data-n": state.n, role: "img", "aria-label": stateLabel(state, stateWords(variant, fen)) }, drawState(variant, fen, SMALL_CELL_PX), html("figcaption", {}, text));
  }

  /** Draws the board that the event is about, with each tile's share of the estimate. @param {PuzzleModel} model @param {number} n */
  large({ search, isAsked, question }, n) {
    const { variant, heuristic } = search.begin;
    const state = search.state(n);
    const fen = state.fen ?? search.begin.fen;
    const isHidden = isAsked && question.ask === "estimate";
    const shares = variant === "missionaries" || isHidden || !["manhattan", "misplaced"].includes(heuristic) ? undefined : tileDistances(fen);
    if (shares && heuristic === "misplaced") for (const [tile, distance] of shares) shares.set(tile, Math.min(1, distance));
    const many = fen.split(/[,/]/).length > MANY_CELLS;
    const sum = state.h === null || isHidden ? "" : `g + h = ${sumText(state.g, state.h)}`;
    return html("figure.large-state", { role: "img", "aria-label": stateLabel({ ...state, h: isHidden ? null : state.h }, stateWords(variant, fen)) },
      drawState(variant, fen, many ? 36 : LARGE_CELL_PX, shares, question.ask === "changes" || question.ask === "solvable"), html("figcaption", {}, [entryText({ ...state, h: null }), sum].filter(Boolean).join(": ")));
  }

  /** @param {PuzzleModel} model */
  board(model) {
    return [this.large(model, model.search.currentAt(model.at))];
  }

  /** Draws the open list as small boards, the next one first, and the sizes of the rings of expanded states. @param {PuzzleModel} model */
  strip(model) {
    const { search, at, question, isAsked } = model;
    const open = search.openAt(at);
    const isHidden = isAsked && ABOUT_ORDER.includes(question.ask);
    // In the order of their pictures, which tells nothing.
    if (isHidden) open.sort((one, other) => (String(search.state(one.n).fen) < String(search.state(other.n).fen) ? -1 : 1));
    const hasEstimate = search.begin.algorithm === "astar";
    const entries = open.slice(0, MAX_SHOWN).map(({ n, g, h, f }) => {
      const figure = this.figure(model, { ...search.state(n), g, h }, isHidden || h === null ? entryText({ ...search.state(n), g, h }) : sumText(g, h));
      if (!isHidden) figure.dataset.f = String(f);
      return figure;
    });
    /** @type {Map<number, number>} */
    const rings = new Map();
    for (const n of search.closedAt(at)) rings.set(search.state(n).g, (rings.get(search.state(n).g) ?? 0) + 1);
    const closed = [...rings.values()].reduce((sum, count) => sum + count, 0);
    return [
      this.large(model, search.currentAt(at)),
      html("div.open-list", {},
        html("p", {}, html("b", {}, openText(open.length)), " ", hasEstimate ? (isHidden ? PUZZLE_LABELS.unsorted : PUZZLE_LABELS.sorted) : isHidden ? PUZZLE_LABELS.unsortedQueue : PUZZLE_LABELS.queue),
        html("div.strip", { role: "group", "aria-label": PUZZLE_LABELS.open }, ...entries),
        html("p.rings-line", {}, closedText(closed, [...rings].sort(([one], [other]) => one - other)))),
    ];
  }

  /** Draws the states by their distance from the start, as far as they are made. @param {PuzzleModel} model */
  rings(model) {
    const { search, at } = model;
    const made = search.events.slice(0, at + 1);
    const last = made.findLast(({ e }) => e === "make" || e === "expand");
    const closed = new Set(search.closedAt(at));
    const open = new Set(search.openAt(at).map(({ n }) => n));
    const known = new Map(made.filter(({ e }) => e === "seen").map(({ n, as }) => [n, as]));
    const solution = new Set(at === search.last ? search.solution() : []);
    // A repeated state stays beside the new ones only while it is the last one.
    const shown = search.states.filter(({ n }) => n === 0 || open.has(n) || closed.has(n) || n === last?.n);
    const rows = [...new Set(shown.map(({ g }) => g))].sort((one, other) => one - other);
    return [
      html("p.key", {}, ...PUZZLE_LABELS.riverKey.map((text, part) => html("span", { class: part % 2 ? "" : `sign ${part ? "cannibal" : "missionary"}` }, text))),
      html("div.rings", {}, ...rows.map((g) => html("div.distance", {}, html("span.ring-name", {}, ringText(g)), html("div.ring-states", {}, ...shown.filter((state) => state.g === g).map((state) => {
        const status = solution.has(state.n) ? "on-way" : state.n === last?.n ? "current" : closed.has(state.n) ? "closed" : "open";
        const text = known.has(state.n) ? `${entryText({ ...state, h: null })} = ${entryText({ ...search.state(/** @type {number} */ (known.get(state.n))), h: null })}` : entryText({ ...state, h: null });
        return this.figure(model, state, text, status);
      }))))),
    ];
  }

  /** Draws the bounds as a ladder, the first one at the bottom, and the way to the present state. @param {PuzzleModel} model */
  ladder(model) {
    const { search, at, question, isAsked } = model;
    const rungs = search.rungsAt(at);
    const isHidden = isAsked && question.ask === "bound";
    return [
      this.large(model, search.currentAt(at)),
      html("ol.bounds-ladder", { "aria-label": PUZZLE_LABELS.ladder }, ...rungs.map((rung) => {
        const { bound, text } = rungText(rung, isHidden && rung.isLast);
        return html("li", { class: rung.isLast ? "bounds-rung current" : "bounds-rung", "data-bound": rung.bound }, html("b", {}, bound), html("span", {}, text));
      })),
    ];
  }
}

/** Draws how many positions are settled in each ring, for both sides. @param {BackwardSearch} search @param {number} at */
function settledTable(search, at) {
  const [one, other] = search.begin.players;
  return html("table.settled", {}, html("caption", {}, SETTLED_LABELS.caption),
    html("thead", {}, html("tr", {}, ...[SETTLED_LABELS.ring, ringHead(one), ringHead(other)].map((text) => html("th", { scope: "col" }, text)))),
    html("tbody", {}, ...search.ringsAt(at).map(({ plies, p1, p2 }) => html("tr", { "data-plies": plies }, html("th", { scope: "row" }, plies), html("td", {}, p1 || "–"), html("td", {}, p2 || "–")))));
}
