// The drawn search of the tab Learn: asks for its events, and shows its tree, its sentence, its slider, and a node.

import { queries } from "../actions.js";
import { html, setAttributes, setShown, setText } from "../dom.js";
import { positionArgument } from "../jobs.js";
import { createLegend, newTerms, setTermText } from "../lessons/terms.js";
import { loadStyle } from "../lessons/style.js";
import { button, checkbox, iconButton, selectField, setOptions, setPlaying, slider, stepTimer } from "../panel/controls.js";
import { playLine } from "../panel/line_preview.js";
import { display, game, isPuzzle, notifyChange, tabSettings, trace } from "../state.js";
import { ACTIONS, LABELS, algorithmName } from "../text.js";
import { ALGORITHM_NOTES, TRACE_LABELS, eventCounter, laneText, loadingText, truncatedText } from "../text/trace.js";
import { Lane, MAX_ZOOM } from "./lane.js";
import { NodeCard } from "./node_card.js";
import { Scrubber } from "./scrubber.js";
import { SearchLog } from "./search_log.js";

/** @import { SearchEvent } from "../lessons/trace_events.js" */

/** The algorithms that can be traced, from the simplest. */
const TRACED_ALGORITHMS = ["minimax", "alphabeta", "scout", "pvs", "mtdf", "expectimax"];
/** The most events that are asked for: those of minimax on 20,000 nodes. */
const MAX_EVENTS = 120000;
const EVENT_PREFIX = "trace {";
const EVENTS_END = 'trace {"e":"end"';
const ZOOM_FACTOR = 1.5;
/** The sentences of each kind of event in which words are looked for. */
const MAX_SENTENCES = 50;

const settings = tabSettings.trace;

/** @typedef {{ algorithm: string, memory: boolean, depth: number }} Search */

/** Asks the engine for the events of a search. @param {Search} search @param {(count: number) => void} onProgress called with the number of events so far, once a thousand */
async function loadLog({ algorithm, memory, depth }, onProgress) {
  let count = 0;
  const lines = await queries.ask(game.variant, positionArgument(game.tree.current), `trace depth ${depth} events explain max ${MAX_EVENTS}`, EVENTS_END, { Algorithm: algorithm, Memory: memory, Ordering: "full" }, () => { if (++count % 1000 === 0) onProgress(count); });
  return new SearchLog(/** @type {SearchEvent[]} */ (lines.filter((line) => line.startsWith(EVENT_PREFIX)).map((line) => JSON.parse(line.slice("trace ".length)))));
}

/** Returns the sentences of the events, without those of a kind that has come often: they have no other words. @param {SearchLog} log */
function firstSentences(log) {
  /** @type {Record<string, number>} */
  const counts = {};
  return log.events.map(({ e, text }) => (text && (counts[e] = (counts[e] ?? 0) + 1) <= MAX_SENTENCES ? text : ""));
}

