// The events of a search of any size, ready to be shown after any of them. Nothing is played back step by step: what is known of a node
// is read from its own events, so that all directions cost the same.

import { childPath, treePlaces } from "../lessons/trace_events.js";
import { EventTexts } from "../text/events.js";

/** @import { Place, Progress, SearchEvent } from "../lessons/trace_events.js" */

/** The events that begin a part of the search, or end one early. */
const MARKED = ["cut", "pass", "iteration", "again"];

/** The status of a node after an event, as rows of bars draw it. */
export const STATUS = { unseen: 0, done: 1, cut: 2, open: 3, current: 4 };

export class SearchLog {
  /** @param {SearchEvent[]} events all events of a search, from `begin` to `end` */
  constructor(events) {
    this.events = events;
    this.begin = events[0];
    this.end = /** @type {SearchEvent} */ (events.at(-1));
    if (this.begin?.e !== "begin" || this.end.e !== "end") throw new Error("the events of the search are not whole");
    this.last = events.length - 1;
    this.isTree = this.begin.variant === "tree";
    this.texts = new EventTexts(events);
    /** The parent, the move and the level of each node; the root has the parent −1. @type {number[]} */
    this.parents = [];
    /** @type {string[]} */
    this.moves = [];
    /** @type {number[]} */
    this.levels = [];
    /** @type {string[]} */
    this.kinds = [];
    /** The probability of the move to each node, below chance. @type {(number | undefined)[]} */
    this.chances = [];
    /** The nodes that were made below each node, in this order. @type {number[][]} */
    this.made = [];
    /** The moves of each node in the order of the search, and why each is there. @type {(SearchEvent | undefined)[]} */
    this.orders = [];
    /** The numbers of the events of each node. @type {number[][]} */
    this.own = [];
    /** The numbers of the events of each kind that is marked at the scrubber. @type {Record<string, number[]>} */
    this.marks = Object.fromEntries(MARKED.map((name) => [name, []]));
    /** The counts of events, nodes and leaves up to each event. @type {{ event: Int32Array, node: Int32Array, leaf: Int32Array }} */
    this.counts = { event: new Int32Array(events.length), node: new Int32Array(events.length), leaf: new Int32Array(events.length) };
    /** The event in which each node was first entered. @type {number[]} */
    this.firstVisits = [];
    /** The nodes of the leaves. @type {Set<number>} */
    this.leaves = new Set();
    this.read();
    /** The whole tree, if it is written in the position. */
    this.notation = this.isTree ? notationPlaces(this.begin.fen) : null;
    /** @type {Map<string, number> | null} */
    this.byPath = null;
    /** @type {{ other: SearchLog, nodes: Int32Array } | null} */
    this.pairs = null;
  }

  read() {
    let [nodes, leaves] = [0, 0];
    for (const event of this.events) {
      const { e, i, n } = event;
      if (e === "make") {
        const parent = event.parent ?? -1;
        this.parents[n] = parent;
        this.moves[n] = event.move ?? "";
        this.levels[n] = event.ply;
        this.kinds[n] = event.kind;
        this.chances[n] = event.p;
        this.made[n] = [];
        this.own[n] = [];
        this.firstVisits[n] = Infinity;
        if (parent >= 0) this.made[parent].push(n);
      }
      if (n !== undefined) this.own[n].push(i);
      if (e === "order") this.orders[n] ??= event;
      if (e === "enter") this.firstVisits[n] = Math.min(this.firstVisits[n], i);
      if (e === "enter" && n !== 0) nodes++;
      if (e === "leaf") {
        leaves++;
        this.leaves.add(n);
      }
      this.marks[e]?.push(i);
      this.counts.event[i] = i;
      this.counts.node[i] = nodes;
      this.counts.leaf[i] = leaves;
    }
  }

  /** The number of nodes that were made. */
  get size() {
    return this.parents.length;
  }

  /** Returns the moves to a node, with blanks; empty for the root. @param {number} n @returns {string} */
  path(n) {
    return this.parents[n] < 0 ? "" : childPath(this.path(this.parents[n]), this.moves[n]);
  }

  /** Returns the nodes from the root to a node. @param {number} n @returns {number[]} */
  way(n) {
    return n < 0 ? [] : [...this.way(this.parents[n]), n];
  }

  /** Returns the node at a path, if it was made. @param {string} path */
  nodeAt(path) {
    this.byPath ??= new Map(this.parents.map((_, n) => [this.path(n), n]));
    return this.byPath.get(path);
  }

  /** Returns the node of another search at the same place, for each node; −1 where it made none. @param {SearchLog} other */
  pairsWith(other) {
    if (this.pairs?.other !== other) this.pairs = { other, nodes: Int32Array.from(this.parents, (_, n) => other.nodeAt(this.path(n)) ?? -1) };
    return this.pairs.nodes;
  }

