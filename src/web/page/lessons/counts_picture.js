// Counts as dots on a logarithmic axis that names its powers of ten. Guesses stay beside the answers, as open dots.

import { setAttributes, svg, textWidth } from "../dom.js";
import { LESSON_LABELS, countsLabel, scaleText } from "../text/lessons.js";

/**
 * A row: a count, or `null` for one that is asked about, and the guesses of it.
 * @typedef {{ label: string, value: number | null, guesses?: number[] }} CountRow
 */

const ROW_PX = 46;
const MARGIN = { top: 14, side: 22, bottom: 40 };
const RADIUS_PX = 7;
/** Height of the line below the label of a row. */
const LINE_PX = 30;
/** Width of a letter, to keep numbers inside the drawing. */
const LETTER_PX = 7.5;

export class CountsPicture {
  constructor() {
    this.element = svg("svg", { class: "counts-picture", role: "img" });
  }

  /** Draws the counts. The axis reaches at least to `max`, so that its end tells nothing of a count that is asked about. @param {CountRow[]} rows @param {number} width @param {number} [max] */
  render(rows, width, max = 0) {
    const known = rows.flatMap(({ value, guesses = [] }) => [...(value === null ? [] : [value]), ...guesses]);
    const decades = Math.max(1, Math.ceil(Math.log10(Math.max(10, max, ...known))));
    const inner = width - 2 * MARGIN.side;
    const x = (/** @type {number} */ value) => MARGIN.side + (inner * Math.log10(Math.max(1, value))) / decades;
    const bottom = MARGIN.top + rows.length * ROW_PX;
    setAttributes(this.element, { viewBox: `0 0 ${width} ${bottom + MARGIN.bottom}`, width, height: bottom + MARGIN.bottom, "aria-label": countsLabel(rows) });
    const ticks = Array.from({ length: decades + 1 }, (_, power) => power).flatMap((power) => [
      svg("path", { class: "axis-tick", d: `M${x(10 ** power)} ${MARGIN.top}V${bottom + 4}` }),
      svg("text", { class: "axis-name", x: x(10 ** power), y: bottom + 20, "font-size": 12 }, ...powerText(power))]);
    this.element.replaceChildren(...ticks, svg("text", { class: "axis-name", x: width / 2, y: bottom + 37, "font-size": 12 }, LESSON_LABELS.logAxis), ...rows.map((row, at) => this.drawRow(row, MARGIN.top + at * ROW_PX, x, width)));
  }

  /** @param {CountRow} row @param {number} top @param {(value: number) => number} x @param {number} width */
  drawRow({ label, value, guesses = [] }, top, x, width) {
    const text = value === null ? "?" : scaleText(value);
    const middle = top + LINE_PX;
    const end = value === null ? MARGIN.side : x(value);
    // A number that is asked about stands beside its label, and so does one whose dot is below the label.
    const textPx = textWidth(text, LETTER_PX);
    const labelEnd = MARGIN.side + textWidth(`${label} `, LETTER_PX);
    const isBeside = value === null || (end + 12 < labelEnd && labelEnd + textPx < width - 4);
    const isLeft = !isBeside && end + 16 + textPx > width - 4;
    return svg("g", { class: "count-row" },
      svg("text", { class: "count-name", x: MARGIN.side, y: top + 16, "font-size": 13 }, label),
      svg("path", { class: "count-line", d: `M${MARGIN.side} ${middle}H${width - MARGIN.side}` }),
      ...guesses.map((guess, at) => svg("circle", { class: `count-guess${at === guesses.length - 1 ? " last" : ""}`, cx: x(guess), cy: middle, r: RADIUS_PX })),
      value !== null && svg("circle", { class: "count-dot", cx: end, cy: middle, r: RADIUS_PX - 1 }),
      svg("text", { class: `count-value${value === null ? " asked" : isLeft ? " left" : ""}`, x: isBeside ? labelEnd : isLeft ? end - 12 : end + 12, y: isBeside ? top + 16 : middle - 8, "font-size": 13 }, text));
  }
}

/** Returns the name of a power of ten: `1`, `10`, `100`, `1,000`, then `10⁴`. @param {number} power */
export function powerText(power) {
  return power <= 3 ? [scaleText(10 ** power)] : ["10", svg("tspan", { dy: -5, "font-size": 12 }, String(power))];
}
