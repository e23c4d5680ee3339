// Undo and redo: each goes to a position where a person is to move, and each reverses the other.

/** @import { GameTree, GameNode } from "./game_tree.js" */

/** @typedef {{ from: GameNode, to: GameNode }} Step */

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
   * Returns the position that Undo goes to; `null` at the start.
   * @param {GameTree} tree
   * @param {(node: GameNode) => boolean} isStop returns `true` for a position to stop at
   */
  undo(tree, isStop) {
    return this.step("undo", "redo", tree, () => {
      let node = tree.current.parent;
      while (node?.parent && !isStop(node)) node = node.parent;
      return node;
    });
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
