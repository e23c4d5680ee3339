// The form for the weights of an evaluation.

import { html, setText } from "../dom.js";
import { EVALUATION } from "../text/lesson_evaluation.js";
import { MAX_WEIGHT, REFERENCE_WEIGHTS, bestMoves } from "./leaf_trees.js";
import { weighing } from "./questions_evaluation.js";

/** @import { AnswerForm, FormContext } from "./answer_forms.js" */
/** @import { Weights } from "./leaf_trees.js" */

/** Creates the form for weights: a slider each, and the values of the moves with them. @param {FormContext} context @returns {AnswerForm} */
export function weightsForm({ search, question, labelId, onChange }) {
  const { tree } = weighing(search, question);
  const result = html("p.weights-result", { role: "status", "aria-live": "polite" });
  const sliders = REFERENCE_WEIGHTS.map((weight, at) => {
    const output = html("output", {}, String(weight));
    const input = /** @type {HTMLInputElement} */ (html("input", { type: "range", min: 0, max: MAX_WEIGHT, step: 1, value: weight, "aria-label": EVALUATION.weights.labels[at], "data-weight": at, oninput: () => {
      setText(output, input.value);
      update();
    } }));
    return { input, element: html("div.weight", {}, html("span", {}, EVALUATION.weights.labels[at]), input, output) };
  });
  const weights = () => /** @type {Weights} */ (sliders.map(({ input }) => Number(input.value)));
  let chosen = bestMoves(tree, REFERENCE_WEIGHTS);
  const update = () => {
    chosen = bestMoves(tree, weights());
    setText(result, EVALUATION.weights.result(chosen.values));
    onChange();
  };
  setText(result, EVALUATION.weights.result(chosen.values));
  return { element: html("div.weights", { role: "group", "aria-labelledby": labelId }, ...sliders.map(({ element }) => element), result), chosenMove: () => chosen.moves[0], read: () => ({ guess: weights() }) };
}
