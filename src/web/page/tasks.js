// The tasks that a person gives the engine: a hint, the analysis of the game, a comparison, a solution.

import { parseInfoNumber, parseLine, parsePuzzleLine } from "./info.js";
import { createJob, recordValue } from "./jobs.js";
import { progressIn } from "./puzzle_progress.js";
import { needsSearch } from "./review.js";
import { analysis, comparison, game, hasChance, interaction, isPuzzle, notifyChange, solution, tabSettings } from "./state.js";
import { MESSAGES, SEARCH_MESSAGES, boundText, engineErrorText, solutionText } from "./text.js";

/** @import { Job } from "./analysis_session.js" */
/** @import { ComparisonRow, Task } from "./state.js" */

/** Time for a hint in a game. */
const HINT_MS = 400;
/** Time for a hint in a puzzle. */
const PUZZLE_HINT_MS = 5000;
/** Time for the minimum number of moves of a puzzle that a person has solved. */
const MINIMUM_MS = 20000;
/** Time for each position when the whole game is analyzed. */
export const POSITION_MS = 120;
/** Time for a position that had no value after this time, as on a busy machine. */
const MAX_POSITION_MS = 1500;
/** Memory limit of each puzzle search of the comparison, in MiB. */
const COMPARISON_MEMORY_MIB = 512;

/** The positions that have been searched after their game. @type {WeakSet<import("./game_tree.js").GameNode>} */
const searchedNodes = new WeakSet();

/** Returns the job of the current task, or `null` if there is none. @returns {Job | null} */
export function taskJob() {
  const { task } = analysis;
  if (!task) return null;
  if (task.kind === "hint") return hintJob(task);
  if (task.kind === "analyzeGame") return gameAnalysisJob(task);
  if (task.kind === "compare") return comparisonJob(task);
  return solveJob(task);
}

function finishTask() {
  analysis.task = null;
  notifyChange();
}

/** @param {Task} task @returns {Job | null} */
function hintJob(task) {
  const { node } = task;
  if (node !== game.tree.current || !node.state || node.state.outcome !== null) {
    analysis.task = null;
    return null;
  }
  const isTree = node.state.board.kind === "tree";
  const go = isPuzzle(node.state) ? `movetime ${PUZZLE_HINT_MS}` : isTree ? "depth 20" : `movetime ${HINT_MS}`;
  return { ...createJob(node, "hint", go, isTree ? { Algorithm: "alphabeta" } : {}), onLine: (text) => recordValue(node, text), onDone: (move) => {
    if (move) interaction.hint = { node, move };
    finishTask();
  } };
}

/** Analyzes the next position of the current line that has no exact value. @param {Task} task @returns {Job | null} */
function gameAnalysisJob(task) {
  const line = game.tree.currentLine();
  while (task.index < line.length && (line[task.index].state?.outcome || line[task.index].state?.solved)) task.index++;
  const node = line[task.index];
  if (!node) {
    analysis.task = null;
    return null;
  }
  // `main.js` loads missing states one by one.
  if (!node.state) return null;
  return { ...createJob(node, "position", `movetime ${POSITION_MS}`, {}), onLine: (text) => recordValue(node, text), onDone: () => {
    node.searchEnded = true;
    task.index++;
    notifyChange();
  } };
}

/** Runs the next algorithm of the comparison. @param {Task} task @returns {Job | null} */
function comparisonJob(task) {
  const { depth, seconds } = tabSettings.comparison;
  const { plan, rows } = comparison;
  const planned = plan[task.index];
  const { state } = task.node;
  if (!planned || !state) {
    analysis.task = null;
    return null;
  }
  const isPuzzleSearch = isPuzzle(state);
  const [algorithm, memory] = planned.name.split("+");
  /** @type {ComparisonRow} */
  const row = rows[task.index] ?? { ...planned, running: true, isShort: false, depth: 0, nodes: 0, before: 0, extraCount: null, time: 0, value: null, bestMove: "", note: "" };
  rows[task.index] = row;
  const time = `movetime ${seconds * 1000}`;
  /** @type {Record<string, string | number | boolean>} */
  const options = isPuzzleSearch ? { Algorithm: algorithm, Heuristic: planned.heuristic, MemoryLimit: COMPARISON_MEMORY_MIB } : { Algorithm: algorithm, Memory: memory === "memory" };
  const job = createJob(task.node, "compare", isPuzzleSearch ? time : `depth ${depth} ${time}`, options);
  return { ...job, name: `${task.index}|${job.name}`, onLine: (text) => {
    row.extraCount = parseInfoNumber(text, isPuzzleSearch ? "examined" : "leaves") ?? row.extraCount;
    const bound = isPuzzleSearch ? parseInfoNumber(text, "bound") : null;
    if (bound !== null) row.isMinimum = bound >= row.depth;
    if (isPuzzleSearch) updatePuzzleRow(row, text);
    else {
      const line = parseLine(text, state.turn, hasChance(state));
      if (line && line.depth > row.depth) row.before = row.depth ? row.nodes : 0;
      if (line && !line.value.bound) Object.assign(row, { depth: line.depth, nodes: line.nodes, time: line.time, value: line.value });
      else if (line) Object.assign(row, { nodes: line.nodes, time: line.time });
    }
    notifyChange();
  }, onDone: (move, errors) => {
    row.running = false;
    row.bestMove = move ?? "";
    if (errors.length) row.note = errors[0];
    else row.isShort = isPuzzleSearch ? row.depth === 0 : row.depth < depth && !(row.value && "outcome" in row.value);
    if (row.isShort && !row.note) row.note = MESSAGES.stopped;
    task.index++;
    notifyChange();
  } };
}

