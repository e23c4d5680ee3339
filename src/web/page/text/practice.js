// The texts of the tab Practice: the question, the verdict on an answer, and the refutation.

import { capitalize, moveInstruction, moveReport, pluralize, resultText, sideToMove } from "./moves.js";
import { valueText } from "./values.js";

/** @import { State } from "../types.js" */
/** @import { GameNode } from "../game_tree.js" */

export const PRACTICE_LABELS = { exercise: "Exercise", grade: "Grade" };

/** @type {[string, string][]} */
export const EXERCISES = [["only", "The only move"], ["endgame", "Endgames"]];

/** @type {[string, string][]} */
export const GRADE_TEXTS = [["any", "All"], ["short", "Win within 5 plies"], ["medium", "Win in 6 to 11 plies"], ["long", "Win in 12 plies or more"], ["draw", "Hold the draw"]];

export const PRACTICE_ACTIONS = { start: "Start", next: "Next position", again: "Try again", solution: "Show the move", stop: "Stop practicing" };

/** What each exercise asks for. @type {Record<string, string>} */
export const EXERCISE_NOTES = {
  only: "Find the only move: in each position exactly one keeps the win or the draw.",
  endgame: "Win against perfect defense, within the given number of plies. A ply is one move of one side.",
};

export const PRACTICE_TEXTS = {
  searching: "Looking for a position in random games …",
  noValues: "Practice needs exact values: use “Solve this game”.",
  tooLarge: "Practice needs exact values: choose a smaller game, or start `puli board --tables` with solved tables of this one.",
  ready: "Positions come from random games and are checked by exact values.",
  noneFound: "No further position of this grade was found. Choose another grade, or start again.",
};

/** Returns the streak: `Streak 3, best 5`. @param {{ current: number, best: number }} streak */
export function streakText({ current, best }) {
  return `Streak ${current}, best ${best}`;
}

/** Returns what the only move keeps: `a draw`, `a win in 7 plies`, `a win by endless play`. @param {State} state */
function keptValue({ solved }) {
  if (!solved || solved.verdict === "draw") return "a draw";
  return solved.plies === null ? "a win by endless play" : `a win in ${plies(solved.plies)}`;
}

/** @param {number} number */
function plies(number) {
  return number === 1 ? "1 ply" : `${number} plies`;
}

/** Returns the question of the exercise *Find the only move*. @param {State} state */
export function onlyMoveText(state) {
  return `${sideToMove(state)}. Only one of ${pluralize(state.moves.length, "move")} keeps ${keptValue(state)}. Find it.`;
}

/** Returns the task of an endgame. @param {State} state */
export function endgameText(state) {
  return `${sideToMove(state)}. Win within ${plies(state.solved?.plies ?? 0)}.`;
}

/** Returns how many plies are left in an endgame. @param {number} left */
export function leftText(left) {
  return `Good. ${capitalize(plies(left))} left.`;
}

/** @param {State} before @param {string} name */
function report(before, name) {
  const move = before.moves.find((one) => one.move === name);
  return move ? moveReport(before, move) : "";
}

/** Returns the verdict of exact values after a wrong move, and the reply that refutes it. @param {State} after */
function refutationText(after) {
  if (after.outcome) return resultText(after);
  const { solved } = after;
  const reply = after.moves.find((move) => move.move === solved?.moves[0]?.move);
  const value = solved?.verdict ? `${valueText(after, { outcome: solved.verdict, plies: solved.plies, exact: true })}.` : "";
  return `${value}${reply ? ` The reply: ${lowerFirst(moveInstruction(after, reply))}.` : ""}`;
}

/** @param {string} text */
function lowerFirst(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Returns the verdict on the answer to *Find the only move*. @param {State} before @param {State} after @param {string} move @param {boolean} isRight */
export function onlyMoveVerdict(before, after, move, isRight) {
  if (isRight) return `Right. ${report(before, move)} Every other move loses the ${before.solved?.verdict === "draw" ? "draw" : "win"}.`;
  return `Wrong. ${report(before, move)} ${refutationText(after)}`;
}

/**
 * Returns the verdict at the end of an endgame.
 * @param {State} before
 * @param {State} after
 * @param {GameNode} node the position after the move
 * @param {"won" | "slow" | "lost"} verdict
 * @param {number} distance the plies of the win at the start
 */
export function endgameVerdict(before, after, node, verdict, distance) {
  if (verdict === "won") return `Won in ${plies(node.ply)}: as fast as possible. ${resultText(after)}`;
  if (verdict === "lost") return `Wrong. ${report(before, node.move)} ${refutationText(after)}`;
  const needed = after.solved?.plies;
  return `Too slow. ${report(before, node.move)} ${needed === null || needed === undefined ? "" : `The win now takes ${plies(needed)}, and ${plies(Math.max(0, distance - node.ply))} ${distance - node.ply === 1 ? "is" : "are"} left.`}`;
}
