// The form for an order of moves on a board of rows and columns: the cells are pressed one after another.

import { html, setAttributes } from "../dom.js";
import { ANSWER_ERRORS, LESSON_LABELS, cellLabel, placedText } from "../text/lessons.js";

/** @import { AnswerForm, FormContext } from "./answer_forms.js" */

/** Returns the side to move in a position such as `3 3 3 X1O/1X1/XOO x`: `x` or `o`. @param {string} fen */
export function sideOf(fen) {
  return fen.split(" ")[4];
}

/** Returns the pieces of such a position by cell, `""` for empty ones, rows from the top. @param {string} fen */
export function readCells(fen) {
  const rows = fen.split(" ")[3].split("/");
  const cells = rows.map((row) => [...row.matchAll(/\d+|[XO]/g)].flatMap(([part]) => (/\d/.test(part) ? Array.from({ length: Number(part) }, () => "") : [part])));
  return cells.flatMap((row, at) => row.map((piece, column) => ({ cell: `${String.fromCharCode(97 + column)}${cells.length - at}`, piece })));
}

/** @param {FormContext} context @returns {AnswerForm} */
export function cellsForm({ search, options, labelId, onChange }) {
  const { fen } = search.begin;
  const first = sideOf(fen) === "o" ? 1 : 0;
  /** @type {string[]} */
  const moves = [];
  const cells = readCells(fen);
  const columns = Math.sqrt(cells.length);
  const buttons = new Map(cells.map(({ cell, piece }) => [cell, html("button.cell", { type: "button", "data-cell": cell, disabled: piece !== "", onclick: () => place(cell) }, piece)]));
  const line = html("p.placed", { "aria-live": "polite" });
  const undo = html("button", { type: "button", "data-move": "undo", onclick: () => {
    moves.pop();
    update();
  } }, LESSON_LABELS.undo);
  const place = (/** @type {string} */ cell) => {
    if (moves.includes(cell) || moves.length === options.length) return;
    moves.push(cell);
    update();
  };
  const update = () => {
    for (const { cell, piece } of cells) {
      const at = moves.indexOf(cell);
      const shown = piece || (at < 0 ? "" : ["X", "O"][(at + first) % 2]);
      const button = /** @type {HTMLElement} */ (buttons.get(cell));
      button.replaceChildren(html("b", {}, shown), ...(at < 0 ? [] : [html("small", {}, String(at + 1))]));
      setAttributes(button, { "aria-label": cellLabel(cell, shown, at), "aria-pressed": String(at >= 0) });
    }
    line.replaceChildren(placedText(moves, options.length));
    onChange();
  };
  update();
  return {
    element: html("div.cells-form", { role: "group", "aria-labelledby": labelId }, html("div.cells", { "data-columns": columns }, ...buttons.values()), line, undo),
    read: () => (moves.length === options.length ? { guess: moves.join(" ") } : { error: ANSWER_ERRORS.moves }),
  };
}
