// The exact values of the position and of its moves, and the button that solves the game.

import { playMove } from "../actions.js";
import { html, setAttributes, setShown, setText, syncChildren } from "../dom.js";
import { canBeSolved, requestForecast, toggleSolving } from "../solve_game.js";
import { game, isPuzzle, server, solving } from "../state.js";
import { ACTIONS, LABELS, MESSAGES, capitalize, moveInstruction, moveValueText, outcomeName, solveOfferText, solvedText, solvingText } from "../text.js";
import { outcomeSign } from "../value.js";
import { button } from "./controls.js";
import { previewOnHover, setPreviewMoves } from "./line_preview.js";

/** @import { SolvedMove, State } from "../types.js" */

/** Creates the section. @returns {{ element: HTMLElement, render: (state: State) => void }} */
export function createExactValues() {
  const solvedLine = html("p.solved", {});
  const solveButton = button(ACTIONS.solveGame, toggleSolving);
  const progress = html("progress", { "aria-label": ACTIONS.solveGame });
  const note = html("p.hint", { role: "status" });
  const solveBox = html("div.solve-game", {}, solveButton, progress, note);
  const moveList = html("ol.known", { "aria-label": LABELS.tables });
  return {
    element: html("div.group", {}, html("h3", {}, LABELS.tables), solvedLine, solveBox, moveList),
    render(state) {
      setText(solvedLine, state.solved ? solvedText(state) : MESSAGES.noTables);
      const isOffered = canBeSolved(state) && (!state.solved || solving.status === "solved");
      if (isOffered && !state.solved && state.outcome === null) void requestForecast();
      setShown(solveBox, isOffered);
      renderSolving();
      renderMoves(state);
    },
  };

  function renderSolving() {
    const { status, forecast } = solving;
    const isRunning = status === "running";
    setText(/** @type {Element} */ (solveButton.lastElementChild), isRunning ? ACTIONS.stop : forecast ? solveOfferText(forecast) : ACTIONS.solveGame);
    setAttributes(solveButton, { disabled: server.status !== "open" || !(isRunning || status === "offered") });
    setShown(solveButton, status !== "refused" && status !== "solved");
    setShown(progress, status !== "refused" && status !== "solved");
    // The bar keeps its place while nothing runs, so that nothing moves when it starts.
    progress.classList.toggle("idle", !isRunning);
    if (forecast) setAttributes(progress, { max: forecast.seconds, value: Math.min(solving.seconds, forecast.seconds) });
    setText(note, isRunning ? solvingText(solving) : solving.note);
  }

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
