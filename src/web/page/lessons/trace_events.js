// The events of a search, and the tree as it is after any of them. Reads only what the engine has written.

import { EventTexts } from "../text/events.js";

/**
 * A value of the first player: points, a forced end, or `null` for no bound.
 * @typedef {number | { win: "p1" | "p2", plies: number } | null} SearchValue
 */

/** @typedef {[SearchValue, SearchValue]} Window */

/**
 * An event, as the section "Events of a search" of `protocol.md` describes it.
 * @typedef {Record<string, any> & { e: string, i: number, n: number }} SearchEvent
 */

/**
 * A place in the tree. `path` is the way to it: the moves from the root, with blanks; empty for the root. `value` is that of a leaf of
 * a tree in notation, else `null`; `p` the probability of the move where chance moves.
 * @typedef {{ path: string, parent: string | null, move: string, kind: "max" | "min" | "chance" | "leaf", value: SearchValue, children: string[], level: number, p?: number }} Place
 */

/**
 * What a search knows of a place. `bound` is null until the place is left; `skipped` are the moves that a cutoff left out; `sum` is what a
 * chance node has added up so far.
 * @typedef {{ status: "unseen" | "open" | "done", value: SearchValue, bound: "exact" | "lower" | "upper" | null, window: Window | null, isCut: boolean, skipped: string[], purpose: string | null, how: string | null, sum?: number }} Progress
 */

/** Returns the path of a child. @param {string} path @param {string} move */
export function childPath(path, move) {
  return path ? `${path} ${move}` : move;
}

/** Returns `true` if `path` is `top` or lies below it. @param {string} path @param {string} top */
export function isWithin(path, top) {
  return top === "" || path === top || path.startsWith(`${top} `);
}

/**
 * Returns the places of a tree in notation, such as `[[3,17],[2,12]]`, parents first. Max moves at the root.
 * @param {string} notation
 * @returns {Map<string, Place>}
 */
export function treePlaces(notation) {
  /** @type {Map<string, Place>} */
  const places = new Map();
  /** @param {any} tree @param {string | null} parent @param {string} move @param {number} level */
  const add = (tree, parent, move, level) => {
    const path = parent === null ? "" : childPath(parent, move);
    const isLeaf = !Array.isArray(tree);
    const children = isLeaf ? [] : tree.map((_, at) => childPath(path, String(at + 1)));
    places.set(path, { path, parent, move, kind: isLeaf ? "leaf" : level % 2 ? "min" : "max", value: isLeaf ? tree : null, children, level });
    if (!isLeaf) tree.forEach((/** @type {any} */ child, /** @type {number} */ at) => add(child, path, String(at + 1), level + 1));
  };
  add(JSON.parse(notation), null, "", 0);
  return places;
}

/** Returns what is known of a place before the first visit. @param {SearchValue} value @returns {Progress} */
function unseen(value) {
  return { status: "unseen", value, bound: null, window: null, isCut: false, skipped: [], purpose: null, how: null };
}

export class SearchEvents {
  /** @param {SearchEvent[]} events all events of a search, from `begin` to `end` */
  constructor(events) {
    this.events = events;
    this.begin = events[0];
    this.end = /** @type {SearchEvent} */ (events.at(-1));
    if (this.begin?.e !== "begin" || this.end.e !== "end") throw new Error("the events of the search are not whole");
    /** Other searches of the same position, by name, if a question compares some. @type {Record<string, SearchEvents>} */
    this.beside = {};
    /** The terms of the evaluation of the position, if a question asks for them. @type {Record<string, number>} */
    this.terms = {};
    /** The number of positions at ply 1, 2 and so on, if a question asks for them. @type {number[]} */
    this.perft = [];
    /** The path of each node. @type {string[]} */
    this.paths = [];
    /** @type {Map<string, number>} */
    this.nodes = new Map();
    for (const { n, parent, move } of events.filter(({ e }) => e === "make")) {
      this.paths[n] = parent === null ? "" : childPath(this.paths[parent], move);
      this.nodes.set(this.paths[n], n);
    }
    this.isTree = this.begin.variant === "tree";
    this.texts = new EventTexts(events);
    this.places = this.isTree ? treePlaces(this.begin.fen) : this.madePlaces();
    this.addChances();
  }

