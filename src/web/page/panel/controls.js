// The form controls of the panels: select fields, checkboxes, sliders, input fields, buttons, and a player for steps.

import { html, setAttributes } from "../dom.js";
import { glyph } from "../glyphs.js";
import { ACTIONS } from "../text.js";

let fieldCount = 0;

/**
 * Creates a select field.
 * @param {string} label
 * @param {[string, string][]} options value and text
 * @param {(value: string) => void} onChange
 * @returns {{ element: HTMLElement, input: HTMLSelectElement }}
 */
export function selectField(label, options, onChange) {
  const id = `field-${++fieldCount}`;
  const input = /** @type {HTMLSelectElement} */ (html("select", { id, onchange: () => onChange(input.value) }));
  setOptions(input, options);
  return { element: html("div.field", {}, html("label", { for: id }, label), input), input };
}

/** Replaces the options of a select field if they differ. The selection stays if it is still an option. @param {HTMLSelectElement} input @param {[string, string][]} options */
export function setOptions(input, options) {
  const content = JSON.stringify(options);
  if (input.dataset.options === content) return;
  const selected = input.value;
  input.dataset.options = content;
  input.replaceChildren(...options.map(([value, text]) => html("option", { value }, text)));
  if (options.some(([value]) => value === selected)) input.value = selected;
}

/** Moves `auto` to the front. @param {string[]} names */
export function autoFirst(names) {
  return [...names.filter((name) => name === "auto"), ...names.filter((name) => name !== "auto")];
}

/** Creates a checkbox. @param {string} label @param {(isOn: boolean) => void} onChange @returns {{ element: HTMLElement, input: HTMLInputElement }} */
export function checkbox(label, onChange) {
  const input = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", onchange: () => onChange(input.checked) }));
  return { element: html("label.check", {}, input, html("span", {}, label)), input };
}

/**
 * Creates a slider with its value beside it.
 * @param {string} label
 * @param {number} min
 * @param {number} max
 * @param {(value: number) => void} onChange
 * @param {(value: number) => string} [text]
 * @returns {{ element: HTMLElement, input: HTMLInputElement, setValue: (value: number) => void }}
 */
export function slider(label, min, max, onChange, text = String) {
  const id = `field-${++fieldCount}`;
  const output = html("output", { for: id });
  const input = /** @type {HTMLInputElement} */ (html("input", { id, type: "range", min, max, step: 1, oninput: () => {
    output.textContent = text(Number(input.value));
    onChange(Number(input.value));
  } }));
  /** @param {number} value */
  const setValue = (value) => {
    if (Number(input.value) !== value) input.value = String(value);
    const shown = text(value);
    if (output.textContent !== shown) output.textContent = shown;
  };
  return { element: html("div.field.slides", {}, html("label", { for: id }, label), input, output), input, setValue };
}

/** Creates an input field. @param {string} label @param {string} type @param {Record<string, any>} attributes @returns {{ element: HTMLElement, input: HTMLInputElement }} */
export function inputField(label, type, attributes = {}) {
  const id = `field-${++fieldCount}`;
  const input = /** @type {HTMLInputElement} */ (html("input", { id, type, autocomplete: "off", spellcheck: "false", ...attributes }));
  return { element: html("div.field", {}, html("label", { for: id }, label), input), input };
}

/** Creates a button. @param {string} text @param {() => void} onClick @param {string} [classes] @param {...import("../dom.js").Child} children */
export function button(text, onClick, classes = "", ...children) {
  return html(`button${classes}`, { type: "button", onclick: onClick }, ...children, html("span", {}, text));
}

/**
 * Creates buttons of which one is chosen: the pieces or the tools for a board.
 * @param {{ kind: string, text: string, picture: Node }[]} choices
 * @param {(kind: string) => void} onChoose
 * @returns {{ buttons: HTMLElement[], show: (kind: string) => void }} `show` marks the chosen one
 */
export function palette(choices, onChoose) {
  const buttons = choices.map(({ kind, text, picture }) => {
    const element = button(text, () => onChoose(kind), ".piece-choice", picture);
    setAttributes(element, { "data-kind": kind });
    return element;
  });
  return { buttons, show: (kind) => buttons.forEach((element) => setAttributes(element, { "aria-pressed": String(element.dataset.kind === kind) })) };
}

/** Creates a square button with an icon. `data` is the name of its data attribute, and `name` its value. @param {string} data @param {string} name @param {string} label @param {() => void} onClick @param {string} [icon] */
export function iconButton(data, name, label, onClick, icon = name) {
  return html("button.square", { type: "button", "aria-label": label, title: label, [`data-${data}`]: name, onclick: onClick }, glyph(icon));
}

/** Shows the icon and the label of a button that plays or pauses. @param {HTMLElement} element @param {boolean} isPlaying */
export function setPlaying(element, isPlaying) {
  const label = isPlaying ? ACTIONS.pause : ACTIONS.play;
  if (element.getAttribute("aria-label") === label) return;
  setAttributes(element, { "aria-label": label, title: label });
  element.replaceChildren(glyph(isPlaying ? "pause" : "play"));
}

/**
 * Creates a timer that advances step by step while `state.playing` is set.
 * @param {{ playing: boolean }} state
 * @param {() => number} stepsPerSecond
 * @param {() => boolean} advance takes a step and returns `false` after the last one
 * @param {() => void} onStop called after the timer has stopped
 */
export function stepTimer(state, stepsPerSecond, advance, onStop) {
  let timer = 0;
  const timing = {
    /** Starts the timer, or restarts it with another speed. */
    restart() {
      clearInterval(timer);
      if (!state.playing) return;
      timer = window.setInterval(() => {
        if (!state.playing || !advance()) timing.stop();
      }, 1000 / stepsPerSecond());
    },
    stop() {
      state.playing = false;
      clearInterval(timer);
      onStop();
    },
  };
  return timing;
}
