// The game on the board as an animated SVG file: every part of a position is drawn once, and shown as long as it is on the board.

import { loadState } from "./actions.js";
import { svg } from "./dom.js";
import { t } from "./language.js";
import { OffstageBoard } from "./offstage_board.js";
import { bake, pictureText } from "./picture_file.js";
import { game } from "./state.js";
import { resultText, titleText } from "./text.js";

/** @import { GameNode } from "./game_tree.js" */

/** How long a position is shown, and the last one, in seconds. */
const POSITION_S = 0.9;
const END_S = 3;
/** Maximum duration of the game, in seconds, and maximum positions. Of longer games some positions are left out. */
const MAX_S = 120;
const MAX_POSITIONS = 400;
/** Minimum length of a drawing that is written once and used at several places, in characters. */
const MIN_SHARED_LENGTH = 200;
/** The height of the line with the move, as a share of the width. */
const CAPTION = 0.06;

/** Parts of a layer by their source, in the order of their first appearance, with the positions that show them. @typedef {Map<string, { part: Element, shown: Set<number> }>} Parts */

/** Returns the current line of the game as the text of an SVG file that repeats forever. Programs that do not animate show the end. */
export async function animatedGame() {
  const { tree } = game;
  const all = tree.currentLine();
  const step = Math.ceil(all.length / MAX_POSITIONS);
  const line = all.filter((_, at) => (all.length - 1 - at) % step === 0);
  for (const node of all) if (!await loadState(node)) throw new Error(t("the game has a position without a state"));
  const board = new OffstageBoard(/** @type {import("./types.js").State} */ (tree.root.state));
  try {
    return film(board, line);
  } finally {
    board.close();
  }
}

/** @param {OffstageBoard} board @param {GameNode[]} line */
function film(board, line) {
  /** @type {Parts[]} */
  const layers = [];
  /** @type {Map<string, SVGElement>} */
  const shared = new Map();
  const pace = Math.min(POSITION_S, MAX_S / line.length);
  const duration = pace * (line.length - 1) + END_S;
  line.forEach((node, at) => {
    if (node.state) board.show(node.state, node.parent?.state?.moves.find(({ move }) => move === node.move) ?? null);
    [...board.element.children].forEach((layer, index) => addParts(layers[index] ??= new Map(), layer, at, shared));
  });
  const drawing = /** @type {SVGElement} */ (board.picture().cloneNode(false));
  const { x, y, width, height } = board.element.viewBox.baseVal;
  const font = width * CAPTION * 0.6;
  const text = { x: x + width / 2, y: y + height + width * CAPTION * 0.75, "font-size": font, "text-anchor": "middle", fill: getComputedStyle(document.body).color };
  drawing.append(svg("defs", {}, ...shared.values()),
    ...layers.map((parts, index) => withAnimations(board.element.children[index], parts, line.length, pace, duration)),
    ...line.map((node, at) => animated(svg("text", text, captionOf(node)), new Set([at]), line.length, pace, duration)));
  return pictureText(drawing, { x, y, width, height: height + width * CAPTION });
}

/** Returns what is written below a position. @param {GameNode} node */
function captionOf({ ply, move, parent, state }) {
  return `${parent ? `${ply}. ${move}` : state ? titleText(state) : ""}${state?.outcome ? ` · ${resultText(state)}` : ""}`;
}

/** Adds the parts of a layer in one position. @param {Parts} parts @param {Element} layer @param {number} at the index of the position @param {Map<string, SVGElement>} shared */
function addParts(parts, layer, at, shared) {
  const style = getComputedStyle(layer);
  for (const child of layer.children) {
    const source = child.outerHTML;
    let known = parts.get(source);
    if (!known) {
      const part = bake(child, style);
      if (!part) continue;
      known = { part: share(part, shared), shown: new Set() };
      parts.set(source, known);
    }
    known.shown.add(at);
  }
}

/** Replaces the content of a group by a reference, if it is large. @param {Element} part @param {Map<string, SVGElement>} shared the contents by their text */
function share(part, shared) {
  const text = part.innerHTML;
  if (part.localName !== "g" || text.length < MIN_SHARED_LENGTH) return part;
  const content = shared.get(text) ?? svg("g", { id: `part${shared.size}` }, ...part.childNodes);
  shared.set(text, content);
  part.replaceChildren(svg("use", { href: `#${content.id}` }));
  return part;
}

/** Returns a layer whose parts appear and vanish. @param {Element} layer @param {Parts} parts @param {number} count the number of positions @param {number} pace @param {number} duration */
function withAnimations(layer, parts, count, pace, duration) {
  const copy = bake(layer, getComputedStyle(/** @type {Element} */ (layer.parentElement)))?.cloneNode(false) ?? svg("g");
  /** @type {Element} */ (copy).append(...[...parts.values()].map(({ part, shown }) => animated(part, shown, count, pace, duration)));
  return copy;
}

/** Shows an element in some positions only. @param {Element} element @param {Set<number>} shown @param {number} count @param {number} pace @param {number} duration in seconds */
function animated(element, shown, count, pace, duration) {
  if (shown.size === count) return element;
  const changes = Array.from({ length: count }, (_, at) => at).filter((at) => at === 0 || shown.has(at) !== shown.has(at - 1));
  if (!shown.has(count - 1)) element.setAttribute("visibility", "hidden");
  element.append(svg("animate", { attributeName: "visibility", calcMode: "discrete", dur: `${round(duration)}s`, repeatCount: "indefinite",
    values: changes.map((at) => (shown.has(at) ? "visible" : "hidden")).join(";"), keyTimes: changes.map((at) => round((at * pace) / duration)).join(";") }));
  return element;
}

/** @param {number} number */
function round(number) {
  return Math.round(number * 1e5) / 1e5;
}
