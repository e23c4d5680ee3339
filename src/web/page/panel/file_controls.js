// Saves files, and opens files that a person chooses.

import { html } from "../dom.js";
import { ACTIONS } from "../text.js";
import { button } from "./controls.js";

/** Offers a file to the person. @param {Blob} content @param {string} name */
export function download(content, name) {
  const link = /** @type {HTMLAnchorElement} */ (html("a", { href: URL.createObjectURL(content), download: name }));
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/**
 * Creates a button that opens a text file, and its hidden field.
 * @param {string} accept the types of files
 * @param {number} maxLength in characters
 * @param {(text: string | null) => void} onText called with the text, or `null` if the file is too large
 */
export function fileChooser(accept, maxLength, onText) {
  const chooser = /** @type {HTMLInputElement} */ (html("input.off-stage", { type: "file", accept, "aria-label": ACTIONS.openFile, tabindex: -1, onchange: async () => {
    const file = chooser.files?.[0];
    chooser.value = "";
    // A character has at most four bytes.
    if (file) onText(file.size > 4 * maxLength ? null : await file.text());
  } }));
  return [button(ACTIONS.openFile, () => chooser.click()), chooser];
}
