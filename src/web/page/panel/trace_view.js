// The picture of a traced search: every node of the tree, those visited so far, their windows and values, the cut-offs.

import { s, set } from "../dom.js";
import { layout } from "../view/tree_layout.js";
import { Zoom } from "../view/zoom.js";
import { bounded, interval, number } from "../text.js";
import { replay, skipped } from "./trace_replay.js";

/** @import { Trace, Visit } from "../types.js" */

const STEP = 62;
const LEVEL = 104;

export class TraceView {
  constructor() {
    this.element = s("svg", { class: "trace", role: "img" });
    this.stage = s("g", {});
    this.element.append(this.stage);
    this.zoom = new Zoom(this.element, this.stage);
    /** @type {Trace | null} */
    this.trace = null;
    /** @type {{ group: SVGElement, edge: SVGElement | null, texts: SVGElement[] }[]} */
    this.drawn = [];
    /** @type {{ x: number, y: number }[]} */
    this.spots = [];
  }

  /** @param {Trace} trace @param {number} step */
  show(trace, step) {
    if (trace !== this.trace) this.draw(trace);
    const { nodes, current } = replay(trace, step);
    /** @type {boolean[]} */
    const given = [];
    trace.nodes.forEach((node, index) => {
      const known = nodes[index];
      const { group, edge, texts } = this.drawn[index];
      // What the search has left for good without a look, and all that is below it.
      const pruned = known.status === "unseen" && node.parent !== null && (given[node.parent] || ["cut", "done"].includes(nodes[node.parent].status));
      given[index] = pruned;
      const name = `knot ${node.kind} ${known.status}${pruned ? " pruned" : ""}${index === current ? " current" : ""}`;
      if (group.getAttribute("class") !== name) set(group, { class: name });
      if (edge) {
        const line = `branch ${known.status}${pruned ? " pruned" : ""}`;
        if (edge.getAttribute("class") !== line) set(edge, { class: line });
      }
      const [value, window, order] = texts;
      put(value, node.kind === "leaf" ? number(node.value, "·") : known.left && known.visit ? bounded(known.visit) : "");
      put(window, known.visit && node.kind !== "leaf" ? interval(known.visit) : "");
      put(order, known.order ? String(known.order) : "");
    });
    if (current !== null) this.zoom.reveal(this.spots[current].x, this.spots[current].y);
    set(this.element, { "aria-label": `${trace.algorithm}, ${trace.nodes.length} nodes` });
  }

  /** @param {Trace} trace */
  draw(trace) {
    this.trace = trace;
    const { places, leaves, levels } = layout(0, (node) => trace.nodes[node].children);
    const wide = Math.max(leaves * STEP + 50, 420);
    const level = Math.min(1.7 * LEVEL, Math.max(LEVEL, (0.95 * wide) / levels));
    const tall = levels * level;
    const shift = (wide - leaves * STEP) / 2 + STEP / 2;
    this.spots = trace.nodes.map((_, index) => {
      const { x, level: depth } = places.get(index) ?? { x: 0, level: 0 };
      return { x: shift + x * STEP, y: 52 + depth * level };
    });
    /** @type {SVGElement[]} */
    const edges = [];
    this.drawn = trace.nodes.map((node, index) => {
      const { x, y } = this.spots[index];
      const parent = node.parent === null ? null : this.spots[node.parent];
      const edge = parent ? s("g", { class: "branch" }, s("path", { d: `M${parent.x} ${parent.y}L${x} ${y}` })) : null;
      if (edge && parent) {
        const share = 0.62;
        edge.append(s("text", { x: parent.x + (x - parent.x) * share, y: parent.y + (y - parent.y) * share + 4, "font-size": 13 }, node.move));
        edges.push(edge);
      }
      const texts = [
        s("text", { class: "value", y: node.kind === "min" ? -1 : node.kind === "leaf" ? 5 : 11, "font-size": node.kind === "leaf" ? 16 : 14 }),
        s("text", { class: "window", y: -29, "font-size": 13 }),
        s("text", { class: "order", x: node.kind === "leaf" ? 34 : 41, y: -10, "font-size": 12 }),
      ];
      const shape = node.kind === "leaf"
        ? s("rect", { class: "shape", x: -24, y: -16, width: 48, height: 32, rx: 6 })
        : node.kind === "chance"
          ? s("circle", { class: "shape", r: 24 })
          : s("path", { class: "shape", d: node.kind === "max" ? "M0-24L30 20H-30Z" : "M0 24L30-20H-30Z" });
      const group = s("g", { class: "knot", transform: `translate(${x} ${y})`, "data-node": index }, shape, s("path", { class: "cut-mark", d: "M-16 32L16 26M-16 38L16 32" }), ...texts);
      return { group, edge, texts };
    });
    this.stage.replaceChildren(...edges, ...this.drawn.map((one) => one.group));
    this.zoom.frame(wide, tall, true);
  }

  /**
   * The step that was made last, for the sentence under the picture.
   * @param {Trace} trace
   * @param {number} step
   * @returns {{ node: number, way: "in" | "out", visit: Visit, skipped: number } | null}
   */
  last(trace, step) {
    const made = trace.steps[step - 1];
    if (!made) return null;
    const [node, way] = made;
    const { nodes } = replay(trace, step);
    const visit = nodes[node].visit;
    return visit ? { node, way, visit, skipped: way === "out" ? skipped(trace, step, node) : 0 } : null;
  }
}

/** @param {SVGElement} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
