// One or two searches of a position that are shown side by side, at the same event, number of nodes or number of leaves.

import { Lane } from "./lane.js";

/** @import { SearchLog } from "./search_log.js" */

/** The measure by which two searches are aligned. @typedef {"event" | "node" | "leaf"} Unit */

/** Returns the first event of a search up to which there were `count` events, nodes or leaves; the last one if there are fewer. @param {SearchLog} log @param {Unit} unit @param {number} count */
export function eventAt(log, unit, count) {
  const counts = log.counts[unit];
  if (count >= counts[log.last]) return log.last;
  let [low, high] = [0, log.last];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (counts[middle] >= count) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class Lanes {
  /** @param {() => void} onChange called when something is folded @param {() => void} onPoint called when another node is pointed at or chosen */
  constructor(onChange, onPoint) {
    this.all = [new Lane(onChange, onPoint), new Lane(onChange, onPoint)];
    /** @type {Unit} */
    this.unit = "event";
    /** The events, nodes or leaves that are shown. */
    this.position = 0;
  }

  /** The lanes that have a search. */
  get open() {
    return this.all.filter(({ log }) => log !== null);
  }

  /** The position after the last event of the longer search. */
  get max() {
    return Math.max(0, ...this.open.map((lane) => this.end(lane)));
  }

  /** @param {Lane} lane */
  end({ log }) {
    return log ? log.counts[this.unit][log.last] : 0;
  }

  /** Shows searches, each with its title, before their first event. @param {[SearchLog, string][]} searches */
  show(searches) {
    this.all.forEach((lane, at) => (searches[at] ? lane.open(...searches[at]) : lane.close()));
    this.position = 0;
  }

  /** Moves all lanes to a number of events, nodes or leaves. @param {number} position */
  goTo(position) {
    this.position = Math.max(0, Math.min(this.max, position));
    for (const lane of this.open) lane.goTo(eventAt(/** @type {SearchLog} */ (lane.log), this.unit, this.position));
  }

  /** Moves a lane to an event, and the other one with it. @param {Lane} lane @param {number} at */
  moveTo(lane, at) {
    this.goTo(/** @type {SearchLog} */ (lane.log).counts[this.unit][at]);
    lane.goTo(at);
  }

  /** Moves by a step of the first lane; beyond its end, by one of the other. @param {(log: SearchLog, at: number) => number} next @param {1 | -1} direction */
  step(next, direction) {
    const [first, second] = this.open;
    if (!first) return;
    const isBeyond = second !== undefined && (direction > 0 ? first.at >= (first.log?.last ?? 0) : this.position > this.end(first));
    const lane = isBeyond ? second : first;
    this.moveTo(lane, next(/** @type {SearchLog} */ (lane.log), lane.at));
  }

  /** @param {Unit} unit */
  alignBy(unit) {
    const [first] = this.open;
    this.unit = unit;
    if (first) this.moveTo(first, first.at);
  }

  /** `true` if all searches are shown to their end. */
  get isAtEnd() {
    return this.open.every((lane) => lane.at >= (lane.log?.last ?? 0));
  }

  /** The lane of the node that is pointed at or chosen; else the first one. */
  get active() {
    return this.open.find((lane) => lane.pointed !== null) ?? this.open.find((lane) => lane.chosen !== null) ?? this.all[0];
  }

  render() {
    const { open } = this;
    open.forEach((lane, at) => {
      const other = open[1 - at];
      const pairs = other && lane.log?.pairsWith(/** @type {SearchLog} */ (other.log));
      lane.render(pairs ? (n) => pairs[n] >= 0 && /** @type {SearchLog} */ (other.log).isVisited(pairs[n], other.at) : null);
    });
  }
}
