// The slider over the events of a search, with marks above it for cutoffs, passes and iterations.

import { html, setAttributes, svg } from "../dom.js";
import { TRACE_LABELS } from "../text/trace.js";

/** @import { SearchLog } from "./search_log.js" */

const HEIGHT_PX = 14;
/** The columns of the marks: marks that share one are drawn once. */
const COLUMNS = 500;

export class Scrubber {
  /** @param {(step: (log: SearchLog, at: number) => number, direction: 1 | -1) => void} onStep called with a function that returns the next event of a search, and its direction @param {(position: number) => void} onMove called with the position of the slider */
  constructor(onStep, onMove) {
    this.input = /** @type {HTMLInputElement} */ (html("input", { type: "range", min: 0, max: 1, step: 1, "aria-label": TRACE_LABELS.scrubber, oninput: () => onMove(Number(this.input.value)), onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const direction = ["ArrowRight", "ArrowUp"].includes(event.key) ? 1 : ["ArrowLeft", "ArrowDown"].includes(event.key) ? -1 : 0;
      if (!direction) return;
      event.preventDefault();
      event.stopPropagation();
      onStep((log, at) => (event.shiftKey ? log.nextCut(at, direction) : event.altKey ? log.pastSubtree(at, direction) : log.nextTold(at, direction)), direction);
    } }));
    this.marks = svg("svg", { class: "scrub-marks", "aria-hidden": "true", preserveAspectRatio: "none", viewBox: `0 0 ${COLUMNS} ${HEIGHT_PX}` });
    this.element = html("div.scrubber", {}, this.marks, this.input);
    this.drawn = "";
  }

  /** @param {SearchLog} log @param {number} position @param {number} max @param {(i: number) => number} positionOf the slider's position of an event */
  render(log, position, max, positionOf) {
    setAttributes(this.input, { max });
    if (Number(this.input.value) !== position) this.input.value = String(position);
    setAttributes(this.input, { "aria-valuetext": `${position} / ${max}` });
    const key = `${log.begin.fen} ${log.begin.algorithm} ${log.last} ${max}`;
    if (this.drawn === key) return;
    this.drawn = key;
    /** @param {string} name @param {number} top */
    const path = (name, top) => {
      const columns = new Set(log.marks[name].map((i) => Math.round((positionOf(i) / Math.max(1, max)) * COLUMNS)));
      return svg("path", { class: `mark ${name}`, "vector-effect": "non-scaling-stroke", d: [...columns].map((x) => `M${x} ${top}V${HEIGHT_PX}`).join("") });
    };
    this.marks.replaceChildren(path("cut", 7), path("again", 4), path("pass", 0), path("iteration", 0));
  }
}

