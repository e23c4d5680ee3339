// A game tree as a board: the path to the current node, and its children to click.

import { buttonAttributes, setAttributes, svg } from "../dom.js";
import { NODE_KINDS, childLabel, titleText } from "../text.js";
import { layoutTree } from "./tree_layout.js";
import { Zoom } from "./zoom.js";

/** @import { ViewModel } from "./board_view.js" */
/** @import { Tree } from "../types.js" */

/** A node and the children chosen from the root to it, from 1. @typedef {{ tree: Tree, path: number[] }} TreeNode */

const LEAF_DISTANCE = 64;
const LEVEL_DISTANCE = 96;
/** The layout of children without a tree: the number of columns, and the distance of two children. */
const LIST_COLUMNS = 8;
const LIST_DISTANCE = 70;

export class TreeView {
  /** @param {{ play: (move: string) => void }} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.element = svg("svg", { class: "board tree", role: "group" });
    this.content = svg("g", {});
    this.element.append(this.content);
    this.zoom = new Zoom(this.element, this.content);
    this.drawnKey = "";
  }

  /** @param {ViewModel} model */
  render(model) {
    const { state } = model;
    setAttributes(this.element, { "aria-label": titleText(state) });
    const { root, at: current = [] } = state.board;
    if (root === null || root === undefined) return this.drawChildList(model);
    /** @type {Map<TreeNode, TreeNode[]>} */
    const childrenOf = new Map();
    /** @param {TreeNode} node */
    const children = (node) => {
      const known = childrenOf.get(node) ?? subtrees(node.tree).map((tree, index) => ({ tree, path: [...node.path, index + 1] }));
      childrenOf.set(node, known);
      return known;
    };
    const { places, leaves, levels } = layoutTree({ tree: root, path: [] }, children);
    const width = Math.max(leaves * LEAF_DISTANCE, 320) + 40;
    const left = (width - leaves * LEAF_DISTANCE) / 2 + LEAF_DISTANCE / 2;
    /** @param {TreeNode} node */
    const position = (node) => {
      const { x, level } = places.get(node) ?? { x: 0, level: 0 };
      return { x: left + x * LEAF_DISTANCE, y: 46 + level * LEVEL_DISTANCE };
    };
    /** @type {SVGElement[]} */
    const edges = [];
    /** @type {SVGElement[]} */
    const nodes = [];
    for (const node of places.keys()) {
      const from = position(node);
      for (const [index, child] of children(node).entries()) {
        const to = position(child);
        const probability = probabilityText(node.tree, index);
        if (probability) nodes.push(svg("text", { class: "probability", x: from.x + (to.x - from.x) * 0.6, y: from.y + (to.y - from.y) * 0.6, "font-size": 13 }, probability));
        edges.push(svg("path", { class: startsWith(current, child.path) ? "edge taken" : "edge", d: `M${from.x} ${from.y}L${to.x} ${to.y}` }));
      }
      const onPath = startsWith(current, node.path);
      nodes.push(this.drawNode(model, node, from, {
        onPath,
        isCurrent: onPath && node.path.length === current.length,
        isOpen: node.path.length === current.length + 1 && startsWith(node.path, current) && model.canMove && state.moves.length > 0,
      }));
    }
    const focused = document.activeElement?.getAttribute("data-child") ?? null;
    this.content.replaceChildren(...edges, ...nodes);
    const key = state.variant + JSON.stringify(root);
    this.zoom.setSize(width, levels * LEVEL_DISTANCE + 10, this.drawnKey !== key);
    this.drawnKey = key;
    if (focused !== null) /** @type {SVGElement | null} */ (this.content.querySelector("[data-child]"))?.focus({ preventScroll: true });
  }

  /** Draws a node. An open node is a child of the current one and can be clicked. @param {ViewModel} model @param {TreeNode} node @param {{ x: number, y: number }} position @param {{ onPath: boolean, isCurrent: boolean, isOpen: boolean }} status */
  drawNode(model, node, position, { onPath, isCurrent, isOpen }) {
    const isMax = (node.path.length % 2 === 0) === (model.state.board.first !== "p2");
    const isLeaf = typeof node.tree === "number";
    const isChance = !isLeaf && !Array.isArray(node.tree);
    const kind = isChance ? "chance" : isMax ? "max" : "min";
    const shape = isLeaf
      ? svg("rect", { class: "shape", x: -24, y: -18, width: 48, height: 36, rx: 8 })
      : isChance ? svg("circle", { class: "shape", r: 27 }) : svg("path", { class: "shape", d: isMax ? "M0-26L28 20H-28Z" : "M0 26L28-20H-28Z" });
    const text = isLeaf ? svg("text", { y: 6, "font-size": 17 }, String(node.tree)) : svg("text", { class: "side", y: isChance ? 4 : isMax ? 12 : -4, "font-size": 13 }, NODE_KINDS[kind]);
    const classes = `node ${isLeaf ? "leaf" : kind}${onPath ? " walked" : ""}${isCurrent ? " now" : ""}${isOpen ? " open" : ""}`;
    const element = svg("g", { class: classes, transform: `translate(${position.x} ${position.y})` }, shape, text);
    if (isOpen) {
      const child = node.path[node.path.length - 1];
      setAttributes(element, { ...buttonAttributes(childLabel(child, isLeaf ? String(node.tree) : kind, isLeaf), () => this.handlers.play(String(child))), "data-child": child });
    }
    return element;
  }

  /** Draws only the children of the current node, for a tree that is too large to draw. @param {ViewModel} model */
  drawChildList({ state }) {
    this.content.replaceChildren(...state.moves.map(({ move }, at) => svg("g",
      { class: "node max open", transform: `translate(${60 + (at % LIST_COLUMNS) * LIST_DISTANCE} ${60 + Math.floor(at / LIST_COLUMNS) * LIST_DISTANCE})`, "data-child": move, ...buttonAttributes(childLabel(Number(move), state.turn === "p1" ? "min" : "max", false), () => this.handlers.play(move)) },
      svg("rect", { class: "shape", x: -26, y: -22, width: 52, height: 44, rx: 8 }), svg("text", { y: 6, "font-size": 17 }, move))));
    this.zoom.setSize(620, Math.max(320, 60 + Math.ceil(state.moves.length / LIST_COLUMNS) * LIST_DISTANCE), true);
  }
}

/** Returns the children of a tree. @param {Tree} tree @returns {Tree[]} */
function subtrees(tree) {
  return typeof tree === "number" ? [] : Array.isArray(tree) ? tree : tree.chance;
}

/** Returns the probability of a child of a chance node, or an empty text. @param {Tree} tree @param {number} index */
function probabilityText(tree, index) {
  if (typeof tree === "number" || Array.isArray(tree)) return "";
  return String(Math.round(1e4 * tree.weights[index] / tree.weights.reduce((sum, weight) => sum + weight)) / 1e4);
}

/** Returns `true` if `path` starts with `prefix`. @param {number[]} path @param {number[]} prefix */
function startsWith(path, prefix) {
  return prefix.every((child, index) => path[index] === child);
}
