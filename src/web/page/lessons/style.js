// Loads the style sheets that the first move does not need.

import { html } from "../dom.js";

/** Loads a style sheet of this folder once. @param {string} name */
export function loadStyle(name) {
  const { href } = new URL(name, import.meta.url);
  const known = [...document.querySelectorAll("link")].find((link) => link.href === href);
  if (known) return Promise.resolve();
  return new Promise((resolve, reject) => document.head.append(html("link", { rel: "stylesheet", href, onload: resolve, onerror: reject })));
}
