// Undo and redo: each goes to a position where a person is to move, and each reverses the other.

/** @import { GameTree, GameNode } from "./game_tree.js" */

/** @typedef {{ from: GameNode, to: GameNode }} Step */

/** Returns the last position before `node` to stop at, or `null`. @param {GameNode} node @param {(node: GameNode) => boolean} isStop */
export function stopBefore(node, isStop) {
  let at = node.parent;
  while (at && !isStop(at)) at = at.parent;
  return at;
}

export class UndoHistory {
  constructor() {
    /** The undo and redo steps since the last move or jump. @type {{ undo: Step[], redo: Step[] }} */
    this.steps = { undo: [], redo: [] };
  }

  /** Removes all steps. Called after a move or a jump. */
  clear() {
    this.steps = { undo: [], redo: [] };
  }

  /**
   * Returns the position that Undo goes to; `null` if no earlier one is a stop.
   * @param {GameTree} tree
   * @param {(node: GameNode) => boolean} isStop returns `true` for a position to stop at
   */
  undo(tree, isStop) {
    return this.step("undo", "redo", tree, () => stopBefore(tree.current, isStop));
  }

  /**
   * Returns the position that Redo goes to; `null` at the end of the line.
   * @param {GameTree} tree
   * @param {(node: GameNode) => boolean} isStop returns `true` for a position to stop at
   */
  redo(tree, isStop) {
    return this.step("redo", "undo", tree, () => {
      const line = tree.currentLine();
      const ahead = line.slice(line.indexOf(tree.current) + 1);
      return ahead.find(isStop) ?? ahead.at(-1) ?? null;
    });
  }

  /** Reverses the last step of the opposite kind, or else takes a new step. @param {"undo" | "redo"} kind @param {"undo" | "redo"} opposite @param {GameTree} tree @param {() => GameNode | null} findTarget */
  step(kind, opposite, tree, findTarget) {
    const last = this.steps[opposite].at(-1);
    if (last && last.to === tree.current && tree.nodes.get(last.from.id) === last.from) {
      this.steps[opposite].pop();
      return last.from;
    }
    const to = findTarget();
    if (to) this.steps[kind].push({ from: tree.current, to });
    return to;
  }
}
