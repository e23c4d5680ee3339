// Solves the game on the board: forecasts what that takes, starts and stops it, and then makes every value on the page exact.

import { exactSession, queries, showState } from "./actions.js";
import { gameCommands } from "./drawn_board.js";
import { CONNECTION_LOST, SOLVE_MEMORY_MIB } from "./exact_session.js";
import { parseForecast, parseInfoNumber } from "./info.js";
import { positionArgument } from "./jobs.js";
import { game, hasChance, isPuzzle, notifyChange, server, solving, startState } from "./state.js";
import { MESSAGES, engineErrorText, solvedCountText, tooLargeText } from "./text.js";

/** @import { State } from "./types.js" */
/** @import { GameNode } from "./game_tree.js" */

/** The engine solves small games without being asked. The delay until it is asked again doubles up to the maximum. */
const SETTLE_DELAY_MS = 200;
const MAX_SETTLE_DELAY_MS = 3200;

/** Maximum positions of a game that is solved without being asked, where the engine that answers about rules cannot: in a worker it has no time of its own. */
const MAX_UNASKED_POSITIONS = 4000000;
/** The delay before such a game is solved, in which an engine with threads would have begun. */
const UNASKED_DELAY_MS = 1000;

/** The position whose exact value is awaited. @type {GameNode | null} */
let settlingNode = null;

/** Returns the argument of `position` for the start of the game. */
function startPosition() {
  return game.tree.fen === null ? "startpos" : `fen ${game.tree.fen}`;
}

/** Returns `true` if the engine can solve games of this kind. @param {State} state */
export function canBeSolved(state) {
  return !isPuzzle(state) && !hasChance(state) && state.board.kind !== "tree";
}

/** Follows the game on the board. Called after every change. */
export function update() {
  const root = `${gameCommands(game.variant)}|${startPosition()}`;
  if (solving.root !== root) {
    if (solving.status === "running") exactSession.stop();
    solving.reset();
    solving.root = root;
    setTimeout(() => solveUnasked(root), UNASKED_DELAY_MS);
  }
  // A new engine has solved nothing.
  if (solving.status === "solved" && !exactSession.hasSolved(game.variant)) Object.assign(solving, { status: "unknown", note: "" });
  const { current } = game.tree;
  if (current !== settlingNode && current.state?.isSolving) {
    settlingNode = current;
    void settle(current);
  }
}

/** Solves a small game from its start, unless another engine has solved it or is about to. The size of a drawn game is asked for first. @param {string} root the game when the delay began */
function solveUnasked(root) {
  if (solving.root !== root || game.tree.fen !== null) return;
  const { state } = game.tree.current;
  const first = startState();
  if (first?.isDrawn) void requestForecast();
  const positions = first?.positions ?? (first?.isDrawn ? solving.forecast?.positions ?? 0 : Infinity);
  if (positions > MAX_UNASKED_POSITIONS || state?.solved || state?.isSolving || state?.outcome) return;
  if (!["unknown", "asking", "offered"].includes(solving.status)) return;
  if (state && canBeSolved(state) && solving.status !== "asking" && server.status === "open") void solve(true);
  else setTimeout(() => solveUnasked(root), UNASKED_DELAY_MS);
}

/** Asks for the state of a position again until it has exact values, or until the engine no longer works on them. @param {GameNode} node */
async function settle(node) {
  const { tree, variant } = game;
  const position = positionArgument(node);
  for (let delay = SETTLE_DELAY_MS; ; delay = Math.min(2 * delay, MAX_SETTLE_DELAY_MS)) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (game.tree !== tree || settlingNode !== node) return;
    queries.forgetState(variant, position);
    const state = await queries.state(variant, position).catch(() => null);
    if (state?.solved) break;
    if (!state?.isSolving) return;
  }
  queries.states.clear();
  await refreshStates();
}

/** Replaces the states without exact values, the current one first. */
async function refreshStates() {
  const shown = game.tree;
  const nodes = new Set([shown.current, ...shown.currentLine(), ...shown.nodes.values()]);
  for (const node of nodes) {
    if (game.tree !== shown) return;
    if (node.state && !node.state.solved && node.state.outcome === null) await showState(node);
  }
}

/** Asks what solving the game takes. Called while the button is visible. */
export async function requestForecast() {
  if (solving.status !== "unknown" || server.status !== "open") return;
  const { root } = solving;
  solving.status = "asking";
  const answer = await exactSession.forecast(game.variant, startPosition()).then((line) => ({ line, error: "" }), (error) => ({ line: "", error: /** @type {Error} */ (error).message }));
  if (solving.root !== root) return;
  if (answer.error === CONNECTION_LOST) {
    solving.status = "unknown";
    return;
  }
  const forecast = parseForecast(answer.line);
  // The list of games has no number for drawn boards.
  const first = startState();
  if (first?.isDrawn && forecast?.isBound && game.tree.fen === null) first.positions = forecast.positions;
  if (forecast && forecast.mebibytes <= SOLVE_MEMORY_MIB) Object.assign(solving, { status: "offered", forecast });
  else Object.assign(solving, { status: "refused", note: answer.error ? engineErrorText(answer.error) : tooLargeText(forecast, SOLVE_MEMORY_MIB) });
  notifyChange();
}

/** Starts to solve the game, or stops it. */
export function toggleSolving() {
  if (solving.status === "running") exactSession.stop();
  else if (solving.status === "offered") void solve(false);
}

/** @param {boolean} isUnasked */
async function solve(isUnasked) {
  const { root } = solving;
  const startTime = performance.now();
  Object.assign(solving, { status: "running", isUnasked, positions: 0, seconds: 0, note: "" });
  notifyChange();
  try {
    const line = await exactSession.solve(game.variant, startPosition(), (text) => {
      const positions = parseInfoNumber(text, "solving");
      if (positions === null || solving.root !== root) return;
      Object.assign(solving, { positions, seconds: (performance.now() - startTime) / 1000 });
      notifyChange();
    });
    if (solving.root === root) Object.assign(solving, { status: "solved", note: solvedCountText(parseInfoNumber(line, "solved") ?? 0) });
    await refreshStates();
  } catch (error) {
    if (solving.root !== root) return;
    const { message } = /** @type {Error} */ (error);
    const isStopped = message.startsWith("solving was stopped");
    Object.assign(solving, { status: isStopped || message === CONNECTION_LOST ? "offered" : "refused", note: isStopped ? MESSAGES.solvingStopped : engineErrorText(message) });
  }
  notifyChange();
}
