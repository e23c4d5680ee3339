// The tab Solve: searches a solution of the puzzle, shows the growing lower bound, and plays the solution on the board.

import { goToNode, playMove, stepBack } from "../actions.js";
import { html, setAttributes, setShown, setText, svg } from "../dom.js";
import { t } from "../language.js";
import { analysis, game, notifyChange, solution, tabSettings } from "../state.js";
import { ACTIONS, LABELS, algorithmName, shortInstruction, solutionSteps } from "../text.js";
import { autoFirst, button, iconButton, selectField, setOptions, setPlaying, slider, stepTimer } from "./controls.js";
import { createExactValues } from "./exact_values.js";

const settings = tabSettings.solver;
const algorithm = selectField(LABELS.algorithm, [], (name) => { settings.algorithm = name; notifyChange(); });
const heuristic = selectField(LABELS.heuristic, [], (name) => { settings.heuristic = name; notifyChange(); });
const time = slider(LABELS.timeLimit, 1, 300, (value) => { settings.seconds = value; notifyChange(); });
const startButton = button(ACTIONS.solve, toggleSearch, ".main");
const resultLine = html("p.found", { role: "status", "aria-live": "polite" });
const chart = svg("svg", { class: "growth", viewBox: "0 0 400 110", role: "img", "aria-label": LABELS.boundChart });
const slideNote = html("p.hint", {}, LABELS.slideInOrder);
const moveList = html("ol.solution", {});
const playButton = iconButton("solve", "play", ACTIONS.play, togglePlay);
const speed = slider(LABELS.speed, 1, 20, (value) => { settings.speed = value; timer.restart(); }, (value) => t("{count} a second", { count: value }));
const stepButtons = html("div.row.stepper", {});
const exactValues = createExactValues();
const timer = stepTimer(solution, () => settings.speed, playNext, notifyChange);

export function setUp() {
  stepButtons.append(
    iconButton("solve", "first", ACTIONS.firstStep, () => solution.node && goToNode(solution.node)), iconButton("solve", "back", ACTIONS.stepBack, stepBack), playButton,
    iconButton("solve", "next", ACTIONS.stepForward, () => playNext()), iconButton("solve", "last", ACTIONS.lastStep, goToSolved));
  return html("div.sheet", {}, html("div.form", {}, algorithm.element, heuristic.element, time.element, startButton), resultLine, chart, stepButtons, speed.element, slideNote, moveList, exactValues.element);
}

function toggleSearch() {
  timer.stop();
  if (analysis.task?.kind === "solve") analysis.task = null;
  else {
    solution.reset();
    analysis.task = { kind: "solve", node: game.tree.current, index: 0 };
  }
  notifyChange();
}

/** Returns the number of moves of the solution that are played; -1 if the game has left the solution. */
function currentStep() {
  const { node, moves } = solution;
  if (!node) return -1;
  const path = game.tree.path();
  const start = path.indexOf(node);
  if (start < 0) return -1;
  const played = path.slice(start + 1).map((one) => one.move);
  return played.length <= moves.length && played.every((move, at) => move === moves[at]) ? played.length : -1;
}

/** Plays the next move of the solution. Returns `false` after the last one. */
function playNext() {
  const step = currentStep();
  const move = solution.moves[step];
  if (step < 0 || move === undefined) return false;
  // The state of the current position is still loading.
  if (!game.tree.current.state) return true;
  playMove(move);
  return step + 1 < solution.moves.length;
}

/** Goes to the end of the solution. */
function goToSolved() {
  const { node: start, moves } = solution;
  if (!start) return;
  timer.stop();
  let node = start;
  for (const move of moves) node = game.tree.addMove(node, move);
  goToNode(node);
}

function togglePlay() {
  if (solution.playing) return timer.stop();
  const { node } = solution;
  if (!node) return;
  if (currentStep() < 0 || currentStep() === solution.moves.length) goToNode(node);
  solution.playing = true;
  timer.restart();
  notifyChange();
}

export function render() {
  const { state } = game;
  if (!state) return;
  setOptions(algorithm.input, autoFirst(state.algorithms).map((name) => [name, algorithmName(name)]));
  setOptions(heuristic.input, autoFirst(state.heuristics).map((name) => [name, name]));
  algorithm.input.value = settings.algorithm;
  heuristic.input.value = settings.heuristic;
  time.setValue(settings.seconds);
  const isRunning = analysis.task?.kind === "solve";
  setText(/** @type {Element} */ (startButton.lastElementChild), isRunning ? ACTIONS.stop : ACTIONS.solve);
  setAttributes(startButton, { disabled: state.outcome !== null && !isRunning });
  setText(resultLine, solution.text);
  for (const part of [stepButtons, speed.element, moveList]) setShown(part, solution.moves.length > 0);
  setShown(slideNote, solution.moves.length > 0 && state.board.kind === "tiles");
  speed.setValue(settings.speed);
  setPlaying(playButton, solution.playing);
  renderMoves();
  renderChart();
  exactValues.render(state);
  setShown(exactValues.element, state.solved !== null);
}

function renderMoves() {
  const step = currentStep();
  const content = `${solution.moves.join(" ")}|${step}`;
  if (moveList.dataset.content === content) return;
  moveList.dataset.content = content;
  const texts = solution.node?.state ? solutionSteps(solution.node.state, solution.moves, shortInstruction) : [];
  moveList.classList.toggle("tiles", game.state?.board.kind === "tiles");
  moveList.replaceChildren(...texts.map((text, at) => html("li", { class: at < step ? "played" : at === step ? "next" : "" }, text)));
}

/** Draws the lower bound over time, as steps. */
function renderChart() {
  const { bounds, moves } = solution;
  setShown(chart, bounds.length > 1);
  if (bounds.length < 2) return;
  const [first, last] = [bounds[0], bounds[bounds.length - 1]];
  const maxTime = Math.max(1, last.time);
  const low = first.bound;
  const high = Math.max(last.bound, moves.length, low + 1);
  /** @param {number} milliseconds */
  const x = (milliseconds) => (34 + (milliseconds / maxTime) * 356).toFixed(1);
  /** @param {number} bound */
  const y = (bound) => 88 - ((bound - low) / (high - low)) * 76;
  const path = bounds.map((one, at) => (at ? `H${x(one.time)}V${y(one.bound).toFixed(1)}` : `M${x(one.time)} ${y(one.bound).toFixed(1)}`)).join("") + "H390";
  chart.replaceChildren(
    svg("path", { class: "axis", d: "M34 8V92H392" }), svg("path", { class: "curve", d: path }),
    svg("text", { class: "right-end", x: 28, y: 92, "font-size": 12 }, low), svg("text", { class: "right-end", x: 28, y: y(high) + 4, "font-size": 12 }, high),
    svg("text", { class: "middle", x: 210, y: 107, "font-size": 12 }, LABELS.boundAxis));
}
