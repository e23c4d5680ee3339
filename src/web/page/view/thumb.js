// Small drawings of boards, for the list of games and the rules.

import { svg } from "../dom.js";
import { layoutTree } from "./tree_layout.js";
import { drawPiece, drawPieceOf, person } from "./pieces.js";
import { drawBoard } from "./scene.js";
import { drawTile } from "./tile_board.js";

/** @import { State, Tree } from "../types.js" */

/** Draws a position as a small picture. @param {State} state */
export function thumbnail(state) {
  const { kind } = state.board;
  if (kind === "tree") return treeThumbnail(state.board.root ?? [[0, 0], [0, 0]]);
  if (kind === "river") {
    return frame(200, 130,
      svg("rect", { class: "wood", width: 200, height: 130, rx: 10 }),
      svg("path", { class: "water", d: "M66 0Q58 60 68 130H134Q128 60 136 0Z" }),
      svg("g", { transform: "translate(34 45) scale(.55)" }, person("missionary")), svg("g", { transform: "translate(34 98) scale(.55)" }, person("cannibal")),
      svg("path", { class: "hull", transform: "translate(92 84) scale(.42)", d: "M-95 0H95Q80 56 44 58H-44Q-80 56-95 0Z" }));
  }
  const drawing = drawBoard(state.board, false);
  const pieces = state.pieces.filter((piece) => piece.kind !== "tile" || piece.value).map((piece) => {
    const spot = drawing.spots.find((one) => one.name === piece.at) ?? { x: 0, y: 0 };
    const scale = piece.kind === "tile" ? 1 : drawing.isSquare ? 0.86 : drawing.radius / 50;
    return svg("g", { transform: `translate(${spot.x} ${spot.y}) scale(${scale})` }, piece.kind === "tile" ? drawTile(piece, state.board, "") : drawPieceOf(state, piece.kind, piece.player ?? "p1", piece.count));
  });
  return frame(drawing.width, drawing.height, ...drawing.ground(), ...pieces);
}

/** @param {number} width @param {number} height @param {...SVGElement} drawn */
function frame(width, height, ...drawn) {
  return svg("svg", { class: "thumb", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...drawn);
}

/** @param {Tree} root */
function treeThumbnail(root) {
  /** @typedef {{ children: Nest[] }} Nest */
  /** @param {Tree} tree @returns {Nest} */
  const nest = (tree) => ({ children: Array.isArray(tree) ? tree.map(nest) : [] });
  const top = nest(root);
  const { places, leaves, levels } = layoutTree(top, (node) => node.children);
  /** @param {Nest} node */
  const spot = (node) => {
    const { x, level } = /** @type {{ x: number, level: number }} */ (places.get(node));
    return { x: 14 + (x + 0.5) * (172 / leaves), y: 16 + level * (100 / Math.max(1, levels - 1)) };
  };
  const edges = [...places.keys()].flatMap((node) => node.children.map((child) => svg("path", { class: "edge", d: `M${spot(node).x} ${spot(node).y}L${spot(child).x} ${spot(child).y}` })));
  const nodes = [...places.keys()].map((node) => svg("circle", { class: "dot", cx: spot(node).x, cy: spot(node).y, r: 5 }));
  return frame(200, 132, ...edges, ...nodes);
}

/**
 * Draws an example of a move: a jump or a step, a row of marks, or a slide.
 * @param {State} state
 */
export function moveExample(state) {
  const { board } = state;
  if (board.kind === "graph") {
    const hasJumps = state.captured.length > 0;
    /** @param {string} kind */
    const figure = (kind) => drawPieceOf(state, kind, (state.pieces.find((piece) => piece.kind === kind) ?? state.hand.find((pile) => pile.kind === kind))?.player ?? "p1");
    return frame(300, 130, svg("rect", { class: "wood", width: 300, height: 130, rx: 12 }),
      svg("path", { class: "line", "stroke-width": 4, d: "M50 75H250" }), ...[50, 150, 250].map((x) => svg("circle", { class: "point", cx: x, cy: 75, r: 6 })),
      svg("g", { transform: "translate(50 75) scale(.7)" }, figure("hunter")), svg("g", { transform: `translate(${hasJumps ? 150 : 250} 75) scale(.7)` }, figure("prey")),
      svg("path", { class: "leap", d: hasJumps ? "M60 38Q150-10 240 44" : "M64 40Q100 14 138 46" }),
      svg("path", { class: "tip", d: "M250 56L228 44L246 32Z", transform: hasJumps ? "" : "translate(-102 2)" }));
  }
  if (board.kind === "grid") {
    const length = Math.min(board.length ?? 3, 6);
    return frame(length * 60 + 20, 80, svg("rect", { class: "wood", width: length * 60 + 20, height: 80, rx: 10 }),
      ...Array.from({ length }, (_, at) => svg("g", { transform: `translate(${40 + at * 60} 40) scale(.5)` }, drawPiece("X"))),
      svg("path", { class: "leap", d: `M18 40H${length * 60 + 2}` }));
  }
  if (board.kind === "tiles") {
    const all = board.slides === "all";
    /** @param {number} value @param {number} x */
    const merged = (value, x) => svg("g", { transform: `translate(${x} 60) scale(.9)` }, drawTile({ at: "", kind: "tile", value }, { ...board, goal: [[0]] }, ""));
    return frame(420, 120, svg("rect", { class: "tray", width: 420, height: 120, rx: 12 }),
      merged(all ? 2 : 5, 60), ...(all ? [merged(2, 155)] : [svg("rect", { class: "well", x: 114, y: 19, width: 83, height: 83, rx: 9 })]),
      svg("path", { class: "leap", d: "M222 60H282" }), svg("path", { class: "tip", d: "M304 60L276 46V74Z" }),
      ...(all ? [merged(4, 360)] : [svg("rect", { class: "well", x: 318, y: 19, width: 83, height: 83, rx: 9 }), merged(5, 360)]));
  }
  return thumbnail(state);
}
