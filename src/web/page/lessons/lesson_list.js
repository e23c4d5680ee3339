// The list of lessons in the tab Learn. A lesson and its player are loaded when the lesson is opened.

import { html, setText } from "../dom.js";
import { translated } from "../language.js";
import { LESSON_LABELS, countsText, lessonTitle, roundsText } from "../text/lessons.js";
import { progressOf, totalsOf } from "./progress.js";
import { loadStyle } from "./style.js";

/** The lessons: the name of the file, the title, and what can be done afterwards. @type {[string, string, string][]} */
export const LESSONS = [
  ["01-max-and-min", "Max and min", "Back up values by hand"],
  ["02-the-window", "The window", "Write α and β at any node, and see a cut coming"],
  ["03-first-things-first", "First things first", "Explain why order decides"],
  ["04-deeper", "Deeper, and never twice", "Say what deepening costs and a table saves"],
  ["05-a-cheaper-question", "A cheaper question", "Follow Scout, and say when it pays"],
  ["06-twenty-questions", "Twenty questions", "Predict MTD(f)’s next test"],
  ["07-the-edge-of-sight", "The edge of sight", "Compute an evaluation, and show a horizon"],
  ["08-the-other-player-is-a-coin", "The other player is a coin", "Average, and tell expecting from fearing"],
  ["09-backwards-from-the-end", "Backwards from the end", "Settle positions by their successors"],
  ["10-states-not-paths", "States, not paths", "Run a queue by hand"],
  ["11-a-star-and-the-honest-guess", "A* and the honest guess", "Choose by f, and judge an estimate"],
  ["12-parity-and-the-ladder", "Parity, and the ladder of bounds", "Tell solvable from not, and predict IDA*"],
];

/** The lesson that is open. */
export const current = {
  /** @type {import("./player.js").LessonPlayer | null} */
  player: null,
};

/** Opens a lesson. @param {string} name @param {() => void} onClose */
async function openLesson(name, onClose) {
  const [{ LessonPlayer }, answer] = await Promise.all([import("./player.js"), fetch(new URL(`${name}.json`, import.meta.url)), loadStyle("lessons.css")]);
  current.player = new LessonPlayer(name, await answer.json(), () => {
    current.player = null;
    onClose();
  });
  await current.player.open();
}

/** Creates the list, and loads its style. */
export async function createLessonList() {
  await loadStyle("learn.css");
  const rows = LESSONS.map(([name, title, goal]) => {
    const counts = html("span.hint", {});
    const button = html("button.lesson-row", { type: "button", "data-lesson-name": name, onclick: () => void openLesson(name, update) },
      html("b", {}, lessonTitle(name, translated(title))), html("span", {}, translated(goal)), counts);
    return { name, button, counts };
  });
  const update = () => rows.forEach(({ name, counts }) => {
    const { rounds, kinds } = progressOf(name);
    setText(counts, Object.keys(kinds).length ? `${roundsText(rounds.length)} · ${countsText(totalsOf(name))}` : "");
  });
  update();
  return html("section.lessons.group", { "aria-label": LESSON_LABELS.title }, html("h3", {}, LESSON_LABELS.title), html("p.hint", {}, LESSON_LABELS.list), ...rows.map(({ button }) => button));
}
