// The forms in which questions are answered. Each works by keyboard alone; those about nodes also by clicks in the tree.

import { html, setAttributes } from "../dom.js";
import { ANSWER_ERRORS, LESSON_LABELS, childText, choiceText, leafLabel, nodeName, stepLabel, valueWords } from "../text/lessons.js";
import { cellsForm } from "./answer_cells.js";
import { ladderForm, rankForm, testForm } from "./answer_lists.js";
import { weightsForm } from "./answer_weights.js";
import { dotForm, sliderForm } from "./answer_scales.js";
import { movedTree, readBound, readNumber } from "./notation.js";
import { numbersForm, severalForm, stateForm } from "./puzzle_forms.js";

export { movedTree } from "./notation.js";

/** @import { Question } from "./questions.js" */
/** @import { SearchEvents } from "./trace_events.js" */

/**
 * @typedef {object} AnswerForm
 * @property {HTMLElement} element
 * @property {() => { guess: any } | { error: string }} read
 * @property {(path: string) => void} [pick] called when a node of the tree is clicked
 * @property {(path: string) => boolean} [canPick]
 * @property {() => Set<string>} [chosen] the nodes that the tree shows as chosen
 * @property {() => Set<string>} [struck] the leaves that the tree shows as struck out
 * @property {(path: string, place: number) => void} [drag] called when a node is dragged to a place among its siblings
 * @property {() => string | null} [chosenMove] the move that the board shows
 */

/**
 * @typedef {object} FormContext
 * @property {SearchEvents} search
 * @property {Question} question
 * @property {string[]} options what can be chosen
 * @property {(word: string) => string} optionText the text of an option
 * @property {{ min: number, max: number, unit: string }} scale the ends of a slider
 * @property {string} labelId the element with the words of the question
 * @property {() => void} onChange called when the tree must be drawn again
 * @property {(tree: string) => void} onReorder called with the notation of a reordered tree
 */

/** Number of options from which they stand in two columns. */
const MANY_OPTIONS = 5;

let groups = 0;

