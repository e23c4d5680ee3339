// Reads what a search says: its `info` lines and its `bestmove`.

/** @import { Line, Turn, Worth } from "./types.js" */

const NUMBERS = new Set(["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"]);

/**
 * The words of an `info` line with a score, or null for any other line.
 * @param {string} line
 * @returns {{ numbers: Record<string, number>, kind: string, score: number, bound: string, pv: string[] } | null}
 */
export function parts(line) {
  const words = line.trim().split(/\s+/);
  if (words[0] !== "info" || words[1] === "string") return null;
  /** @type {Record<string, number>} */
  const numbers = {};
  let kind = "";
  let score = 0;
  let bound = "";
  /** @type {string[]} */
  let pv = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    if (NUMBERS.has(word)) numbers[word] = Number(words[++at]);
    else if (word === "score") {
      kind = words[++at];
      score = Number(words[++at]);
    } else if (word === "lowerbound" || word === "upperbound") bound = word;
    else if (word === "pv") {
      pv = words.slice(at + 1);
      break;
    }
  }
  return kind ? { numbers, kind, score, bound, pv } : null;
}

/**
 * A line of a game's search, its worth from the first player's view. Scores count plies, as after `ugi`.
 * @param {string} text
 * @param {Turn} turn who is to move; scores of games of chance never depend on it
 * @param {boolean} chance whether chance plays along
 * @returns {Line | null}
 */
export function reading(text, turn, chance = false) {
  const read = parts(text);
  if (!read) return null;
  const flip = turn === "p2" && !chance ? -1 : 1;
  const { numbers, kind, pv } = read;
  const score = read.score * flip;
  /** @type {Worth} */
  let worth;
  if (kind === "mate") {
    const end = read.score === 0 ? flip < 0 : score > 0;
    worth = { end: end ? "p1win" : "p2win", plies: Math.abs(score) };
  } else worth = { points: score / 100 };
  if (read.bound) worth.bound = (read.bound === "lowerbound") === (flip > 0) ? "lower" : "upper";
  return {
    rank: numbers.multipv ?? 1,
    depth: numbers.depth ?? 0,
    worth,
    moves: pv,
    nodes: numbers.nodes ?? 0,
    speed: numbers.nps ?? 0,
    time: numbers.time ?? 0,
  };
}

/**
 * A line of a puzzle's search: so many moves, as a solution or as the least that any solution takes.
 * @param {string} text
 * @returns {{ length: number, bound: boolean, moves: string[], nodes: number, speed: number, time: number } | null}
 */
export function quest(text) {
  const read = parts(text);
  if (!read || read.kind !== "mate") return null;
  return {
    length: read.score,
    bound: read.bound === "lowerbound",
    moves: read.pv,
    nodes: read.numbers.nodes ?? 0,
    speed: read.numbers.nps ?? 0,
    time: read.numbers.time ?? 0,
  };
}

/**
 * `info string leaves 12`: the number behind a word, or null.
 * @param {string} line
 * @param {string} word
 */
export function told(line, word) {
  const match = line.match(new RegExp(`^info string ${word} (-?[0-9.]+)`));
  return match ? Number(match[1]) : null;
}

/** The text of an error line, or null. @param {string} line */
export function complaint(line) {
  const match = line.match(/^info string error: (.*)$/);
  return match ? match[1] : null;
}

/** The move of a `bestmove` line; null where there is none. @param {string} line */
export function best(line) {
  const move = line.split(/\s+/)[1];
  return !move || move === "(none)" ? null : move;
}
