// How many answers were right, and which rounds are done. Kept in this browser only.

import { loadSetting, saveSetting } from "../storage.js";

/** @typedef {{ right: number, hinted: number, wrong: number, skipped: number }} Counts */
/** @typedef {{ kinds: Record<string, Counts>, rounds: number[] }} LessonProgress */
/** @typedef {"right" | "hinted" | "wrong" | "skipped"} Outcome */

const STORAGE_NAME = "lessons";
/** @type {readonly Outcome[]} */
const OUTCOMES = ["right", "hinted", "wrong", "skipped"];

/** @param {any} counts */
function isCounts(counts) {
  return counts !== null && typeof counts === "object" && OUTCOMES.every((name) => Number.isInteger(counts[name]) && counts[name] >= 0);
}

/** @param {any} progress */
function isProgress(progress) {
  return progress !== null && typeof progress === "object" && Array.isArray(progress.rounds) && progress.rounds.every(Number.isInteger) &&
    progress.kinds !== null && typeof progress.kinds === "object" && Object.values(progress.kinds).every(isCounts);
}

/** Returns the progress of all lessons by name. @returns {Record<string, LessonProgress>} */
function loadAll() {
  return loadSetting(STORAGE_NAME, {}, (all) => all !== null && typeof all === "object" && Object.values(all).every(isProgress));
}

/** Returns counts of zero. @returns {Counts} */
function noCounts() {
  return { right: 0, hinted: 0, wrong: 0, skipped: 0 };
}

/** Returns the progress of a lesson. @param {string} lesson @returns {LessonProgress} */
export function progressOf(lesson) {
  return loadAll()[lesson] ?? { kinds: {}, rounds: [] };
}

/** Returns the sums over all kinds of question. `right` includes `hinted`. @param {string} lesson @returns {Counts} */
export function totalsOf(lesson) {
  const total = noCounts();
  for (const counts of Object.values(progressOf(lesson).kinds)) {
    for (const name of OUTCOMES) total[name] += counts[name];
  }
  return total;
}

/** Counts an answer. A right answer after a hint counts as right and as hinted. @param {string} lesson @param {string} kind @param {Outcome} outcome */
export function countAnswer(lesson, kind, outcome) {
  const all = loadAll();
  const progress = (all[lesson] ??= { kinds: {}, rounds: [] });
  const counts = (progress.kinds[kind] ??= noCounts());
  counts[outcome]++;
  if (outcome === "hinted") counts.right++;
  saveSetting(STORAGE_NAME, all);
}

/** Marks a round as done. @param {string} lesson @param {number} round from 0 */
export function finishRound(lesson, round) {
  const all = loadAll();
  const progress = (all[lesson] ??= { kinds: {}, rounds: [] });
  if (!progress.rounds.includes(round)) progress.rounds.push(round);
  saveSetting(STORAGE_NAME, all);
}
