// What the engine should be thinking of now: read off the state of the page, so that it never thinks of anything else.

import { reading } from "./info.js";
import { job, keep, note } from "./jobs.js";
import { known, level, lines, softened } from "./levels.js";
import { changed, hasChance, isEngine, isPuzzle, mover, page } from "./state.js";
import { work } from "./tasks.js";
import { hope } from "./value.js";

/** @import { Job } from "./analysis_session.js" */
/** @import { Line, State } from "./types.js" */
/** @import { Node } from "./game_tree.js" */

/** How long a person's move is looked at before the engine answers, and the position before it, in milliseconds. */
const CHECK = 60;
const WATCH = 120;

/**
 * What is asked of those who play: the engine's move, and the check of a person's.
 * @typedef {object} Plays
 * @property {(node: Node, move: string) => void} answer
 * @property {(node: Node) => void} checked
 */

/**
 * The job that the page wants done now, or null.
 * @param {Plays} plays
 * @returns {Job | null}
 */
export function wanted(plays) {
  const node = page.game.current;
  const { state } = node;
  if (page.link !== "open" || !state || page.warning || page.answering === node) return null;
  const task = work();
  if (task) return task;
  if (state.outcome !== null) return null;
  const who = mover(state);
  const alone = isEngine(page.sides.p1) && isEngine(page.sides.p2);
  if (isEngine(who) && !page.waiting) {
    if (suspect(node)) return check(node, plays);
    return answer(node, who, plays, alone);
  }
  if (who === "chance") return null;
  // A tab that nobody looks at does not heat the machine for ever.
  if (page.engineOn && !isPuzzle(state)) return document.hidden ? null : analysis(node);
  if (page.warn && !page.waiting && opposed(state) && node.worth === null && !node.searched && state.solved === null) return watch(node);
  return null;
}

/** Whether a person plays against the engine. @param {State} state */
export function opposed(state) {
  return !isPuzzle(state) && !hasChance(state) && state.board.kind !== "tree" && isEngine(page.sides.p1) !== isEngine(page.sides.p2);
}

/** Whether a person's move has to be looked at before the engine answers. @param {Node} node */
function suspect(node) {
  const before = node.parent?.state;
  return page.warn && before !== null && before !== undefined && node.state !== null && opposed(node.state) && node.state.solved === null && node.worth === null && !node.searched && node.parent?.worth !== null;
}

/** @param {Node} node @param {Plays} plays @returns {Job} */
function check(node, plays) {
  return { ...job(node, "check", `movetime ${CHECK}`, {}), line: (text) => note(node, text), done: () => plays.checked(node) };
}

/** @param {Node} node @returns {Job} */
function watch(node) {
  return { ...job(node, "watch", `movetime ${WATCH}`, {}), line: (text) => note(node, text), done: () => {
    node.searched = true;
    changed();
  } };
}

/** Thinks of a position as long as it is looked at, or until nothing is left to find. @param {Node} node @returns {Job | null} */
function analysis(node) {
  const state = /** @type {State} */ (node.state);
  const options = { MultiPV: page.multi, Algorithm: state.board.kind === "tree" ? "alphabeta" : "auto" };
  const base = job(node, "analysis", "infinite", options);
  if (page.settled?.node === node && page.settled.name === base.name) return null;
  return { ...base, line: (text) => {
    const line = reading(text, state.turn, hasChance(state));
    if (!line) return;
    keep(node, line);
    changed();
  }, done: () => {
    page.settled = { node, name: base.name };
  } };
}

/** @param {Node} node @param {string} who @param {Plays} plays @param {boolean} alone @returns {Job | null} */
function answer(node, who, plays, alone) {
  const state = /** @type {State} */ (node.state);
  if (who === "worst") return { ...job(node, "tile", "depth 2", { Algorithm: "alphabeta" }), done: (move) => move && plays.answer(node, move) };
  const how = level(who, page.own);
  const from = known(state, how, Math.random);
  if (from !== null) {
    // Tables need no search.
    plays.answer(node, from);
    return null;
  }
  const choices = hasChance(state) ? 1 : lines(how);
  const options = { MultiPV: choices, Algorithm: how.algorithm, Seed: alone || how.errs ? seed() : 0 };
  /** @type {Map<string, Line>} */
  const found = new Map();
  const base = job(node, "answer", how.go, { ...options, Seed: 0 });
  return { ...base, options, line: (text) => {
    const line = reading(text, state.turn, hasChance(state));
    if (!line?.moves.length) return;
    if (!line.worth.bound) found.set(String(line.rank), line);
    if (line.rank === 1 && how.errs === 0) keep(node, line);
    changed();
  }, done: (move) => {
    const seen = [...found.values()].map((line) => ({ move: line.moves[0], hope: hope(line.worth, state.turn) }));
    const chosen = how.soft > 0 && seen.length > 1 ? softened(seen, how.soft, Math.random) : move;
    if (chosen) plays.answer(node, chosen);
  } };
}

function seed() {
  return 1 + Math.floor(Math.random() * 1e6);
}
