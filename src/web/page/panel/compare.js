// The comparison in the tab Learn: runs all algorithms on the current position and fills a table and a chart.

import { html, setAttributes, setShown, setText, svg, syncChildren } from "../dom.js";
import { analysis, comparison, game, hasChance, isPuzzle, notifyChange, tabSettings } from "../state.js";
import { ACTIONS, COLUMNS, EFFORT_NOTE, LABELS, SEARCH_MESSAGES, algorithmName, compactNumber, durationText, shortValue } from "../text.js";
import { button, slider } from "./controls.js";

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
const note = html("p.hint", {}, EFFORT_NOTE);
const chart = svg("svg", { class: "chart", role: "img", "aria-label": LABELS.nodeChart });

export function setUp() {
  return html("section.group.comparison", {}, html("h2", {}, LABELS.comparison), html("div.form", {}, depth.element, time.element, startButton), table, note, chart);
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
  setShown(table, isShown);
  setShown(chart, isShown);
  setShown(note, isShown && !isPuzzleSearch);
  if (!isShown) return;
  const columns = isPuzzleSearch
    ? [COLUMNS.algorithm, COLUMNS.steps, COLUMNS.nodes, COLUMNS.examined, COLUMNS.time]
    : [COLUMNS.algorithm, COLUMNS.depth, COLUMNS.nodes, COLUMNS.leaves, COLUMNS.time, COLUMNS.score, COLUMNS.best];
  syncChildren(headRow, columns, (text) => text, (text) => html("th", { scope: "col" }, text));
  const allRows = plan.map((run, at) => rows[at] ?? { ...run, running: false, depth: 0, nodes: 0, extraCount: null, time: 0, value: null, bestMove: "", note: SEARCH_MESSAGES.waiting });
  syncChildren(body, allRows, (_, at) => at, () => html("tr", {}), (element, row) => {
    const cells = [rowLabel(row), row.depth ? String(row.depth) : row.note || (row.running ? SEARCH_MESSAGES.running : "–"), compactNumber(row.nodes), row.extraCount === null ? "" : compactNumber(row.extraCount), durationText(row.time)];
    if (!isPuzzleSearch) cells.push(row.value ? shortValue(row.value) : "", row.bestMove);
    setAttributes(element, { class: row.running ? "running" : "", title: row.note || null });
    syncChildren(element, cells, (_, at) => at, (_, at) => html(at ? "td" : "th", at ? {} : { scope: "row" }), (cell, text) => setText(cell, text));
  });
  renderChart(allRows);
}

/** @param {ComparisonRow} row */
function rowLabel(row) {
  const [name, memory] = row.name.split("+");
  const text = name === "auto" || name === "pvs" ? name : algorithmName(name);
  if (row.heuristic && row.heuristic !== "auto" && row.heuristic !== "zero") return `${text}, ${row.heuristic}`;
  return memory === "memory" && MEMORY_OPTIONAL.includes(name) ? `${text}, memory` : text;
}

/** Draws the nodes of each row as bars on a logarithmic scale. @param {ComparisonRow[]} rows */
function renderChart(rows) {
  const rowHeight = 22;
  const [left, width] = [150, 400];
  /** @param {number} nodes */
  const power = (nodes) => Math.log10(Math.max(1, nodes));
  const maxPower = Math.max(1, ...rows.map((row) => power(row.nodes)));
  /** @param {number} exponent */
  const length = (exponent) => (exponent / maxPower) * width;
  setAttributes(chart, { viewBox: `0 0 ${left + width + 60} ${rows.length * rowHeight + 26}` });
  const ticks = Array.from({ length: Math.floor(maxPower) + 1 }, (_, at) => at);
  chart.replaceChildren(
    ...ticks.map((tick) => svg("path", { class: "tick", d: `M${left + length(tick)} 0V${rows.length * rowHeight + 4}` })),
    ...ticks.map((tick) => svg("text", { class: "scale", x: left + length(tick), y: rows.length * rowHeight + 20, "font-size": 11 }, compactNumber(10 ** tick))),
    ...rows.flatMap((row, at) => [
      svg("text", { class: "left", x: left - 8, y: at * rowHeight + 16, "font-size": 12 }, rowLabel(row)),
      svg("rect", { class: row.running ? "bar running" : "bar", x: left, y: at * rowHeight + 4, width: length(power(row.nodes)), height: rowHeight - 7, rx: 3 }),
      svg("text", { class: "right", x: left + 6 + length(power(row.nodes)), y: at * rowHeight + 16, "font-size": 11 }, row.nodes ? compactNumber(row.nodes) : ""),
    ]));
}
