// Creates and updates elements. Styles are set through the object model, because the page's content security policy
// allows no inline styles.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 */

/** Sets attributes. Names that start with `on` add listeners; `null`, `undefined` and `false` remove the attribute. @param {Element} element @param {Record<string, any>} attributes */
export function setAttributes(element, attributes) {
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
 * Creates an HTML element.
 * @param {string} tag `div`, or `div.class.other`
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function html(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  setAttributes(element, attributes);
  appendChildren(element, children);
  return element;
}

/**
 * Creates an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  setAttributes(element, attributes);
  appendChildren(element, children);
  return element;
}

/** @param {Element} element @param {Child[]} children */
function appendChildren(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Returns the attributes that make an SVG element a button for mouse, keyboard and screen reader. @param {string} label @param {() => void} onPress @returns {Record<string, any>} */
export function buttonAttributes(label, onPress) {
  return {
    role: "button", tabindex: 0, "aria-label": label, onclick: onPress,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onPress();
    },
  };
}

/** Sets the text if it differs, so that screen readers read a change once. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows or hides an element. @param {Element} element @param {boolean} shown */
export function setShown(element, shown) {
  if (element.hasAttribute("hidden") === shown) element.toggleAttribute("hidden", !shown);
}

/**
 * Updates the children of an element to match a list. Children whose key stays are reused.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T, at: number) => string | number} key
 * @param {(item: T, at: number) => Element} make
 * @param {(element: any, item: T, at: number) => void} [update]
 */
export function syncChildren(parent, items, key, make, update) {
  /** @type {Map<string, Element>} */
  const old = new Map();
  for (const child of [...parent.children]) old.set(/** @type {any} */ (child).syncKey ?? "", child);
  /** @type {Element | null} */
  let before = parent.firstElementChild;
  items.forEach((item, at) => {
    const name = String(key(item, at));
    let element = old.get(name);
    if (element) old.delete(name);
    else {
      element = make(item, at);
      /** @type {any} */ (element).syncKey = name;
    }
    update?.(element, item, at);
    if (element === before) before = element.nextElementSibling;
    else parent.insertBefore(element, before);
  });
  for (const element of old.values()) element.remove();
}

/** Letters that are about twice as wide as Latin ones. */
const WIDE_LETTER = /[\p{Script=Han}\p{Script=Tamil}\p{Script=Devanagari}]/u;

/** Estimates the width of a text that is not drawn yet, in pixels. @param {string} text @param {number} letterPx the width of a Latin letter */
export function textWidth(text, letterPx) {
  const letters = [...text].filter((letter) => !/\p{Mn}/u.test(letter));
  return letters.reduce((sum, letter) => sum + (WIDE_LETTER.test(letter) ? 1.8 : 1), 0) * letterPx;
}

/** Returns the element with this id. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}

/** Returns `true` if the system asks for reduced motion. */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
