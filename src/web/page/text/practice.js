// The texts of the tab Practice: the question, the verdict on an answer, and the refutation.

import { t } from "../language.js";
import { sentence } from "./labels.js";
import { instructionText, moveReport, resultText, sideToMove } from "./moves.js";
import { valueText } from "./values.js";

/** @import { State } from "../types.js" */
/** @import { GameNode } from "../game_tree.js" */

export const PRACTICE_LABELS = { exercise: t("Exercise"), grade: t("Grade") };

/** @type {[string, string][]} */
export const EXERCISES = [["only", t("The only move")], ["endgame", t("Endgames")]];

/** @type {[string, string][]} */
export const GRADE_TEXTS = [["any", t("All")], ["short", t("Win within 5 plies")], ["medium", t("Win in 6 to 11 plies")], ["long", t("Win in 12 plies or more")], ["draw", t("Hold the draw")]];

export const PRACTICE_ACTIONS = { start: t("Start"), next: t("Next position"), again: t("Try again"), solution: t("Show the move"), stop: t("Stop practicing") };

/** What each exercise asks for. @type {Record<string, string>} */
export const EXERCISE_NOTES = {
  only: t("Find the only move: in each position exactly one keeps the win or the draw."),
  endgame: t("Win against perfect defense, within the given number of plies. A ply is one move of one side."),
};

export const PRACTICE_TEXTS = {
  searching: t("Looking for a position in random games …"),
  noValues: t("Practice needs exact values: use “Solve this game”."),
  tooLarge: t("Practice needs exact values: choose a smaller game, or start `puli board --tables` with solved tables of this one."),
  ready: t("Positions come from random games and are checked by exact values."),
  noneFound: t("No further position of this grade was found. Choose another grade, or start again."),
};

/** Returns the streak: `Streak 3, best 5`. @param {{ current: number, best: number }} streak */
export function streakText(streak) {
  return t("Streak {current}, best {best}", streak);
}

/** Returns the question of the exercise *Find the only move*. @param {State} state */
export function onlyMoveText(state) {
  const { solved } = state;
  const values = { moves: state.moves.length, plies: solved?.plies ?? 0 };
  const question = !solved || solved.verdict === "draw" ? t("Only one of {moves, plural, one {# move} other {# moves}} keeps a draw. Find it.", values)
    : solved.plies === null ? t("Only one of {moves, plural, one {# move} other {# moves}} keeps a win by endless play. Find it.", values)
    : t("Only one of {moves, plural, one {# move} other {# moves}} keeps a win in {plies, plural, one {# ply} other {# plies}}. Find it.", values);
  return `${sideToMove(state)} ${question}`;
}

/** Returns the task of an endgame. @param {State} state */
export function endgameText(state) {
  return `${sideToMove(state)} ${t("Win within {plies, plural, one {# ply} other {# plies}}.", { plies: state.solved?.plies ?? 0 })}`;
}

/** Returns how many plies are left in an endgame. @param {number} plies */
export function leftText(plies) {
  return t("Good. {plies, plural, one {# ply} other {# plies}} left.", { plies });
}

/** @param {State} before @param {string} name */
function report(before, name) {
  const move = before.moves.find((one) => one.move === name);
  return move ? moveReport(before, move) : "";
}

/** Joins sentences. @param {string[]} sentences */
function join(...sentences) {
  return sentences.filter(Boolean).join(" ");
}

/** Returns the verdict of exact values after a wrong move, and the reply that refutes it. @param {State} after */
function refutationText(after) {
  if (after.outcome) return resultText(after);
  const { solved } = after;
  const reply = after.moves.find((move) => move.move === solved?.moves[0]?.move);
  return join(
    solved?.verdict ? sentence(valueText(after, { outcome: solved.verdict, plies: solved.plies, exact: true })) : "",
    reply ? t("The reply: {move}.", { move: instructionText(after, reply) }) : "");
}

/** Returns the verdict on the answer to *Find the only move*. @param {State} before @param {State} after @param {string} move @param {boolean} isRight */
export function onlyMoveVerdict(before, after, move, isRight) {
  if (!isRight) return join(t("Wrong."), report(before, move), refutationText(after));
  const isDraw = before.solved?.verdict === "draw";
  return join(t("Right."), report(before, move), isDraw ? t("Every other move loses the draw.") : t("Every other move loses the win."));
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
  if (verdict === "won") return join(t("Won in {plies, plural, one {# ply} other {# plies}}: as fast as possible.", { plies: node.ply }), resultText(after));
  if (verdict === "lost") return join(t("Wrong."), report(before, node.move), refutationText(after));
  const needed = after.solved?.plies ?? null;
  const left = Math.max(0, distance - node.ply);
  return join(t("Too slow."), report(before, node.move), needed === null ? "" : t("The win now takes {needed, plural, one {# ply} other {# plies}}, and {left, plural, one {# ply is} other {# plies are}} left.", { needed, left }));
}