/** Creates buttons of which one is chosen, as radio buttons. @param {string} name @param {[string, string][]} choices value and text @param {(value: string) => void} onChange @param {string | null} [chosen] */
export function radios(name, choices, onChange, chosen = null) {
  return choices.map(([value, text]) => {
    const input = html("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onChange(value) });
    return html("label.option", {}, input, html("span", {}, text));
  });
}

/** @param {FormContext} context @returns {AnswerForm} */
function choiceForm({ options, optionText, labelId, onChange }) {
  /** @type {string | null} */
  let guess = null;
  const element = html(options.length > MANY_OPTIONS ? "div.options.many" : "div.options", { role: "radiogroup", "aria-labelledby": labelId }, ...radios(`answer-${++groups}`, options.map((word) => [word, optionText(word)]), (word) => {
    guess = word;
    onChange();
  }));
  return { element, chosenMove: () => guess, read: () => (guess === null ? { error: ANSWER_ERRORS.choice } : { guess }) };
}

/** @param {FormContext} context @returns {AnswerForm} */
function numberForm({ labelId }) {
  const input = /** @type {HTMLInputElement} */ (html("input", { type: "text", autocomplete: "off", "aria-labelledby": labelId, maxlength: 12, class: "number", inputmode: "decimal" }));
  return { element: input, read: () => {
    const guess = readNumber(input.value);
    return guess === undefined ? { error: ANSWER_ERRORS.number } : { guess };
  } };
}

/** @returns {AnswerForm} */
function windowForm() {
  const sides = /** @type {const} */ (["alpha", "beta"]);
  const inputs = sides.map((side) => {
    const id = `answer-${++groups}`;
    const input = /** @type {HTMLInputElement} */ (html("input", { id, type: "text", autocomplete: "off", maxlength: 12, class: "number", inputmode: "decimal" }));
    const infinity = side === "alpha" ? "−∞" : "∞";
    const button = html("button", { type: "button", "aria-label": `${LESSON_LABELS[side]}: ${infinity}`, onclick: () => { input.value = infinity; } }, infinity);
    return { side, input, element: html("div.bound", {}, html("label", { for: id }, LESSON_LABELS[side]), html("div.with-button", {}, input, button)) };
  });
  return { element: html("div.bounds", {}, ...inputs.map(({ element }) => element)), read: () => {
    const guess = inputs.map(({ input, side }) => readBound(input.value, side));
    return guess.includes(undefined) ? { error: ANSWER_ERRORS.window } : { guess };
  } };
}

/** Creates a button for each leaf, in groups by their parents. @param {FormContext} context @param {(path: string) => void} toggle @param {(path: string) => boolean} isPressed */
function leafButtons({ search, options }, toggle, isPressed) {
  const buttons = new Map(options.map((path) => {
    const { value } = search.place(path);
    return [path, html("button.leaf", { type: "button", "aria-label": leafLabel(path, value), onclick: () => toggle(path) }, valueWords(value))];
  }));
  const parents = [...new Set(options.map((path) => search.place(path).parent ?? ""))];
  const rows = parents.map((parent) => html("span.family", {}, ...options.filter((path) => (search.place(path).parent ?? "") === parent).map((path) => /** @type {HTMLElement} */ (buttons.get(path)))));
  const update = () => buttons.forEach((button, path) => setAttributes(button, { "aria-pressed": String(isPressed(path)) }));
  update();
  return { rows, update };
}

/** @param {FormContext} context @returns {AnswerForm} */
function leavesForm(context) {
  /** @type {Set<string>} */
  const struck = new Set();
  const pick = (/** @type {string} */ path) => {
    if (!struck.delete(path)) struck.add(path);
    update();
    context.onChange();
  };
  const { rows, update } = leafButtons(context, pick, (path) => struck.has(path));
  return {
    element: html("div.families", { role: "group", "aria-labelledby": context.labelId }, ...rows), pick, canPick: (path) => context.options.includes(path), struck: () => struck,
    read: () => (struck.size ? { guess: context.options.filter((path) => struck.has(path)) } : { error: ANSWER_ERRORS.leaves }),
  };
}

/** @param {FormContext} context @returns {AnswerForm} */
function leafForm(context) {
  let chosen = "";
  const pick = (/** @type {string} */ path) => {
    chosen = path;
    update();
    context.onChange();
  };
  const { rows, update } = leafButtons(context, pick, (path) => path === chosen);
  return {
    element: html("div.families", { role: "group", "aria-labelledby": context.labelId }, ...rows), pick, canPick: (path) => context.options.includes(path), chosen: () => new Set(chosen ? [chosen] : []),
    read: () => (chosen ? { guess: chosen } : { error: ANSWER_ERRORS.choice }),
  };
}

/** Creates the form for a line of play: a choice among the children at every step. @param {FormContext} context @returns {AnswerForm} */
function lineForm({ search, labelId, onChange }) {
  let path = "";
  const { progress } = search.stateAt(search.last);
  const element = html("div.line-steps", { role: "group", "aria-labelledby": labelId });
  const waysTo = (/** @type {string} */ end) => (end === "" ? [] : end.split(" ").map((_, at, moves) => moves.slice(0, at + 1).join(" ")));
  const update = () => {
    const parents = ["", ...waysTo(path)].filter((one) => search.place(one).children.length);
    element.replaceChildren(...parents.map((parent) => {
      const { kind, children } = search.place(parent);
      const chosen = children.find((child) => waysTo(path).includes(child)) ?? null;
      const choices = children.map((child) => /** @type {[string, string]} */ ([child, childText(search.place(child).move, search.place(child).kind === "leaf", valueWords(progress.get(child)?.value ?? null))]));
      return html("div.line-step", { role: "radiogroup", "aria-label": stepLabel(parent, kind) }, html("span", {}, choiceText(kind)), ...radios(`answer-${++groups}`, choices, pick, chosen));
    }));
  };
  const pick = (/** @type {string} */ to) => {
    path = to;
    update();
    /** @type {HTMLElement | null} */ (element.querySelector(`input[value="${to}"]`))?.focus();
    onChange();
  };
  update();
  return {
    element, pick, canPick: (one) => one !== "", chosen: () => new Set(waysTo(path)),
    read: () => (path && search.place(path).kind === "leaf" ? { guess: path } : { error: ANSWER_ERRORS.line }),
  };
}

/** Creates the form for the results of several moves. @param {FormContext} context @returns {AnswerForm} */
function labelsForm({ options, onChange }) {
  /** @type {Record<string, string>} */
  const guess = {};
  const rows = options.map((move) => html("div.line-step", { role: "radiogroup", "aria-label": move }, html("span", {}, move), ...radios(`answer-${++groups}`, ["p1", "draw", "p2"].map((word) => [word, choiceText(word)]), (word) => {
    guess[move] = word;
    onChange();
  })));
  return { element: html("div.line-steps.labels", {}, ...rows), read: () => (options.every((move) => guess[move]) ? { guess } : { error: ANSWER_ERRORS.labels }) };
}

/** Creates the form for the order of children. @param {FormContext} context @returns {AnswerForm} */
function orderForm({ search, labelId, onReorder, onChange }) {
  const notation = search.begin.fen;
  let chosen = "";
  const inner = [...search.places.values()].filter(({ parent }) => parent !== null);
  const move = (/** @type {number} */ step) => {
    const place = search.places.get(chosen);
    if (!place || place.parent === null) return;
    const to = Number(place.move) - 1 + step;
    if (to >= 0 && to < search.place(place.parent).children.length) drag(chosen, to);
  };
  const drag = (/** @type {string} */ path, /** @type {number} */ to) => {
    const parent = path.split(" ").slice(0, -1);
    chosenAfter = [...parent, String(to + 1)].join(" ");
    onReorder(movedTree(notation, path, to));
  };
  const buttons = new Map(inner.map(({ path, kind, value }) => [path, html("button.leaf", { type: "button", "aria-label": kind === "leaf" ? leafLabel(path, value) : nodeName(path), onclick: () => pick(path) }, kind === "leaf" ? valueWords(value) : `▼ ${path}`)]));
  const pick = (/** @type {string} */ path) => {
    chosen = path;
    update();
    onChange();
  };
  const update = () => buttons.forEach((button, path) => setAttributes(button, { "aria-pressed": String(path === chosen) }));
  const families = search.place("").children.map((child) => html("span.family", {}, ...[child, ...search.place(child).children].map((path) => /** @type {HTMLElement} */ (buttons.get(path)))));
  if (search.places.has(chosenAfter)) chosen = chosenAfter;
  chosenAfter = "";
  update();
  return {
    element: html("div.reorder", { role: "group", "aria-labelledby": labelId }, html("div.families", {}, ...families),
      html("div.movers", {}, html("button", { type: "button", "data-move": "left", onclick: () => move(-1) }, `← ${LESSON_LABELS.left}`), html("button", { type: "button", "data-move": "right", onclick: () => move(1) }, `${LESSON_LABELS.right} →`))),
    pick, canPick: (path) => path !== "", chosen: () => new Set(chosen ? [chosen] : []), drag,
    read: () => ({ guess: search.end.counts.last.leaves }),
  };
}

/** The node that stays chosen when a reordered tree is drawn. */
let chosenAfter = "";

/** @type {Record<string, (context: FormContext) => AnswerForm>} */
const FORMS = { choice: choiceForm, number: numberForm, window: windowForm, leaves: leavesForm, leaf: leafForm, line: lineForm, labels: labelsForm, order: orderForm, slider: sliderForm, dot: dotForm, cells: cellsForm, rank: rankForm, test: testForm, ladder: ladderForm, several: severalForm, state: stateForm, numbers: numbersForm, weights: weightsForm };

/** Creates the form of a question. @param {string} form @param {FormContext} context @returns {AnswerForm} */
export function createForm(form, context) {
  return FORMS[form](context);
}
