// The button that solves the game, with its forecast, its progress and its result.

import { html, setAttributes, setShown, setText } from "../dom.js";
import { canBeSolved, requestForecast, toggleSolving } from "../solve_game.js";
import { server, solving } from "../state.js";
import { ACTIONS, solveOfferText, solvingText } from "../text.js";
import { button } from "./controls.js";

/** @import { State } from "../types.js" */

/** Creates the box. It is shown if the game can be solved and the values of the position are not known otherwise. @returns {{ element: HTMLElement, render: (state: State) => void }} */
export function createSolveBox() {
  const solveButton = button(ACTIONS.solveGame, toggleSolving);
  const progress = html("progress", { "aria-label": ACTIONS.solveGame });
  const note = html("p.hint", { role: "status" });
  const element = html("div.solve-game", {}, solveButton, progress, note);
  return { element, render(state) {
    const isOffered = canBeSolved(state) && (!state.solved || (solving.status === "solved" && !solving.isUnasked));
    if (isOffered && !state.solved && state.outcome === null) void requestForecast();
    setShown(element, isOffered);
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
  } };
}
