// Parses the `info` and `bestmove` lines of a search.

/** @import { Line, Turn, Value } from "./types.js" */

const NUMBERS = new Set(["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"]);

/**
 * Parses an `info` line with a score; `null` for any other line.
 * @param {string} line
 * @returns {{ numbers: Record<string, number>, kind: string, score: number, bound: string, pv: string[] } | null}
 */
function parseInfo(line) {
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
 * Parses a line of a game search. The value is from the first player's view. Mate scores count plies, as after `ugi`.
 * @param {string} text
 * @param {Turn} turn the side to move; scores of 2048 do not depend on it
 * @param {boolean} chance whether random tiles appear in the game
 * @returns {Line | null}
 */
export function parseLine(text, turn, chance = false) {
  const info = parseInfo(text);
  if (!info) return null;
  const sign = turn === "p2" && !chance ? -1 : 1;
  const { numbers, kind, pv } = info;
  const score = info.score * sign;
  /** @type {Value} */
  let value;
  if (kind === "mate") {
    // `mate 0`: the side to move has lost.
    const firstWins = info.score === 0 ? sign < 0 : score > 0;
    value = { outcome: firstWins ? "p1win" : "p2win", plies: Math.abs(score) };
  } else value = { points: score / 100 };
  if (info.bound) value.bound = (info.bound === "lowerbound") === (sign > 0) ? "lower" : "upper";
  return {
    rank: numbers.multipv ?? 1,
    depth: numbers.depth ?? 0,
    value,
    moves: pv,
    nodes: numbers.nodes ?? 0,
    speed: numbers.nps ?? 0,
    time: numbers.time ?? 0,
  };
}

/**
 * Parses a line of a puzzle search: the length of a solution, or a lower bound of all solutions.
 * @param {string} text
 * @returns {{ length: number, isBound: boolean, moves: string[], nodes: number, speed: number, time: number } | null}
 */
export function parsePuzzleLine(text) {
  const info = parseInfo(text);
  if (!info || info.kind !== "mate") return null;
  return {
    length: info.score,
    isBound: info.bound === "lowerbound",
    moves: info.pv,
    nodes: info.numbers.nodes ?? 0,
    speed: info.numbers.nps ?? 0,
    time: info.numbers.time ?? 0,
  };
}

/** Returns the number after `name` in a line such as `info string leaves 12`, or `null`. @param {string} line @param {string} name */
export function parseInfoNumber(line, name) {
  const match = line.match(new RegExp(`^info string ${name} (-?[0-9.]+)`));
  return match ? Number(match[1]) : null;
}

/** The factor from each unit of memory to MiB. @type {Record<string, number>} */
const MEBIBYTES = { MiB: 1, GiB: 1024, TiB: 1024 * 1024 };
/** The length of each unit of time in seconds. @type {Record<string, number>} */
const SECONDS = { s: 1, min: 60, h: 3600, days: 86400, years: 31557600 };

/** What solving a game takes. `positions` is a number of positions, at least without symmetric ones; `isBound`: the game has no more. @typedef {{ time: string, memory: string, seconds: number, mebibytes: number, positions: number, isBound: boolean }} Forecast */

/** Parses the answer to `solve forecast`; `null` if the game cannot be solved. @param {string} line @returns {Forecast | null} */
export function parseForecast(line) {
  const match = line.match(/^info string solving takes about ([0-9.]+) (\w+) and ([0-9.]+) (\w+) for (about )?(?:at most )?(\d+) positions/);
  if (!match) return null;
  const [, time, timeUnit, memory, memoryUnit, about, positions] = match;
  return { time: `${time} ${timeUnit}`, memory: `${memory} ${memoryUnit}`, seconds: Number(time) * SECONDS[timeUnit], mebibytes: Number(memory) * MEBIBYTES[memoryUnit], positions: Number(positions), isBound: !about };
}

/** Returns the text of an error line, or `null`. @param {string} line */
export function parseError(line) {
  const match = line.match(/^info string error: (.*)$/);
  return match ? match[1] : null;
}

/** Returns the text of an error line that ends a session: the engine failed, and another session follows. @param {string} line */
export function parseFailure(line) {
  const error = parseError(line);
  return error?.startsWith("the engine failed") ? error : null;
}

/** Returns the move of a `bestmove` line; `null` if it names no move. @param {string} line */
export function parseBestMove(line) {
  const move = line.split(/\s+/)[1];
  return !move || move === "(none)" ? null : move;
}
