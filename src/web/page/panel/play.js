// The tab Play: the players, the engine's strength, the settings of the board, and the review of a finished game.

import { newGame, setPlayer, swapSides } from "../actions.js";
import { lineReview, seekTurn, showLoss, tryAgain } from "../coach.js";
import { html, setShown, setText, syncChildren } from "../dom.js";
import { glyph } from "../glyphs.js";
import { t } from "../language.js";
import { LEVELS, LIMITS, OWN_LEVEL } from "../levels.js";
import { display, game, hasChance, isEngine, isEngineOnly, isPuzzle, notifyChange, preferences, run, setPreference, totals } from "../state.js";
import { saveSetting } from "../storage.js";
import { ACTIONS, ERROR_INTERVALS, LABELS, LEVEL_TEXTS, LIMIT_LABELS, MESSAGES, lossParts, paceText, rateText, reviewSummary, seekingText, sideTitle } from "../text.js";
import { placeGraph } from "../value_graph.js";
import { autoFirst, button, checkbox, iconButton, inputField, selectField, setOptions, slider } from "./controls.js";
import { createShuffleControls } from "./shuffle.js";

/** @import { State } from "../types.js" */

/** The steps of the speed slider: milliseconds between moves. */
const PACES_MS = [3000, 2000, 1500, 1000, 700, 400, 250, 150, 80, 30, 0];

/** Maximum rows and columns of an m,n,k board. */
const MAX_SIZE = 19;

const firstPlayer = selectField("", [], (player) => setPlayer("p1", player));
const secondPlayer = selectField("", [], (player) => setPlayer("p2", player));
const levelNote = html("p.hint", {});
const swapButton = iconButton("play", "swap", ACTIONS.swap, swapSides);
const playerFields = html("div.players", {}, firstPlayer.element, swapButton, secondPlayer.element);
const limit = selectField(LABELS.limit, Object.entries(LIMIT_LABELS), (name) => setOwnLevel({ limit: name, amount: LIMITS[/** @type {keyof typeof LIMITS} */ (name)].initial }));
const amount = inputField(LABELS.amount, "number", { onchange: () => setOwnLevel({ amount: clampAmount(Number(amount.input.value)) }) });
const errorInterval = selectField(LABELS.errorInterval, ERROR_INTERVALS, (value) => setOwnLevel({ errs: Number(value) }));
const algorithm = selectField(LABELS.algorithm, [], (name) => setOwnLevel({ algorithm: name }));
const ownLevel = html("div.own", {}, limit.element, amount.element, errorInterval.element, algorithm.element);
const pace = slider(LABELS.speed, 0, PACES_MS.length - 1, (at) => { display.moveDelayMs = PACES_MS[at]; notifyChange(); }, (at) => paceText(PACES_MS[at]));
const warn = checkbox(LABELS.warn, (isOn) => setPreference("warn", isOn));
const colors = checkbox(LABELS.colors, (isOn) => setPreference("colors", isOn));
const names = checkbox(LABELS.names, (isOn) => setPreference("showNames", isOn));
const sound = checkbox(LABELS.sound, (isOn) => setPreference("sound", isOn));
const checks = html("div.checks", {}, warn.element, colors.element, html("div.row", {}, names.element, sound.element));
const autoButton = button(ACTIONS.playAutomatically, () => setPlayer("p1", game.players.p1 === "person" ? "quick" : "person"), ".main", glyph("play"));
const rateLine = html("p.hint.rates", {});
const shuffleControls = createShuffleControls();
const sizeForm = createSizeForm();
const sizeBox = html("details", {}, html("summary", {}, LABELS.otherSize), sizeForm.element);
const reviewText = html("p", {});
const lossList = html("ol", {});
const seekButton = button(ACTIONS.seeTurn, seekTurn);
const reviewBox = html("div.review", {}, html("h2", {}, LABELS.review), reviewText, lossList, seekButton);

/** @param {Partial<typeof preferences.ownLevel>} changes */
function setOwnLevel(changes) {
  setPreference("ownLevel", { ...preferences.ownLevel, ...changes });
}

/** Rounds a number and clamps it to the range of the own level's limit. @param {number} value */
function clampAmount(value) {
  const { min, max } = LIMITS[/** @type {keyof typeof LIMITS} */ (preferences.ownLevel.limit)];
  return Math.min(max, Math.max(min, Math.round(value) || min));
}

export function setUp() {
  return html("div.sheet", {}, reviewBox, playerFields, autoButton, levelNote, ownLevel, pace.element, rateLine, shuffleControls.element, sizeBox, checks);
}

/** Creates the form for the size of an m,n,k board. */
function createSizeForm() {
  const [rows, columns, length] = [LABELS.rows, LABELS.columns, LABELS.inARow].map((label) => inputField(label, "number", { min: 1, max: MAX_SIZE }));
  const element = html("form.own.sizes", { onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const [m, n, k] = [rows, columns, length].map(({ input }) => Math.min(MAX_SIZE, Math.max(1, Math.round(Number(input.value)) || 1)));
    newGame({ fen: `${m} ${n} ${Math.min(k, Math.max(m, n))} ${Array.from({ length: m }, () => n).join("/")} x` });
  } }, rows.element, columns.element, length.element, html("button", {}, ACTIONS.newGame));
  return { element, rows: rows.input, columns: columns.input, length: length.input };
}

