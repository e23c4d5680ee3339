// The small pictures of the glossary.

import { svg } from "../dom.js";
import { t } from "../language.js";

const WIDTH = 168;
const HEIGHT = 107;

/** A node: its sign, its place, its text, the index of its parent, and words: `cut`, `dashed`, `on-line` for its edge, `marked`, `dim`. @typedef {[string, number, number, string?, number?, string?]} PictureNode */

/** @type {Record<string, string>} */
const KINDS = { "▲": "max", "▼": "min", "●": "chance", "▭": "leaf" };

/** @param {string} kind */
function shapeOf(kind) {
  if (kind === "leaf") return svg("rect", { class: "shape", x: -14, y: -11, width: 28, height: 22, rx: 4 });
  if (kind === "chance") return svg("circle", { class: "shape", r: 14 });
  return svg("path", { class: "shape", d: kind === "max" ? "M0-17L18 12H-18Z" : "M0 17L18-12H-18Z" });
}

/** Draws a small tree. @param {...PictureNode} nodes */
function tree(...nodes) {
  const edges = nodes.flatMap(([, x, y, , parent, words = ""]) => {
    if (parent === undefined) return [];
    const [, px, py] = nodes[parent];
    const [mx, my] = [(x + px) / 2, (y + py) / 2];
    return [svg("path", { class: `edge ${words}`, d: `M${px} ${py}L${x} ${y}` }),
      words.includes("cut") && svg("path", { class: "scissors", transform: `translate(${mx} ${my}) rotate(${(Math.atan2(y - py, x - px) * 180) / Math.PI})`, d: "M-3-8V8M3-8V8" })];
  });
  return [...edges, ...nodes.map(([sign, x, y, text = "", , words = ""]) => {
    const kind = KINDS[sign];
    return svg("g", { class: `place ${kind} ${words}`, transform: `translate(${x} ${y})` }, shapeOf(kind), svg("text", { y: kind === "max" ? 9 : kind === "min" ? 0 : 5 }, text));
  })];
}

/** Draws a line of numbers from 0 to 10 with a window, and the values that lie in it or not. @param {number} from @param {number} to @param {number[]} values @param {string[]} names those of the ends */
function range(from, to, values, names) {
  const x = (/** @type {number} */ value) => 14 + value * 14;
  return [
    svg("path", { class: "axis", d: `M${x(0)} 58H${x(10)}` }),
    svg("rect", { class: "window-box", x: x(from), y: 40, width: Math.max(4, x(to) - x(from)), height: 36, rx: 3 }),
    ...[from, to].map((value, at) => svg("text", { x: x(value), y: 92 }, names[at] ?? "")),
    ...values.map((value) => svg("circle", { class: value > from && value < to ? "dot" : "dot outside", cx: x(value), cy: 58, r: 6 })),
    ...values.map((value) => svg("text", { x: x(value), y: 30 }, String(value)))];
}

/** Draws boxes side by side; the first one is marked. @param {string[]} texts @param {string} below */
function boxes(texts, below) {
  const size = 34;
  const left = (WIDTH - texts.length * (size + 6) + 6) / 2;
  return [...texts.map((text, at) => svg("g", { class: at ? "box" : "box marked", transform: `translate(${left + at * (size + 6)} 24)` }, svg("rect", { class: "shape", width: size, height: size, rx: 5 }), svg("text", { x: size / 2, y: 22 }, text))),
    svg("text", { x: WIDTH / 2, y: 84 }, below)];
}

/** Draws steps that rise, with their numbers. @param {string[]} texts */
function stairs(texts) {
  return texts.flatMap((text, at) => [svg("path", { class: "edge on-line", d: `M${12 + at * 36} ${84 - at * 18}h36` }), svg("text", { x: 30 + at * 36, y: 78 - at * 18 }, text)]);
}

/** Two plies: a max node above two min nodes with two leaves each. The words of each of the seven nodes. @param {string[]} texts @param {string[]} [words] */
function twoPlies(texts, words = []) {
  const at = /** @type {const} */ ([["▲", 84, 18], ["▼", 44, 50, 0], ["▼", 124, 50, 0], ["▭", 24, 84, 1], ["▭", 64, 84, 1], ["▭", 104, 84, 2], ["▭", 144, 84, 2]]);
  return tree(...at.map(([sign, x, y, parent], index) => /** @type {PictureNode} */ ([sign, x, y, texts[index] ?? "", parent, words[index] ?? ""])));
}

