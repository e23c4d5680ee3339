// The dialog that saves the game and the picture of the position, and opens a game from a file or from pasted text.

import { queries, startTree } from "../actions.js";
import { openCheckedBoard } from "../board_game.js";
import { html } from "../dom.js";
import { MAX_FILE_LENGTH, checkFile, errorAt, formatFile, parseFile } from "../game_file.js";
import { t } from "../language.js";
import { boardSvg, toPng } from "../picture_file.js";
import { game, notifyChange, server } from "../state.js";
import { ACTIONS, LABELS, LEVEL_TEXTS, MESSAGES } from "../text.js";
import { button, inputField } from "./controls.js";
import { download, fileChooser } from "./file_controls.js";

/** Returns the text of the game on the board. */
function gameText() {
  const { variant, board, tree, state, players } = game;
  /** @param {string} player */
  const name = (player) => (player === "person" ? LABELS.person : player === "chance" ? LABELS.randomTiles : t("Engine, {level}", { level: LEVEL_TEXTS[player]?.[0] ?? player }));
  return formatFile({ variant, board, tree, title: state?.title ?? variant, players: [name(players.p1), ...(state?.players.length === 1 ? [] : [name(players.p2)])], date: new Date() });
}

/** Returns the content of the dialog. @param {() => void} close */
export function createFileBody(close) {
  const baseName = `${game.variant}-${game.tree.current.ply}`;
  const status = html("p.hint", { role: "status" });
  const wrong = html("p.wrong", { role: "alert" });
  const showError = (/** @type {any} */ error) => {
    wrong.textContent = t("{sentence}.", { sentence: error.message });
  };
  const comment = inputField(LABELS.comment, "text", { value: game.tree.current.comment, maxlength: 500, oninput: () => {
    game.tree.current.comment = comment.input.value.replace(/[{}]/g, "").trim();
    game.tree.changeCount++;
    notifyChange();
  } });
  const area = /** @type {HTMLTextAreaElement} */ (html("textarea", { rows: 6, spellcheck: "false", "aria-label": LABELS.pastedGame, placeholder: LABELS.pastedGame }));
  const open = async () => {
    wrong.textContent = "";
    let restoreBoard = () => {};
    try {
      const file = parseFile(area.value);
      if (file.board) {
        restoreBoard = await openCheckedBoard(file.board, queries).catch((error) => {
          throw errorAt(file.boardLine, t("the board file, {problem}", { problem: error.message }));
        });
      }
      await checkFile(file, server.variants.map((state) => state.variant), (variant, position) => queries.state(variant, position));
      startTree(file.variant, file.tree);
      close();
    } catch (error) {
      restoreBoard();
      showError(error);
    }
  };
  const chooser = fileChooser(".pgn,.txt,text/plain", MAX_FILE_LENGTH, (text) => {
    if (text === null) return void (wrong.textContent = MESSAGES.fileTooLarge);
    area.value = text;
    void open();
  });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(gameText());
      status.textContent = MESSAGES.copied;
    } catch {
      area.value = gameText();
      area.select();
      status.textContent = MESSAGES.notCopied;
    }
  };
  const saveAnimation = async () => {
    status.textContent = MESSAGES.drawing;
    try {
      const { animatedGame } = await import("../animation_file.js");
      download(new Blob([await animatedGame()], { type: "image/svg+xml" }), `${game.variant}-game.svg`);
    } catch (error) {
      showError(error);
    }
    status.textContent = "";
  };
  const print = async () => (await import("./print_sheet.js")).printSheet();
  const savePng = () => toPng(boardSvg()).then((png) => download(png, `${baseName}.png`), showError);
  return [
    html("h3", {}, LABELS.saveGame), comment.element,
    html("div.row", {}, button(ACTIONS.downloadGame, () => download(new Blob([gameText()], { type: "application/x-chess-pgn" }), `${baseName}.pgn`), ".main"), button(ACTIONS.copyGame, copy)),
    html("h3", {}, LABELS.savePicture),
    html("div.row", {}, button("SVG", () => download(new Blob([boardSvg()], { type: "image/svg+xml" }), `${baseName}.svg`)), button("PNG", savePng)),
    html("h3", {}, LABELS.wholeGame), html("div.row", {}, button(ACTIONS.animation, saveAnimation), button(ACTIONS.printSheet, print)),
    status,
    html("h3", {}, LABELS.openGame), area,
    html("div.row", {}, button(ACTIONS.openText, open, ".main"), ...chooser), wrong,
  ];
}
