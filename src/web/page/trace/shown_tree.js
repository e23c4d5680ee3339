// The part of a search's tree that is drawn: all of a small tree; of a large one the way to the current node, with its siblings as blocks.
// A person can fold any node, and open any block.

import { childPath, isWithin } from "../lessons/trace_events.js";

/** @import { Place, Progress } from "../lessons/trace_events.js" */
/** @import { SearchLog } from "./search_log.js" */

/** The number of nodes from which the first view follows the way to the current node. */
export const LARGE_NODES = 120;
/** The most children of the current node that are drawn one by one. */
const MAX_OPEN_CHILDREN = 6;

/**
 * A drawn place. `block` is the number of siblings that it stands for, `hidden` the number of nodes below it that are not drawn; `isOnly`: whether only this one
 * of two searches has been there.
 * @typedef {Place & { n: number | null, block?: number, hidden?: number, isFolded?: boolean, isOnly?: boolean }} ShownPlace
 */

/** @typedef {{ folded: Set<string>, opened: Set<string> }} Folds */

export class ShownTree {
  /**
   * @param {SearchLog} log
   * @param {number} at the last event shown
   * @param {boolean} follows whether only the way to the current node is drawn
   * @param {Folds} folds
   * @param {((n: number) => boolean) | null} wasElsewhere whether the other search has been at the place of a node
   */
  constructor(log, at, follows, folds, wasElsewhere = null) {
    this.log = log;
    this.begin = log.begin;
    this.isTree = log.isTree;
    this.at = at;
    this.follows = follows;
    this.folds = folds;
    this.wasElsewhere = wasElsewhere;
    this.current = log.nodeOf(at);
    this.way = log.way(this.current);
    /** @type {Map<string, ShownPlace>} */
    this.places = new Map();
    this.add("", 0, null, 0);
  }

  /** @param {string} path @returns {ShownPlace} */
  place(path) {
    return /** @type {ShownPlace} */ (this.places.get(path));
  }

  /** Returns the moves and nodes of the children of a place; the node is null if it was never made. @param {string} path @param {number | null} n @returns {{ move: string, n: number | null }[]} */
  childrenOf(path, n) {
    const written = this.log.notation?.get(path)?.children;
    if (n === null) return (written ?? []).map((child) => ({ move: child.slice(path.length).trim(), n: null }));
    const made = new Map(this.log.made[n].map((child) => [this.log.moves[child], child]));
    const moves = this.log.childMoves(n);
    return (moves.length || !written ? moves : written.map((child) => child.slice(path.length).trim())).map((move) => ({ move, n: made.get(move) ?? null }));
  }

  /** Adds a place and what is drawn below it. @param {string} path @param {number | null} n @param {string | null} parent @param {number} level @param {string} [move] @returns {ShownPlace} */
  add(path, n, parent, level, move = "") {
    const { log } = this;
    const written = log.notation?.get(path);
    const children = this.childrenOf(path, n);
    const above = parent === null ? null : this.place(parent);
    const kind = n === null ? written?.kind ?? (above?.kind === "max" ? "min" : "max") : log.leaves.has(n) && children.length === 0 ? "leaf" : log.kinds[n];
    /** @type {ShownPlace} */
    const place = { path, parent, move, kind: /** @type {Place["kind"]} */ (kind), value: written?.value ?? null, children: [], level, n, ...(n !== null && log.chances[n] !== undefined ? { p: log.chances[n] } : {}) };
    if (n !== null && this.wasElsewhere && log.isVisited(n, this.at) && !this.wasElsewhere(n)) place.isOnly = true;
    this.places.set(path, place);
    if (children.length === 0) return place;
    const isOnWay = n !== null && this.way.includes(n);
    if (this.folds.folded.has(path) || this.follows && !isOnWay && !this.folds.opened.has(path)) {
      place.isFolded = true;
      place.hidden = log.notation ? [...log.notation.keys()].filter((one) => one !== path && isWithin(one, path)).length : countBelow(log, /** @type {number} */ (n));
      return place;
    }
    const on = children.findIndex((child) => child.n !== null && this.way.includes(child.n));
    const isSplit = this.follows && !this.folds.opened.has(path) && children.length > (on < 0 ? MAX_OPEN_CHILDREN : 1);
    if (!isSplit) for (const child of children) this.addChild(place, child);
    else {
      this.addBlock(place, children.slice(0, on < 0 ? children.length : on), "before");
      if (on >= 0) this.addChild(place, children[on]);
      this.addBlock(place, on < 0 ? [] : children.slice(on + 1), "after");
    }
    return place;
  }

  /** @param {ShownPlace} place @param {{ move: string, n: number | null }} child */
  addChild(place, child) {
    const path = childPath(place.path, child.move);
    place.children.push(path);
    this.add(path, child.n, place.path, place.level + 1, child.move);
  }

  /** Adds one place for several children. A single one is drawn as it is. @param {ShownPlace} place @param {{ move: string, n: number | null }[]} children @param {string} where */
  addBlock(place, children, where) {
    if (children.length === 0) return;
    if (children.length === 1) return this.addChild(place, children[0]);
    const path = `${place.path} …${where}`;
    place.children.push(path);
    this.places.set(path, { path, parent: place.path, move: "", kind: "leaf", value: null, children: [], level: place.level + 1, n: null, block: children.length, hidden: children.filter(({ n }) => n !== null && this.log.isVisited(n, this.at)).length });
  }

  /** Returns what is known of all drawn places. @returns {{ progress: Map<string, Progress>, current: string }} */
  stateAt() {
    /** @type {Map<string, Progress>} */
    const progress = new Map();
    for (const { path, n, value } of this.places.values()) {
      const known = n === null ? /** @type {Progress} */ ({ status: "unseen", value, bound: null, window: null, isCut: false, skipped: [], purpose: null, how: null }) : this.log.progress(n, this.at);
      progress.set(path, known.value === null ? { ...known, value } : known);
    }
    return { progress, current: this.log.path(this.current) };
  }
}

/** Returns the number of nodes below a node, unmade children included. @param {SearchLog} log @param {number} n @returns {number} */
export function countBelow(log, n) {
  return log.made[n].reduce((sum, child) => sum + countBelow(log, child), log.childMoves(n).length);
}
