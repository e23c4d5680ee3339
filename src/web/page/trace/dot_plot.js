// The nodes of searches as dots on a logarithmic axis: a full dot for the last iteration, an open one for all, an arrow for a search cut short.

import { setAttributes, svg } from "../dom.js";
import { powerText } from "../lessons/counts_picture.js";
import { PLOT_LABEL, plotRowText } from "../text/comparison.js";

/** @typedef {{ label: string, last: number, all: number, isShort: boolean }} PlotRow */

const ROW_PX = 26;
/** Width below which labels have a line of their own above the dots. */
const NARROW_PX = 480;
const NARROW_ROW_PX = 40;
const MARGIN = { top: 8, left: 172, side: 16, bottom: 26 };
const RADIUS_PX = 5;

export class DotPlot {
  constructor() {
    this.element = svg("svg", { class: "dot-plot", role: "img" });
  }

  /** @param {PlotRow[]} rows @param {number} width */
  render(rows, width) {
    if (width < 100) return;
    const isNarrow = width < NARROW_PX;
    const left = isNarrow ? MARGIN.side : MARGIN.left;
    const rowHeight = isNarrow ? NARROW_ROW_PX : ROW_PX;
    const decades = Math.max(1, Math.ceil(Math.log10(Math.max(10, ...rows.map(({ all }) => all)))));
    const x = (/** @type {number} */ count) => left + ((width - left - MARGIN.side) * Math.log10(Math.max(1, count))) / decades;
    const bottom = MARGIN.top + rows.length * rowHeight;
    const height = bottom + MARGIN.bottom;
    setAttributes(this.element, { viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": `${PLOT_LABEL}. ${rows.map(plotRowText).join("; ")}.` });
    const ticks = Array.from({ length: decades + 1 }, (_, power) => [
      svg("path", { class: "axis-tick", d: `M${x(10 ** power)} ${MARGIN.top}V${bottom + 3}` }),
      svg("text", { class: "axis-name", x: x(10 ** power), y: bottom + 19, "font-size": 12 }, ...powerText(power))]).flat();
    this.element.replaceChildren(...ticks, ...rows.map(({ label, last, all, isShort }, at) => {
      const top = MARGIN.top + at * rowHeight;
      const middle = top + rowHeight - (isNarrow ? 10 : ROW_PX / 2);
      return svg("g", { class: "plot-row" },
        svg("path", { class: "count-line", d: `M${left} ${middle}H${width - MARGIN.side}` }),
        svg("text", { class: isNarrow ? "row-name" : "row-name beside", x: isNarrow ? left : left - 12, y: isNarrow ? top + 16 : middle + 4.5, "font-size": 13 }, label),
        svg("path", { class: "span", d: `M${x(last)} ${middle}H${x(all)}` }),
        svg("circle", { class: "dot-all", cx: x(all), cy: middle, r: RADIUS_PX }),
        svg("circle", { class: "dot-last", cx: x(last), cy: middle, r: RADIUS_PX - 1 }),
        isShort && svg("path", { class: "short", d: `M${x(all) + 7} ${middle}h8m-4-4l4 4l-4 4` }));
    }));
  }
}