  /** Returns the moves of the children of a node in the order of the search, unmade children included. @param {number} n @returns {string[]} */
  childMoves(n) {
    const found = this.orders[n]?.moves ?? [];
    return found.length ? found : this.made[n].map((child) => this.moves[child]);
  }

  /** Returns the node of the last event up to `at` that has one; the root before. @param {number} at */
  nodeOf(at) {
    for (let i = at; i >= 0; i--) if (this.events[i].n !== undefined) return this.events[i].n;
    return 0;
  }

  /** Returns the last event up to `at` that has a sentence. @param {number} at */
  told(at) {
    for (let i = Math.min(at, this.last); i >= 0; i--) if (this.texts.has(this.events[i])) return this.events[i];
    return this.begin;
  }

  /** Returns the sentence of an event. @param {SearchEvent} event */
  sentence(event) {
    return this.texts.sentence(event);
  }

  /** Returns the next event with a sentence in a direction. @param {number} at @param {1 | -1} direction */
  nextTold(at, direction) {
    let next = at + direction;
    while (next > 0 && next < this.last && !this.texts.has(this.events[next])) next += direction;
    return Math.max(0, Math.min(this.last, next));
  }

  /** Returns the next cutoff in a direction, or the end of the search there. @param {number} at @param {1 | -1} direction */
  nextCut(at, direction) {
    const cuts = this.marks.cut;
    if (direction > 0) return cuts.find((i) => i > at) ?? this.last;
    return cuts.findLast((i) => i < at) ?? 0;
  }

  /** Returns the event after the part of the search below the node of an event: where the search is back at its parent, or where it came from. @param {number} at @param {1 | -1} direction */
  pastSubtree(at, direction) {
    const n = this.nodeOf(at);
    const parent = this.parents[n];
    if (parent < 0) return direction > 0 ? this.last : 0;
    const found = direction > 0 ? this.own[parent].find((i) => i > at) : this.own[parent].findLast((i) => i < at);
    return found ?? (direction > 0 ? this.last : 0);
  }

  /** Returns the last event of a kind of a node, up to `at`; −1 if there is none. @param {number} n @param {string} kind @param {number} at */
  lastOf(n, kind, at) {
    return this.own[n].findLast((i) => i <= at && this.events[i].e === kind) ?? -1;
  }

  /** Returns `true` if the node was visited before or at an event. @param {number} n @param {number} at */
  isVisited(n, at) {
    return this.firstVisits[n] <= at;
  }

  /** Returns what is known of a node after an event. A new visit of a node sees none of what the last one has seen below. @param {number} n @param {number} at @returns {Progress} */
  progress(n, at) {
    /** @type {Progress} */
    const known = { status: "unseen", value: null, bound: null, window: null, isCut: false, skipped: [], purpose: null, how: null };
    const entered = this.lastOf(n, "enter", at);
    if (entered < 0) return known;
    for (const above of this.way(this.parents[n])) if (this.lastOf(above, "enter", at) > entered) return known;
    for (const i of this.own[n]) {
      const event = this.events[i];
      if (i < entered || i > at) continue;
      if (event.e === "enter") Object.assign(known, { status: "open", window: event.window, purpose: event.purpose });
      else if (event.e === "leaf") known.value = event.value;
      else if (event.e === "back") Object.assign(known, { window: event.window ?? null, sum: event.sum });
      else if (event.e === "cut") Object.assign(known, { isCut: true, skipped: event.skipped });
      else if (event.e === "leave") Object.assign(known, { status: "done", value: event.value, bound: event.bound, how: event.how });
    }
    return known;
  }

  /** Returns the status of all nodes after an event: the values of `STATUS`. @param {number} at */
  statuses(at) {
    const { size } = this;
    const entered = new Int32Array(size).fill(-1);
    const status = new Uint8Array(size);
    for (let i = 0; i <= at; i++) {
      const { e, n, how } = this.events[i];
      if (e === "enter") {
        entered[n] = i;
        status[n] = STATUS.open;
      } else if (e === "leave") status[n] = how === "cut" ? STATUS.cut : STATUS.done;
    }
    for (let n = 1; n < size; n++) {
      const parent = this.parents[n];
      if (status[parent] === STATUS.unseen || entered[parent] > entered[n]) status[n] = STATUS.unseen;
    }
    for (const n of this.way(this.nodeOf(at))) if (at > 0) status[n] = STATUS.current;
    return status;
  }
}

/** Returns the places of a tree in a position such as `[[3,17],[2,12]] min`, or `null` if it has something else. @param {string} fen @returns {Map<string, Place> | null} */
function notationPlaces(fen) {
  try {
    const [tree, side] = fen.split(" ");
    const places = treePlaces(tree);
    if (side === "min") for (const place of places.values()) if (place.kind !== "leaf") place.kind = place.kind === "max" ? "min" : "max";
    return places;
  } catch {
    return null;
  }
}
