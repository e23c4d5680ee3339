// The dialogs: the list of games, the rules, a position to set up, a link to share, the keys.

import { newGame, queries, restart } from "../actions.js";
import { parse } from "../address.js";
import { byId, html, setAttributes } from "../dom.js";
import { glyph } from "../glyphs.js";
import { LANGUAGES, addressLanguage, language, saveLanguage, t } from "../language.js";
import { addDialog, afterDialog, leaveDialog } from "../page_history.js";
import { canBeSetUp } from "../setup_position.js";
import { game, startState } from "../state.js";
import { ACTIONS, KEY_HELP, LABELS, MESSAGES, ruleTexts, sourceTexts, titleText, traditionalName } from "../text.js";
import { isLocal } from "../transport.js";
import { moveExample, thumbnail } from "../view/thumb.js";
import { button, inputField } from "./controls.js";
import { createGameList } from "./games.js";
import { createPositionEditor } from "./position_editor.js";

const dialog = () => /** @type {HTMLDialogElement} */ (byId("dialog"));

/** @param {string} title @param {...import("../dom.js").Child} body */
function openDialog(title, ...body) {
  const box = dialog();
  box.replaceChildren(
    html("div.head", {}, html("h2", { id: "dialog-title" }, title), html("button.square.plain", { type: "button", "aria-label": ACTIONS.close, onclick: () => box.close() }, glyph("close"))),
    html("div.body", {}, ...body));
  box.classList.remove("wide", "tall");
  if (!box.open) box.showModal();
  addDialog();
}

/** Opens the last dialog again, or closes it, as the browser's history asks. @param {boolean} isOpen */
export function showAgain(isOpen) {
  const box = dialog();
  if (!isOpen) box.close();
  else if (!box.firstElementChild) leaveDialog();
  else if (!box.open) box.showModal();
}

export function setUp() {
  byId("games").onclick = openGames;
  byId("rules").onclick = openRules;
  byId("position").onclick = openPosition;
  byId("share").onclick = openShare;
  byId("files").onclick = openFiles;
  byId("keys").onclick = openKeys;
  const languages = byId("language");
  setAttributes(languages, { title: t("Language") });
  languages.append(glyph("language"), html("span", {}, LANGUAGES[language]));
  languages.onclick = openLanguages;
  const menu = byId("menu");
  setAttributes(menu, { "aria-label": ACTIONS.menu, title: ACTIONS.menu });
  menu.append(glyph("menu"));
  menu.onclick = openMenu;
  // The target is the dialog itself only for a click outside its content.
  dialog().addEventListener("click", (event) => {
    if (event.target === dialog()) dialog().close();
  });
  dialog().addEventListener("close", leaveDialog);
}

/** Opens the menu of narrow screens: what their header has no room for. */
function openMenu() {
  const theme = byId("theme");
  const entries = ["position", "files", "share", "keys"].map((id) => button(byId(id).textContent ?? "", () => byId(id).click()));
  openDialog(ACTIONS.menu, button(ACTIONS.newGame, () => { dialog().close(); restart(); }), ...entries, button(theme.title, () => { dialog().close(); theme.click(); }),
    // The globe is for those who do not read the language of the page.
    button(t("Language"), openLanguages, "", glyph("language")));
}

/** Opens the list of languages, each in its own name. */
function openLanguages() {
  openDialog(t("Language"), ...Object.entries(LANGUAGES).map(([tag, name]) => html("button", { type: "button", lang: tag, "aria-pressed": String(tag === language), onclick: () => changeLanguage(tag) }, name)));
}

