// The tab Learn: draws a textbook search as a tree and shows its steps in order.

import { queries } from "../actions.js";
import { html, setAttributes, setShown, setText } from "../dom.js";
import { positionArgument } from "../jobs.js";
import { display, game, isPuzzle, notifyChange, tabSettings, trace } from "../state.js";
import { ACTIONS, ALGORITHM_NOTES, LABELS, MESSAGES, algorithmName, stepCounter, stepText, traceSummary } from "../text.js";
import * as compare from "./compare.js";
import { button, checkbox, iconButton, selectField, setOptions, setPlaying, slider, stepTimer } from "./controls.js";
import { TraceView } from "./trace_view.js";

/** The algorithms that can be traced, from the simplest. */
const TRACED_ALGORITHMS = ["minimax", "alphabeta", "scout", "mtdf", "expectimax"];

const ZOOM_FACTOR = 1.4;

const settings = tabSettings.trace;
const view = new TraceView();
const algorithm = selectField(LABELS.algorithm, [], (name) => { settings.algorithm = name; notifyChange(); });
const depth = slider(LABELS.depth, 1, 9, (value) => { settings.depth = value; notifyChange(); });
const memory = checkbox(LABELS.memory, (isOn) => { settings.memory = isOn; notifyChange(); });
const note = html("p.hint", {});
const drawButton = button(ACTIONS.trace, drawTrace, ".main");
const summary = html("p.head", {});
const stepLine = html("p.step", { role: "status", "aria-live": "polite" });
const counter = html("span.counter", {});
const stepSlider = /** @type {HTMLInputElement} */ (html("input", { type: "range", min: 0, max: 1, step: 1, "aria-label": LABELS.step, oninput: () => goToStep(Number(stepSlider.value)) }));
const stepRow = html("div.row", {}, stepSlider, counter);
const speed = slider(LABELS.speed, 1, 20, (value) => { settings.speed = value; timer.restart(); }, (value) => `${value} a second`);
const errorLine = html("p.wrong", { role: "alert" });
const playButton = iconButton("learn", "play", ACTIONS.play, togglePlay);
/** The box of the drawn tree. On wide screens it takes the place of the board, on others it is above the step buttons. */
export const traceBox = html("div.stage", {});
const wideScreen = matchMedia("(min-width: 1001px)");
const stepButtons = html("div.row.stepper", {});
/** The place of the list of lessons, which is loaded when the tab is first shown. */
const lessons = html("div.lessons-place", {});
/** The place of the line of signs. */
const legend = html("div", {});
/** @type {Promise<void> | null} */
let loading = null;
const timer = stepTimer(trace, () => settings.speed, () => {
  goToStep(trace.step + 1);
  return trace.result !== null && trace.step < trace.result.steps.length && display.tab === "learn";
}, notifyChange);

export function setUp() {
  stepButtons.append(
    iconButton("learn", "first", ACTIONS.firstStep, () => goToStep(0)), iconButton("learn", "back", ACTIONS.stepBack, () => goToStep(trace.step - 1)), playButton,
    iconButton("learn", "next", ACTIONS.stepForward, () => goToStep(trace.step + 1)), iconButton("learn", "last", ACTIONS.lastStep, () => goToStep(Infinity)),
    html("span.gap", {}), iconButton("learn", "minus", ACTIONS.zoomOut, () => view.zoom.zoomBy(1 / ZOOM_FACTOR)), iconButton("learn", "plus", ACTIONS.zoomIn, () => view.zoom.zoomBy(ZOOM_FACTOR)));
  traceBox.append(view.element);
  return html("div.sheet", {}, lessons,
    html("div.form", {}, algorithm.element, depth.element, drawButton, memory.element),
    note, errorLine, summary, traceBox, legend, stepLine, stepRow, stepButtons, speed.element,
    compare.setUp());
}

/** Returns `true` if the tree takes the place of the board. */
export function replacesBoard() {
  return display.tab === "learn" && trace.result !== null && wideScreen.matches;
}

async function loadLessons() {
  const [{ createLessonList }, { createLegend }] = await Promise.all([import("../lessons/lesson_list.js"), import("../lessons/terms.js")]);
  lessons.append(await createLessonList());
  legend.append(createLegend());
}

/** MTD(f) always needs a transposition table. */
function usesMemory() {
  return settings.memory || settings.algorithm === "mtdf";
}

async function drawTrace() {
  const node = game.tree.current;
  timer.stop();
  trace.error = "";
  try {
    const result = await queries.trace(game.variant, positionArgument(node), { algorithm: settings.algorithm, memory: usesMemory(), depth: settings.depth });
    if (game.tree.current !== node) return;
    trace.result = result;
    trace.step = 0;
  } catch (error) {
    trace.result = null;
    trace.error = /** @type {Error} */ (error).message;
  }
  notifyChange();
}

/** @param {number} step */
function goToStep(step) {
  trace.step = Math.max(0, Math.min(trace.result?.steps.length ?? 0, step));
  notifyChange();
}

function togglePlay() {
  if (trace.playing) return timer.stop();
  if (!trace.result) return;
  if (trace.step >= trace.result.steps.length) trace.step = 0;
  trace.playing = true;
  timer.restart();
  notifyChange();
}

export function render() {
  const { state } = game;
  if (!state) return;
  loading ??= loadLessons();
  const { result } = trace;
  for (const part of [algorithm.element, depth.element, memory.element, drawButton, note, legend]) setShown(part, !isPuzzle(state));
  const names = TRACED_ALGORITHMS.filter((name) => state.algorithms.includes(name));
  if (!names.includes(settings.algorithm)) settings.algorithm = names[0];
  setOptions(algorithm.input, names.map((name) => [name, algorithmName(name)]));
  algorithm.input.value = settings.algorithm;
  depth.setValue(settings.depth);
  memory.input.checked = usesMemory();
  memory.input.disabled = settings.algorithm === "mtdf";
  setText(note, ALGORITHM_NOTES[settings.algorithm] ?? "");
  setText(errorLine, trace.error);
  setShown(errorLine, trace.error !== "");
  if (!wideScreen.matches && traceBox.nextElementSibling !== legend) legend.before(traceBox);
  for (const part of [summary, traceBox, stepLine, stepRow, stepButtons, speed.element]) setShown(part, result !== null);
  compare.render();
  if (!result) return;
  const count = result.steps.length;
  setText(summary, traceSummary(result));
  setAttributes(stepSlider, { max: count });
  if (Number(stepSlider.value) !== trace.step) stepSlider.value = String(trace.step);
  setText(counter, stepCounter(trace.step, count));
  view.render(result, trace.step);
  const last = view.lastStep(result, trace.step);
  setText(stepLine, last ? stepText(result, last.node, last.direction, last.visit, last.skippedChildren) : MESSAGES.noSteps);
  speed.setValue(settings.speed);
  setPlaying(playButton, trace.playing);
}