/** Puts a bound or the length of a solution into a row. @param {ComparisonRow} row @param {string} text */
function updatePuzzleRow(row, text) {
  const line = parsePuzzleLine(text);
  if (!line) return;
  row.nodes = line.nodes;
  row.time = line.time;
  // Only these two begin again with every bound.
  if (line.isBound && ["idastar", "iddfs"].includes(row.name)) row.before = line.nodes;
  if (line.isBound) row.note = `≥ ${line.length}`;
  else {
    row.depth = line.length;
    row.note = "";
    row.isMinimum = row.name === "auto" ? true : undefined;
  }
}

/** Solves a puzzle and reports the lower bound while it grows. @param {Task} task @returns {Job | null} */
function solveJob(task) {
  const { node } = task;
  const { algorithm, heuristic, seconds } = tabSettings.solver;
  if (!node.state || node.state.outcome !== null) {
    solution.text = node.state ? SEARCH_MESSAGES.alreadySolved : "";
    analysis.task = null;
    return null;
  }
  /** @type {ReturnType<typeof parsePuzzleLine>} */
  let found = null;
  /** @type {number | null} */
  let lowerBound = null;
  return { ...createJob(node, "solve", `movetime ${seconds * 1000}`, { Algorithm: algorithm, Heuristic: heuristic }), onLine: (text) => {
    const line = parsePuzzleLine(text);
    // The bound of a solution is in the lines after it.
    if (line && !line.isBound) lowerBound = null;
    lowerBound = parseInfoNumber(text, "bound") ?? lowerBound;
    if (line?.isBound && !found) {
      solution.text = boundText(line);
      solution.bounds.push({ time: line.time, bound: line.length });
    } else if (line && !line.isBound && line.moves.length) {
      found = line;
      solution.moves = line.moves;
      solution.node = node;
    }
    if (found) solution.text = solutionText(found, lowerBound, false);
    notifyChange();
  }, onDone: (_, errors) => {
    solution.text = found ? solutionText(found, lowerBound, true) : errors.length ? engineErrorText(errors[0]) : SEARCH_MESSAGES.noSolution;
    finishTask();
  } };
}

/** Returns the job that judges the next position of the current line that needs a search, or `null` if none is left. @returns {Job | null} */
export function missingValueJob() {
  const node = game.tree.currentLine().find(needsSearch);
  // `main.js` loads missing states one by one.
  if (!node?.state) return null;
  return { ...createJob(node, "position", `movetime ${searchedNodes.has(node) ? MAX_POSITION_MS : POSITION_MS}`, {}), onLine: (text) => recordValue(node, text), onDone: () => {
    node.searchEnded = node.value !== null || searchedNodes.has(node);
    searchedNodes.add(node);
    notifyChange();
  } };
}

/** Returns the job that finds the minimum number of moves of a solved puzzle, or `null` if it is known. @returns {Job | null} */
export function minimumJob() {
  const { tree } = game;
  const progress = progressIn(tree);
  if (!isPuzzle(tree.current.state) || tree.current === tree.root || !tree.root.state || progress.isSearched) return null;
  /** @type {number | null} */
  let length = null;
  /** @type {number | null} */
  let bound = null;
  return { ...createJob(tree.root, "minimum", `movetime ${MINIMUM_MS}`, {}), onLine: (text) => {
    const line = parsePuzzleLine(text);
    if (line?.isBound && length === null) bound = line.length;
    else if (line && !line.isBound) [length, bound] = [line.length, null];
    bound = parseInfoNumber(text, "bound") ?? bound;
  }, onDone: () => {
    const isProved = length !== null && (bound === null || bound >= length);
    Object.assign(progress, { minimum: isProved ? length : null, bound: bound ?? 0, isSearched: true });
    notifyChange();
  } };
}
