// Replays a traced search up to one of its steps.

/** @import { Trace, Visit } from "../types.js" */

/**
 * The progress of a node at a step.
 * @typedef {object} NodeProgress
 * @property {"unseen" | "open" | "done" | "cut"} status
 * @property {number} order the rank of its first visit, from 1; 0 if it was not visited
 * @property {Visit | null} visit the last visit that has started
 * @property {boolean} visitEnded whether that visit has ended
 */

/**
 * Returns the progress of every node after `step` steps, and the node of the last step.
 * @param {Trace} trace
 * @param {number} step
 * @returns {{ nodes: NodeProgress[], current: number | null }}
 */
export function replayTrace(trace, step) {
  /** @type {NodeProgress[]} */
  const nodes = trace.nodes.map(() => ({ status: "unseen", order: 0, visit: null, visitEnded: false }));
  const visitCounts = trace.nodes.map(() => 0);
  let visitedNodes = 0;
  /** @type {number | null} */
  let current = null;
  for (const [node, direction] of trace.steps.slice(0, step)) {
    const progress = nodes[node];
    current = node;
    if (direction === "in") {
      progress.visit = trace.nodes[node].visits[visitCounts[node]++] ?? null;
      progress.visitEnded = false;
      progress.status = "open";
      if (!progress.order) progress.order = ++visitedNodes;
    } else {
      progress.visitEnded = true;
      progress.status = progress.visit?.left === "cut" ? "cut" : "done";
    }
  }
  return { nodes, current };
}

/** Returns the number of children of `node` that were not visited after `step` steps. @param {Trace} trace @param {number} step @param {number} node */
export function skippedChildren(trace, step, node) {
  const { nodes } = replayTrace(trace, step);
  return trace.nodes[node].children.filter((child) => nodes[child].status === "unseen").length;
}