/** Loads the page again in another language. The address and the storage of the tab keep the game. @param {string} tag */
function changeLanguage(tag) {
  saveLanguage(tag);
  dialog().close();
  afterDialog(() => {
    if (addressLanguage) history.replaceState(history.state, "", location.hash.replace(/([#&]lang=)[^&]*/, `$1${tag}`));
    location.reload();
  });
}

/** Opens the list of games. */
export function openGames() {
  openDialog(ACTIONS.games, ...createGameList((variant) => {
    dialog().close();
    newGame({ variant, fen: null });
  }), html("div.row", {}, button(ACTIONS.drawBoard, openBoardEditor)));
  dialog().classList.add("wide", "tall");
  // On a phone, a focused field would open the keyboard in front of the list.
  if (matchMedia("(pointer: fine)").matches) dialog().querySelector("input")?.focus();
}

/** Opens the dialog that draws a board. Its modules are loaded when it is first opened. */
async function openBoardEditor() {
  const { TITLE, createBoardEditor } = await import("./board_editor.js");
  const editor = createBoardEditor(() => dialog().close());
  openDialog(TITLE, editor);
  dialog().classList.add("wide");
  /** @type {HTMLElement | null} */ (editor.querySelector("[aria-pressed=true]"))?.focus();
}

/** Opens the rules, with a picture of the board and of a move. */
function openRules() {
  const first = startState();
  const state = game.state ?? first;
  if (!state) return;
  // A game of another size has another title and another first position.
  const board = thumbnail(first?.title === state.title ? first : state);
  const known = traditionalName(state);
  openDialog(t("Rules: {title}", { title: titleText(state) }), known && html("p.traditional", { lang: known.lang }, known.name), html("div.pictures", {}, board, moveExample(state)), html("ul.rules", {}, ...ruleTexts(state).map((sentence) => html("li", {}, sentence))),
    ...sourceTexts(first).map((text) => html("p.source", {}, text)));
}

const FEN_PREFIX = "position fen ";

/** Opens the dialog that sets up a position: on a board, or from its FEN. */
function openPosition() {
  const hasEditor = canBeSetUp(game.state);
  const field = inputField(LABELS.fen, "text", { value: game.state?.fen ?? "", name: "fen" });
  const errorLine = html("p.wrong", { role: "alert" });
  const copyStatus = html("p.hint", { role: "status" });
  const form = html("form.fen", { onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const fen = field.input.value.trim();
    // An unchanged position keeps the game.
    if (fen === game.state?.fen) return dialog().close();
    try {
      if (fen !== "") await queries.state(game.variant, `fen ${fen}`);
      dialog().close();
      newGame({ fen: fen === "" ? null : fen });
    } catch (error) {
      // The engine counts columns from the start of its line.
      const { message } = /** @type {Error} */ (error);
      const [, column = "", problem = message] = message.match(/^column (\d+): (.*)$/) ?? [];
      errorLine.textContent = column ? t("column {column}: {problem}", { column: Math.max(1, Number(column) - FEN_PREFIX.length), problem }) : problem;
    }
  } }, field.element, html(hasEditor ? "button" : "button.main", {}, ACTIONS.setPosition), button(ACTIONS.copyFen, () => copyText(field.input, copyStatus)));
  const editor = createPositionEditor(() => dialog().close(), (fen) => {
    field.input.value = fen;
    errorLine.textContent = "";
  });
  openDialog(ACTIONS.position, editor, form, errorLine, copyStatus);
  dialog().classList.toggle("wide", editor !== null);
  if (editor) /** @type {HTMLElement | null} */ (editor.querySelector("[aria-pressed=true]"))?.focus();
  else field.input.select();
}

/** Opens the dialog for files. Its modules are loaded when it is first opened. */
async function openFiles() {
  const { createFileBody } = await import("./files.js");
  openDialog(ACTIONS.files, ...createFileBody(() => dialog().close()));
}

/** Opens the dialog with a link to the game. The link does not contain the page's key. */
function openShare() {
  const copyStatus = html("p.hint", { role: "status" });
  const field = inputField(ACTIONS.share, "text", { value: location.href, readonly: true });
  openDialog(ACTIONS.share, field.element, isLocal && html("p", {}, MESSAGES.localLink), game.board !== parse(location.hash).board && html("p", {}, MESSAGES.boardNotInLink), html("div.row", {}, button(ACTIONS.copyLink, () => copyText(field.input, copyStatus), ".main")), copyStatus);
  field.input.select();
}

/** @param {HTMLInputElement} input @param {HTMLElement} status */
async function copyText(input, status) {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    status.textContent = MESSAGES.copied;
  } catch {
    status.textContent = MESSAGES.notCopied;
  }
}

export function openKeys() {
  openDialog(ACTIONS.keys, html("dl.keys", {}, ...KEY_HELP.flatMap(([key, text]) => [html("dt", {}, html("kbd", {}, key)), html("dd", {}, text)])));
}
