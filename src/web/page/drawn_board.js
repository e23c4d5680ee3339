// The board that a person has drawn to play on it. Every session sends its text before the name of its game.

import { loadSetting, saveSetting } from "./storage.js";

/** The name of the saved text in the browser's storage. */
const SETTING = "drawn";
/** A game without a board file. The engine takes no new text while it plays the game of the text before. */
export const NEUTRAL_VARIANT = "tic-tac-toe";
/** Maximum length of a command, in bytes. `puli board` takes messages of 64 KiB. */
const MAX_COMMAND_BYTES = 60000;

/** The start of the command that gives the engine a board file. */
export const BOARD_COMMAND = "setoption name VariantText value ";

/** The name of the game and the board file; both empty if there is none. */
export const drawnBoard = { name: "", text: "" };

/** Replaces the drawn board. @param {string} text a board file; empty for none */
export function setDrawnBoard(text) {
  Object.assign(drawnBoard, { name: boardName(text), text });
}

/** Loads the saved board, unless the server has a game of this name. @param {string[]} names the games of the server */
export function loadDrawnBoard(names) {
  const text = loadSetting(SETTING, "");
  setDrawnBoard(names.includes(boardName(text)) ? "" : text);
}

export function saveDrawnBoard() {
  saveSetting(SETTING, drawnBoard.text);
}

/** Returns the name of the game in a board file; empty if it has none. @param {string} text */
export function boardName(text) {
  return text.match(/^[ \t]*game[ \t]+(\S+)/m)?.[1] ?? "";
}

/** Returns the board file of a game; empty if the game is not that of the drawn board. @param {string} variant */
export function boardText(variant) {
  return variant === drawnBoard.name ? drawnBoard.text : "";
}

/** Returns the command that gives the engine a board file. Without braces it also fits into a comment of a game's file. @param {string} text */
export function boardCommand(text) {
  return BOARD_COMMAND + JSON.stringify(text).replaceAll("{", "\\u007b").replaceAll("}", "\\u007d");
}

/** Returns `true` if a board file is too large for the engine. @param {string} text */
export function isTooLarge(text) {
  return new TextEncoder().encode(boardCommand(text)).length > MAX_COMMAND_BYTES;
}

/** Returns the commands that choose a game, one a line. Different boards with the same name have different commands. @param {string} variant */
export function gameCommands(variant) {
  const text = boardText(variant);
  /** @param {string} name */
  const choose = (name) => `setoption name UCI_Variant value ${name}`;
  return text ? [choose(NEUTRAL_VARIANT), boardCommand(text), choose(variant)].join("\n") : choose(variant);
}
