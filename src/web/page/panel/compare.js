// The comparison in the tab Learn: runs all algorithms on the current position and fills a table and a dot plot.

import { html, setAttributes, setShown, setText, syncChildren } from "../dom.js";
import { analysis, comparison, game, hasChance, isPuzzle, notifyChange, tabSettings } from "../state.js";
import { DotPlot } from "../trace/dot_plot.js";
import { ACTIONS, LABELS, SEARCH_MESSAGES, algorithmName, compactNumber, durationText, shortValue } from "../text.js";
import { COLUMNS, COMPARISON_LABELS, PLOT_NOTE, runText } from "../text/comparison.js";
import { button, checkbox, slider } from "./controls.js";

/** @import { State } from "../types.js" */
/** @import { ComparisonRow, PlannedRun } from "../state.js" */

/** The algorithms that run with and without a transposition table. */
const MEMORY_OPTIONAL = ["alphabeta", "scout"];
/** The algorithms that never use a transposition table. */
const MEMORY_UNUSED = ["minimax", "expectimax"];
/** The heuristics that are compared, by puzzle algorithm. @type {Record<string, string[]>} */
const HEURISTICS = { astar: ["misplaced", "manhattan"], idastar: ["manhattan", "linear-conflict", "walking-distance", "pattern-database"], greedy: ["manhattan"] };

const settings = tabSettings.comparison;
const depth = slider(LABELS.depth, 1, 12, (value) => { settings.depth = value; notifyChange(); });
const time = slider(LABELS.timeLimit, 1, 30, (value) => { settings.seconds = value; notifyChange(); });
const startButton = button(ACTIONS.compare, toggleComparison, ".main");
const headRow = html("tr", {});
const body = html("tbody", {});
const table = html("table.compare", {}, html("thead", {}, headRow), body);
const note = html("p.hint", {}, COMPARISON_LABELS.effort);
const timeNote = html("p.hint", {}, COMPARISON_LABELS.timeNote);
const times = checkbox(COMPARISON_LABELS.showTime, (isOn) => { settings.showsTime = isOn; notifyChange(); });
const plot = new DotPlot();
const plotNote = html("p.hint.plot-note", {}, PLOT_NOTE);
/** The searches that find a shortest solution with any of the compared heuristics. `auto` says so by its bound. */
const OPTIMAL = ["bfs", "iddfs", "astar", "idastar"];

export function setUp() {
  return html("section.group.comparison", {}, html("h2", {}, LABELS.comparison), html("div.form", {}, depth.element, time.element, startButton), table, note, plotNote, plot.element, times.element, timeNote);
}

function toggleComparison() {
  const { state, tree } = game;
  if (analysis.task?.kind === "compare") {
    analysis.task = null;
    for (const row of comparison.rows) row.running = false;
  } else if (state) {
    Object.assign(comparison, { plan: createPlan(state), rows: [], node: tree.current });
    analysis.task = { kind: "compare", node: tree.current, index: 0 };
  }
  notifyChange();
}

/** Returns the runs for a position: with and without memory for games, with the heuristics that fit for puzzles. @param {State} state @returns {PlannedRun[]} */
function createPlan(state) {
  const algorithms = [...state.algorithms.filter((name) => name !== "auto"), "auto"];
  return algorithms.flatMap((name) => {
    if (isPuzzle(state)) {
      const heuristics = HEURISTICS[name]?.filter((heuristic) => state.heuristics.includes(heuristic)) ?? [];
      return (heuristics.length ? heuristics : ["auto"]).map((heuristic) => ({ name, heuristic }));
    }
    if (MEMORY_OPTIONAL.includes(name) && !hasChance(state)) return [`${name}+plain`, `${name}+memory`].map((run) => ({ name: run, heuristic: "" }));
    const isPlain = MEMORY_UNUSED.includes(name) || hasChance(state) && name !== "auto";
    return [{ name: `${name}+${isPlain ? "plain" : "memory"}`, heuristic: "" }];
  });
}

