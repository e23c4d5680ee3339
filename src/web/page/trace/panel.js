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
import { ALGORITHM_NOTES, TRACE_LABELS, countText, laneLine, laneText, loadingText, speedText, startText, truncatedText } from "../text/trace.js";
import { MAX_ZOOM } from "./lane.js";
import { Lanes } from "./lanes.js";
import { NodeCard } from "./node_card.js";
import { Scrubber } from "./scrubber.js";
import { SearchLog } from "./search_log.js";

/** @import { SearchEvent } from "../lessons/trace_events.js" */

/** The algorithms that can be traced, from the simplest. */
const TRACED_ALGORITHMS = ["minimax", "alphabeta", "scout", "pvs", "mtdf", "expectimax"];
/** Maximum number of events to ask for. Minimax on 21,833 nodes has 109,166. */
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
  const lines = await queries.ask(game.variant, positionArgument(game.tree.current), `trace depth ${depth} events max ${MAX_EVENTS}`, EVENTS_END, { Algorithm: algorithm, Memory: memory, Ordering: "full" }, () => { if (++count % 1000 === 0) onProgress(count); });
  return new SearchLog(/** @type {SearchEvent[]} */ (lines.filter((line) => line.startsWith(EVENT_PREFIX)).map((line) => JSON.parse(line.slice("trace ".length)))));
}

