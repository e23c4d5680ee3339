// The tab Solve: any algorithm and heuristic on the puzzle, the bound as it grows, the solution to watch.

import { h, s, say, set, show } from "../dom.js";
import { glyph } from "../glyphs.js";
import { changed, page } from "../state.js";
import { advance, back, go } from "../actions.js";
import { DO, LABEL, algorithmName, instructions } from "../text.js";
import { autoFirst, button, choice, fill, slider } from "./controls.js";

const algorithm = choice(LABEL.algorithm, [], (name) => { page.solve.algorithm = name; changed(); });
const heuristic = choice(LABEL.heuristic, [], (name) => { page.solve.heuristic = name; changed(); });
const time = slider("Seconds at most", 1, 300, (value) => { page.solve.seconds = value; changed(); });
const start = button(DO.solve, solve, ".main");
const words = h("p.found", { role: "status", "aria-live": "polite" });
const chart = s("svg", { class: "growth", viewBox: "0 0 400 110", role: "img", "aria-label": "The bound over time" });
const way = h("ol.way-moves", {});
const player = h("button.square", { type: "button", "data-solve": "play", onclick: play }, glyph("play"));
const speed = slider(LABEL.speed, 1, 20, (value) => { page.solve.speed = value; again(); }, (value) => `${value} a second`);
const steps = h("div.row.stepper", {});
let timer = 0;

export function setUp() {
  /** @param {string} name @param {string} label @param {() => void} act */
  const one = (name, label, act) => h("button.square", { type: "button", "aria-label": label, title: label, "data-solve": name, onclick: act }, glyph(name));
  steps.append(one("first", DO.first, () => page.solve.of && go(page.solve.of)), one("back", DO.stepBack, back), player, one("next", DO.stepOn, () => step()), one("last", DO.last, whole));
  return h("div.sheet", {}, h("div.form", {}, algorithm.element, heuristic.element, time.element, start), words, chart, steps, speed.element, way);
}

function solve() {
  stop();
  if (page.work?.kind === "solve") page.work = null;
  else {
    Object.assign(page.solve, { text: "", bound: 0, found: [], of: null, history: [] });
    page.work = { kind: "solve", node: page.game.current, at: 0 };
  }
  changed();
}

/** Where on the solution the game stands: so many of its moves are made; -1 off it. */
function place() {
  const { of, found } = page.solve;
  if (!of) return -1;
  const path = page.game.path();
  const from = path.indexOf(of);
  if (from < 0) return -1;
  const made = path.slice(from + 1).map((node) => node.move);
  return made.length <= found.length && made.every((move, at) => move === found[at]) ? made.length : -1;
}

/** One move of the solution; false at its end. */
function step() {
  const at = place();
  const move = page.solve.found[at];
  if (at < 0 || move === undefined || !page.game.current.state) return at >= 0 && move !== undefined;
  advance(move);
  return at + 1 < page.solve.found.length;
}

/** All of the solution at once. */
function whole() {
  const { of, found } = page.solve;
  if (!of) return;
  stop();
  let node = of;
  for (const move of found) node = page.game.grow(node, move);
  go(node);
}

function play() {
  if (page.solve.playing) return stop();
  const { of } = page.solve;
  if (!of) return;
  if (place() < 0 || place() === page.solve.found.length) go(of);
  page.solve.playing = true;
  again();
  changed();
}

function stop() {
  page.solve.playing = false;
  clearInterval(timer);
  changed();
}

function again() {
  clearInterval(timer);
  if (!page.solve.playing) return;
  timer = window.setInterval(() => {
    if (!page.solve.playing || !step()) stop();
  }, 1000 / page.solve.speed);
}

export function render() {
  const { solve, state } = page;
  if (!state) return;
  fill(algorithm.input, autoFirst(state.algorithms).map((name) => [name, algorithmName(name)]));
  fill(heuristic.input, autoFirst(state.heuristics).map((name) => [name, name]));
  algorithm.input.value = solve.algorithm;
  heuristic.input.value = solve.heuristic;
  time.put(solve.seconds);
  const running = page.work?.kind === "solve";
  say(/** @type {Element} */ (start.lastElementChild), running ? DO.stop : DO.solve);
  set(start, { disabled: state.outcome !== null && !running });
  say(words, solve.text);
  const found = solve.found.length > 0;
  show(steps, found);
  show(speed.element, found);
  show(way, found);
  speed.put(solve.speed);
  const label = solve.playing ? DO.pause : DO.play;
  if (player.getAttribute("aria-label") !== label) {
    set(player, { "aria-label": label, title: label });
    player.replaceChildren(glyph(solve.playing ? "pause" : "play"));
  }
  const at = place();
  const key = `${solve.found.join(" ")}|${at}`;
  if (way.dataset.key !== key) {
    way.dataset.key = key;
    const words = solve.of?.state ? instructions(solve.of.state, solve.found) : [];
    way.replaceChildren(...words.map((text, index) => h("li", { class: index < at ? "made" : index === at ? "next" : "" }, text)));
  }
  growth();
}

/** The bound over time, as steps. */
function growth() {
  const { history, found } = page.solve;
  show(chart, history.length > 1);
  if (history.length < 2) return;
  const late = Math.max(1, history[history.length - 1].time);
  const low = history[0].bound;
  const high = Math.max(history[history.length - 1].bound, found.length, low + 1);
  /** @param {number} time */
  const x = (time) => 34 + (time / late) * 356;
  /** @param {number} bound */
  const y = (bound) => 88 - ((bound - low) / (high - low)) * 76;
  const path = history.map((one, at) => (at ? `H${x(one.time).toFixed(1)}V${y(one.bound).toFixed(1)}` : `M${x(one.time).toFixed(1)} ${y(one.bound).toFixed(1)}`)).join("") + "H390";
  chart.replaceChildren(
    s("path", { class: "axis", d: "M34 8V92H392" }), s("path", { class: "curve", d: path }),
    s("text", { class: "right-end", x: 28, y: 92, "font-size": 12 }, low), s("text", { class: "right-end", x: 28, y: y(high) + 4, "font-size": 12 }, high),
    s("text", { class: "middle", x: 210, y: 107, "font-size": 12 }, "at least so many moves, over the time of the search"));
}
