// The moves that were played, as a tree: a node's first child continues its line, the others are variations.

/** @import { State, Worth } from "./types.js" */

/** A position of the game, and the move that led to it. */
export class Node {
  /** @param {number} id @param {string} move @param {Node | null} parent */
  constructor(id, move, parent) {
    this.id = id;
    /** The move as it is written; empty at the root. */
    this.move = move;
    this.parent = parent;
    /** @type {Node[]} */
    this.children = [];
    /** @type {number} */
    this.ply = parent ? parent.ply + 1 : 0;
    /** The child that `redo` goes to: the one that was left last. @type {Node | null} */
    this.next = null;
    /** What the engine says of the position, once it was asked. @type {State | null} */
    this.state = null;
    /** What a search found, first player's view. @type {Worth | null} */
    this.worth = null;
    /** How deep that search was. */
    this.depth = 0;
    /** Whether a search of the position has ended, whatever it found. */
    this.searched = false;
  }
}

/** A game: where it began, what was played, and which position is looked at. */
export class Game {
  /** @param {string | null} fen the first position; the variant's own start where it is null */
  constructor(fen = null) {
    this.fen = fen;
    this.root = new Node(0, "", null);
    this.current = this.root;
    /** @type {Map<number, Node>} */
    this.nodes = new Map([[0, this.root]]);
    this.made = 1;
    /** How often the tree has changed. */
    this.changes = 0;
  }

  /**
   * Plays a move where the game stands: goes to the child that has it, or grows one.
   * @param {string} move
   * @returns {Node}
   */
  play(move) {
    const node = this.grow(this.current, move);
    this.go(node);
    return node;
  }

  /** @param {Node} parent @param {string} move @returns {Node} */
  grow(parent, move) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const node = new Node(this.made++, move, parent);
    parent.children.push(node);
    this.changes++;
    this.nodes.set(node.id, node);
    return node;
  }

  /** Looks at a position. @param {Node} node */
  go(node) {
    this.current = node;
    for (let at = node; at.parent; at = at.parent) at.parent.next = at;
  }

  /** One move back; false at the start. */
  undo() {
    if (!this.current.parent) return false;
    this.go(this.current.parent);
    return true;
  }

  /** One move on, along the line that was looked at last; false at its end. */
  redo() {
    const next = onward(this.current);
    if (!next) return false;
    this.go(next);
    return true;
  }

  /** To the first position. */
  first() {
    this.current = this.root;
  }

  /** To the end of the line that is looked at. */
  last() {
    this.go(/** @type {Node} */ (this.line().at(-1)));
  }

  /** The line through the position that is looked at, from the start to its end. @returns {Node[]} */
  line() {
    const nodes = this.path();
    for (let next = onward(this.current); next; next = onward(next)) nodes.push(next);
    return nodes;
  }

  /** The positions from the start to a node. @param {Node} node @returns {Node[]} */
  path(node = this.current) {
    const nodes = [];
    for (let at = /** @type {Node | null} */ (node); at; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  /** The moves from the start to a node. @param {Node} node @returns {string[]} */
  moves(node = this.current) {
    return this.path(node).slice(1).map((at) => at.move);
  }

  /** Makes a variation the main line of its parent. @param {Node} node */
  promote(node) {
    this.changes++;
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      siblings.splice(siblings.indexOf(at), 1);
      siblings.unshift(at);
    }
  }

  /** Forgets a move and what follows it. @param {Node} node */
  remove(node) {
    const parent = node.parent;
    if (!parent) return;
    this.changes++;
    if (this.path().includes(node)) this.current = parent;
    parent.children = parent.children.filter((child) => child !== node);
    if (parent.next === node) parent.next = null;
    const gone = [node];
    for (let at = gone.pop(); at; at = gone.pop()) {
      this.nodes.delete(at.id);
      gone.push(...at.children);
    }
  }

  /** What `position` takes for a node: `startpos moves c1`, `fen … moves …`. @param {Node} node */
  position(node = this.current) {
    const moves = this.moves(node);
    const where = this.fen === null ? "startpos" : `fen ${this.fen}`;
    return moves.length ? `${where} moves ${moves.join(" ")}` : where;
  }
}

/** @param {Node} node @returns {Node | null} */
function onward(node) {
  return node.next ?? node.children[0] ?? null;
}

/**
 * A game in one line, variations in brackets after the move they replace: `c1 b3c3 ( b3b2 c2 ) c2`; `*` follows the move
 * after which the game is looked at, unless that is the last of the main line.
 * @param {Game} game
 */
export function written(game) {
  /** @type {string[]} */
  const words = [];
  let end = game.root;
  while (end.children.length) end = end.children[0];
  /** @param {Node} node */
  const star = (node) => node === game.current && node !== end && words.push("*");
  /** @param {Node} node */
  const follow = (node) => {
    for (let at = node; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      words.push(main.move);
      star(main);
      for (const other of others) {
        words.push("(", other.move);
        star(other);
        follow(other);
        words.push(")");
      }
    }
  };
  star(game.root);
  follow(game.root);
  return words.join(" ");
}

/**
 * Reads what `written` writes. Brackets that do not close are closed at the end; what cannot be read is left out.
 * @param {string | null} fen
 * @param {string} text
 * @returns {Game}
 */
export function read(fen, text) {
  const game = new Game(fen);
  let at = game.root;
  /** @type {Node | null} */
  let looked = null;
  /** @type {Node[]} */
  const open = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (word === "*") looked = at;
    else if (word === "(") {
      if (!at.parent) continue;
      open.push(at);
      at = at.parent;
    } else if (word === ")") at = open.pop() ?? at;
    else at = game.grow(at, word);
  }
  while (open.length) at = /** @type {Node} */ (open.pop());
  game.go(looked ?? at);
  return game;
}