/** Returns the sentences of the events, without those of a kind that has come often: they have no other words. @param {SearchLog} log */
function firstSentences(log) {
  /** @type {Record<string, number>} */
  const counts = {};
  return log.events.map((event) => ((counts[event.e] = (counts[event.e] ?? 0) + 1) <= MAX_SENTENCES ? log.sentence(event) : ""));
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
  const beside = selectField(TRACE_LABELS.beside, [], (name) => { settings.beside = name; notifyChange(); });
  const form = html("div.form", {}, algorithm.element, depth.element, drawButton, memory.element, beside.element);

  const lanes = new Lanes(notifyChange, renderCard);
  const scrubber = new Scrubber(step, goTo);
  const card = new NodeCard({ onEvent: (at) => { lanes.moveTo(lanes.active, at); moved(); }, onNode: (n) => lanes.active.choose(n), onContinue: (moves) => void playLine(moves) });
  const align = selectField(TRACE_LABELS.align, Object.entries(TRACE_LABELS.alignments), (unit) => { lanes.alignBy(/** @type {any} */ (unit)); moved(); });
  const otherSentence = html("p.step", {});
  const onlyNote = html("p.hint", {}, TRACE_LABELS.only);
  const sentence = html("p.step", { role: "status", "aria-live": "polite" });
  const counter = html("span.counter", {});
  const playButton = iconButton("learn", "play", ACTIONS.play, togglePlay);
  const speed = slider(LABELS.speed, 1, 20, (value) => { settings.speed = value; timer.restart(); }, speedText);
  const modes = Object.entries(TRACE_LABELS.views).map(([name, text]) => html("button", { type: "button", "data-view": name, onclick: () => { for (const lane of lanes.all) Object.assign(lane, { mode: name, zoom: 1 }); notifyChange(); } }, text));
  const modeRow = html("div.row.views", { role: "group", "aria-label": TRACE_LABELS.view }, ...modes);
  const zoomButtons = [["minus", ACTIONS.zoomOut, 1 / ZOOM_FACTOR], ["plus", ACTIONS.zoomIn, ZOOM_FACTOR]].map(([name, label, factor]) => iconButton("learn", String(name), String(label), () => { for (const lane of lanes.all) lane.zoom = Math.min(MAX_ZOOM, Math.max(1, lane.zoom * Number(factor))); notifyChange(); }));
  /** @param {string} name @param {string} label @param {1 | -1} direction @param {(log: SearchLog, at: number) => number} next @param {string} [icon] */
  const stepButton = (name, label, direction, next, icon = name) => iconButton("learn", name, label, () => step(next, direction), icon);
  const buttons = html("div.row.stepper", {},
    iconButton("learn", "first", ACTIONS.firstStep, () => goTo(0)), stepButton("back", ACTIONS.stepBack, -1, (log, at) => log.nextTold(at, -1)), playButton,
    stepButton("next", ACTIONS.stepForward, 1, (log, at) => log.nextTold(at, 1)), iconButton("learn", "last", ACTIONS.lastStep, () => goTo(Infinity)),
    stepButton("cut-back", TRACE_LABELS.cutBack, -1, (log, at) => log.nextCut(at, -1), "cutBack"), stepButton("cut-next", TRACE_LABELS.cutNext, 1, (log, at) => log.nextCut(at, 1), "cutNext"));
  const controls = html("div.trace-controls", {}, sentence, otherSentence, onlyNote, html("div.row.scrub-row", {}, scrubber.element, counter), buttons);
  /** The line of signs, below the tree or, before one is drawn, below the form. */
  const legend = createLegend();
  const laneBox = html("div.lanes", {}, ...lanes.all.map(({ element }) => element));
  box.append(html("div.trace-tools", {}, modeRow, html("span.gap", {}), align.element, ...zoomButtons), laneBox, card.element, controls);
  new ResizeObserver(() => drawTree()).observe(laneBox);

  const timer = stepTimer(trace, () => settings.speed, () => {
    step((log, at) => log.nextTold(at, 1), 1);
    return trace.result !== null && !lanes.isAtEnd && display.tab === "learn";
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
      const { depth } = settings;
      const [otherName, otherMemory] = settings.beside.split("+");
      const searches = [{ algorithm: settings.algorithm, memory: usesMemory(), depth }, ...(otherName ? [{ algorithm: otherName, memory: otherMemory === "memory", depth }] : [])];
      /** @type {[SearchLog, string][]} */
      const logs = [];
      for (const search of searches) logs.push([await loadLog(search, (count) => setText(note, loadingText(count))), laneText(algorithmName(search.algorithm), search.memory)]);
      if (game.tree.current !== node) return;
      terms = newTerms(firstSentences(logs[0][0]));
      lanes.show(logs);
      Object.assign(trace, { result: logs[0][0], step: 0 });
    } catch (error) {
      trace.error = /** @type {Error} */ (error).message;
    } finally {
      trace.loading = false;
      notifyChange();
    }
  }

  /** Shows what the lanes have moved to. */
  function moved() {
    trace.step = lanes.position;
    notifyChange();
  }

  /** @param {number} position */
  function goTo(position) {
    lanes.goTo(position);
    moved();
  }

  /** @param {(log: SearchLog, at: number) => number} next @param {1 | -1} direction */
  function step(next, direction) {
    lanes.step(next, direction);
    moved();
  }

  function togglePlay() {
    if (trace.playing) return timer.stop();
    if (!trace.result) return;
    if (lanes.isAtEnd) goTo(0);
    trace.playing = true;
    timer.restart();
    notifyChange();
  }

  function drawTree() {
    if (trace.result) lanes.render();
  }

  function renderCard() {
    const { active } = lanes;
    if (active.log) card.render(active.log, active.node, active.at, root);
  }

  function renderForm() {
    const { state } = game;
    if (!state) return;
    for (const part of [form, note, legend]) setShown(part, !isPuzzle(state));
    const before = trace.result ? card.element : truncated;
    if (before.nextElementSibling !== legend) before.after(legend);
    const names = TRACED_ALGORITHMS.filter((name) => state.algorithms.includes(name));
    if (!names.includes(settings.algorithm)) settings.algorithm = names[0];
    setOptions(algorithm.input, names.map((name) => [name, algorithmName(name)]));
    algorithm.input.value = settings.algorithm;
    const others = names.flatMap((name) => (["alphabeta", "scout", "pvs"].includes(name) ? [`${name}+plain`, `${name}+memory`] : [`${name}+${name === "mtdf" ? "memory" : "plain"}`]));
    if (!others.includes(settings.beside)) settings.beside = "";
    setOptions(beside.input, [["", TRACE_LABELS.alone], ...others.map((name) => /** @type {[string, string]} */ ([name, laneText(algorithmName(name.split("+")[0]), name.endsWith("+memory"))]))]);
    beside.input.value = settings.beside;
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
    const [first, second] = lanes.open;
    const isTwo = second !== undefined;
    laneBox.classList.toggle("two", isTwo);
    for (const part of [align.element, otherSentence, onlyNote, lanes.all[1].element]) setShown(part, isTwo);
    align.input.value = lanes.unit;
    setShown(modeRow, lanes.open.some(({ isLarge }) => isLarge));
    modes.forEach((one) => setAttributes(one, { "aria-pressed": String(one.dataset.view === first.mode) }));
    for (const one of zoomButtons) setAttributes(one, { disabled: one.dataset.learn === "minus" ? lanes.open.every(({ zoom }) => zoom === 1) : first.zoom >= MAX_ZOOM });
    drawTree();
    scrubber.render(log, lanes.position, lanes.max, (i) => log.counts[lanes.unit][i]);
    setText(counter, countText(lanes.position, lanes.max));
    const told = log.told(first.at);
    setTermText(sentence, lanes.position === 0 ? startText(log.sentence(log.begin)) : log.sentence(told), terms[told.i]);
    if (second?.log) setText(otherSentence, laneLine(second.title.textContent ?? "", second.log.sentence(second.log.told(second.at))));
    renderCard();
    speed.setValue(settings.speed);
    setPlaying(playButton, trace.playing);
  }

  return { parts: [form, note, errorLine, summary, truncated], after: [speed.element], render };
}
