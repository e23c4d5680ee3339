// All algorithms on the present position, as a table and a chart that fill while they run.

import { h, keep, s, say, set, show } from "../dom.js";
import { changed, hasChance, isPuzzle, page } from "../state.js";
import { rowWorth } from "../tasks.js";
import { COLUMNS, DO, EFFORT_NOTE, LABEL, SEARCHING, algorithmName, big, seconds } from "../text.js";
import { button, slider } from "./controls.js";

/** @import { Row } from "../state.js" */

const depth = slider(LABEL.depth, 1, 12, (value) => { page.compare.depth = value; changed(); });
const time = slider(LABEL.time, 1, 30, (value) => { page.compare.seconds = value; changed(); });
const start = button(DO.compare, run, ".main");
const heading = h("h2", {}, "All algorithms, this position");
const headRow = h("tr", {});
const body = h("tbody", {});
const table = h("table.compare", {}, h("thead", {}, headRow), body);
const note = h("p.hint", {}, EFFORT_NOTE);
const chart = s("svg", { class: "chart", role: "img", "aria-label": "Nodes of each algorithm, each step of the scale ten times the last" });

export function setUp() {
  return h("section.group.comparison", {}, heading, h("div.form", {}, depth.element, time.element, start), h("div.scroll", { tabindex: 0, role: "region", "aria-label": DO.compare }, table), note, chart);
}

function run() {
  if (page.work?.kind === "compare") {
    page.work = null;
    for (const row of page.compare.rows) row.running = false;
    return changed();
  }
  const { state } = page;
  if (!state) return;
  page.compare.rows = [];
  page.compare.of = page.game.current;
  page.compare.plan = plan();
  page.work = { kind: "compare", node: page.game.current, at: 0 };
  changed();
}

/** Searches for which a transposition table is a choice, and is tried either way. */
const EITHER_WAY = ["alphabeta", "scout"];
/** Searches that never use one. */
const WITHOUT = ["minimax", "expectimax"];

/** Which algorithms run, and how: for games with and without memory, for puzzles with the heuristics that fit. */
function plan() {
  const { state } = page;
  if (!state) return [];
  /** @type {{ name: string, heuristic: string }[]} */
  const rows = [];
  for (const name of [...state.algorithms.filter((one) => one !== "auto"), "auto"]) {
    if (isPuzzle(state)) {
      const fit = { astar: ["misplaced", "manhattan"], idastar: ["manhattan", "linear-conflict", "walking-distance", "pattern-database"], greedy: ["manhattan"] }[name]?.filter((one) => state.heuristics.includes(one)) ?? [];
      for (const heuristic of fit.length ? fit : ["auto"]) rows.push({ name, heuristic });
    } else if (EITHER_WAY.includes(name) && !hasChance(state)) rows.push({ name: `${name}+plain`, heuristic: "" }, { name: `${name}+memory`, heuristic: "" });
    else rows.push({ name: `${name}+${WITHOUT.includes(name) || hasChance(state) && name !== "auto" ? "plain" : "memory"}`, heuristic: "" });
  }
  return rows;
}

export function render() {
  const { compare, state } = page;
  if (!state) return;
  const puzzle = isPuzzle(state);
  show(depth.element, !puzzle);
  depth.put(compare.depth);
  time.put(compare.seconds);
  const running = page.work?.kind === "compare";
  say(/** @type {Element} */ (start.lastElementChild), running ? DO.stop : DO.compare);
  set(start, { disabled: state.outcome !== null && !running });
  const shown = compare.plan.length > 0 && compare.of === page.game.current && (running || compare.rows.length > 0);
  show(table, shown);
  show(chart, shown);
  show(note, shown && !puzzle);
  if (!shown) return;
  const columns = puzzle
    ? [COLUMNS.algorithm, COLUMNS.steps, COLUMNS.nodes, COLUMNS.examined, COLUMNS.time]
    : [COLUMNS.algorithm, COLUMNS.depth, COLUMNS.nodes, COLUMNS.leaves, COLUMNS.time, COLUMNS.score, COLUMNS.best];
  keep(headRow, columns, (text) => text, (text) => h("th", { scope: "col" }, text));
  const rows = compare.plan.map((one, at) => compare.rows[at] ?? { name: one.name, heuristic: one.heuristic, running: false, depth: 0, nodes: 0, other: null, time: 0, worth: null, best: "", note: "waits" });
  keep(body, rows, (_, at) => at, () => h("tr", {}), (element, row) => {
    const cells = puzzle
      ? [label(row), row.depth ? String(row.depth) : row.note || (row.running ? SEARCHING.running : "–"), big(row.nodes), row.other === null ? "" : big(row.other), seconds(row.time)]
      : [label(row), row.depth ? String(row.depth) : row.note || (row.running ? SEARCHING.running : "–"), big(row.nodes), row.other === null ? "" : big(row.other), seconds(row.time), rowWorth(row), row.best];
    set(element, { class: row.running ? "running" : "", title: row.note || null });
    keep(element, cells, (_, at) => at, (_, at) => h(at ? "td" : "th", at ? {} : { scope: "row" }), (cell, text) => say(cell, text));
  });
  bars(rows);
}

/** @param {Row} row */
function label(row) {
  const [name, memory] = row.name.split("+");
  const text = name === "auto" || name === "pvs" ? name : algorithmName(name);
  if (row.heuristic && row.heuristic !== "auto" && row.heuristic !== "zero") return `${text}, ${row.heuristic}`;
  return memory === "memory" && !["mtdf", "pvs", "auto"].includes(name) ? `${text}, memory` : text;
}

/** The nodes of each as bars on a scale of powers of ten. @param {Row[]} rows */
function bars(rows) {
  const height = 22;
  const top = Math.max(1, ...rows.map((row) => Math.log10(Math.max(1, row.nodes))));
  const [left, width] = [150, 400];
  set(chart, { viewBox: `0 0 ${left + width + 60} ${rows.length * height + 26}` });
  const ticks = Array.from({ length: Math.floor(top) + 1 }, (_, at) => at);
  chart.replaceChildren(
    ...ticks.map((tick) => s("path", { class: "tick", d: `M${left + (tick / top) * width} 0V${rows.length * height + 4}` })),
    ...ticks.map((tick) => s("text", { class: "scale", x: left + (tick / top) * width, y: rows.length * height + 20, "font-size": 11 }, big(10 ** tick))),
    ...rows.flatMap((row, at) => [
      s("text", { class: "left", x: left - 8, y: at * height + 16, "font-size": 12 }, label(row)),
      s("rect", { class: row.running ? "bar running" : "bar", x: left, y: at * height + 4, width: (Math.log10(Math.max(1, row.nodes)) / top) * width, height: height - 7, rx: 3 }),
      s("text", { class: "right", x: left + 6 + (Math.log10(Math.max(1, row.nodes)) / top) * width, y: at * height + 16, "font-size": 11 }, row.nodes ? big(row.nodes) : ""),
    ]));
}
