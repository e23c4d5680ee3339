// The texts of the dialog that draws a board. They are loaded with it.

import { Noun, t } from "../language.js";
import { sentence } from "./labels.js";
import { oneOf } from "./nouns.js";

/** The names of the two sides, hunters first. @typedef {[string, string]} Names */

export const TITLE = t("Draw a board");

export const LABELS = {
  tools: t("Tool"),
  points: t("Points"),
  lines: t("Lines"),
  grid: t("Size of the grid"),
  pieces: t("Pieces"),
  rules: t("Rules"),
  file: t("Board file"),
  game: t("Name of the game"),
  about: t("Description"),
  hunters: t("Name of the hunters"),
  prey: t("Name of the prey"),
};

export const ACTIONS = { play: t("Play this board"), undo: t("Undo"), clear: t("Clear"), save: t("Save the board file") };

const PIECES_NOTE = t("Click the points where these pieces start. A second click removes one.");

/** What a click does with each tool. @type {Record<string, string>} */
const TOOL_NOTES = {
  point: t("Click a place to add or remove a point. Drag from point to point to draw a line."),
  line: t("Click the two ends of a line. The same line again removes it."),
  hunter: PIECES_NOTE,
  prey: PIECES_NOTE,
};

/** Returns what a click does. @param {string} tool */
export function toolNote(tool) {
  return TOOL_NOTES[tool] ?? t("Click the points to mark. A second click removes the mark.");
}

/** Returns what the second click of a line does. @param {string} name the first point */
export function lineNote(name) {
  return t("Click the other end of the line from {name}.", { name });
}

/** Returns the name of a side as a noun. Those of built-in games have forms in other languages. @param {string} name */
function side(name) {
  return Noun.side(oneOf(name), name);
}

/** Returns the name of a side with a capital. @param {string} name */
export function sideTitle(name) {
  return t("{Side}", { side: side(name) });
}

/** Returns the names of the tools that mark points. @param {Names} names @returns {[string, string][]} keyword and text */
export function markTexts([hunters, prey]) {
  return [["hunters-goal", t("Goal of {side.the}", { side: side(hunters) })], ["hunters-trap", t("Trap of {side.the}", { side: side(hunters) })], ["prey-goal", t("Goal of {side.the}", { side: side(prey) })], ["prey-zone", t("Area of {side.the}", { side: side(prey) })], ["prey-stacks", t("Stacks of {side.the}", { side: side(prey) })]];
}

/** Returns the label of the number in hand. @param {string} name */
export function inHandLabel(name) {
  return t("{Side} in hand", { side: side(name) });
}

/** Returns the label of a rule. @param {string} keyword @param {Names} names */
export function ruleLabel(keyword, names) {
  const [hunters, prey] = names.map(side);
  const labels = {
    first: t("Side that begins"), captures: t("Captures that win for {side.the}", { side: hunters }), leap: t("Captures in one turn"), capture: t("Captures are"), huff: t("{Side} that could have captured", { side: hunters }),
    "prey-steps": t("Steps of {side.the}", { side: prey }), "prey-turn": t("{Side} that cannot step ahead", { side: prey }), "prey-stuck": t("{Side} that cannot move", { side: prey }), repetition: t("Endless play is"), "hunters-drop": t("{Side} in hand enter", { side: hunters }), "first-drops": t("{Side} placed in the first turn", { side: prey }),
  };
  return /** @type {Record<string, string>} */ (labels)[keyword];
}

/** The value of a rule whose line has only the keyword. */
export const FLAG = "flag";

/** The value of each rule that stands for none in the file. @type {Record<string, string>} */
export const DEFAULT_VALUES = { first: "prey", captures: "all", leap: "single", capture: "free", huff: "none", "hunters-drop": "first", "prey-steps": "any", "prey-stuck": "lose", repetition: "draw" };

/** Returns the choices of each rule: its value and its words. The default is an empty value. @param {Names} names @param {number} preyCount @returns {Record<string, [string, string][]>} */
export function ruleChoices(names, preyCount) {
  const [hunters, prey] = names.map(side);
  const directions = ["up", "down", "left", "right"];
  /** @param {string} value @param {string} text @returns {[string, string]} */
  const choice = (value, text) => [value, text];
  return {
    first: [choice("", sideTitle(names[1])), choice("hunters", sideTitle(names[0]))],
    captures: [choice("", t("All {side}", { side: prey })), choice("none", t("No captures")), ...Array.from({ length: Math.max(0, preyCount) }, (_, at) => choice(String(at + 1), String(at + 1)))],
    leap: [choice("", t("One")), choice("chain", t("Several"))],
    capture: [choice("", t("Free")), choice("forced", t("Forced"))],
    huff: [choice("", t("Stay")), choice("remove", t("Are removed"))],
    "hunters-drop": [choice("", t("In the first turn")), choice("alternate", t("One in each turn"))],
    "prey-steps": [
      choice("", t("In all directions")), ...directions.map((way) => choice(`forward ${way}`, t("Only {way, select, up {up} down {down} left {left} other {right}}", { way }))),
      ...directions.map((way) => choice(`forward-or-sideways ${way}`, t("{way, select, up {Up} down {Down} left {Left} other {Right}} or sideways", { way }))),
    ],
    "prey-turn": [choice("", t("Keep their direction")), choice(FLAG, t("All turn round"))],
    "prey-stuck": [choice("", t("Lose")), choice("pass", t("Pass the turn"))],
    repetition: [choice("", t("A draw")), choice("prey", t("Won by {side.the}", { side: prey })), choice("hunters", t("Won by {side.the}", { side: hunters }))],
  };
}

/** Returns the text of an error. @param {import("../board_file/errors.js").BoardError} error */
export function errorText({ line, column, text }) {
  return line ? t("Line {line}, column {column}: {problem}.", { line, column, problem: text }) : sentence(text);
}

/** Returns the summary of a checked board file. @param {number} count the number of errors */
export function checkText(count) {
  return t("{count, plural, =0 {This board is complete.} =1 {One thing is missing or wrong:} one {# thing is missing or wrong:} other {# things are missing or wrong:}}", { count });
}

/** Returns how to keep and to solve a board: sentences and commands in turn. @param {string} name the name of its file */
export function playNote(name) {
  return [t("To have it among the games at every start, save the file and start:"), `puli board --boards ${name}`, t("To solve it:"), `puli solve ${name}`];
}

/** Returns the screen reader's text of a place without a point. @param {{ x: number, y: number }} place */
export function placeLabel({ x, y }) {
  return t("no point, column {x}, height {y}", { x, y });
}

export const FILE_TOO_LARGE = t("This file is too large for a board.");
