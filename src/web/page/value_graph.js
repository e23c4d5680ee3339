// The bar of the current value under the board, and the graph of the values (in 2048: the scores) over the game, which the tab
// Analyze and the review show. A click goes to a position.

import { goToNode } from "./actions.js";
import { byId, html, setAttributes, setShown, setText, svg, syncChildren } from "./dom.js";
import { numberText, t } from "./language.js";
import { findReliableLoss } from "./loss.js";
import { game, hasChance, isAsked, isPuzzle, preferences } from "./state.js";
import { LABELS, capitalize, goalDistance, positionName, sideTitle, valueText } from "./text.js";
import { firstPlayerExpectation } from "./value.js";

/** @import { GameNode } from "./game_tree.js" */
/** @import { State } from "./types.js" */

const WIDTH = 600;
const HEIGHT = 84;
/** Distance of the curve from the upper and the lower edge. */
const MARGIN = 4;
/** Minimum number of moves on the x axis. */
const MIN_MOVES = 12;
/** Minimum score at the top of the y axis, in 2048. */
const MIN_TOP_SCORE = 100;
/** Maximum number of positions that can be clicked. Columns of longer games would be narrower than a pixel. */
const MAX_COLUMNS = 700;

const bar = html("div.bar", { role: "img" }, html("div.first"), html("div.middle"));
const valueLine = html("p.value", {});
const legend = html("p.hint", {}, html("span.long", {}, LABELS.badges), html("span.short", {}, LABELS.shortBadges));
const graph = svg("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "group", "aria-label": LABELS.graph });
const area = svg("path", { class: "area" });
const curve = svg("path", { class: "curve" });
const evenLine = svg("path", { class: "even", d: `M0 ${HEIGHT / 2}H${WIDTH}` });
const currentMark = svg("path", { class: "now" });
const dots = svg("g", {});
const columns = svg("g", {});
graph.append(area, evenLine, curve, currentMark, dots, columns);
const caption = html("figcaption", {}, html("span", {}), html("span", {}));
const graphBox = html("figure.graph-box", {}, graph, caption);

export function setUp() {
  byId("value").append(html("div.level", {}, bar, valueLine, legend));
}

/** Moves the graph behind an element of the open tab. @param {Element} element */
export function placeGraph(element) {
  if (element.nextElementSibling !== graphBox) element.after(graphBox);
}

export function render() {
  const { state } = game;
  setShown(byId("value"), state !== null);
  if (!state) return;
  setShown(legend, hasBadges(state));
  if (isPuzzle(state)) return renderDistance(state);
  renderBar(state);
  renderGraph(state);
}

/** Returns `true` if the board shows exact values when a person is to move. @param {State} state */
function hasBadges(state) {
  return preferences.colors && state.solved !== null && state.outcome === null && !isAsked() && !isPuzzle(state) && !hasChance(state) && state.board.kind !== "tree";
}

/** Shows the distance of a puzzle from its goal. The line keeps its place while the distance is not known. @param {State} state */
function renderDistance(state) {
  setShown(bar, false);
  setText(valueLine, state.solved && state.outcome === null ? capitalize(goalDistance(state.solved.plies)) : " ");
}

/** @param {State} state */
function renderBar(state) {
  const { current } = game.tree;
  const isChance = hasChance(state);
  const hasBar = !isChance && state.board.kind !== "tree";
  setShown(bar, hasBar);
  /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${(firstPlayerExpectation(current.value) * 100).toFixed(1)}%`;
  const text = current.value && !(isChance && state.outcome) ? valueText(state, current.value) : "";
  setAttributes(bar, { "aria-label": text || LABELS.value });
  setText(valueLine, text);
}

/** @param {State} state */
function renderGraph(state) {
  const { current } = game.tree;
  const isChance = hasChance(state);
  const line = game.tree.currentLine();
  const valued = line.filter((node) => isChance ? node.state?.score !== null && node.state?.score !== undefined : node.value);
  // The first move shows it, so that nothing moves while the engine thinks.
  setShown(graphBox, line.length > 1);
  const moves = Math.max(line.length - 1, MIN_MOVES);
  const topScore = Math.max(MIN_TOP_SCORE, ...valued.map((node) => node.state?.score ?? 0));
  const names = isChance ? [numberText(topScore), numberText(0)] : [sideTitle(state, "p1"), sideTitle(state, "p2")];
  names.forEach((name, at) => setText(caption.children[at], name));
  /** @param {GameNode} node */
  const x = (node) => (node.ply / moves) * WIDTH;
  /** @param {GameNode} node */
  const y = (node) => HEIGHT - MARGIN - (isChance ? (node.state?.score ?? 0) / topScore : firstPlayerExpectation(node.value)) * (HEIGHT - 2 * MARGIN);
  const path = valued.map((node, at) => `${at ? "L" : "M"}${x(node).toFixed(1)} ${y(node).toFixed(1)}`).join("");
  setAttributes(curve, { d: path });
  setAttributes(area, { d: path && `${path}V${HEIGHT}H${x(valued[0]).toFixed(1)}Z` });
  setAttributes(evenLine, { d: isChance ? "M0 0" : `M0 ${HEIGHT / 2}H${WIDTH}` });
  setAttributes(currentMark, { d: `M${x(current).toFixed(1)} 0V${HEIGHT}` });
  const turningPoints = isChance ? [] : line.filter(findReliableLoss);
  dots.replaceChildren(...turningPoints.map((node) => svg("ellipse", { class: "turning", cx: x(node), cy: y(node), rx: 4, ry: 4 })));
  const width = WIDTH / moves;
  syncChildren(columns, line.length > MAX_COLUMNS ? [] : line, (node) => node.id, () => svg("rect", { class: "column", role: "button", tabindex: -1, y: 0, height: HEIGHT }), (element, node) => {
    const name = positionName(node);
    const label = node.value && node.state ? t("{position}: {value}", { position: name, value: valueText(node.state, node.value) }) : name;
    setAttributes(element, { x: x(node) - width / 2, width, "data-ply": node.ply, "aria-label": label });
    element.onclick = () => goToNode(node);
    element.onpointerenter = () => setText(valueLine, label);
    element.onpointerleave = () => setText(valueLine, current.value ? valueText(state, current.value) : "");
  });
}
