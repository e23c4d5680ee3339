// Forms that answer with a number on a scale: a slider, and a dot on a logarithmic axis. The number can be typed, too.

import { html, setAttributes } from "../dom.js";
import { ANSWER_ERRORS, SCALE_LABELS, scaleText } from "../text/lessons.js";
import { readCount } from "./notation.js";

/** @import { AnswerForm, FormContext } from "./answer_forms.js" */

/** Steps of the slider of a logarithmic axis. */
const LOG_STEPS = 600;

/** Returns a number with two or more significant digits, as a dot on a logarithmic axis can be placed. @param {number} number */
function rounded(number) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(number)) - 1);
  return Math.round(number / unit) * unit;
}

/**
 * Creates a slider beside a field with its number.
 * @param {FormContext} context
 * @param {number} steps
 * @param {(position: number) => number} valueAt the number at a position of the slider
 * @param {(value: number) => number} positionOf
 */
function scaleForm({ scale, labelId, onChange }, steps, valueAt, positionOf) {
  const { min, max, unit } = scale;
  /** @type {number | null} */
  let guess = null;
  const slider = /** @type {HTMLInputElement} */ (html("input", { type: "range", min: 0, max: steps, step: 1, "aria-labelledby": labelId, oninput: () => choose(valueAt(Number(slider.value)), true) }));
  const field = /** @type {HTMLInputElement} */ (html("input", { type: "text", class: "number", inputmode: "decimal", autocomplete: "off", maxlength: 12, "aria-label": SCALE_LABELS.number, oninput: () => choose(readCount(field.value) ?? null, false) }));
  slider.value = String(Math.round(steps / 2));
  const choose = (/** @type {number | null} */ value, /** @type {boolean} */ isSlider) => {
    guess = value;
    if (isSlider) field.value = scaleText(/** @type {number} */ (value));
    else if (value !== null) slider.value = String(Math.round(positionOf(Math.max(min, Math.min(max, value)))));
    setAttributes(slider, { "aria-valuetext": value === null ? null : `${scaleText(value)}${unit}` });
    onChange();
  };
  const element = html("div.scale", {}, slider, html("div.scale-ends", {}, html("span", {}, `${scaleText(min)}${unit}`), html("span", {}, `${scaleText(max)}${unit}`)), html("div.scale-number", {}, field, unit && html("span", {}, unit)));
  return { element, read: () => (guess === null || guess < min || guess > max ? { error: ANSWER_ERRORS.scale(scaleText(min), scaleText(max)) } : { guess }), value: () => guess };
}

/** @param {FormContext} context @returns {AnswerForm} */
export function sliderForm(context) {
  const { min, max } = context.scale;
  return scaleForm(context, max - min, (position) => min + position, (value) => value - min);
}

/** @param {FormContext} context @returns {AnswerForm} */
export function dotForm(context) {
  const { min, max } = context.scale;
  const decades = Math.log10(max / min);
  return scaleForm(context, LOG_STEPS, (position) => rounded(min * 10 ** ((decades * position) / LOG_STEPS)), (value) => (LOG_STEPS * Math.log10(value / min)) / decades);
}
