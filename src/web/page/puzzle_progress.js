// The progress in a puzzle: the time since the first move, and the minimum number of moves, which a search finds after the end.

/** @import { GameTree } from "./game_tree.js" */

/**
 * @typedef {object} Progress
 * @property {number | null} startTime the time of the first move, in milliseconds; `null` before it, and in a game from an address
 * @property {number | null} seconds from the first move to the end; `null` before the end
 * @property {number | null} minimum the minimum number of moves; `null` if it is not known
 * @property {number} bound a lower bound of the minimum
 * @property {boolean} isSearched whether the search for the minimum has ended
 */

/** @type {WeakMap<GameTree, Progress>} */
const progressByTree = new WeakMap();

/** Returns the progress in a puzzle, which the caller may change. @param {GameTree} tree */
export function progressIn(tree) {
  let progress = progressByTree.get(tree);
  if (!progress) {
    progress = { startTime: null, seconds: null, minimum: null, bound: 0, isSearched: false };
    progressByTree.set(tree, progress);
  }
  const { solved } = tree.root.state ?? {};
  if (solved && solved.plies !== null) Object.assign(progress, { minimum: solved.plies, isSearched: true });
  return progress;
}

/** Starts the clock at the first move, and stops it at the end. @param {GameTree} tree @param {boolean} isOver */
export function updateClock(tree, isOver) {
  const progress = progressIn(tree);
  if (progress.startTime === null) {
    if (tree.nodes.size === 2 && !isOver) progress.startTime = performance.now();
  } else if (isOver) progress.seconds ??= (performance.now() - progress.startTime) / 1000;
}

/** Returns the time since the first move as `1:05`; `null` if it is not known. @param {GameTree} tree */
export function clockText(tree) {
  const { startTime, seconds } = progressIn(tree);
  if (startTime === null) return tree.nodes.size === 1 ? "0:00" : null;
  const time = Math.floor(seconds ?? (performance.now() - startTime) / 1000);
  const [hours, minutes] = [Math.floor(time / 3600), Math.floor(time / 60) % 60];
  /** @param {number} number */
  const padded = (number) => String(number).padStart(2, "0");
  return `${hours ? `${hours}:${padded(minutes)}` : minutes}:${padded(time % 60)}`;
}
