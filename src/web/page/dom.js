// Makes and changes elements; styles are set through the object model, as the page's policy asks.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 */

/** @param {Element} element @param {Record<string, any>} attributes */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === null || value === undefined || value === false) {
      if (element.hasAttribute(name)) element.removeAttribute(name);
    } else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/**
 * An HTML element. Attributes that begin with `on` are listeners.
 * @param {string} tag `div`, or `div.class.other`
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  set(element, attributes);
  add(element, children);
  return element;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  set(element, attributes);
  add(element, children);
  return element;
}

/** @param {Element} element @param {Child[]} children */
function add(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Changes a text only where it differs, so that readers of the screen hear a change once. @param {Element} element @param {string} text */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Element} element @param {boolean} shown */
export function show(element, shown) {
  if (element.hasAttribute("hidden") === shown) element.toggleAttribute("hidden", !shown);
}

/**
 * Keeps an element's children in step with a list, reusing those with the same key.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T, at: number) => string | number} key
 * @param {(item: T, at: number) => Element} make
 * @param {(element: any, item: T, at: number) => void} [update]
 */
export function keep(parent, items, key, make, update) {
  /** @type {Map<string, Element>} */
  const old = new Map();
  for (const child of [...parent.children]) old.set(/** @type {any} */ (child).keptAs ?? "", child);
  /** @type {Element | null} */
  let before = parent.firstElementChild;
  items.forEach((item, at) => {
    const name = String(key(item, at));
    let element = old.get(name);
    if (element) old.delete(name);
    else {
      element = make(item, at);
      /** @type {any} */ (element).keptAs = name;
    }
    update?.(element, item, at);
    if (element === before) before = element.nextElementSibling;
    else parent.insertBefore(element, before);
  });
  for (const element of old.values()) element.remove();
}

/** @param {string} id @returns {HTMLElement} */
export function find(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}

/** Whether the system asks for little motion. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
