// The exact values of the position and of its moves.

import { playMove } from "../actions.js";
import { html, setAttributes, setShown, setText, syncChildren } from "../dom.js";
import { game, isAsked, isPuzzle } from "../state.js";
import { LABELS, MESSAGES, capitalize, moveInstruction, moveValueText, outcomeName, solvedText } from "../text.js";
import { outcomeSign } from "../value.js";
import { previewOnHover, setPreviewMoves } from "./line_preview.js";
import { createSolveBox } from "./solve_box.js";

/** @import { SolvedMove, State } from "../types.js" */

/** Creates the section. @returns {{ element: HTMLElement, render: (state: State) => void }} */
export function createExactValues() {
  const solvedLine = html("p.solved", {});
  const solveBox = createSolveBox();
  const moveList = html("ol.known", { "aria-label": LABELS.tables });
  return {
    element: html("div.group", {}, html("h3", {}, LABELS.tables), solvedLine, solveBox.element, moveList),
    render(state) {
      setText(solvedLine, isAsked() ? MESSAGES.valuesHidden : state.solved ? solvedText(state) : MESSAGES.noTables);
      solveBox.render(state);
      setShown(moveList, !isAsked());
      renderMoves(state);
    },
  };

  /** @param {State} state */
  function renderMoves(state) {
    moveList.classList.toggle("puzzle", isPuzzle(state));
    // Long texts need the whole width.
    moveList.classList.toggle("wide", isPuzzle(state) || (state.solved?.moves ?? []).some((move) => move.traps));
    syncChildren(moveList, state.solved?.moves ?? [], ({ move }) => move, ({ move }) => html("li", {}, previewOnHover(html("button.known-move", {
      type: "button",
      onclick: () => { game.paused = false; playMove(move); },
    }, html("b", {}), html("span", {})))), (element, move) => {
      const moveButton = element.firstElementChild;
      setPreviewMoves(moveButton, [move.move]);
      setAttributes(moveButton, { class: `known-move ${moveClass(state, move)}` });
      setText(moveButton.children[0], moveName(state, move.move));
      setText(moveButton.children[1], moveValueText(move, state));
    });
  }
}

/** Returns the class of a move: `win`, `loss` or `draw`. The shortest way to the goal of a puzzle is a `win`, any other a `draw`. @param {State} state @param {SolvedMove} move */
function moveClass(state, move) {
  if (!isPuzzle(state)) return outcomeName(outcomeSign({ outcome: move.verdict }, state.turn));
  return move.plies !== null && move.plies === state.solved?.plies ? "win" : "draw";
}

/** Returns the name of a move. In puzzles the notation is the direction of the gap, so the move is put into words. @param {State} state @param {string} name */
function moveName(state, name) {
  const move = state.moves.find((one) => one.move === name);
  return isPuzzle(state) && move ? capitalize(moveInstruction(state, move)) : name;
}
