// Draws a traced search as a tree: the visited nodes, their windows and values, and the cutoffs.

import { setAttributes, setText, svg } from "../dom.js";
import { boundedValueText, traceValueText, windowText } from "../text.js";
import { layoutTree } from "../view/tree_layout.js";
import { Zoom } from "../view/zoom.js";
import { replayTrace, skippedChildren } from "./trace_replay.js";

/** @import { Trace, TraceNode, Visit } from "../types.js" */

/** @typedef {{ x: number, y: number }} Point */

const LEAF_DISTANCE = 62;
const LEVEL_DISTANCE = 104;
const MIN_WIDTH = 420;
/** The place of a move's name on its edge, from 0 (parent) to 1 (child). */
const EDGE_LABEL_SHARE = 0.62;

export class TraceView {
  constructor() {
    this.element = svg("svg", { class: "trace", role: "img" });
    this.content = svg("g", {});
    this.element.append(this.content);
    this.zoom = new Zoom(this.element, this.content);
    /** @type {Trace | null} */
    this.trace = null;
    /** @type {{ group: SVGElement, edge: SVGElement | null, texts: SVGElement[] }[]} */
    this.nodeElements = [];
    /** @type {Point[]} */
    this.positions = [];
  }

  /** Shows the tree after `step` steps. @param {Trace} trace @param {number} step */
  render(trace, step) {
    if (trace !== this.trace) this.draw(trace);
    const { nodes, current } = replayTrace(trace, step);
    /** @type {boolean[]} */
    const pruned = [];
    trace.nodes.forEach((node, index) => {
      const progress = nodes[index];
      const { group, edge, texts } = this.nodeElements[index];
      // An unseen node is pruned once its parent is left, and so are all nodes below it.
      pruned[index] = progress.status === "unseen" && node.parent !== null && (pruned[node.parent] || ["cut", "done"].includes(nodes[node.parent].status));
      const classes = `${progress.status}${pruned[index] ? " pruned" : ""}`;
      setAttributes(group, { class: `trace-node ${node.kind} ${classes}${index === current ? " current" : ""}` });
      if (edge) setAttributes(edge, { class: `branch ${classes}` });
      const [value, window, order] = texts;
      setText(value, node.kind === "leaf" ? traceValueText(node.value, "·") : progress.visitEnded && progress.visit ? boundedValueText(progress.visit) : "");
      setText(window, progress.visit && node.kind !== "leaf" ? windowText(progress.visit) : "");
      setText(order, progress.order ? String(progress.order) : "");
    });
    if (current !== null) this.zoom.reveal(this.positions[current].x, this.positions[current].y);
    setAttributes(this.element, { "aria-label": `${trace.algorithm}, ${trace.nodes.length} nodes` });
  }

  /** Draws the nodes and edges of a new trace. @param {Trace} trace */
  draw(trace) {
    this.trace = trace;
    const { places, leaves, levels } = layoutTree(0, (node) => trace.nodes[node].children);
    const width = Math.max(leaves * LEAF_DISTANCE + 50, MIN_WIDTH);
    const levelHeight = Math.min(1.7 * LEVEL_DISTANCE, Math.max(LEVEL_DISTANCE, (0.95 * width) / levels));
    const left = (width - leaves * LEAF_DISTANCE) / 2 + LEAF_DISTANCE / 2;
    this.positions = trace.nodes.map((_, index) => {
      const { x, level } = places.get(index) ?? { x: 0, level: 0 };
      return { x: left + x * LEAF_DISTANCE, y: 52 + level * levelHeight };
    });
    this.nodeElements = trace.nodes.map((node, index) => this.drawNode(node, index));
    const edges = this.nodeElements.map(({ edge }) => edge).filter((edge) => edge !== null);
    this.content.replaceChildren(...edges, ...this.nodeElements.map(({ group }) => group));
    this.zoom.setSize(width, levels * levelHeight, true);
  }

  /** @param {TraceNode} node @param {number} index */
  drawNode(node, index) {
    const { kind } = node;
    const { x, y } = this.positions[index];
    const isLeaf = kind === "leaf";
    const texts = [
      svg("text", { class: "value", y: kind === "min" ? -1 : isLeaf ? 5 : 11, "font-size": isLeaf ? 16 : 14 }),
      svg("text", { class: "window", y: -29, "font-size": 13 }),
      svg("text", { class: "order", x: isLeaf ? 34 : 41, y: -10, "font-size": 12 }),
    ];
    const shape = isLeaf
      ? svg("rect", { class: "shape", x: -24, y: -16, width: 48, height: 32, rx: 6 })
      : kind === "chance"
        ? svg("circle", { class: "shape", r: 24 })
        : svg("path", { class: "shape", d: kind === "max" ? "M0-24L30 20H-30Z" : "M0 24L30-20H-30Z" });
    const group = svg("g", { class: "trace-node", transform: `translate(${x} ${y})`, "data-node": index }, shape, svg("path", { class: "cut-mark", d: "M-16 32L16 26M-16 38L16 32" }), ...texts);
    const edge = node.parent === null ? null : drawEdge(this.positions[node.parent], { x, y }, node.move ?? "");
    return { group, edge, texts };
  }

  /**
   * Returns the last of `step` steps; `null` before the first.
   * @param {Trace} trace
   * @param {number} step
   * @returns {{ node: number, direction: "in" | "out", visit: Visit, skippedChildren: number } | null}
   */
  lastStep(trace, step) {
    const last = trace.steps[step - 1];
    if (!last) return null;
    const [node, direction] = last;
    const { visit } = replayTrace(trace, step).nodes[node];
    return visit ? { node, direction, visit, skippedChildren: direction === "out" ? skippedChildren(trace, step, node) : 0 } : null;
  }
}

/** @param {Point} parent @param {Point} child @param {string} move */
function drawEdge(parent, child, move) {
  return svg("g", { class: "branch" },
    svg("path", { d: `M${parent.x} ${parent.y}L${child.x} ${child.y}` }),
    svg("text", { x: parent.x + (child.x - parent.x) * EDGE_LABEL_SHARE, y: parent.y + (child.y - parent.y) * EDGE_LABEL_SHARE + 4, "font-size": 13 }, move));
}
