// Draws all nodes of a search as rows of bars, one row a level: a bar is as wide as the leaves below its node.

import { html, setAttributes } from "../dom.js";
import { wholeLabel } from "../text/trace.js";
import { STATUS } from "./search_log.js";

/** @import { SearchLog } from "./search_log.js" */

const GAP_PX = 5;
const MAX_ROW_PX = 56;
/** The largest width of a picture that browsers can draw. */
const MAX_WIDTH_PX = 16000;
/** The colors of the values of `STATUS`. */
const COLORS = ["--rule", "--soft", "--cut", "--second", "--accent"];

export class WholeView {
  /** @param {(n: number) => void} onChoose called with the node of a bar that is clicked @param {(n: number) => void} onPoint */
  constructor(onChoose, onPoint) {
    this.element = /** @type {HTMLCanvasElement} */ (html("canvas.whole-tree", { role: "img", onclick: (/** @type {MouseEvent} */ event) => this.report(event, onChoose), onpointermove: (/** @type {MouseEvent} */ event) => this.report(event, onPoint) }));
    /** @type {SearchLog | null} */
    this.log = null;
    this.width = 1;
    this.rowHeight = 1;
  }

  /** Gives each node its range of leaves. @param {SearchLog} log */
  layout(log) {
    this.log = log;
    this.from = new Int32Array(log.size);
    this.to = new Int32Array(log.size);
    this.leaves = 0;
    /** @param {number} n */
    const place = (n) => {
      /** @type {Int32Array} */ (this.from)[n] = this.leaves ?? 0;
      const byMove = new Map(log.made[n].map((child) => [log.moves[child], child]));
      for (const move of log.made[n].length ? log.childMoves(n) : []) {
        const child = byMove.get(move);
        if (child !== undefined) place(child);
      }
      if (log.made[n].length === 0) this.leaves = (this.leaves ?? 0) + 1;
      /** @type {Int32Array} */ (this.to)[n] = this.leaves ?? 0;
    };
    place(0);
    this.rows = log.levels.reduce((most, level) => Math.max(most, level), 0) + 1;
  }

  /** @param {SearchLog} log @param {number} at @param {number} width @param {number} height @param {((n: number) => boolean) | null} wasElsewhere whether another search has been at the place of a node */
  render(log, at, width, height, wasElsewhere = null) {
    if (log !== this.log) this.layout(log);
    const [from, to, leaves, rows] = /** @type {[Int32Array, Int32Array, number, number]} */ ([this.from, this.to, this.leaves, this.rows]);
    const scale = Math.min(globalThis.devicePixelRatio || 1, 2);
    this.width = Math.floor(Math.min(width, MAX_WIDTH_PX / scale));
    this.rowHeight = Math.min(MAX_ROW_PX, (height - GAP_PX) / rows);
    const columns = Math.round(this.width * scale);
    const pixels = Math.round((this.rowHeight * rows + GAP_PX) * scale);
    if (this.element.width !== columns || this.element.height !== pixels) Object.assign(this.element, { width: columns, height: pixels });
    Object.assign(this.element.style, { width: `${this.width}px`, height: `${pixels / scale}px` });
    // Of the nodes that share a column of pixels, the one with the highest status is drawn.
    const status = log.statuses(at);
    const drawn = Array.from({ length: rows }, () => new Uint8Array(columns).fill(255));
    const only = drawn.map(() => new Uint8Array(columns));
    const perLeaf = columns / leaves;
    for (let n = 0; n < log.size; n++) {
      const row = drawn[log.levels[n]];
      const left = Math.floor(from[n] * perLeaf);
      // A gap between bars, where there is room for one.
      const right = Math.max(left + 1, Math.floor(to[n] * perLeaf) - (perLeaf >= 3 || (to[n] - from[n]) * perLeaf >= 6 ? 1 : 0));
      if (wasElsewhere && status[n] !== STATUS.unseen && !wasElsewhere(n)) only[log.levels[n]].fill(1, left, right);
      for (let x = left; x < right; x++) if (row[x] === 255 || row[x] < status[n]) row[x] = status[n];
    }
    const style = getComputedStyle(this.element);
    const colors = COLORS.map((name) => style.getPropertyValue(name));
    const context = /** @type {CanvasRenderingContext2D} */ (this.element.getContext("2d"));
    context.clearRect(0, 0, columns, pixels);
    drawn.forEach((row, level) => {
      const top = (GAP_PX + level * this.rowHeight) * scale;
      const bar = (this.rowHeight - GAP_PX) * scale;
      for (let x = 0; x < columns;) {
        let end = x + 1;
        while (end < columns && row[end] === row[x]) end++;
        if (row[x] !== 255) {
          context.fillStyle = colors[row[x]];
          // The current way is higher than the rest, and a cut is lower: color is not alone.
          const [up, size] = row[x] === STATUS.current ? [-GAP_PX * scale * 0.8, bar + GAP_PX * scale * 1.4] : row[x] === STATUS.cut ? [bar * 0.35, bar * 0.65] : row[x] === STATUS.unseen ? [bar * 0.4, bar * 0.2] : [0, bar];
          context.fillRect(x, top + up, end - x, size);
        }
        x = end;
      }
      context.fillStyle = style.getPropertyValue("--win");
      for (let x = 0; x < columns; x++) if (only[level][x]) context.fillRect(x, top + bar, 1, GAP_PX * scale * 0.6);
    });
    setAttributes(this.element, { "aria-label": wholeLabel(log.size, rows) });
  }

  /** Returns the left end of a node, in pixels. @param {number} n */
  left(n) {
    return (/** @type {Int32Array} */ (this.from)[n] / Number(this.leaves)) * this.width;
  }

  /** @param {MouseEvent} event @param {(n: number) => void} report */
  report(event, report) {
    const { log } = this;
    if (!log) return;
    const level = Math.floor((event.offsetY - GAP_PX / 2) / this.rowHeight);
    const leaf = (event.offsetX / this.width) * Number(this.leaves);
    for (let n = log.size - 1; n >= 0; n--) {
      if (log.levels[n] === level && /** @type {Int32Array} */ (this.from)[n] <= leaf && leaf < /** @type {Int32Array} */ (this.to)[n]) return report(n);
    }
  }
}
