// Forms that answer with a list: an order of searches, a question of MTD(f), and the rungs of its ladder.

import { html } from "../dom.js";
import { ANSWER_ERRORS, LIST_LABELS } from "../text/lessons.js";
import { radios } from "./answer_forms.js";
import { readNumber } from "./notation.js";

/** @import { AnswerForm, FormContext } from "./answer_forms.js" */

/** Creates the form for an order: every item can be moved up and down. @param {FormContext} context @returns {AnswerForm} */
export function rankForm({ options, optionText, labelId, onChange }) {
  const items = [...options];
  const list = html("ol.rank", { "aria-labelledby": labelId });
  const move = (/** @type {string} */ item, /** @type {number} */ step) => {
    const at = items.indexOf(item);
    items.splice(at, 1);
    items.splice(at + step, 0, item);
    update();
    /** @type {HTMLElement | null} */ (list.querySelector(`[data-item="${CSS.escape(item)}"] [data-move="${step < 0 ? "up" : "down"}"]:not(:disabled)`) ?? list.querySelector(`[data-item="${CSS.escape(item)}"] button:not(:disabled)`))?.focus();
    onChange();
  };
  const button = (/** @type {string} */ item, /** @type {number} */ step, /** @type {boolean} */ isEnd) => html("button", { type: "button", "data-move": step < 0 ? "up" : "down", "aria-label": LIST_LABELS.move(optionText(item), step), disabled: isEnd, onclick: () => move(item, step) }, step < 0 ? "↑" : "↓");
  const update = () => list.replaceChildren(...items.map((item, at) => html("li", { "data-item": item }, html("span", {}, optionText(item)), button(item, -1, at === 0), button(item, 1, at === items.length - 1))));
  update();
  return { element: list, read: () => ({ guess: [...items] }) };
}

/** Creates a field for a number. @param {string} label */
function numberField(label) {
  return /** @type {HTMLInputElement} */ (html("input", { type: "text", class: "number", inputmode: "decimal", autocomplete: "off", maxlength: 12, "aria-label": label }));
}

let groups = 0;

/** Creates the form for a question such as `more than 3?`. @param {FormContext} context @returns {AnswerForm} */
export function testForm({ labelId, onChange }) {
  /** @type {string | null} */
  let relation = null;
  const field = numberField(LIST_LABELS.value);
  const element = html("div.test-form", { role: "group", "aria-labelledby": labelId }, html("div.line-step", { role: "radiogroup", "aria-label": LIST_LABELS.relation }, ...radios(`test-${++groups}`, [["least", LIST_LABELS.least], ["more", LIST_LABELS.more]], (word) => {
    relation = word;
    onChange();
  })), field);
  return { element, read: () => {
    const value = readNumber(field.value);
    return relation === null || value === undefined ? { error: ANSWER_ERRORS.test } : { guess: { relation, value } };
  } };
}

/** Creates the form for the rungs of a ladder, the first pass at the bottom. @param {FormContext} context @returns {AnswerForm} */
export function ladderForm({ options, labelId, onChange }) {
  const rungs = options.map((name) => {
    const rung = { bound: /** @type {string | null} */ (null), field: numberField(LIST_LABELS.rungValue(name)) };
    const element = html("li.rung", { "data-rung": name, value: name }, html("span", {}, LIST_LABELS.pass(name)), html("div.line-step", { role: "radiogroup", "aria-label": LIST_LABELS.rungBound(name) }, ...radios(`rung-${++groups}`, [["lower", "≥"], ["upper", "≤"]], (word) => {
      rung.bound = word;
      onChange();
    })), rung.field);
    return { rung, element };
  });
  const element = html("ol.ladder", { "aria-labelledby": labelId }, ...rungs.map(({ element }) => element));
  return { element, read: () => {
    const guess = rungs.map(({ rung }) => ({ bound: rung.bound, value: readNumber(rung.field.value) }));
    return guess.some(({ bound, value }) => bound === null || value === undefined) ? { error: ANSWER_ERRORS.rungs } : { guess };
  } };
}
