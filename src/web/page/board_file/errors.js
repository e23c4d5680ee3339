// The errors of board files: those of the page's reader, and those of the engine.

import { t } from "../language.js";

/** An error of a board file. `line` and `column` count from 1; `line` is 0 for an error that belongs to no line. @typedef {{ line: number, column: number, text: string }} BoardError */

/** Why a board cannot be played. */
export class BoardFileError extends Error {
  /** @param {BoardError[]} errors */
  constructor(errors) {
    super(errors.map(({ line, column, text }) => (line ? t("line {line}, column {column}: {problem}", { line, column, problem: text }) : text)).join("; "));
    this.errors = errors;
  }
}

/** Returns the errors in a message of the engine. @param {string} message @returns {BoardError[]} */
export function parseErrors(message) {
  return message.split(/; (?=line \d+, column \d+: |expected |and \d+ more )/).map((text) => {
    const [, line = "0", column = "1", rest = text] = text.match(/^line (\d+), column (\d+): (.*)$/) ?? [];
    const count = Number(rest.match(/^and (\d+) more errors?$/)?.[1] ?? 0);
    return { line: Number(line), column: Number(column), text: count ? t("and {count, plural, one {# more error} other {# more errors}}", { count }) : rest };
  });
}

/** Returns the errors of a message of the engine in the language of the page, as far as the page's reader finds them, too. @param {string} message @param {string} file the text of the board file */
export async function translateErrors(message, file) {
  const { readBoard } = await import("./reader.js");
  const own = readBoard(file).errors;
  return parseErrors(message).map((error, at) => (own[at]?.line === error.line && own[at].column === error.column ? own[at] : error));
}
