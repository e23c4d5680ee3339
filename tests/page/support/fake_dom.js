// A document that only remembers what is drawn on it, so that drawings can be tested without a browser.

class Sheet {
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
export function spreadPaper() {
  globalThis.Node ??= Sheet;
  globalThis.document ??= { createElementNS: (_, name) => new Sheet(name) };
}

/** Returns the shapes of a drawing without classes, which carry only colors. @param {any} sheet @returns {string} */
export function shapes(sheet) {
  const attributes = [...sheet.attributes].filter(([name]) => name !== "class").map(([name, value]) => `${name}=${value}`);
  return `${sheet.name}(${attributes.join(" ")})[${sheet.children.map(shapes).join(" ")}]`;
}
