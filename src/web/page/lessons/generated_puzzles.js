// Puzzles that are made for an exercise: rivers and boards of tiles. Whether one teaches is read from its search.

import { createSearch } from "./puzzle_search.js";
import { choicesOf, doubtsOf } from "./questions_puzzles.js";
import { randomNumbers } from "../random_numbers.js";

/** @import { PuzzleSearch } from "./puzzle_search.js" */
/** @import { SearchEvent } from "./trace_events.js" */

/**
 * A puzzle that a lesson wishes. `walk` is the number of random moves from the goal; `mayFail`: whether two tiles may be changed over.
 * @typedef {{ puzzle: "river" | "tiles", demands: string[], walk?: number, mayFail?: boolean }} WantedPuzzle
 */

/** A position of a solved game that a lesson wishes: one that the side to move wins in a number of plies. @typedef {{ settled: { min: number, max: number } }} WantedSettled */

/** Number of puzzles that are tried. */
const MAX_TRIES = 200;
const COLUMNS = 3;
/** People on each side, and seats. */
const PEOPLE = { min: 2, max: 4 };
const SEATS = { min: 2, max: 3 };
/** States of a river that fit onto a screen. */
const RIVER_STATES = { min: 10, max: 36 };
const MIN_DOUBTS = 5;
const ESTIMATES = ["manhattan", "reversal", "squared-discounted", "squared"];

/** Asks the engine for the events of a search of a position. @typedef {(search: { fen: string, algorithm: string, heuristic?: string, max?: number }) => Promise<SearchEvent[]>} Trace */

/** Returns a board after random moves from its goal, none of which takes back the one before. @param {number} moves @param {() => number} random */
export function walkedBoard(moves, random) {
  const cells = Array.from({ length: COLUMNS * COLUMNS }, (_, tile) => tile);
  let [blank, before] = [0, -1];
  for (let move = 0; move < moves; move++) {
    const [row, column] = [Math.floor(blank / COLUMNS), blank % COLUMNS];
    const next = [row > 0 && blank - COLUMNS, row < COLUMNS - 1 && blank + COLUMNS, column > 0 && blank - 1, column < COLUMNS - 1 && blank + 1].filter((cell) => cell !== false && cell !== before);
    const to = Number(next[Math.floor(random() * next.length)]);
    [cells[blank], cells[to]] = [cells[to], cells[blank]];
    [before, blank] = [blank, to];
  }
  return cells;
}

/** Returns a board in notation. @param {number[]} cells */
function boardText(cells) {
  return Array.from({ length: COLUMNS }, (_, row) => cells.slice(row * COLUMNS, (row + 1) * COLUMNS).join(",")).join("/");
}

/** @param {WantedPuzzle} wanted @param {() => number} random */
function randomPuzzle({ puzzle, walk = 0, mayFail = false }, random) {
  const between = (/** @type {{ min: number, max: number }} */ { min, max }) => min + Math.floor(random() * (max - min + 1));
  if (puzzle === "river") {
    const cannibals = between(PEOPLE);
    const missionaries = Math.max(cannibals, between(PEOPLE));
    return `${missionaries} ${cannibals} left of ${missionaries} ${cannibals} boat ${between(SEATS)}`;
  }
  const cells = walkedBoard(walk, random);
  if (mayFail && random() < 0.5) {
    const [one, other] = cells.map((tile, at) => ({ tile, at })).filter(({ tile }) => tile > 0);
    [cells[one.at], cells[other.at]] = [other.tile, one.tile];
  }
  return boardText(cells);
}

/** What a lesson can demand of a puzzle. @type {Record<string, (fen: string, trace: Trace) => Promise<boolean>>} */
const DEMANDS = {
  "choices": async (fen, trace) => {
    const search = /** @type {PuzzleSearch} */ (createSearch(await trace({ fen, algorithm: "bfs" })));
    return choicesOf(search, false).length >= 4 && search.states.length >= RIVER_STATES.min && search.states.length <= RIVER_STATES.max;
  },
  "seen-again": async (fen, trace) => doubtsOf(/** @type {PuzzleSearch} */ (createSearch(await trace({ fen, algorithm: "bfs" })))).length >= MIN_DOUBTS,
  "clear-choices": async (fen, trace) => {
    const search = /** @type {PuzzleSearch} */ (createSearch(await trace({ fen, algorithm: "astar", heuristic: "manhattan" })));
    return choicesOf(search, true).length >= 3 && search.states.length <= 60;
  },
  "three-bounds": async (fen, trace) => {
    const { events } = createSearch(await trace({ fen, algorithm: "idastar", heuristic: "manhattan" }));
    return events.filter(({ e }) => e === "bound").length >= 3 && events.length < 400;
  },
  // Some estimate of the start is too large, and some is not.
  overestimated: async (fen, trace) => {
    const searches = [];
    for (const heuristic of ESTIMATES) searches.push(await trace({ fen, algorithm: "astar", heuristic, max: 4 }));
    const [{ value }] = searches.map((events) => /** @type {SearchEvent} */ (events.at(-1)));
    const large = searches.filter((events) => Number(events.find(({ e }) => e === "open")?.h) > value);
    return large.length > 0 && large.length < searches.length;
  },
};

/** Returns `true` if a puzzle meets a demand. The engine refuses what cannot be solved. @param {string} name @param {string} fen @param {Trace} trace */
async function meets(name, fen, trace) {
  try {
    return await DEMANDS[name](fen, trace);
  } catch (error) {
    if (/goal cannot be reached/.test(String(error))) return false;
    throw error;
  }
}

/** Returns the first puzzle of a seed that meets all demands, in notation. @param {number} seed @param {WantedPuzzle} wanted @param {Trace} trace */
export async function generatePuzzle(seed, wanted, trace) {
  const random = randomNumbers(seed);
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const fen = randomPuzzle(wanted, random);
    let isFine = true;
    for (const name of wanted.demands) isFine &&= await meets(name, fen, trace);
    if (isFine) return fen;
  }
  throw new Error(`no puzzle of ${MAX_TRIES} meets the demands ${wanted.demands.join(", ")}`);
}

/** Returns a random position that the first player wins by a move, in a wished number of plies. @param {number} seed @param {WantedSettled} wanted @param {() => Promise<SearchEvent[]>} trace asks the engine for the events backwards from the ends */
export async function generateSettled(seed, { settled: { min, max } }, trace) {
  const fine = (await trace()).filter(({ e, value, because }) => e === "settle" && value.win === "p1" && value.plies >= min && value.plies <= max && because !== "all" && because !== "over");
  if (!fine.length) throw new Error(`no position is won in ${min} to ${max} plies`);
  return fine[Math.floor(randomNumbers(seed)() * fine.length)].fen;
}
