// The tab Learn: a textbook search drawn as a tree, stepped through in its own order.

import { h, say, set, show } from "../dom.js";
import { glyph } from "../glyphs.js";
import { position } from "../jobs.js";
import { changed, isPuzzle, page } from "../state.js";
import { asker } from "../actions.js";
import { ABOUT, DO, LABEL, algorithmName, step as stepWords, stepOf, traceHead } from "../text.js";
import { button, choice, fill, slider, toggle } from "./controls.js";
import { TraceView } from "./trace_view.js";
import * as compare from "./compare.js";

/** The searches of the textbooks, in the order in which they are taught. */
const TEXTBOOK = ["minimax", "alphabeta", "scout", "mtdf", "expectimax"];

const view = new TraceView();
const algorithm = choice(LABEL.algorithm, [], (name) => { page.learn.algorithm = name; changed(); });
const depth = slider(LABEL.depth, 1, 9, (value) => { page.learn.depth = value; changed(); });
const memory = toggle(LABEL.memory, (on) => { page.learn.memory = on; changed(); });
const about = h("p.hint", {});
const draw = button(DO.trace, trace, ".main");
const head = h("p.head", {});
const words = h("p.step", { role: "status", "aria-live": "polite" });
const counter = h("span.counter", {});
const place = /** @type {HTMLInputElement} */ (h("input", { type: "range", min: 0, max: 1, step: 1, "aria-label": "Step", oninput: () => to(Number(place.value)) }));
const speed = slider(LABEL.speed, 1, 20, (value) => { page.learn.speed = value; again(); }, (value) => `${value} a second`);
const wrong = h("p.wrong", { role: "alert" });
const player = h("button.square", { type: "button", "data-learn": "play", onclick: play }, glyph("play"));
/** The picture: on wide screens in the board's place, on others above the buttons that step. */
export const stage = h("div.stage", {});
const wide = matchMedia("(min-width: 1001px)");
const steps = h("div.row.stepper", {});
let timer = 0;

export function setUp() {
  /** @param {string} name @param {string} label @param {() => void} act */
  const one = (name, label, act) => h("button.square", { type: "button", "aria-label": label, title: label, "data-learn": name, onclick: act }, glyph(name));
  steps.append(
    one("first", DO.first, () => to(0)), one("back", DO.stepBack, () => to(page.learn.step - 1)), player,
    one("next", DO.stepOn, () => to(page.learn.step + 1)), one("last", DO.last, () => to(Infinity)),
    h("span.gap", {}), one("minus", DO.zoomOut, () => view.zoom.by(1 / 1.4)), one("plus", DO.zoomIn, () => view.zoom.by(1.4)));
  stage.append(view.element);
  return h("div.sheet", {},
    h("div.form", {}, algorithm.element, depth.element, memory.element, draw),
    about, wrong, head, stage, words, h("div.row", {}, place, counter), steps, speed.element,
    compare.setUp());
}

/** Whether the picture takes the board's place now. */
export function large() {
  return page.tab === "learn" && page.learn.trace !== null && wide.matches;
}

async function trace() {
  const { learn } = page;
  const node = page.game.current;
  stop();
  learn.wrong = "";
  try {
    const found = await asker.trace(page.variant, position(node), { algorithm: learn.algorithm, memory: learn.memory || learn.algorithm === "mtdf", depth: learn.depth });
    if (page.game.current !== node) return;
    Object.assign(learn, { trace: found, of: node, step: found.steps.length });
  } catch (error) {
    learn.trace = null;
    learn.wrong = /** @type {Error} */ (error).message;
  }
  changed();
}

/** @param {number} step */
function to(step) {
  const { learn } = page;
  learn.step = Math.max(0, Math.min(learn.trace?.steps.length ?? 0, step));
  changed();
}

function play() {
  const { learn } = page;
  if (learn.playing) return stop();
  if (!learn.trace) return;
  if (learn.step >= learn.trace.steps.length) learn.step = 0;
  learn.playing = true;
  again();
  changed();
}

function stop() {
  page.learn.playing = false;
  clearInterval(timer);
  changed();
}

function again() {
  clearInterval(timer);
  const { learn } = page;
  if (!learn.playing) return;
  timer = window.setInterval(() => {
    to(learn.step + 1);
    if (!learn.trace || learn.step >= learn.trace.steps.length || page.tab !== "learn") stop();
  }, 1000 / learn.speed);
}

export function render() {
  const { learn, state } = page;
  if (!state) return;
  const puzzle = isPuzzle(state);
  for (const part of [algorithm.element, depth.element, memory.element, draw, about]) show(part, !puzzle);
  const names = TEXTBOOK.filter((name) => state.algorithms.includes(name));
  if (!names.includes(learn.algorithm)) learn.algorithm = names[0];
  fill(algorithm.input, names.map((name) => [name, algorithmName(name)]));
  algorithm.input.value = learn.algorithm;
  depth.put(learn.depth);
  memory.input.checked = learn.memory || learn.algorithm === "mtdf";
  memory.input.disabled = learn.algorithm === "mtdf";
  say(about, ABOUT[learn.algorithm] ?? "");
  say(wrong, learn.wrong);
  show(wrong, learn.wrong !== "");
  const { trace: found } = learn;
  if (!wide.matches && stage.nextElementSibling !== words) words.before(stage);
  for (const part of [head, stage, words, place.parentElement, steps, speed.element]) if (part) show(part, found !== null);
  compare.render();
  if (!found) return;
  const all = found.steps.length;
  say(head, traceHead(found));
  set(place, { max: all });
  if (Number(place.value) !== learn.step) place.value = String(learn.step);
  say(counter, stepOf(learn.step, all));
  view.show(found, learn.step);
  const last = view.last(found, learn.step);
  say(words, last ? stepWords(found, last.node, last.way, last.visit, last.skipped) : "The search has not begun.");
  speed.put(learn.speed);
  const label = learn.playing ? DO.pause : DO.play;
  if (player.getAttribute("aria-label") !== label) {
    set(player, { "aria-label": label, title: label });
    player.replaceChildren(glyph(learn.playing ? "pause" : "play"));
  }
}