export function render() {
  const { state } = game;
  if (!state) return;
  renderPlayers(state);
  renderOwnLevel(state);
  renderRates(state);
  renderChecks(state);
  const isGrid = state.board.kind === "grid";
  setShown(shuffleControls.element, isPuzzle(state) && state.board.kind === "tiles");
  shuffleControls.render();
  setShown(sizeBox, isGrid);
  if (!sizeForm.element.contains(document.activeElement)) {
    sizeForm.rows.value = String(state.board.rows ?? 3);
    sizeForm.columns.value = String(state.board.columns ?? 3);
    sizeForm.length.value = String(state.board.length ?? 3);
  }
  renderReview();
}

/** @param {State} state */
function renderPlayers(state) {
  const isChance = hasChance(state);
  setShown(playerFields, !isPuzzle(state));
  setShown(swapButton, !isPuzzle(state) && !isChance);
  setShown(autoButton, isChance);
  setShown(/** @type {Element} */ (autoButton.firstElementChild), !isEngine(game.players.p1));
  setText(/** @type {Element} */ (autoButton.lastElementChild), isEngine(game.players.p1) ? ACTIONS.stop : ACTIONS.playAutomatically);
  /** @type {[string, string][]} */
  const levels = [...LEVELS.map((level) => level.name), OWN_LEVEL].map((name) => [name, t("Engine: {level}", { level: LEVEL_TEXTS[name][0] })]);
  /** @type {[string, string][]} */
  const players = [["person", LABELS.person], ...levels];
  for (const [field, side] of /** @type {const} */ ([[firstPlayer, "p1"], [secondPlayer, "p2"]])) {
    setText(/** @type {Element} */ (field.element.firstElementChild), sideTitle(state, side));
    setOptions(field.input, isChance && side === "p2" ? [["chance", LABELS.randomTiles], ["worst", LABELS.worstTiles], ["person", LABELS.placedByPerson]] : players);
    if (field.input.value !== game.players[side]) field.input.value = game.players[side];
  }
}

/** @param {State} state */
function renderOwnLevel(state) {
  const own = preferences.ownLevel;
  const levels = [game.players.p1, game.players.p2].filter((player) => isEngine(player) && player !== "worst");
  setShown(levelNote, !isPuzzle(state) && levels.length > 0);
  setText(levelNote, [...new Set(levels)].map((name) => t("{Level}: {description}.", { level: LEVEL_TEXTS[name]?.[0], description: LEVEL_TEXTS[name]?.[1] })).join(" "));
  setShown(ownLevel, levels.includes(OWN_LEVEL));
  if (limit.input.value !== own.limit) limit.input.value = own.limit;
  if (document.activeElement !== amount.input) amount.input.value = String(own.amount);
  errorInterval.input.value = String(own.errs);
  setOptions(algorithm.input, autoFirst(state.algorithms).map((name) => [name, name]));
  algorithm.input.value = own.algorithm;
}

/** Shows the speed slider, and the rates of 2048. @param {State} state */
function renderRates(state) {
  const isChance = hasChance(state);
  setShown(pace.element, isEngineOnly() || isChance);
  pace.setValue(Math.max(0, PACES_MS.indexOf(display.moveDelayMs)));
  setShown(rateLine, isChance);
  if (!isChance) return;
  const score = state.score ?? 0;
  if (score > totals.bestScore) {
    totals.bestScore = score;
    saveSetting("best2048", score);
  }
  if (state.outcome === null) run.seconds = (performance.now() - run.startTime) / 1000;
  setText(rateLine, rateText({ ...run, ...totals }));
}

/** @param {State} state */
function renderChecks(state) {
  warn.input.checked = preferences.warn;
  colors.input.checked = preferences.colors;
  names.input.checked = preferences.showNames;
  sound.input.checked = preferences.sound;
  const hasValues = !isPuzzle(state) && !hasChance(state) && state.board.kind !== "tree";
  setShown(warn.element, hasValues);
  setShown(colors.element, hasValues);
  setShown(names.element, state.board.kind === "graph" || state.board.kind === "grid");
}

/** Shows the review of a finished game. */
function renderReview() {
  const found = lineReview();
  setShown(reviewBox, found !== null);
  if (!found) return;
  placeGraph(reviewText);
  const { end, review, missing, isSearching } = found;
  const isKnown = review.hasEnoughValues && !isSearching;
  setText(reviewText, isKnown ? reviewSummary(end, review) : isSearching ? seekingText(missing, review.moves) : MESSAGES.tooFewValues);
  setShown(seekButton, missing > 0 && !isSearching);
  syncChildren(lossList, isKnown ? review.losses : [], ({ node }) => node.id, () => html("li", {}, html("button.plain", { type: "button" }), button(ACTIONS.tryYourself, () => {})), (element, loss) => {
    const before = loss.node.parent?.state;
    const [show, retry] = element.children;
    if (before) syncChildren(show, lossParts(before, loss), (_, at) => at, () => html("span", {}), (part, text) => setText(part, text));
    show.onclick = () => showLoss(loss);
    retry.onclick = () => tryAgain(loss);
  });
}