  /** Notes where chance moves, and with which probabilities. */
  addChances() {
    for (const { e, n, kind, p } of this.events) {
      if (e !== "make") continue;
      const place = this.places.get(this.paths[n]);
      if (place && kind === "chance" && place.kind !== "leaf") place.kind = kind;
      if (place && p !== undefined) place.p = p;
    }
  }

  /** Returns the places that the search has made. */
  madePlaces() {
    /** @type {Map<string, Place>} */
    const places = new Map();
    const leaves = new Set(this.events.filter(({ e }) => e === "leaf").map(({ n }) => n));
    for (const { n, parent, move, ply, kind } of this.events.filter(({ e }) => e === "make")) {
      const path = this.paths[n];
      const above = parent === null ? null : this.paths[parent];
      places.set(path, { path, parent: above, move: move ?? "", kind: leaves.has(n) ? "leaf" : kind, value: null, children: [], level: ply });
      if (above !== null) places.get(above)?.children.push(path);
    }
    return places;
  }

  /** Returns the sentence of an event; empty if it has none. @param {SearchEvent} event */
  sentence(event) {
    return this.texts.sentence(event);
  }

  /** Returns the number of the last event. */
  get last() {
    return this.events.length - 1;
  }

  /** Returns the place at a path. Throws if there is none. @param {string} path */
  place(path) {
    const place = this.places.get(path);
    if (!place) throw new Error(`the tree has no node '${path}'`);
    return place;
  }

  /** Returns the leaves at or below a path, from left to right. @param {string} [top] */
  leaves(top = "") {
    return [...this.places.values()].filter(({ kind, path }) => kind === "leaf" && isWithin(path, top));
  }

  /** Returns the first event with this name at a path, from event `start` on. Throws if there is none. @param {string} name @param {string} path @param {number} [start] */
  find(name, path, start = 0) {
    const n = this.nodes.get(path);
    const found = this.events.find((event) => event.e === name && event.n === n && event.i >= start);
    if (n === undefined || !found) throw new Error(`the search has no event ${name} at '${path}'`);
    return found;
  }

  /** Returns the event in which a child hands its value to its parent. @param {string} path that of the child */
  backFrom(path) {
    const child = this.nodes.get(path);
    const found = this.events.find((event) => event.e === "back" && event.child === child);
    if (child === undefined || !found) throw new Error(`'${path}' hands no value on`);
    return found;
  }

  /** Returns all cutoffs. */
  cuts() {
    return this.events.filter(({ e }) => e === "cut");
  }

  /** Returns the `back` events after which a child is left and both bounds are finite: there the search cuts off or goes on. */
  decisions() {
    return this.events.filter(({ e, n, child, window }) => {
      if (e !== "back" || !window || window.includes(null)) return false;
      return this.place(this.paths[n]).children.at(-1) !== this.paths[child];
    });
  }

  /**
   * Returns what is known after event `at`, for every place, and the place of that event.
   * @param {number} at
   * @returns {{ progress: Map<string, Progress>, current: string | null }}
   */
  stateAt(at) {
    /** @type {Map<string, Progress>} */
    const progress = new Map();
    for (const [path, { value }] of this.places) progress.set(path, unseen(value));
    /** @type {string | null} */
    let current = null;
    for (const event of this.events.slice(0, at + 1)) {
      const known = event.n === undefined ? undefined : progress.get(this.paths[event.n]);
      if (!known) continue;
      current = this.paths[event.n];
      if (event.e === "enter") {
        Object.assign(known, { status: "open", window: event.window, bound: null, isCut: false, skipped: [], purpose: event.purpose, how: null });
        // A new visit sees none of what the last one has seen below.
        if (event.visit > 1) this.forgetBelow(progress, current);
      }
      else if (event.e === "leaf") known.value = event.value;
      else if (event.e === "back") Object.assign(known, { window: event.window ?? null, sum: event.sum });
      else if (event.e === "cut") Object.assign(known, { isCut: true, skipped: event.skipped });
      else if (event.e === "leave") Object.assign(known, { status: "done", value: event.value, bound: event.bound, how: event.how });
    }
    return { progress, current };
  }

  /** Makes all places below a path unseen. @param {Map<string, Progress>} progress @param {string} top */
  forgetBelow(progress, top) {
    for (const child of this.place(top).children) {
      progress.set(child, unseen(this.place(child).value));
      this.forgetBelow(progress, child);
    }
  }
}
