// A minimal document, so that drawings can be tested without a browser.

class FakeElement {
  constructor(name) {
    this.name = name;
    this.attributes = new Map();
    this.children = [];
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  append(...children) {
    this.children.push(...children);
  }
}

/** Provides `document` and `Node` for the modules that draw. */
export function installFakeDom() {
  globalThis.Node ??= FakeElement;
  globalThis.document ??= { createElementNS: (_, name) => new FakeElement(name) };
}

/** Returns a drawing as text, without classes, because these only set colors. @param {any} element @returns {string} */
export function shapes(element) {
  const attributes = [...element.attributes].filter(([name]) => name !== "class").map(([name, value]) => `${name}=${value}`);
  return `${element.name}(${attributes.join(" ")})[${element.children.map(shapes).join(" ")}]`;
}
