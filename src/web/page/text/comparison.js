// The texts of the comparison of searches.

import { scaleText } from "./lessons.js";

/** The column headings. */
export const COLUMNS = { algorithm: "Algorithm", last: "Last", all: "All", leaves: "Leaves", time: "Time", score: "Value", best: "Best move", proved: "Proved", steps: "Moves", examined: "Examined" };

export const COMPARISON_LABELS = {
  effort: "Last and all: nodes of the last iteration, and of all. Leaves are those of the last one. “auto” has its own evaluation, so its value may differ.",
  showTime: "Show times",
  timeNote: "Times do not compare: “auto” runs loops made for its game, and the others do not.",
  yes: "yes",
  no: "no",
};

export const PLOT_NOTE = "● nodes of the last iteration, ○ of all, → cut short. Each mark of the axis is ten times the one before.";

/** Returns a row of the dot plot for a screen reader. @param {{ label: string, last: number, all: number, isShort: boolean }} row */
export function plotRowText({ label, last, all, isShort }) {
  return `${label}: ${scaleText(last)} last, ${scaleText(all)} all${isShort ? ", cut short" : ""}`;
}

export const PLOT_LABEL = "Nodes of each search on a logarithmic axis";