/** @type {Record<string, () => (SVGElement | false)[]>} */
const PICTURES = {
  max: () => tree(["▲", 84, 28, "9", , "marked"], ["▭", 34, 78, "3", 0], ["▭", 84, 78, "9", 0, "on-line"], ["▭", 134, 78, "5", 0]),
  min: () => tree(["▼", 84, 28, "3", , "marked"], ["▭", 34, 78, "3", 0, "on-line"], ["▭", 84, 78, "9", 0], ["▭", 134, 78, "5", 0]),
  chance: () => [...tree(["●", 84, 24, "", , "marked"], ["▭", 40, 78, "4", 0], ["▭", 128, 78, "8", 0]), svg("text", { x: 46, y: 50 }, "½"), svg("text", { x: 122, y: 50 }, "½")],
  leaf: () => twoPlies(["", "", "", "3", "9", "2", "7"], ["", "", "", "marked", "marked", "marked", "marked"]),
  cut: () => twoPlies(["3", "3", "≤2", "3", "9", "2", ""], ["", "", "marked", "", "", "", "cut dashed dim"]),
  again: () => [...tree(["▲", 84, 20, ""], ["▼", 44, 68, "5", 0], ["▼", 124, 68, "≥7", 0, "marked"]), svg("text", { class: "sign", x: 153, y: 66 }, "↻")],
  table: () => [...tree(["▲", 84, 16, ""], ["▼", 44, 46, "", 0], ["▼", 124, 46, "", 0], ["▲", 44, 84, "4", 1, "marked"], ["▲", 124, 84, "4", 2, "marked"]), svg("text", { class: "sign", x: 153, y: 88 }, "▣")],
  unseen: () => twoPlies(["3", "3", "≤2", "3", "9", "2", "?"], ["", "", "", "", "", "", "dashed marked"]),
  node: () => twoPlies([], ["marked", "", "", "", "", "", ""]),
  ply: () => [...tree(["▲", 60, 16, ""], ["▼", 60, 50, "", 0, "on-line"], ["▲", 60, 84, "", 1, "on-line"]), svg("text", { class: "start", x: 92, y: 38 }, t("1 ply")), svg("text", { class: "start", x: 92, y: 72 }, t("2 plies"))],
  depth: () => [...twoPlies([]), svg("path", { class: "edge on-line", d: "M8 16V86M4 16h8M4 86h8" }), svg("text", { class: "start", x: 14, y: 24 }, "2")],
  value: () => twoPlies(["3", "3", "2", "3", "9", "2", "7"], ["marked"]),
  "best-play": () => twoPlies(["3", "3", "2", "3", "9", "2", "7"], ["", "on-line marked", "", "on-line marked"]),
  alpha: () => range(3, 10, [1, 6], ["α = 3", ""]),
  beta: () => range(0, 7, [4, 9], ["", "β = 7"]),
  "alpha-beta": () => twoPlies(["3", "3", "≤2", "3", "9", "2", ""], ["", "", "", "", "", "", "cut dashed dim"]),
  window: () => range(3, 7, [1, 5, 9], ["α = 3", "β = 7"]),
  "null-window": () => range(5, 5, [2, 8], ["> 5?", ""]),
  bound: () => range(5, 10, [5], ["≥ 5", ""]),
  order: () => [...tree(["▲", 84, 22, ""], ["▼", 34, 76, "6", 0, "on-line marked"], ["▼", 84, 76, "≤4", 0], ["▼", 134, 76, "≤1", 0]), ...["1", "2", "3"].map((text, at) => svg("text", { x: [42, 94, 126][at], y: 50 }, text))],
  deepening: () => [tree(["▲", 22, 20, ""], ["▼", 22, 52, "", 0]), tree(["▲", 74, 20, ""], ["▼", 74, 52, "", 0], ["▲", 74, 84, "", 1])].flat().concat(svg("text", { x: 132, y: 56 }, "3, 4 …")),
  evaluation: () => [...tree(["▲", 50, 26, ""], ["▭", 50, 76, "54", 0, "marked"]), svg("text", { class: "start", x: 84, y: 74 }, "4 × 15"), svg("text", { class: "start", x: 84, y: 90 }, "− 6")],
  horizon: () => [...tree(["▲", 84, 16, ""], ["▼", 84, 46, "", 0], ["▭", 84, 84, "!", 1, "dashed marked"]), svg("path", { class: "edge dashed", d: "M8 66H160" })],
  refute: () => tree(["▲", 84, 18, "6"], ["▼", 44, 52, "6", 0], ["▼", 124, 52, "≤4", 0], ["▭", 104, 84, "4", 2, "on-line marked"], ["▭", 146, 84, "", 2, "cut dashed dim"]),
  scout: () => [...tree(["▲", 84, 20, "5"], ["▼", 44, 58, "5", 0], ["▼", 124, 58, "", 0, "marked"]), svg("text", { x: 124, y: 92 }, "> 5?")],
  pass: () => stairs(["≥ 0", "≥ 3", "≥ 5", "≤ 5"]),
  "first-guess": () => range(4, 4, [6], [t("first: ≥ 4?"), ""]),
  expected: () => [...tree(["●", 84, 24, "6", , "marked"], ["▭", 40, 64, "4", 0], ["▭", 128, 64, "8", 0]), svg("text", { x: 84, y: 90 }, "½ × 4 + ½ × 8")],
  state: () => boxes(["1", "2", "3"], t("who stands where")),
  queue: () => boxes(["4", "4", "6", "8"], t("next: the first")),
  f: () => boxes(["f = 6", "g 2", "h 4"], "6 = 2 + 4"),
  estimate: () => [...range(4, 4, [], ["h = 4", ""]), svg("circle", { class: "dot", cx: 126, cy: 58, r: 6 }), svg("text", { x: 126, y: 30 }, t("true: 8"))],
  ladder: () => stairs(["4", "6", "8", "10"]),
  parity: () => boxes(["2", "1", "3"], t("one swap: odd")),
  settled: () => [...tree(["▲", 84, 22, "", , "marked"], ["▼", 54, 74, "", 0, "on-line"], ["▼", 114, 74, "", 0]), ...[[112, 26, t("won")], [8, 78, t("lost")], [138, 78, "?"]].map(([x, y, text]) => svg("text", { class: "start", x, y }, text))],
};

/** Draws the picture of an entry. @param {string} name */
export function glossaryPicture(name) {
  return svg("svg", { class: "glossary-picture", viewBox: `0 -5 ${WIDTH} ${HEIGHT}`, width: WIDTH * 1.5, height: HEIGHT * 1.5, "aria-hidden": "true" }, ...PICTURES[name]());
}

/** The entries that have a picture. */
export const PICTURED = Object.keys(PICTURES);
