// The events of a search for a solution, and its lists after any of them. Reads only what the engine has written.

import { BackwardSearch } from "./backward_search.js";
import { PUZZLE_WHY } from "./puzzle_texts.js";
import { SearchEvents } from "./trace_events.js";

/** @import { Progress, SearchEvent } from "./trace_events.js" */

/**
 * A state that the search has made. `f` and `h` are null until they are known, `fen` where the search was asked for no positions.
 * @typedef {{ n: number, parent: number | null, move: string | null, fen: string | null, g: number, h: number | null, f: number | null }} PuzzleState
 */

/** A state of the open list: its numbers, and the event that has put it there. @typedef {{ n: number, g: number, h: number | null, f: number, i: number }} OpenEntry */

/** An iteration of a search with bounds, as far as it has come. @typedef {{ bound: number, made: number, beyond: number[], isLast: boolean }} Rung */

/** Returns what an entry of the open list is sorted by: f, then the farthest from the start, then the newest. Without an estimate, the oldest. @param {OpenEntry} one @param {OpenEntry} other */
export function compareOpen(one, other) {
  if (one.h === null) return one.i - other.i;
  return one.f - other.f || other.g - one.g || other.i - one.i;
}

export class PuzzleSearch extends SearchEvents {
  /** @param {SearchEvent[]} events @param {boolean} [isRefused] whether the engine rejects the position */
  constructor(events, isRefused = false) {
    super(events);
    this.isRefused = isRefused;
    /** The states by number. @type {PuzzleState[]} */
    this.states = [];
    for (const { e, n, parent, move, ply, fen, h, f } of events) {
      if (e === "make") this.states[n] = { n, parent, move, fen: fen ?? null, g: ply, h: null, f: null };
      else if (e === "open" || e === "expand") Object.assign(this.states[n], { h, f });
      else if (e === "beyond") this.states[n].f = f;
    }
  }

  /** Returns the sentence of an event; empty if it has none. @param {SearchEvent} event */
  sentence(event) {
    if (event.e === "end" && this.isRefused) return PUZZLE_WHY.refused(this.begin.variant);
    // A lesson asks for few events where it needs only the counts.
    return super.sentence({ ...event, truncated: false });
  }

  /** Returns the state with a number. Throws if there is none. @param {number} n */
  state(n) {
    const state = this.states[n];
    if (!state) throw new Error(`the search has no state ${n}`);
    return state;
  }

  /** Returns the open list after event `at`, sorted as it is taken from. @param {number} at */
  openAt(at) {
    /** @type {Map<number, OpenEntry>} */
    const open = new Map();
    for (const { e, n, g, h, f, i } of this.events.slice(0, at + 1)) {
      if (e === "open") open.set(n, { n, g, h, f, i });
      else if (e === "expand") open.delete(n);
    }
    return [...open.values()].sort(compareOpen);
  }

  /** Returns the states that are expanded after event `at`. @param {number} at */
  closedAt(at) {
    return [...new Set(this.events.slice(0, at + 1).filter(({ e }) => e === "expand").map(({ n }) => n))];
  }

  /** Returns the state of the last event up to `at` that is about one. @param {number} at */
  currentAt(at) {
    return this.events.slice(0, at + 1).findLast(({ n, e }) => n !== undefined && e !== "bound")?.n ?? 0;
  }

  /** Returns the state that is expanded last up to event `at`, or `null`. @param {number} at @returns {number | null} */
  expandedAt(at) {
    return this.events.slice(0, at + 1).findLast(({ e }) => e === "expand")?.n ?? null;
  }

  /** Returns the iterations up to event `at`. @param {number} at */
  rungsAt(at) {
    /** @type {Rung[]} */
    const rungs = [];
    for (const { e, bound, n, f } of this.events.slice(0, at + 1)) {
      const rung = rungs.at(-1);
      if (e === "bound") {
        for (const one of rungs) one.isLast = false;
        rungs.push({ bound, made: 0, beyond: [], isLast: true });
      } else if (rung && e === "make" && n !== 0) rung.made++;
      else if (rung && e === "beyond") rung.beyond.push(f);
    }
    return rungs;
  }

  /** Returns the numbers of the states on the solution, the start first; empty if it was not made. */
  solution() {
    const made = this.events.filter(({ e }) => e === "make");
    if (this.end.value === null) return [];
    /** @type {number | null} */
    let n = made.findLast(({ n: last }) => this.paths[last] === this.end.line.join(" "))?.n ?? null;
    const way = [];
    for (; n !== null; n = this.states[n].parent) way.unshift(n);
    return way;
  }

  /** @param {number} at @returns {{ progress: Map<string, Progress>, current: string | null }} */
  stateAt(at) {
    /** @type {Map<string, Progress>} */
    const progress = new Map();
    const closed = new Set(this.closedAt(at));
    for (const { n } of this.states.filter(Boolean)) progress.set(this.paths[n], { status: closed.has(n) ? "done" : "unseen", value: null, bound: null, window: null, isCut: false, skipped: [], purpose: null, how: null });
    return { progress, current: at > 0 ? this.paths[this.currentAt(at)] : null };
  }
}

/** Returns the search with these events. @param {SearchEvent[]} events */
export function createSearch(events) {
  if (events[0]?.algorithm === "backward") return new BackwardSearch(events);
  return events[0]?.unit === "moves" ? new PuzzleSearch(events) : new SearchEvents(events);
}

/** Returns the search of a position that the engine rejects because its goal cannot be reached. @param {string} variant @param {string} fen */
export function refusedSearch(variant, fen) {
  const counts = { nodes: 0, expanded: 0, seen: 0, beyond: 0 };
  return new PuzzleSearch(/** @type {any} */ ([
    { e: "begin", i: 0, variant, fen, algorithm: null, heuristic: null, options: {}, unit: "moves", players: [] },
    { e: "make", i: 1, n: 0, parent: null, move: null, ply: 0, kind: "state", fen },
    { e: "end", i: 2, value: null, line: [], counts: { last: counts, all: counts, kept: 0 }, proved: true, truncated: false },
  ]), true);
}

/** Returns `true` if an error says that the goal of a position cannot be reached. @param {string} text */
export function isRefusal(text) {
  return text.includes("the goal cannot be reached: ");
}