/** @param {HTMLElement} box where the tree is shown */
export async function createTracePanel(box) {
  await loadStyle("../trace/trace.css");
  const algorithm = selectField(LABELS.algorithm, [], (name) => { settings.algorithm = name; notifyChange(); });
  const depth = slider(LABELS.depth, 1, 9, (value) => { settings.depth = value; notifyChange(); });
  const memory = checkbox(LABELS.memory, (isOn) => { settings.memory = isOn; notifyChange(); });
  const drawButton = button(ACTIONS.trace, () => (trace.loading ? queries.send("stop") : void draw()), ".main");
  const note = html("p.hint", {});
  const errorLine = html("p.wrong", { role: "alert" });
  const summary = html("p.head", {});
  const truncated = html("p.hint", {});
  const form = html("div.form", {}, algorithm.element, depth.element, drawButton, memory.element);

  const lane = new Lane(notifyChange);
  const scrubber = new Scrubber((next) => { if (lane.log) goTo(next(lane.log, lane.at)); }, (position) => goTo(position));
  const card = new NodeCard({ onEvent: goTo, onNode: (n) => lane.choose(n), onContinue: (moves) => void playLine(moves) });
  const sentence = html("p.step", { role: "status", "aria-live": "polite" });
  const counter = html("span.counter", {});
  const playButton = iconButton("learn", "play", ACTIONS.play, togglePlay);
  const speed = slider(LABELS.speed, 1, 20, (value) => { settings.speed = value; timer.restart(); }, (value) => `${value} a second`);
  const modes = Object.entries(TRACE_LABELS.views).map(([name, text]) => html("button", { type: "button", "data-view": name, onclick: () => { lane.mode = /** @type {any} */ (name); lane.zoom = 1; notifyChange(); } }, text));
  const modeRow = html("div.row.views", { role: "group", "aria-label": TRACE_LABELS.view }, ...modes);
  const zoomButtons = [["minus", ACTIONS.zoomOut, 1 / ZOOM_FACTOR], ["plus", ACTIONS.zoomIn, ZOOM_FACTOR]].map(([name, label, factor]) => iconButton("learn", String(name), String(label), () => { lane.zoom = Math.min(MAX_ZOOM, Math.max(1, lane.zoom * Number(factor))); notifyChange(); }));
  /** @param {string} name @param {string} label @param {(log: SearchLog) => number} next @param {string} [icon] */
  const jump = (name, label, next, icon = name) => iconButton("learn", name, label, () => { if (lane.log) goTo(next(lane.log)); }, icon);
  const buttons = html("div.row.stepper", {},
    jump("first", ACTIONS.firstStep, () => 0), jump("back", ACTIONS.stepBack, (log) => log.nextTold(lane.at, -1)), playButton,
    jump("next", ACTIONS.stepForward, (log) => log.nextTold(lane.at, 1)), jump("last", ACTIONS.lastStep, (log) => log.last),
    jump("cut-back", TRACE_LABELS.cutBack, (log) => log.nextCut(lane.at, -1), "cutBack"), jump("cut-next", TRACE_LABELS.cutNext, (log) => log.nextCut(lane.at, 1), "cutNext"));
  const controls = html("div.trace-controls", {}, sentence, html("div.row.scrub-row", {}, scrubber.element, counter), buttons);
  const lanes = html("div.lanes", {}, lane.element);
  box.append(html("div.trace-tools", {}, modeRow, html("span.gap", {}), ...zoomButtons), lanes, card.element, createLegend(), controls);
  new ResizeObserver(() => drawTree()).observe(lanes);

  const timer = stepTimer(trace, () => settings.speed, () => {
    if (lane.log) goTo(lane.log.nextTold(lane.at, 1));
    return lane.log !== null && lane.at < lane.log.last && display.tab === "learn";
  }, notifyChange);
  /** The words of each event's sentence that open the glossary. @type {Set<string>[]} */
  let terms = [];
  let root = { variant: "", position: "" };

  /** MTD(f) always needs a transposition table. */
  function usesMemory() {
    return settings.memory || settings.algorithm === "mtdf";
  }

  async function draw() {
    const node = game.tree.current;
    timer.stop();
    Object.assign(trace, { error: "", loading: true, result: null });
    setText(note, loadingText(0));
    notifyChange();
    try {
      root = { variant: game.variant, position: positionArgument(node) };
      const log = await loadLog({ ...settings, memory: usesMemory() }, (count) => { setText(note, loadingText(count)); });
      if (game.tree.current !== node) return;
      terms = newTerms(firstSentences(log));
      lane.open(log, laneText(algorithmName(settings.algorithm), usesMemory()));
      Object.assign(trace, { result: log, step: 0 });
    } catch (error) {
      trace.error = /** @type {Error} */ (error).message;
    } finally {
      trace.loading = false;
      notifyChange();
    }
  }

  /** @param {number} at */
  function goTo(at) {
    lane.goTo(at);
    trace.step = lane.at;
    notifyChange();
  }

  function togglePlay() {
    if (trace.playing) return timer.stop();
    if (!lane.log) return;
    if (lane.at >= lane.log.last) goTo(0);
    trace.playing = true;
    timer.restart();
    notifyChange();
  }

  function drawTree() {
    if (trace.result && lane.log) lane.render(null);
  }

  function renderForm() {
    const { state } = game;
    if (!state) return;
    for (const part of [form, note]) setShown(part, !isPuzzle(state));
    const names = TRACED_ALGORITHMS.filter((name) => state.algorithms.includes(name));
    if (!names.includes(settings.algorithm)) settings.algorithm = names[0];
    setOptions(algorithm.input, names.map((name) => [name, algorithmName(name)]));
    algorithm.input.value = settings.algorithm;
    depth.setValue(settings.depth);
    memory.input.checked = usesMemory();
    memory.input.disabled = settings.algorithm === "mtdf";
    setText(/** @type {Element} */ (drawButton.lastElementChild), trace.loading ? ACTIONS.stop : ACTIONS.trace);
    if (!trace.loading) setText(note, ALGORITHM_NOTES[settings.algorithm] ?? "");
    setText(errorLine, trace.error);
    setShown(errorLine, trace.error !== "");
  }

  function render() {
    renderForm();
    const { result: log } = trace;
    for (const part of [summary, box, speed.element]) setShown(part, log !== null);
    setShown(truncated, log?.end.truncated === true);
    if (!log) return;
    setText(summary, log.sentence(log.end));
    setText(truncated, truncatedText(log.last));
    setShown(modeRow, lane.isLarge);
    modes.forEach((one) => setAttributes(one, { "aria-pressed": String(one.dataset.view === lane.mode) }));
    for (const one of zoomButtons) setAttributes(one, { disabled: one.dataset.learn === "minus" ? lane.zoom === 1 : lane.zoom >= MAX_ZOOM });
    drawTree();
    scrubber.render(log, lane.at, log.last, (i) => i);
    setText(counter, eventCounter(lane.at, log.last));
    const told = log.told(lane.at);
    setTermText(sentence, lane.at === 0 ? TRACE_LABELS.notStarted : log.sentence(told), terms[told.i]);
    card.render(log, lane.node, lane.at, root);
    speed.setValue(settings.speed);
    setPlaying(playButton, trace.playing);
  }

  return { parts: [form, note, errorLine, summary, truncated], after: [speed.element], render };
}
