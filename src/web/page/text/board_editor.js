// The texts of the dialog that draws a board. They are loaded with it.

import { capitalize } from "./moves.js";

/** The names of the two sides, hunters first. @typedef {[string, string]} Names */

export const TITLE = "Draw a board";

export const LABELS = {
  tools: "Tool",
  points: "Points",
  lines: "Lines",
  grid: "Size of the grid",
  pieces: "Pieces",
  rules: "Rules",
  file: "Board file",
  game: "Name of the game",
  about: "Description",
  hunters: "Name of the hunters",
  prey: "Name of the prey",
};

export const ACTIONS = { play: "Play this board", undo: "Undo", clear: "Clear", save: "Save the board file" };

/** What a click does with each tool. @type {Record<string, string>} */
const TOOL_NOTES = {
  point: "Click a place to add or remove a point. Drag from point to point to draw a line.",
  line: "Click the two ends of a line. The same line again removes it.",
  hunter: "Click the points where these pieces start. A second click removes one.",
  prey: "Click the points where these pieces start. A second click removes one.",
};

/** Returns what a click does. @param {string} tool */
export function toolNote(tool) {
  return TOOL_NOTES[tool] ?? "Click the points to mark. A second click removes the mark.";
}

/** Returns what the second click of a line does. @param {string} name the first point */
export function lineNote(name) {
  return `Click the other end of the line from ${name}.`;
}

/** Returns the names of the tools that mark points. @param {Names} names @returns {[string, string][]} keyword and text */
export function markTexts([hunters, prey]) {
  return [["hunters-goal", `Goal of the ${hunters}`], ["prey-goal", `Goal of the ${prey}`], ["prey-zone", `Area of the ${prey}`]];
}

/** Returns the label of the number in hand. @param {string} name */
export function inHandLabel(name) {
  return `${capitalize(name)} in hand`;
}

/** Returns the label of a rule. @param {string} keyword @param {Names} names */
export function ruleLabel(keyword, [hunters, prey]) {
  const labels = {
    first: "Side that begins", captures: `Captures that win for the ${hunters}`, capture: "Captures are", "prey-steps": `Steps of the ${prey}`,
    "prey-stuck": `${capitalize(prey)} that cannot move`, repetition: "Endless play is", "hunters-drop": `${capitalize(hunters)} in hand enter`, "first-drops": `${capitalize(prey)} placed in the first turn`,
  };
  return /** @type {Record<string, string>} */ (labels)[keyword];
}

/** The value of each rule that stands for none in the file. @type {Record<string, string>} */
export const DEFAULT_VALUES = { first: "prey", captures: "all", capture: "free", "hunters-drop": "first", "prey-steps": "any", "prey-stuck": "lose", repetition: "draw" };

/** Returns the choices of each rule: its value and its words. The default is an empty value. @param {Names} names @param {number} preyCount @returns {Record<string, [string, string][]>} */
export function ruleChoices([hunters, prey], preyCount) {
  const directions = ["up", "down", "left", "right"];
  /** @param {string} value @param {string} text @returns {[string, string]} */
  const choice = (value, text) => [value, text];
  return {
    first: [choice("", capitalize(prey)), choice("hunters", capitalize(hunters))],
    captures: [choice("", `All ${prey}`), choice("none", "No captures"), ...Array.from({ length: Math.max(0, preyCount) }, (_, at) => choice(String(at + 1), String(at + 1)))],
    capture: [choice("", "Free"), choice("forced", "Forced")],
    "hunters-drop": [choice("", "In the first turn"), choice("alternate", "One in each turn")],
    "prey-steps": [choice("", "In all directions"), ...directions.map((way) => choice(`forward ${way}`, `Only ${way}`)), ...directions.map((way) => choice(`forward-or-sideways ${way}`, `${capitalize(way)} or sideways`))],
    "prey-stuck": [choice("", "Lose"), choice("pass", "Pass")],
    repetition: [choice("", "A draw"), choice("prey", `Won by the ${prey}`), choice("hunters", `Won by the ${hunters}`)],
  };
}

/** Returns the text of an error. @param {{ line: number, column: number, text: string }} error */
export function errorText({ line, column, text }) {
  return line ? `Line ${line}, column ${column}: ${text}.` : `${capitalize(text)}.`;
}

/** Returns the errors in a message of the engine. @param {string} message @returns {{ line: number, column: number, text: string }[]} */
export function parseErrors(message) {
  return message.split(/; (?=line \d+, column \d+: |expected |and \d+ more )/).map((text) => {
    const [, line = "0", column = "1", rest = text] = text.match(/^line (\d+), column (\d+): (.*)$/) ?? [];
    return { line: Number(line), column: Number(column), text: rest };
  });
}

/** Returns the summary of a checked board file. @param {number} count the number of errors */
export function checkText(count) {
  return count === 0 ? "This board is complete." : count === 1 ? "One thing is missing or wrong:" : `${count} things are missing or wrong:`;
}

/** Returns how to keep and to solve a board: sentences and commands in turn. @param {string} name the name of its file */
export function playNote(name) {
  return ["To have it among the games at every start, save the file and start:", `puli board --boards ${name}`, "To solve it:", `puli solve ${name}`];
}

/** Returns the screen reader's text of a place without a point. @param {{ x: number, y: number }} place */
export function placeLabel({ x, y }) {
  return `no point, column ${x}, height ${y}`;
}

export const FILE_TOO_LARGE = "This file is too large for a board.";
