// The tree of played moves: a node's first child continues its line, the other children are variations.

/** @import { State, Value } from "./types.js" */

/** A position of the game and the move that led to it. */
export class GameNode {
  /** @param {number} id @param {string} move @param {GameNode | null} parent */
  constructor(id, move, parent) {
    this.id = id;
    /** The notation of the move; empty at the root. */
    this.move = move;
    this.parent = parent;
    /** @type {GameNode[]} */
    this.children = [];
    /** @type {number} */
    this.ply = parent ? parent.ply + 1 : 0;
    /** The child that was visited last. The current line continues there. @type {GameNode | null} */
    this.next = null;
    /** The state of the position, once the engine has sent it. @type {State | null} */
    this.state = null;
    /** The value of the position: exact, or from a search. @type {Value | null} */
    this.value = null;
    /** The value that the search had one depth before. @type {Value | null} */
    this.previousValue = null;
    /** The depth of that search, in plies. */
    this.depth = 0;
    /** The best move that the search found; empty if there was none. */
    this.best = "";
    /** A person's comment on the move or, at the root, on the game. */
    this.comment = "";
    /** Whether the move to the position was warned about. */
    this.isWarned = false;
    /** Whether a search of the position has ended, even without a value. */
    this.searchEnded = false;
  }
}

/** A game with its variations, and the position that is shown. */
export class GameTree {
  /** @param {string | null} fen the first position; `null` for the first position of the variant */
  constructor(fen = null) {
    this.fen = fen;
    this.root = new GameNode(0, "", null);
    this.current = this.root;
    /** @type {Map<number, GameNode>} */
    this.nodes = new Map([[0, this.root]]);
    this.nextId = 1;
    /** The number of changes of the tree, for caches. */
    this.changeCount = 0;
  }

  /** Plays a move in the current position and goes to the position after it. @param {string} move @returns {GameNode} */
  play(move) {
    const node = this.addMove(this.current, move);
    this.goTo(node);
    return node;
  }

  /** Returns the child with this move, and adds it if it is new. @param {GameNode} parent @param {string} move @returns {GameNode} */
  addMove(parent, move) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const node = new GameNode(this.nextId++, move, parent);
    parent.children.push(node);
    this.changeCount++;
    this.nodes.set(node.id, node);
    return node;
  }

  /** Makes a node the current one. @param {GameNode} node */
  goTo(node) {
    this.current = node;
    for (let at = node; at.parent; at = at.parent) at.parent.next = at;
  }

  /** Goes one move back. Returns `false` at the start. */
  stepBack() {
    if (!this.current.parent) return false;
    this.goTo(this.current.parent);
    return true;
  }

  /** Goes one move forward along the current line. Returns `false` at its end. */
  stepForward() {
    const next = nextInLine(this.current);
    if (!next) return false;
    this.goTo(next);
    return true;
  }

  /** Goes to the end of the current line. */
  goToEnd() {
    this.goTo(/** @type {GameNode} */ (this.currentLine().at(-1)));
  }

  /** Returns the line through the current node, from the root to its end. @returns {GameNode[]} */
  currentLine() {
    const nodes = this.path();
    for (let next = nextInLine(this.current); next; next = nextInLine(next)) nodes.push(next);
    return nodes;
  }

  /** Returns the nodes from the root to `node`. @param {GameNode} node @returns {GameNode[]} */
  path(node = this.current) {
    const nodes = [];
    for (let at = /** @type {GameNode | null} */ (node); at; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  /** Returns the moves from the root to `node`. @param {GameNode} node @returns {string[]} */
  moves(node = this.current) {
    return this.path(node).slice(1).map((at) => at.move);
  }

  /** Makes the line of `node` the main line. @param {GameNode} node */
  promote(node) {
    this.changeCount++;
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /** Removes a node and all nodes below it. @param {GameNode} node */
  remove(node) {
    const parent = node.parent;
    if (!parent) return;
    this.changeCount++;
    if (this.path().includes(node)) this.current = parent;
    parent.children = parent.children.filter((child) => child !== node);
    if (parent.next === node) parent.next = null;
    const removed = [node];
    for (let at = removed.pop(); at; at = removed.pop()) {
      this.nodes.delete(at.id);
      removed.push(...at.children);
    }
  }

  /** Returns the argument of the command `position` for a node: `startpos moves c1`, `fen … moves …`. @param {GameNode} node */
  position(node = this.current) {
    const moves = this.moves(node);
    const start = this.fen === null ? "startpos" : `fen ${this.fen}`;
    return moves.length ? `${start} moves ${moves.join(" ")}` : start;
  }
}

/** @param {GameNode} node @returns {GameNode | null} */
function nextInLine(node) {
  return node.next ?? node.children[0] ?? null;
}

/**
 * Returns a game as one line of text. Variations follow the move that they replace in brackets: `c1 b3c3 ( b3b2 c2 ) c2`.
 * `*` follows the move that leads to the current position, except at the end of the main line.
 * @param {GameTree} tree
 */
export function formatGame(tree) {
  /** @type {string[]} */
  const words = [];
  let end = tree.root;
  while (end.children.length) end = end.children[0];
  /** @param {GameNode} node */
  const markCurrent = (node) => node === tree.current && node !== end && words.push("*");
  /** @param {GameNode} node */
  const addLine = (node) => {
    for (let at = node; at.children.length; at = at.children[0]) {
      const [main, ...variations] = at.children;
      words.push(main.move);
      markCurrent(main);
      for (const variation of variations) {
        words.push("(", variation.move);
        markCurrent(variation);
        addLine(variation);
        words.push(")");
      }
    }
  };
  markCurrent(tree.root);
  addLine(tree.root);
  return words.join(" ");
}

/**
 * Parses the text of `formatGame`. Missing closing brackets are added, superfluous brackets are ignored.
 * @param {string | null} fen
 * @param {string} text
 * @returns {GameTree}
 */
export function parseGame(fen, text) {
  const tree = new GameTree(fen);
  let at = tree.root;
  /** @type {GameNode | null} */
  let current = null;
  /** @type {GameNode[]} */
  const open = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (word === "*") current = at;
    else if (word === "(") {
      if (!at.parent) continue;
      open.push(at);
      at = at.parent;
    } else if (word === ")") at = open.pop() ?? at;
    else at = tree.addMove(at, word);
  }
  while (open.length) at = /** @type {GameNode} */ (open.pop());
  tree.goTo(current ?? at);
  return tree;
}
