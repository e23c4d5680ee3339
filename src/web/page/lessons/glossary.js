// The glossary: a dialog with one entry, and the words of all others.

import { html, setAttributes } from "../dom.js";
import { glyph } from "../glyphs.js";
import { language } from "../language.js";
import { addDialog, leaveDialog } from "../page_history.js";
import { ENTRIES, GLOSSARY_LABELS } from "../text/glossary.js";
import { glossaryPicture } from "./glossary_pictures.js";
import { loadStyle } from "./style.js";

/** Creates the dialog. `show` shows an entry in it. */
function createGlossary() {
  const entry = html("div.entry", { role: "status", "aria-live": "polite" });
  /** @param {string} name */
  const wordButton = (name) => html("button", { type: "button", "data-entry": name, onclick: () => show(name) }, ENTRIES[name].term);
  const names = Object.keys(ENTRIES).sort((one, other) => ENTRIES[one].term.localeCompare(ENTRIES[other].term, language));
  const words = html("div.words", { role: "group", "aria-label": GLOSSARY_LABELS.all }, ...names.map(wordButton));
  const dialog = /** @type {HTMLDialogElement} */ (html("dialog.glossary", { "aria-labelledby": "glossary-title", onkeydown: (/** @type {Event} */ event) => event.stopPropagation() },
    html("div.head", {}, html("h2", { id: "glossary-title" }, GLOSSARY_LABELS.title), html("button.square.plain", { type: "button", "data-glossary": "close", "aria-label": GLOSSARY_LABELS.close, title: GLOSSARY_LABELS.close, onclick: () => dialog.close() }, glyph("close"))),
    html("div.body", {}, entry, html("h3", {}, GLOSSARY_LABELS.all), words)));
  /** @param {string} name */
  const show = (name) => {
    const { term, text, see } = ENTRIES[name];
    entry.replaceChildren(glossaryPicture(name), html("div", {}, html("h3.entry-term", {}, term), html("p", {}, text),
      html("p.see", {}, GLOSSARY_LABELS.see, " ", ...see.map(wordButton))));
    for (const button of words.children) setAttributes(button, { "aria-current": button.getAttribute("data-entry") === name ? "true" : null });
    dialog.scrollTop = 0;
  };
  // The target is the dialog itself only for a click outside its content.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return { dialog, show };
}

/** Opens the glossary at an entry. @param {string} name */
export async function openEntry(name) {
  await loadStyle("glossary.css");
  const { dialog, show } = createGlossary();
  // A lesson below has the entry of the browser's history.
  const isAlone = document.querySelector("dialog[open]") === null;
  const onBack = () => dialog.close();
  document.body.append(dialog);
  show(name);
  dialog.showModal();
  if (isAlone) addDialog();
  addEventListener("popstate", onBack);
  dialog.addEventListener("close", () => {
    removeEventListener("popstate", onBack);
    dialog.remove();
    if (isAlone) leaveDialog();
  });
}
