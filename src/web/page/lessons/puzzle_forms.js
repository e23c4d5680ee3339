// The forms of questions about puzzles: several choices, a state, a list of numbers.

import { html, setAttributes } from "../dom.js";
import { PUZZLE_ERRORS, PUZZLE_LABELS, entryText, stateLabel } from "./puzzle_texts.js";
import { drawState, stateWords } from "./puzzle_boards.js";

/** @import { AnswerForm, FormContext } from "./answer_forms.js" */
/** @import { PuzzleSearch } from "./puzzle_search.js" */

/** Maximum number of numbers in a list. */
const MAX_NUMBERS = 12;

/** @param {FormContext} context @returns {AnswerForm} */
export function severalForm({ options, optionText, labelId, onChange }) {
  /** @type {Set<string>} */
  const chosen = new Set();
  const rows = options.map((option) => html("label.option", {}, html("input", { type: "checkbox", value: option, onchange: (/** @type {any} */ { target }) => {
    if (target.checked) chosen.add(option);
    else chosen.delete(option);
    onChange();
  } }), html("span", {}, optionText(option))));
  return { element: html("div.options", { role: "group", "aria-labelledby": labelId }, ...rows), read: () => (chosen.size ? { guess: options.filter((option) => chosen.has(option)) } : { error: PUZZLE_ERRORS.several }) };
}

/** @param {FormContext} context @returns {AnswerForm} */
export function stateForm({ search, options, labelId, onChange }) {
  const puzzle = /** @type {PuzzleSearch} */ (search);
  const { variant } = puzzle.begin;
  let guess = "";
  const buttons = options.map((option) => {
    const state = puzzle.state(Number(option));
    const fen = /** @type {string} */ (state.fen);
    const drawn = drawState(variant, fen);
    // Numbered tiles are read as they are drawn.
    const label = drawn.textContent ? {} : { "aria-label": stateLabel(state, stateWords(variant, fen)) };
    return html("button.state", { type: "button", "data-state": option, ...label, onclick: () => {
      guess = option;
      update();
      onChange();
    } }, drawn, html("span", {}, entryText(state)));
  });
  const update = () => buttons.forEach((button) => setAttributes(button, { "aria-pressed": String(button.dataset.state === guess) }));
  update();
  return { element: html("div.states", { role: "group", "aria-labelledby": labelId }, ...buttons), read: () => (guess ? { guess } : { error: PUZZLE_ERRORS.state }) };
}

/** @param {FormContext} context @returns {AnswerForm} */
export function numbersForm({ labelId }) {
  const input = /** @type {HTMLInputElement} */ (html("input", { type: "text", class: "numbers", autocomplete: "off", maxlength: 80, "aria-labelledby": labelId, placeholder: PUZZLE_LABELS.numbers }));
  return { element: input, read: () => {
    const parts = input.value.trim().split(/[\s,;]+/).filter(Boolean);
    const isFine = parts.length > 0 && parts.length <= MAX_NUMBERS && parts.every((part) => /^\d{1,6}$/.test(part));
    return isFine ? { guess: parts.map(Number) } : { error: PUZZLE_ERRORS.numbers };
  } };
}
