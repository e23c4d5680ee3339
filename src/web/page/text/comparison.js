// The texts of the comparison of searches.

import { t } from "../language.js";
import { scaleText } from "./lessons.js";

/** The column headings. */
export const COLUMNS = { algorithm: t("Algorithm"), last: t("Last"), all: t("All"), leaves: t("Leaves"), time: t("Time"), score: t("Value"), best: t("Best move"), proved: t("Proved"), steps: t("Moves"), examined: t("Examined") };

export const COMPARISON_LABELS = {
  effort: t("Last and all: nodes of the last iteration, and of all. Leaves are those of the last one. “auto” has its own evaluation, so its value may differ."),
  showTime: t("Show times"),
  timeNote: t("Times do not compare: “auto” runs loops made for its game, and the others do not."),
  yes: t("yes"),
  no: t("no"),
};

export const PLOT_NOTE = t("● nodes of the last iteration, ○ of all, → cut short. Each mark of the axis is ten times the one before.");

/** Returns a row of the dot plot for a screen reader. @param {{ label: string, last: number, all: number, isShort: boolean }} row */
export function plotRowText({ label, last, all, isShort }) {
  const values = { label, last: scaleText(last), all: scaleText(all) };
  return isShort ? t("{label}: {last} last, {all} all, cut short", values) : t("{label}: {last} last, {all} all", values);
}

/** Returns the label of a run. @param {{ algorithm: string, heuristic: string, hasMemory: boolean, depth: number }} run `depth`: where it was cut short, 0 if it was not */
export function runText({ algorithm, heuristic, hasMemory, depth }) {
  if (heuristic) return t("{algorithm}, {heuristic}", { algorithm, heuristic });
  const name = hasMemory ? t("{algorithm}, memory", { algorithm }) : algorithm;
  return depth ? t("{algorithm} (depth {depth})", { algorithm: name, depth }) : name;
}

export const PLOT_LABEL = t("Nodes of each search on a logarithmic axis");
