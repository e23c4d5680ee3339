// The dialog of a lesson: its parts, without what they show.

import { html } from "../dom.js";
import { glyph } from "../glyphs.js";
import { LESSON_LABELS, NAMING } from "../text/lessons.js";
import { createLegend } from "./terms.js";

/**
 * What a person can do in the dialog.
 * @typedef {object} LessonHandlers
 * @property {() => void} close
 * @property {(round: number) => void} openRound
 * @property {() => void} check
 * @property {() => void} skip
 * @property {() => void} advance
 * @property {() => void} flipSwitch
 * @property {(at: number) => void} goTo goes to an event
 * @property {(direction: 1 | -1) => void} stepBy
 * @property {() => void} togglePlay
 */

/** @typedef {ReturnType<typeof createLessonDialog>} LessonDialog */

/** @param {string} name @param {string} label @param {string} icon @param {() => void} action */
function controlButton(name, label, icon, action) {
  return html("button.square", { type: "button", "data-lesson": name, "aria-label": label, title: label, onclick: action }, glyph(icon));
}

/** Creates the form of a question, and what stands beside its fields. @param {LessonHandlers} handlers */
function createQuestionForm(handlers) {
  const prompt = html("p.prompt", { id: "lesson-prompt" });
  const fields = html("fieldset", {});
  const feedback = html("div.feedback", { role: "status", "aria-live": "polite" });
  const checkButton = html("button.main", { type: "submit", "data-lesson": "check" }, LESSON_LABELS.check);
  const skipButton = html("button", { type: "button", "data-lesson": "skip", onclick: handlers.skip }, LESSON_LABELS.skip);
  const nextButton = html("button.main", { type: "button", "data-lesson": "next", onclick: handlers.advance }, LESSON_LABELS.next);
  const switchInput = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", onchange: handlers.flipSwitch }));
  const switchRow = html("label.check", { "data-lesson": "switch" }, switchInput, html("span", {}, LESSON_LABELS.switch));
  const form = html("form", { onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    handlers.check();
  } }, prompt, fields, feedback, switchRow, html("div.row", {}, checkButton, skipButton, nextButton));
  return { form, prompt, fields, feedback, checkButton, skipButton, nextButton, switchInput, switchRow };
}

/**
 * Creates the dialog.
 * @param {string} title
 * @param {string[][]} signs those that the line below the tree has beside the usual ones
 * @param {{ tree: Element[], question: Element[] }} pictures what is drawn in the box of the tree, and above the question
 * @param {LessonHandlers} handlers
 */
export function createLessonDialog(title, signs, pictures, handlers) {
  const stepLine = html("p.lesson-step", {});
  const roundButtons = LESSON_LABELS.rounds.map((text, at) => html("button", { type: "button", "data-round": at, onclick: () => handlers.openRound(at) }, `${at + 1} ${text}`));
  const sentence = html("p.sentence", {});
  const treeBox = html("div.tree-box", {}, ...pictures.tree);
  const eventLine = html("p.event", { role: "status", "aria-live": "polite" });
  const naming = html("p.naming", {}, NAMING);
  const legend = html("div", {}, createLegend(signs), naming);
  const note = html("p.note", {});
  const answered = html("ol.answered", {});
  const question = createQuestionForm(handlers);
  const scrubber = /** @type {HTMLInputElement} */ (html("input", { type: "range", min: 0, max: 1, step: 1, "aria-label": LESSON_LABELS.scrubber, oninput: () => handlers.goTo(Number(scrubber.value)) }));
  const playButton = controlButton("play", LESSON_LABELS.play, "play", handlers.togglePlay);
  const main = html("div.lesson-main", {},
    html("div.lesson-tree", {}, treeBox, eventLine, legend),
    html("div.lesson-question", {}, note, ...pictures.question, question.form, answered));
  const dialog = /** @type {HTMLDialogElement} */ (html("dialog.lesson", { "aria-labelledby": "lesson-title", onkeydown: (/** @type {Event} */ event) => event.stopPropagation() },
    html("div.lesson-top", {},
      html("button.square.plain", { type: "button", "data-lesson": "close", "aria-label": LESSON_LABELS.close, title: LESSON_LABELS.close, onclick: handlers.close }, glyph("close")),
      html("h2", { id: "lesson-title" }, title), stepLine,
      html("div.rounds", { role: "group", "aria-label": LESSON_LABELS.round }, ...roundButtons)),
    sentence, main,
    html("div.lesson-controls", {},
      controlButton("restart", LESSON_LABELS.restart, "first", () => handlers.goTo(0)),
      controlButton("back", LESSON_LABELS.back, "back", () => handlers.stepBy(-1)), playButton,
      controlButton("forward", LESSON_LABELS.forward, "next", () => handlers.stepBy(1)), scrubber)));
  return { dialog, main, stepLine, roundButtons, sentence, treeBox, eventLine, legend, naming, note, answered, scrubber, playButton, ...question };
}
