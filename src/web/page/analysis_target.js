// Derives the job of the analysis session from the state, so that the engine never works on anything else.

import { parseLine } from "./info.js";
import { createJob, recordLine, recordValue } from "./jobs.js";
import { chooseByWeight, chooseSolvedMove, findLevel, lineCount, usesExactValues } from "./levels.js";
import { analysis, currentPlayer, game, hasChance, interaction, isAsked, isEngine, isPuzzle, notifyChange, practice, preferences, server } from "./state.js";
import { minimumJob, missingValueJob, taskJob } from "./tasks.js";
import { moverExpectation } from "./value.js";

/** @import { Job } from "./analysis_session.js" */
/** @import { Line, State } from "./types.js" */
/** @import { GameNode } from "./game_tree.js" */

/** Time for the check of a person's move before the engine replies. */
export const CHECK_MS = 100;
/** Time for the value of the position before a person's move, which the check compares with. */
export const BASELINE_MS = 120;

/**
 * The receivers of the results.
 * @typedef {object} MoveHandlers
 * @property {(node: GameNode, move: string) => void} scheduleEngineMove plays the engine's move
 * @property {(node: GameNode) => void} reportCheck reports the check of a person's move
 */

/** Returns the job for the current state, or `null` if the engine has nothing to do. @param {MoveHandlers} handlers @returns {Job | null} */
export function targetJob(handlers) {
  const node = game.tree.current;
  const { state } = node;
  if (server.status !== "open" || !state || interaction.warning || interaction.scheduledNode === node) return null;
  const task = taskJob();
  if (task) return task;
  if (state.outcome !== null) return interaction.seeksTurn || (isAgainstEngine(state) && practice.tree !== game.tree) ? missingValueJob() : minimumJob();
  const player = currentPlayer(state);
  if (isEngine(player) && !game.paused) return needsCheck(node) ? checkJob(node, handlers) : moveJob(node, player, handlers);
  if (player === "chance") return null;
  // The analysis has no end, so it runs only in a visible tab.
  if (preferences.engineOn && !isPuzzle(state) && !isAsked()) return document.hidden ? null : analysisJob(node);
  if (preferences.warn && !game.paused && isAgainstEngine(state) && node.value === null && !node.searchEnded && state.solved === null) return baselineJob(node);
  return null;
}

/** Returns `true` if a person plays against the engine. @param {State} state */
export function isAgainstEngine(state) {
  return !isPuzzle(state) && !hasChance(state) && state.board.kind !== "tree" && isEngine(game.players.p1) !== isEngine(game.players.p2);
}

/** Returns `true` if the move of a person that led to the position must be checked. @param {GameNode} node */
function needsCheck(node) {
  const before = node.parent?.state;
  return preferences.warn && before !== null && before !== undefined && node.state !== null && isAgainstEngine(node.state) && node.state.solved === null && node.value === null && !node.searchEnded && node.parent?.value !== null;
}

/** @param {GameNode} node @param {MoveHandlers} handlers @returns {Job} */
function checkJob(node, handlers) {
  return { ...createJob(node, "check", `movetime ${CHECK_MS}`, {}), onLine: (text) => recordValue(node, text), onDone: () => handlers.reportCheck(node) };
}

/** @param {GameNode} node @returns {Job} */
function baselineJob(node) {
  return { ...createJob(node, "baseline", `movetime ${BASELINE_MS}`, {}), onLine: (text) => recordValue(node, text), onDone: () => {
    node.searchEnded = true;
    notifyChange();
  } };
}

/** Returns the job that analyzes a position without limit, or `null` if nothing is left to find. @param {GameNode} node @returns {Job | null} */
function analysisJob(node) {
  const state = /** @type {State} */ (node.state);
  const options = { MultiPV: preferences.lineCount, Algorithm: state.board.kind === "tree" ? "alphabeta" : "auto" };
  const job = createJob(node, "analysis", "infinite", options);
  if (analysis.finished?.node === node && analysis.finished.name === job.name) return null;
  return { ...job, isExact: state.solved !== null, onLine: (text) => {
    const line = parseLine(text, state.turn, hasChance(state));
    if (!line) return;
    recordLine(node, line);
    notifyChange();
  }, onDone: () => {
    analysis.finished = { node, name: job.name };
  } };
}

/** Returns the job that finds the engine's move, or `null` if the tables give it at once. @param {GameNode} node @param {string} player @param {MoveHandlers} handlers @returns {Job | null} */
function moveJob(node, player, handlers) {
  const state = /** @type {State} */ (node.state);
  if (player === "worst") return { ...createJob(node, "tile", "depth 2", { Algorithm: "alphabeta" }), onDone: (move) => move && handlers.scheduleEngineMove(node, move) };
  const level = findLevel(player, preferences.ownLevel);
  const solvedMove = chooseSolvedMove(state, level, Math.random);
  if (solvedMove !== null) {
    handlers.scheduleEngineMove(node, solvedMove);
    return null;
  }
  const bothEngines = isEngine(game.players.p1) && isEngine(game.players.p2);
  const isExact = usesExactValues(level) && level.algorithm === "auto";
  const options = { MultiPV: hasChance(state) ? 1 : lineCount(level), Algorithm: level.algorithm, ...(isExact ? {} : { SolveLimit: 0 }), Seed: bothEngines || level.errorInterval ? randomSeed() : 0 };
  /** @type {Map<number, Line>} */
  const found = new Map();
  // The name leaves the seed out, so that a new seed does not restart the job.
  const job = createJob(node, "move", level.go, { ...options, Seed: 0 });
  return { ...job, options, isExact: isExact && state.solved !== null, onLine: (text) => {
    const line = parseLine(text, state.turn, hasChance(state));
    if (!line?.moves.length) return;
    if (!line.value.bound) found.set(line.rank, line);
    if (line.rank === 1 && level.errorInterval === 0) recordLine(node, line);
    notifyChange();
  }, onDone: (move) => {
    const choices = [...found.values()].map((line) => ({ move: line.moves[0], expectation: moverExpectation(line.value, state.turn) }));
    const chosen = level.softness > 0 && choices.length > 1 ? chooseByWeight(choices, level.softness, Math.random) : move;
    if (chosen) handlers.scheduleEngineMove(node, chosen);
  } };
}

function randomSeed() {
  return 1 + Math.floor(Math.random() * 1e6);
}
