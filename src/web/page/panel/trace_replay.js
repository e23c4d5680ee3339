// A search up to one of its steps: which nodes it has visited by then, with which windows, what it knows of them.

/** @import { Trace, Visit } from "../types.js" */

/**
 * What is known of a node by a step.
 * @typedef {object} Known
 * @property {"unseen" | "open" | "done" | "cut"} status
 * @property {number} order which node was the how-manieth to be entered, from 1; 0 before
 * @property {Visit | null} visit the last that began
 * @property {boolean} left whether that visit is over
 */

/**
 * @param {Trace} trace
 * @param {number} step so many steps are over
 * @returns {{ nodes: Known[], current: number | null }}
 */
export function replay(trace, step) {
  /** @type {Known[]} */
  const nodes = trace.nodes.map(() => ({ status: "unseen", order: 0, visit: null, left: false }));
  const seen = trace.nodes.map(() => 0);
  let entered = 0;
  /** @type {number | null} */
  let current = null;
  for (const [node, way] of trace.steps.slice(0, step)) {
    const known = nodes[node];
    current = node;
    if (way === "in") {
      known.visit = trace.nodes[node].visits[seen[node]++] ?? null;
      known.left = false;
      known.status = "open";
      if (!known.order) known.order = ++entered;
    } else {
      known.left = true;
      known.status = known.visit?.left === "cut" ? "cut" : "done";
    }
  }
  return { nodes, current };
}

/**
 * Children of a node that a step leaves without ever having looked at them in that visit.
 * @param {Trace} trace
 * @param {number} step
 * @param {number} node
 */
export function skipped(trace, step, node) {
  const { nodes } = replay(trace, step);
  return trace.nodes[node].children.filter((child) => nodes[child].status === "unseen").length;
}
