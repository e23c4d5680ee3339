// The events of a search backwards from the ends of a game. Reads only what the engine has written.

import { SearchEvents } from "./trace_events.js";

/** @import { Progress, SearchEvent } from "./trace_events.js" */

/** How many positions are won in a number of plies, by the winner. @typedef {{ plies: number, p1: number, p2: number }} Ring */

export class BackwardSearch extends SearchEvents {
  /** @param {SearchEvent[]} events */
  constructor(events) {
    super(events);
    /** The event that settles a position, by the position. @type {Map<string, SearchEvent>} */
    this.settled = new Map(events.filter(({ e }) => e === "settle").map((event) => [event.fen, event]));
    for (const path of ["", ...this.settled.keys()]) this.places.set(path, { path, parent: null, move: "", kind: "max", value: null, children: [], level: 0 });
  }

  /** Returns the event that settles a position. Throws if there is none. @param {string} fen */
  settle(fen) {
    const event = this.settled.get(fen);
    if (!event) throw new Error(`the search does not settle '${fen}'`);
    return event;
  }

  /** Returns the rings up to event `at`. @param {number} at */
  ringsAt(at) {
    /** @type {Ring[]} */
    const rings = [];
    for (const { e, value } of this.events.slice(0, at + 1)) {
      if (e !== "settle") continue;
      const ring = rings[value.plies] ?? { plies: value.plies, p1: 0, p2: 0 };
      ring[/** @type {"p1" | "p2"} */ (value.win)]++;
      rings[value.plies] = ring;
    }
    return rings.filter(Boolean);
  }

  /** @param {number} at @returns {{ progress: Map<string, Progress>, current: string | null }} */
  stateAt(at) {
    /** @type {Map<string, Progress>} */
    const progress = new Map();
    for (const path of this.places.keys()) {
      const event = this.settled.get(path);
      progress.set(path, { status: event && event.i <= at ? "done" : "unseen", value: null, bound: null, window: null, isCut: false, skipped: [], purpose: null, how: null });
    }
    return { progress, current: null };
  }
}
