// The bar of the present value and the graph of the values over the game, which one may click.

import { find, h, keep, s, say, set, show } from "./dom.js";
import { hasChance, isPuzzle, page } from "./state.js";
import { go } from "./actions.js";
import { LABEL, SAY, capital, side, worthWords } from "./text.js";
import { expectation, given } from "./value.js";

/** @import { Node } from "./game_tree.js" */

const WIDTH = 600;
const HEIGHT = 84;

const bar = h("div.bar", { role: "img" }, h("div.first"), h("div.middle"));
const words = h("p.worth", {});
const drawing = s("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "group", "aria-label": LABEL.graph });
const area = s("path", { class: "area" });
const curve = s("path", { class: "curve" });
const middle = s("path", { class: "even", d: `M0 ${HEIGHT / 2}H${WIDTH}` });
const now = s("path", { class: "now" });
const dots = s("g", {});
const bars = s("g", {});
drawing.append(area, middle, curve, now, dots, bars);
const figure = h("figure.course", {}, drawing, h("figcaption", {}));

export function setUp() {
  find("value").append(h("div.level", {}, bar, words), figure);
}

/** The height of a value in the graph. @param {Node} node */
function share(node) {
  return expectation(node.worth);
}

export function render() {
  const { state } = page;
  const fits = state !== null && !isPuzzle(state);
  show(find("value"), fits);
  if (!state || !fits) return;
  const { current } = page.game;
  const chance = hasChance(state);
  show(bar, !chance && state.board.kind !== "tree");
  /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${(share(current) * 100).toFixed(1)}%`;
  const text = current.worth && !(chance && state.outcome) ? worthWords(state, current.worth) : "";
  set(bar, { "aria-label": text || LABEL.graph });
  say(words, text || (chance ? "" : "·"));
  show(/** @type {Element} */ (bar.parentElement), (!chance && state.board.kind !== "tree") || text !== "");
  const line = page.game.line();
  const valued = line.filter((node) => chance ? node.state?.score !== null && node.state?.score !== undefined : node.worth);
  const drawn = valued.length >= 2;
  figure.classList.toggle("empty", !drawn);
  say(/** @type {HTMLElement} */ (figure.lastElementChild), drawn ? "" : SAY.noGraph);
  if (!drawn) {
    for (const path of [area, curve, now]) set(path, { d: "M0 0" });
    dots.replaceChildren();
    bars.replaceChildren();
    return;
  }
  const most = Math.max(line.length - 1, 12);
  const top = chance ? Math.max(100, ...valued.map((node) => node.state?.score ?? 0)) : 1;
  /** @param {Node} node */
  const x = (node) => (node.ply / most) * WIDTH;
  /** @param {Node} node */
  const y = (node) => HEIGHT - 4 - (chance ? (node.state?.score ?? 0) / top : share(node)) * (HEIGHT - 8);
  const path = valued.map((node, at) => `${at ? "L" : "M"}${x(node).toFixed(1)} ${y(node).toFixed(1)}`).join("");
  set(curve, { d: path });
  set(area, { d: `${path}V${HEIGHT}H${x(valued[0]).toFixed(1)}Z` });
  set(middle, { d: chance ? "M0 0" : `M0 ${HEIGHT / 2}H${WIDTH}` });
  set(now, { d: `M${x(current).toFixed(1)} 0V${HEIGHT}` });
  const turning = chance ? [] : line.filter((node) => node.parent?.state && given(node.parent.worth, node.worth, node.parent.state.turn));
  dots.replaceChildren(...turning.map((node) => s("ellipse", { class: "turning", cx: x(node), cy: y(node), rx: 4, ry: 4 })));
  const wide = WIDTH / most;
  keep(bars, line.length > 700 ? [] : line, (node) => node.id, () => s("rect", { class: "column", role: "button", tabindex: -1, y: 0, height: HEIGHT }), (element, node) => {
    const label = node.worth && node.state ? `${node.ply}. ${node.move || "start"}: ${worthWords(node.state, node.worth)}` : `${node.ply}. ${node.move || "start"}`;
    set(element, { x: x(node) - wide / 2, width: wide, "data-ply": node.ply, "aria-label": label });
    element.onclick = () => go(node);
    element.onpointerenter = () => say(words, label);
    element.onpointerleave = () => say(words, current.worth ? worthWords(state, current.worth) : "·");
  });
  set(/** @type {HTMLElement} */ (figure.lastElementChild), { title: `${capital(side(state, "p1"))} above` });
}
