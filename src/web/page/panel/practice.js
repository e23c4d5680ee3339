// The tab Practice: find the only move, and win endgames against perfect defense.

import { byId, html, setAttributes, setShown, setText } from "../dom.js";
import { currentStreak, nextPosition, showSolution, stopPractice, tryAgain } from "../practice_session.js";
import { game, notifyChange, practice, server, solving, tabSettings } from "../state.js";
import { EXERCISES, EXERCISE_NOTES, GRADE_TEXTS, PRACTICE_ACTIONS, PRACTICE_LABELS, PRACTICE_TEXTS, streakText } from "../text.js";
import { button, selectField, setOptions } from "./controls.js";
import { createSolveBox } from "./solve_box.js";

const settings = tabSettings.practice;
const exercise = selectField(PRACTICE_LABELS.exercise, EXERCISES, (name) => {
  settings.exercise = name;
  if (name === "endgame" && settings.grade === "draw") settings.grade = "any";
  notifyChange();
});
const grade = selectField(PRACTICE_LABELS.grade, GRADE_TEXTS, (name) => { settings.grade = name; notifyChange(); });
const note = html("p.hint", {});
const taskLine = html("p.practice-task", {});
const streakLine = html("p.hint.streak", {});
const startButton = button(PRACTICE_ACTIONS.start, () => void nextPosition().then(showBoard), ".main");
const againButton = button(PRACTICE_ACTIONS.again, () => { tryAgain(); showBoard(); });
const solutionButton = button(PRACTICE_ACTIONS.solution, () => { showSolution(); showBoard(); });
const stopButton = button(PRACTICE_ACTIONS.stop, stopPractice);
const solveBox = createSolveBox();

export function setUp() {
  return html("div.sheet", {}, html("div.form", {}, exercise.element, grade.element), note, taskLine,
    html("div.row", {}, startButton, againButton, solutionButton, stopButton), streakLine, solveBox.element);
}

/** Scrolls to the board where it is above the panel. */
function showBoard() {
  if (practice.tree && matchMedia("(max-width: 1000px)").matches) byId("game").scrollIntoView({ block: "start" });
}

export function render() {
  const { state } = game;
  if (!state) return;
  const isPracticing = practice.tree === game.tree;
  const hasValues = state.solved !== null || state.outcome !== null || isPracticing;
  setOptions(grade.input, settings.exercise === "endgame" ? GRADE_TEXTS.filter(([name]) => name !== "draw") : GRADE_TEXTS);
  exercise.input.value = settings.exercise;
  grade.input.value = settings.grade;
  setText(note, EXERCISE_NOTES[settings.exercise] ?? "");
  setText(taskLine, hasValues ? practice.text || PRACTICE_TEXTS.ready : solving.status === "refused" ? PRACTICE_TEXTS.tooLarge : PRACTICE_TEXTS.noValues);
  // During an exercise the status line below the board has the text.
  setShown(taskLine, !isPracticing || practice.status === "searching" || practice.status === "idle");
  setText(/** @type {Element} */ (startButton.lastElementChild), isPracticing ? PRACTICE_ACTIONS.next : PRACTICE_ACTIONS.start);
  setAttributes(startButton, { disabled: server.status !== "open" || practice.status === "searching" || !hasValues });
  for (const part of [againButton, solutionButton, stopButton]) setShown(part, isPracticing);
  setAttributes(againButton, { disabled: game.tree.current === game.tree.root || practice.status === "searching" });
  setAttributes(solutionButton, { disabled: practice.status === "searching" || !practice.judged?.state?.solved });
  for (const part of [note, startButton]) setShown(part, hasValues);
  const streak = currentStreak();
  setText(streakLine, streakText(streak));
  setShown(streakLine, streak.best > 0);
  // Where no exact values can be had, the sentence above says all.
  setShown(solveBox.element, !hasValues && solving.status !== "refused");
  if (!hasValues) solveBox.render(state);
}
