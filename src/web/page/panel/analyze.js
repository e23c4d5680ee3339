// The tab Analyze: the number of lines, the exact values of the moves, and the exact values over the game.

import { goToNode } from "../actions.js";
import { html, setAttributes, setShown, setText, syncChildren } from "../dom.js";
import { t } from "../language.js";
import { analysis, game, hasChance, notifyChange, preferences, setPreference } from "../state.js";
import { ACTIONS, LABELS, outcomeName, positionName, valueText } from "../text.js";
import { outcomeSign } from "../value.js";
import { placeGraph } from "../value_graph.js";
import { button, slider } from "./controls.js";
import { createExactValues } from "./exact_values.js";

const lineCount = slider(LABELS.lines, 1, 8, (value) => setPreference("lineCount", value));
const analyzeButton = button(ACTIONS.analyzeGame, toggleGameAnalysis, ".main");
const analyzeRow = html("div.row", {}, lineCount.element, analyzeButton);
const exactValues = createExactValues();
const historyList = html("ol.history", { "aria-label": LABELS.history });

export function setUp() {
  return html("div.sheet", {}, analyzeRow, exactValues.element, html("div.group", {}, historyList));
}

function toggleGameAnalysis() {
  analysis.task = analysis.task?.kind === "analyzeGame" ? null : { kind: "analyzeGame", node: game.tree.current, index: 0 };
  notifyChange();
}

export function render() {
  const { state } = game;
  if (!state) return;
  placeGraph(analyzeRow);
  lineCount.setValue(preferences.lineCount);
  const task = analysis.task?.kind === "analyzeGame" ? analysis.task : null;
  const length = game.tree.currentLine().length;
  setText(/** @type {Element} */ (analyzeButton.lastElementChild), task ? t("Stop ({done} / {all})", { done: task.index, all: length }) : ACTIONS.analyzeGame);
  setShown(analyzeButton, !hasChance(state) && state.board.kind !== "tree");
  setAttributes(analyzeButton, { disabled: length < 2 });
  exactValues.render(state);
  renderHistory();
}

/** Lists the exact values of the positions of the game. */
function renderHistory() {
  const entries = game.tree.currentLine().flatMap((node) => {
    const { value, state } = node;
    return value && "outcome" in value && value.exact && state ? [{ node, value, state }] : [];
  });
  syncChildren(historyList, entries.length > 1 ? entries : [], ({ node }) => node.id, () => html("li", {}, html("button.plain", { type: "button" })), (element, { node, value, state }) => {
    const entry = element.firstElementChild;
    setText(entry, t("{position} · {value}", { position: positionName(node), value: valueText(state, value) }));
    setClass(entry, `plain ${outcomeName(outcomeSign(value, "p1"))}`);
    setAttributes(entry, { "aria-current": node === game.tree.current ? "true" : null });
    entry.onclick = () => goToNode(node);
  });
}

/** @param {Element} element @param {string} name */
function setClass(element, name) {
  if (element.className !== name) element.className = name;
}
