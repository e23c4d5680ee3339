// The card of a node of a search: its position, the way to it, its window and value, and its events.

import { queries } from "../actions.js";
import { html, setAttributes, setShown } from "../dom.js";
import { moveMark } from "../lessons/board_pictures.js";
import { TRACE_LABELS, chipText, countText, orderText, valueFact, windowFact } from "../text/trace.js";
import { thumbnail } from "../view/thumb.js";

/** @import { SearchLog } from "./search_log.js" */

/** Maximum number of events that have a button. */
const MAX_CHIPS = 10;

/**
 * @typedef {object} CardHandlers
 * @property {(at: number) => void} onEvent goes to an event
 * @property {(n: number) => void} onNode chooses a node
 * @property {(moves: string[]) => void} onContinue plays moves on the board
 */

export class NodeCard {
  /** @param {CardHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.board = html("button.mini-board", { type: "button", onclick: () => this.enlarge() });
    this.way = html("ol.way", { "aria-label": TRACE_LABELS.way });
    this.facts = html("dl.facts", {});
    this.chips = html("div.chips", { role: "group", "aria-label": TRACE_LABELS.events });
    this.continueButton = html("button", { type: "button", "data-trace": "continue", onclick: () => this.handlers.onContinue(this.moves) }, TRACE_LABELS.continueHere);
    this.element = html("section.node-card", { "aria-label": TRACE_LABELS.node }, this.board, this.way, this.facts, this.chips, this.continueButton);
    /** @type {string[]} */
    this.moves = [];
    /** What the board shows or loads. */
    this.shown = "";
    this.drawn = "";
    this.isLarge = false;
  }

  /** Makes the board as large as the tree, or small again. */
  enlarge() {
    this.isLarge = !this.isLarge;
    this.element.parentElement?.classList.toggle("large-board", this.isLarge);
    setAttributes(this.board, { "aria-label": this.isLarge ? TRACE_LABELS.small : TRACE_LABELS.large, "aria-pressed": String(this.isLarge) });
  }

  /** @param {SearchLog} log @param {number} n @param {number} at @param {{ variant: string, position: string }} root */
  render(log, n, at, root) {
    const path = log.path(n);
    this.moves = path ? path.split(" ") : [];
    void this.showBoard(log, path, root);
    const key = `${log.begin.algorithm} ${log.last} ${n} ${at}`;
    if (this.drawn === key) return;
    this.drawn = key;
    const known = log.progress(n, at);
    const way = log.way(n);
    const focused = this.way.contains(document.activeElement) ? [...this.way.querySelectorAll("button")].indexOf(/** @type {any} */ (document.activeElement)) : -1;
    this.way.replaceChildren(...way.map((node) => html("li", {}, html("button", { type: "button", "data-n": node, "aria-current": node === n ? "true" : null, onclick: () => this.handlers.onNode(node) }, log.moves[node] || TRACE_LABELS.start))));
    if (focused >= 0) /** @type {HTMLElement | undefined} */ (this.way.querySelectorAll("button")[Math.min(focused, way.length - 1)])?.focus();
    const parent = log.parents[n];
    const order = parent < 0 ? undefined : log.orders[parent];
    const siblings = parent < 0 ? [] : log.childMoves(parent);
    const place = siblings.indexOf(log.moves[n]);
    const visits = log.own[n].filter((i) => log.events[i].e === "enter");
    const facts = [
      [TRACE_LABELS.value, valueFact(known, log.begin)],
      ...(log.begin.algorithm === "minimax" || log.begin.algorithm === "expectimax" ? [] : [[TRACE_LABELS.window, windowFact(known, log.begin)]]),
      [TRACE_LABELS.visits, countText(visits.filter((i) => i <= at).length, visits.length)],
      ...(place < 0 ? [] : [[TRACE_LABELS.order, orderText(place + 1, siblings.length, order?.why[place])]])];
    this.facts.replaceChildren(...facts.flatMap(([name, text]) => [html("dt", {}, name), html("dd", {}, text)]));
    this.drawChips(log, n, at);
    setShown(this.continueButton, this.moves.length > 0);
  }

  /** Shows buttons for the node's events: at most `MAX_CHIPS`, around the current one. @param {SearchLog} log @param {number} n @param {number} at */
  drawChips(log, n, at) {
    const own = log.own[n].filter((i) => log.events[i].e !== "make" || log.texts.has(log.events[i]));
    const now = own.findLastIndex((i) => i <= at);
    const from = Math.max(0, Math.min(now - MAX_CHIPS / 2, own.length - MAX_CHIPS));
    const chips = own.slice(from, from + MAX_CHIPS);
    const focused = document.activeElement?.getAttribute("data-event");
    this.chips.replaceChildren(...chips.map((i) => {
      const event = log.events[i];
      return html("button", { type: "button", "data-event": i, "aria-current": i === own[now] ? "true" : null, title: log.sentence(event) || null, onclick: () => this.handlers.onEvent(i) }, chipText(event, log.moves[event.child] ?? ""));
    }));
    if (focused) /** @type {HTMLElement | null} */ (this.chips.querySelector(`[data-event="${focused}"]`))?.focus();
  }

  /** Shows the position of a node, with the move that leads to it. @param {SearchLog} log @param {string} path @param {{ variant: string, position: string }} root */
  async showBoard(log, path, { variant, position }) {
    setShown(this.board, !log.isTree);
    const shown = `${variant} ${position} ${path}`;
    if (log.isTree || shown === this.shown) return;
    this.shown = shown;
    /** @param {string[]} moves */
    const stateAfter = (moves) => queries.state(variant, moves.length ? `${position}${position.includes(" moves ") ? "" : " moves"} ${moves.join(" ")}` : position);
    try {
      const [state, before] = await Promise.all([stateAfter(this.moves), this.moves.length ? stateAfter(this.moves.slice(0, -1)) : null]);
      if (shown !== this.shown) return;
      const picture = thumbnail(state);
      if (before) picture.append(...moveMark(before, /** @type {string} */ (path.split(" ").at(-1))));
      this.board.replaceChildren(picture);
      setAttributes(this.board, { "data-path": path, "aria-label": this.isLarge ? TRACE_LABELS.small : TRACE_LABELS.large, "aria-pressed": String(this.isLarge) });
    } catch {
      // The game on the board has changed.
      this.board.replaceChildren();
    }
  }
}
