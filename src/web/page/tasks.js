// Tasks that a person gave the engine, done before anything else: a hint, the whole game, a comparison, a solution.

import { quest, reading, told } from "./info.js";
import { job, note } from "./jobs.js";
import { changed, hasChance, isPuzzle, page } from "./state.js";
import { SAY, SEARCHING, boundWords, short, solutionWords } from "./text.js";

/** @import { Job } from "./analysis_session.js" */
/** @import { Row } from "./state.js" */

/** How long a hint may take, and each position of a game that is analysed, in milliseconds. */
const HINT = 400;
const EACH = 120;

/** The job of the task at hand, or null. @returns {Job | null} */
export function work() {
  const task = page.work;
  if (!task) return null;
  if (task.kind === "hint") return hint(task);
  if (task.kind === "survey") return survey(task);
  if (task.kind === "compare") return compare(task);
  return solve(task);
}

function finish() {
  page.work = null;
  changed();
}

/** @param {NonNullable<typeof page.work>} task @returns {Job | null} */
function hint(task) {
  const { node } = task;
  if (node !== page.game.current || !node.state || node.state.outcome !== null) {
    page.work = null;
    return null;
  }
  const puzzle = isPuzzle(node.state);
  const tree = node.state.board.kind === "tree";
  return { ...job(node, "hint", puzzle ? "movetime 5000" : tree ? "depth 20" : `movetime ${HINT}`, tree ? { Algorithm: "alphabeta" } : {}), line: (text) => note(node, text), done: (move) => {
    if (move) page.hint = { node, move };
    finish();
  } };
}

/** Goes through the game position after position. @param {NonNullable<typeof page.work>} task @returns {Job | null} */
function survey(task) {
  const line = page.game.line();
  while (task.at < line.length && (line[task.at].state?.outcome || line[task.at].state?.solved)) task.at++;
  const node = line[task.at];
  if (!node) {
    page.work = null;
    return null;
  }
  // The state of a position that was never looked at comes by itself, see `play.js`.
  if (!node.state) return null;
  return { ...job(node, "survey", `movetime ${EACH}`, {}), line: (text) => note(node, text), done: () => {
    task.at++;
    changed();
  } };
}

/** One algorithm after the other on one position. @param {NonNullable<typeof page.work>} task @returns {Job | null} */
function compare(task) {
  const { plan, rows, depth, seconds } = page.compare;
  const one = plan[task.at];
  const state = task.node.state;
  if (!one || !state) {
    page.work = null;
    return null;
  }
  const puzzle = isPuzzle(state);
  const [algorithm, memory] = one.name.split("+");
  /** @type {Row} */
  let row = rows[task.at];
  if (!row) {
    row = { name: one.name, heuristic: one.heuristic, running: true, depth: 0, nodes: 0, other: null, time: 0, worth: null, best: "", note: "" };
    rows[task.at] = row;
  }
  const limits = puzzle ? `movetime ${seconds * 1000}` : `depth ${depth} movetime ${seconds * 1000}`;
  /** @type {Record<string, string | number | boolean>} */
  const options = puzzle ? { Algorithm: algorithm, Heuristic: one.heuristic, MemoryLimit: 512 } : { Algorithm: algorithm, Memory: memory === "memory" };
  const base = job(task.node, "compare", limits, options);
  return { ...base, name: `${task.at}|${base.name}`, line: (text) => {
    row.other = told(text, puzzle ? "examined" : "leaves") ?? row.other;
    if (puzzle) progress(row, text);
    else {
      const line = reading(text, state.turn, hasChance(state));
      if (line && !line.worth.bound) Object.assign(row, { depth: line.depth, nodes: line.nodes, time: line.time, worth: line.worth });
      else if (line) Object.assign(row, { nodes: line.nodes, time: line.time });
    }
    changed();
  }, done: (move, errors) => {
    row.running = false;
    row.best = move ?? "";
    if (errors.length) row.note = errors[0];
    else if (!puzzle && row.depth < depth && !(row.worth && "end" in row.worth)) row.note = SAY.stopped;
    task.at++;
    changed();
  } };
}

/** @param {Row} row @param {string} text */
function progress(row, text) {
  const line = quest(text);
  if (!line) return;
  row.nodes = line.nodes;
  row.time = line.time;
  if (line.bound) row.note = `≥ ${line.length}`;
  else {
    row.depth = line.length;
    row.note = "";
  }
}

/** Solves a puzzle; the bound is told as it grows. @param {NonNullable<typeof page.work>} task @returns {Job | null} */
function solve(task) {
  const { node } = task;
  const { algorithm, heuristic, seconds } = page.solve;
  if (!node.state || node.state.outcome !== null) {
    page.solve.text = node.state ? SEARCHING.already : "";
    page.work = null;
    return null;
  }
  /** @type {ReturnType<typeof quest>} */
  let found = null;
  /** @type {number | null} */
  let proved = null;
  return { ...job(node, "solve", `movetime ${seconds * 1000}`, { Algorithm: algorithm, Heuristic: heuristic }), line: (text) => {
    const line = quest(text);
    // A bound follows the solution that it belongs to.
    if (line && !line.bound) proved = null;
    proved = told(text, "bound") ?? proved;
    if (line?.bound && !found) {
      page.solve.bound = line.length;
      page.solve.text = boundWords(line);
      page.solve.history.push({ time: line.time, bound: line.length });
    } else if (line && !line.bound && line.moves.length) {
      found = line;
      page.solve.found = line.moves;
      page.solve.of = node;
    }
    if (found) page.solve.text = solutionWords(found, proved, false);
    changed();
  }, done: (_, errors) => {
    page.solve.text = found ? solutionWords(found, proved, true) : errors[0] ?? SEARCHING.none;
    finish();
  } };
}

/** What a row of the comparison says of the value. @param {Row} row */
export function rowWorth(row) {
  return row.worth ? short(row.worth) : "";
}
