// Small parts that panels are made of: labelled fields, switches, sliders.

import { h } from "../dom.js";

let made = 0;

/**
 * A choice among named values.
 * @param {string} label
 * @param {[string, string][]} options value and text
 * @param {(value: string) => void} act
 * @returns {{ element: HTMLElement, input: HTMLSelectElement }}
 */
export function choice(label, options, act) {
  const id = `field-${++made}`;
  const input = /** @type {HTMLSelectElement} */ (h("select", { id, onchange: () => act(input.value) }));
  fill(input, options);
  return { element: h("div.field", {}, h("label", { for: id }, label), input), input };
}

/** @param {HTMLSelectElement} input @param {[string, string][]} options */
export function fill(input, options) {
  const name = JSON.stringify(options);
  if (input.dataset.options === name) return;
  const was = input.value;
  input.dataset.options = name;
  input.replaceChildren(...options.map(([value, text]) => h("option", { value }, text)));
  if (options.some(([value]) => value === was)) input.value = was;
}

/** The names with `auto` at the top, where it is the choice that needs no thought. @param {string[]} names */
export function autoFirst(names) {
  return [...names.filter((name) => name === "auto"), ...names.filter((name) => name !== "auto")];
}

/** @param {string} label @param {(on: boolean) => void} act @returns {{ element: HTMLElement, input: HTMLInputElement }} */
export function toggle(label, act) {
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", onchange: () => act(input.checked) }));
  return { element: h("label.check", {}, input, h("span", {}, label)), input };
}

/**
 * A number from a range, with its value beside it.
 * @param {string} label
 * @param {number} least
 * @param {number} most
 * @param {(value: number) => void} act
 * @param {(value: number) => string} [text]
 * @returns {{ element: HTMLElement, input: HTMLInputElement, put: (value: number) => void }}
 */
export function slider(label, least, most, act, text = String) {
  const id = `field-${++made}`;
  const output = h("output", { for: id });
  const input = /** @type {HTMLInputElement} */ (h("input", { id, type: "range", min: least, max: most, step: 1, oninput: () => {
    output.textContent = text(Number(input.value));
    act(Number(input.value));
  } }));
  /** @param {number} value */
  const put = (value) => {
    if (Number(input.value) !== value) input.value = String(value);
    const shown = text(value);
    if (output.textContent !== shown) output.textContent = shown;
  };
  return { element: h("div.field.slides", {}, h("label", { for: id }, label), input, output), input, put };
}

/** @param {string} label @param {string} type @param {Record<string, any>} attributes @returns {{ element: HTMLElement, input: HTMLInputElement }} */
export function field(label, type, attributes = {}) {
  const id = `field-${++made}`;
  const input = /** @type {HTMLInputElement} */ (h("input", { id, type, autocomplete: "off", spellcheck: "false", ...attributes }));
  return { element: h("div.field", {}, h("label", { for: id }, label), input), input };
}

/** @param {string} text @param {() => void} act @param {string} [kind] @param {...import("../dom.js").Child} children */
export function button(text, act, kind = "", ...children) {
  return h(`button${kind}`, { type: "button", onclick: act }, ...children, h("span", {}, text));
}
