// Undo and Redo of a game: each goes to a position where a person is to move, and each takes the other back.

/** @import { Game, Node } from "./game_tree.js" */

/** @typedef {{ from: Node, to: Node }} Step */

export class Travel {
  constructor() {
    /** @type {{ undo: Step[], redo: Step[] }} the steps made since the game was last played or looked at otherwise */
    this.made = { undo: [], redo: [] };
  }

  /** Forgets the steps: the game went elsewhere. */
  clear() {
    this.made = { undo: [], redo: [] };
  }

  /**
   * Returns the position that Undo goes to, or `null` at the start.
   * @param {Game} game
   * @param {(node: Node) => boolean} stops whether a position is one to stop at
   */
  undo(game, stops) {
    return this.step("undo", "redo", game, () => {
      let node = game.current.parent;
      while (node?.parent && !stops(node)) node = node.parent;
      return node;
    });
  }

  /**
   * Returns the position that Redo goes to, or `null` at the end of the line.
   * @param {Game} game
   * @param {(node: Node) => boolean} stops whether a position is one to stop at
   */
  redo(game, stops) {
    return this.step("redo", "undo", game, () => {
      const line = game.line();
      const ahead = line.slice(line.indexOf(game.current) + 1);
      return ahead.find(stops) ?? ahead.at(-1) ?? null;
    });
  }

  /** @param {"undo" | "redo"} way @param {"undo" | "redo"} back @param {Game} game @param {() => Node | null} otherwise */
  step(way, back, game, otherwise) {
    const last = this.made[back].at(-1);
    if (last && last.to === game.current && game.nodes.get(last.from.id) === last.from) {
      this.made[back].pop();
      return last.from;
    }
    const to = otherwise();
    if (to) this.made[way].push({ from: game.current, to });
    return to;
  }
}