export function render() {
  const { state } = game;
  if (!state) return;
  const { plan, rows } = comparison;
  const isPuzzleSearch = isPuzzle(state);
  setShown(depth.element, !isPuzzleSearch);
  depth.setValue(settings.depth);
  time.setValue(settings.seconds);
  const isRunning = analysis.task?.kind === "compare";
  setText(/** @type {Element} */ (startButton.lastElementChild), isRunning ? ACTIONS.stop : ACTIONS.compare);
  setAttributes(startButton, { disabled: state.outcome !== null && !isRunning });
  const isShown = plan.length > 0 && comparison.node === game.tree.current && (isRunning || rows.length > 0);
  for (const part of [table, plotNote, /** @type {any} */ (plot.element), times.element]) setShown(part, isShown);
  setShown(note, isShown && !isPuzzleSearch);
  setShown(timeNote, isShown && settings.showsTime);
  times.input.checked = settings.showsTime;
  if (!isShown) return;
  const columns = [COLUMNS.algorithm, ...(isPuzzleSearch ? [COLUMNS.steps] : []), COLUMNS.last, COLUMNS.all, isPuzzleSearch ? COLUMNS.examined : COLUMNS.leaves, ...(isPuzzleSearch ? [] : [COLUMNS.score, COLUMNS.best]), COLUMNS.proved, ...(settings.showsTime ? [COLUMNS.time] : [])];
  syncChildren(headRow, columns, (text) => text, (text) => html("th", { scope: "col" }, text));
  const allRows = plan.map((run, at) => rows[at] ?? { ...run, running: false, isShort: false, depth: 0, nodes: 0, before: 0, extraCount: null, time: 0, value: null, bestMove: "", note: SEARCH_MESSAGES.waiting });
  syncChildren(body, allRows, (_, at) => at, () => html("tr", {}), (element, row) => {
    const steps = row.depth ? String(row.depth) : row.note || (row.running ? SEARCH_MESSAGES.running : "–");
    const cells = [rowLabel(row), ...(isPuzzleSearch ? [steps] : []), countText(row.nodes - row.before), countText(row.nodes), row.extraCount === null ? "" : compactNumber(row.extraCount), ...(isPuzzleSearch ? [] : [row.value ? shortValue(row.value) : "", row.bestMove]), provedText(row, state), ...(settings.showsTime ? [durationText(row.time)] : [])];
    setAttributes(element, { class: row.running ? "running" : "", title: row.note || null });
    syncChildren(element, cells, (_, at) => at, (_, at) => html(at ? "td" : "th", at ? {} : { scope: "row" }), (cell, text) => setText(cell, text));
  });
  plot.render(allRows.filter(({ nodes }) => nodes > 0).map((row) => ({ label: rowLabel(row), last: row.nodes - row.before, all: row.nodes, isShort: row.isShort })), table.parentElement?.clientWidth ?? 0);
}

/** @param {number} count */
function countText(count) {
  return count ? compactNumber(count) : "–";
}

/** Returns whether a value is certain: a forced end, a tree searched to its leaves, or the length of a shortest solution. @param {ComparisonRow} row @param {State} state */
function provedText({ name, running, isShort, note, depth, value, isMinimum }, state) {
  if (running || !depth || name.startsWith("auto") && isPuzzle(state) && isMinimum === undefined) return "";
  const isProved = isPuzzle(state) ? !note && (OPTIMAL.includes(name) || isMinimum === true) : !isShort && (value !== null && "outcome" in value || state.board.kind === "tree" && depth >= heightOf(state.board.root));
  return isProved ? COMPARISON_LABELS.yes : COMPARISON_LABELS.no;
}

/** Returns the number of levels of moves in a tree. @param {any} tree @returns {number} */
function heightOf(tree) {
  return Array.isArray(tree) ? 1 + Math.max(0, ...tree.map(heightOf)) : tree === null || tree === undefined ? Infinity : 0;
}

/** @param {ComparisonRow} row */
function rowLabel(row) {
  const [name, memory] = row.name.split("+");
  return runText({
    algorithm: name === "auto" || name === "pvs" ? name : algorithmName(name),
    heuristic: ["auto", "zero"].includes(row.heuristic) ? "" : row.heuristic,
    hasMemory: memory === "memory" && MEMORY_OPTIONAL.includes(name),
    depth: row.isShort ? row.depth : 0,
  });
}
