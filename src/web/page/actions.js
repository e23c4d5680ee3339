// The actions of a person, the replies of the engine and of chance. Each changes the state and announces it.

import { fragment, parse } from "./address.js";
import { targetJob, isAgainstEngine } from "./analysis_target.js";
import { AnalysisSession } from "./analysis_session.js";
import { openBoard } from "./board_game.js";
import { boardText, drawnBoard } from "./drawn_board.js";
import { ExactSession } from "./exact_session.js";
import { formatGame, parseGame } from "./game_tree.js";
import { parseFailure } from "./info.js";
import { positionArgument } from "./jobs.js";
import * as pageHistory from "./page_history.js";
import { updateClock } from "./puzzle_progress.js";
import { QuerySession } from "./queries.js";
import { analysis, comparison, currentPlayer, display, game, hasChance, interaction, isEngine, isEngineOnly, isPuzzle, notifyChange, openingPlies, practice, preferences, run, server, solution, startState, tabSettings, totals, trace } from "./state.js";
import { loadTab, restoreSettings } from "./tab_state.js";
import { MESSAGES, engineErrorText, failureText, moveReport, slideReport, warningText } from "./text.js";
import { createTransport } from "./transport.js";
import { UndoHistory, stopBefore } from "./undo_history.js";
import { lossToWarnOf } from "./warning.js";

/** @import { CloseReason, Transport } from "./transport.js" */
/** @import { Move, State } from "./types.js" */
/** @import { GameNode, GameTree } from "./game_tree.js" */

/** Minimum delay between a move and the engine's reply. Without it the two moves look like one. */
const MIN_REPLY_DELAY_MS = 120;
/** The game of an address that names none. */
const DEFAULT_VARIANT = "aadu-puli";
/** Maximum positions of a game whose moves are written into the address. Of longer games only the position is. */
const MAX_POSITIONS_IN_ADDRESS = 400;
/** Maximum games of this tab that are kept with their values. Of older ones only the address is. */
const MAX_OTHER_GAMES = 30;

/** @type {{ queries: Transport | null, analysis: Transport | null }} */
const transports = { queries: null, analysis: null };
export const queries = new QuerySession((line) => transports.queries?.send(line) ?? false);
export const analysisSession = new AnalysisSession((line) => transports.analysis?.send(line) ?? false, notifyChange);
/** The session that solves games. It reports no loss of the connection: the other two do. */
export const exactSession = new ExactSession((handlers) => createTransport(handlers, false), notifyChange);
const undoHistory = new UndoHistory();
/** The earlier and later games of this tab, by their entries of the browser's history. @type {Map<string, { variant: string, board: string, tree: GameTree, players: typeof game.players }>} */
const otherGames = new Map();
/** Whether the game on the board was shown again by Back or Undo, so that Redo returns to the later one. */
let hasLaterGame = false;
let lastMoveTime = 0;
let replyTimer = 0;

/** Opens both sessions with the engine. */
export function connect() {
  for (const [name, session] of /** @type {const} */ ([["queries", queries], ["analysis", analysisSession]])) {
    transports[name] = createTransport({
      onOpen: () => { session.opened(); onSessionOpen(); },
      onLine: (line) => { reportFailure(line); session.line(line); },
      onClose: (reason) => { session.closed(); onSessionClosed(reason); },
      onProgress: (share) => { server.loadedShare = share; notifyChange(); },
    }, name === "analysis");
    transports[name].connect();
  }
}

function onSessionOpen() {
  if (!queries.open || !analysisSession.open) return;
  server.status = "open";
  interaction.scheduledNode = null;
  void loadPosition();
}

/** Shows that the engine has failed, if the line says so. @param {string} line */
function reportFailure(line) {
  const failure = parseFailure(line);
  if (failure !== null) showMessage(failureText(failure));
}

/** @param {CloseReason} reason */
function onSessionClosed(reason) {
  server.status = reason;
  notifyChange();
}

/** Gives the analysis session the job that the state asks for. Called after every change. */
export function updateAnalysisTarget() {
  const job = targetJob({ scheduleEngineMove, reportCheck });
  analysisSession.setJob(exactSession.setJob(job) ? null : job);
}

/** Loads the state of the current position and shows it. */
async function loadPosition() {
  const node = game.tree.current;
  interaction.preview = null;
  // The address already holds the move if the page is reloaded before the engine replies.
  updateAddress();
  const state = await loadState(node);
  if (game.tree.current !== node) return;
  if (state) game.state = state;
  continueGame();
  notifyChange();
}

/** Returns the state of a position. If its game is solved, the state has exact values. @param {string} variant @param {string} position */
export async function fetchState(variant, position) {
  if (exactSession.hasSolved(variant)) {
    try {
      return await exactSession.queries.state(variant, position);
    } catch (error) {
      if (exactSession.hasSolved(variant)) throw error;
    }
  }
  return queries.state(variant, position);
}

/** Requests the state of a position again and shows it. @param {GameNode} node */
export async function showState(node) {
  const { tree, variant } = game;
  const before = node.state;
  const state = await fetchState(variant, positionArgument(node)).catch(() => null);
  if (!state || game.tree !== tree || node.state !== before) return;
  setState(node, state);
  if (game.state === before) game.state = node.state;
  notifyChange();
}

/** @param {GameNode} node @param {State} state */
function setState(node, state) {
  // With random tiles the request starts from the parent's FEN, so the engine counts plies from there.
  node.state = { ...state, ply: node.ply };
  if (state.solved?.verdict && state.solved.points === undefined && !isPuzzle(state)) node.value = { outcome: state.solved.verdict, plies: state.solved.plies, exact: true };
  else if (state.ending?.why === "leaf") node.value = { points: state.score ?? 0 };
  else if (state.outcome) node.value = { outcome: state.outcome, plies: 0, exact: true };
}

/** Returns the state of a position, or `null` after an error. @param {GameNode} node @returns {Promise<State | null>} */
export async function loadState(node) {
  if (node.state) return node.state;
  const { tree, variant } = game;
  try {
    const state = await fetchState(variant, positionArgument(node));
    setState(node, state);
    if (isPuzzle(state) && state.outcome !== null) updateClock(tree, true);
    if (hasChance(state) && state.outcome !== null && node.parent) totals.games++;
    if (tree === game.tree) game.error = "";
    return node.state;
  } catch (error) {
    if (tree !== game.tree) return null;
    game.error = /** @type {Error} */ (error).message;
    if (!node.parent && tree.fen !== null) {
      const reason = game.error.replace(/^column \d+: /, "");
      newGame({ fen: null, replaces: true });
      game.message = MESSAGES.badPosition(reason);
    } else if (node.parent) {
      const { move } = node;
      tree.remove(node);
      interaction.clicks = [];
      game.message = MESSAGES.illegalInLink(move);
      await loadPosition();
    }
    notifyChange();
    return null;
  }
}

/** Lets chance move, or reports the check of a person's move, after the state of the position has arrived. */
function continueGame() {
  const node = game.tree.current;
  const { state } = node;
  updateAddress();
  if (!state || server.status !== "open") return;
  if (state.outcome === null && currentPlayer(state) === "chance" && !game.paused) void playChance(node);
  else if (node.parent && state.solved && isAgainstEngine(state) && isEngine(currentPlayer(state))) reportCheck(node);
}

/** Places a random tile. @param {GameNode} node */
async function playChance(node) {
  const move = await queries.sampleTile(game.variant, positionArgument(node), 1 + Math.floor(Math.random() * 1e9)).catch(() => null);
  if (move && game.tree.current === node && currentPlayer(node.state) === "chance" && server.status === "open") void playMove(move);
}

/** Warns a person, before the engine replies, if the last move lost value. @param {GameNode} node the position after the move */
function reportCheck(node) {
  const before = node.parent;
  const state = before?.state;
  node.searchEnded = true;
  if (preferences.warn && before && state && node === game.tree.current && game.players[state.turn === "p1" ? "p1" : "p2"] === "person") {
    const loss = game.paused ? null : lossToWarnOf(node);
    if (loss) {
      node.isWarned = true;
      interaction.warning = { node, text: warningText(state, node.move, loss), isReminded: false };
    }
  }
  notifyChange();
}

/** Plays the engine's move after the delay, unless a person takes its side in the meantime. @param {GameNode} node @param {string} move */
function scheduleEngineMove(node, move) {
  if (game.tree.current !== node || interaction.scheduledNode === node || !isEngine(currentPlayer(node.state))) return;
  const delay = lastMoveTime + (isEngineOnly() ? display.moveDelayMs : MIN_REPLY_DELAY_MS) - performance.now();
  const play = () => {
    if (interaction.scheduledNode !== node) return;
    interaction.scheduledNode = null;
    if (game.tree.current === node && !game.paused && server.status === "open") void playMove(move);
  };
  interaction.scheduledNode = node;
  if (delay <= 0) play();
  else {
    clearTimeout(replyTimer);
    replyTimer = window.setTimeout(play, delay);
  }
}

/** Plays a legal move for any player. Resolves when its state is on the board. @param {string} name */
export async function playMove(name) {
  const before = game.tree.current.state;
  const move = before?.moves.find((one) => one.move === name);
  if (!before || !move) return;
  lastMoveTime = performance.now();
  clearUndo();
  game.tree.play(name);
  interaction.reset();
  game.paused = false;
  // Before a person's first move the line says how to win. A tile that appears is not reported: the message keeps the player's move.
  if (before.ply < openingPlies(before) && currentPlayer(before) !== "person") game.message = "";
  else if (!hasChance(before) || before.turn === "p1") game.message = moveReport(before, move);
  if (hasChance(before) && before.turn === "p1") run.moves++;
  if (isPuzzle(before)) updateClock(game.tree, false);
  await loadPosition();
}

/** Slides several tiles one after the other. @param {Move} move the move of the tile beside the gap @param {number} count */
export async function slideTiles(move, count) {
  let last = game.tree.current;
  for (let at = 0; at < count && game.tree.current === last; at++) {
    await playMove(move.move);
    last = last.children.find((child) => child.move === move.move) ?? last;
  }
  if (count > 1 && game.tree.current === last) showMessage(slideReport(move, count));
}

/** Shows another position of the game. The engine and chance wait there until they are resumed. @param {GameNode} node */
export function goToNode(node) {
  clearUndo();
  showNode(node);
}

function clearUndo() {
  undoHistory.clear();
  hasLaterGame = false;
}

/** @param {GameNode} node */
function showNode(node) {
  game.tree.goTo(node);
  game.message = "";
  interaction.reset();
  game.paused = currentPlayer(node.state) !== "person" || !node.state;
  solution.playing = false;
  void loadPosition().then(() => {
    game.paused = currentPlayer(game.tree.current.state) !== "person";
    notifyChange();
  });
}

/** Returns `true` if undo and redo stop at the position: a person is to move, the game is over, or no person plays. @param {GameNode} node */
function isUndoStop(node) {
  const hasPerson = game.players.p1 === "person" || game.players.p2 === "person";
  return !hasPerson || !node.state || node.state.outcome !== null || currentPlayer(node.state) === "person";
}

/** Returns `true` if a move can be taken back, or the game before can be shown again. */
export function canUndo() {
  return stopBefore(game.tree.current, isUndoStop) !== null || pageHistory.hasEarlierGame();
}

/** Takes back the last move of a person, and the replies to it. At the start it shows the game before. */
export function undo() {
  const node = undoHistory.undo(game.tree, isUndoStop);
  if (node) showNode(node);
  else if (pageHistory.hasEarlierGame()) history.back();
}

/** Returns `true` if a move can be repeated, or the later game can be shown again. */
export function canRedo() {
  return game.tree.current.children.length > 0 || hasLaterGame;
}

/** Repeats the move that was taken back, and the replies to it. After a return to an earlier game it shows the later one. */
export function redo() {
  if (hasLaterGame) return history.forward();
  const node = undoHistory.redo(game.tree, isUndoStop);
  if (node) showNode(node);
}

/** Follows the browser's history. @param {(isOpen: boolean) => void} showDialog */
export function followHistory(showDialog) {
  pageHistory.setUp({
    leaveGame: keepGame,
    showGame(id) {
      showOtherGame(id);
      hasLaterGame = pageHistory.hasLaterGame();
      if (hasLaterGame) showMessage(MESSAGES.earlierGame);
    },
    showDialog,
    openAddress: () => parse(location.hash).token === null && openAddress(),
    atStart: () => showMessage(MESSAGES.noEarlierGame),
    onSettled: updateAddress,
  });
}

/** Keeps the game on the board for its entry of the browser's history. @param {string} id */
function keepGame(id) {
  const { variant, board, tree, players } = game;
  otherGames.delete(id);
  otherGames.set(id, { variant, board, tree, players });
  if (otherGames.size > MAX_OTHER_GAMES) otherGames.delete(/** @type {string} */ (otherGames.keys().next().value));
}

/** Shows an earlier or later game of this tab. @param {string} id */
function showOtherGame(id) {
  const kept = otherGames.get(id);
  if (!kept || kept.board !== boardText(kept.variant)) return openAddress();
  const isOther = kept.variant !== game.variant;
  openTree(kept.variant, kept.tree);
  if (isOther) game.state = kept.tree.current.state ?? startState();
  game.players = kept.players;
  showNode(kept.tree.current);
}

/** Goes to the end of the current line. */
export function goToEnd() {
  game.tree.goToEnd();
  goToNode(game.tree.current);
}

/** Goes one position back. */
export function stepBack() {
  if (game.tree.current.parent) goToNode(game.tree.current.parent);
}

/** Goes one position forward along the current line. */
export function stepForward() {
  if (game.tree.stepForward()) goToNode(game.tree.current);
}

/** Lets the engine or chance move again after a pause or a warning. */
export function resumePlay() {
  game.paused = false;
  interaction.warning = null;
  continueGame();
  notifyChange();
}

/**
 * Starts a game. Without `variant` it keeps the variant, and without `fen` its first position.
 * @param {{ variant?: string, fen?: string | null, moves?: string, keepsPlaying?: boolean, replaces?: boolean }} [options] `keepsPlaying`: the engine does not pause in a position that was set up; `replaces`: Back does not return to the game on the board
 */
export function newGame({ variant = game.variant, fen = variant === game.variant ? game.tree.fen : null, moves = "", keepsPlaying = false, replaces = false } = {}) {
  startTree(variant, parseGame(fen, moves), { keepsPlaying, replaces });
}

/**
 * Starts a game with moves.
 * @param {string} variant
 * @param {GameTree} tree
 * @param {{ keepsPlaying?: boolean, replaces?: boolean }} [options]
 */
export function startTree(variant, tree, { keepsPlaying = false, replaces = false } = {}) {
  const { fen } = tree;
  const isSame = variant === game.variant && fen === game.tree.fen && tree.nodes.size === 1 && game.tree.nodes.size === 1;
  if (!replaces && !isSame && game.state !== null) {
    keepGame(pageHistory.currentGame());
    pageHistory.addGame();
  }
  const isOther = variant !== game.variant || game.state === null;
  openTree(variant, tree);
  const first = startState();
  if (isOther) {
    tabSettings.trace.depth = first?.board.kind === "tree" ? 4 : 2;
    game.state = first;
  }
  if (isOther || !playersFit(first)) game.players = defaultPlayers(first);
  // The engine pauses if it is to move in a position that was set up, so that a person can look at it first.
  const isSetUp = fen !== null || tree.current !== tree.root;
  game.paused = isSetUp && !keepsPlaying;
  void loadPosition().then(() => {
    if (game.tree !== tree) return;
    const wasPaused = game.paused;
    game.paused = wasPaused && isEngine(currentPlayer(tree.current.state));
    if (wasPaused && !game.paused) continueGame();
    // A puzzle whose first position is its goal is shuffled. A notice about the address stays.
    const { message } = game;
    if (!isSetUp && isPuzzle(first) && first?.outcome) void shufflePuzzle(display.shuffleMoves, true).then(() => message && showMessage(message));
    notifyChange();
  });
}

/** Puts a tree of moves on the board. @param {string} variant @param {GameTree} tree */
function openTree(variant, tree) {
  game.reset(variant, tree);
  for (const part of [interaction, analysis, trace, comparison, solution, run]) part.reset();
  clearUndo();
}

/** Starts the same game again. A sliding-tile puzzle is shuffled, and an exercise ends. */
export function restart() {
  if (game.state?.board.slides === "one") void shufflePuzzle();
  else newGame(practice.tree === game.tree ? { fen: practice.startFen } : {});
}

/**
 * Shuffles a sliding-tile puzzle.
 * @param {number | null} [count] random moves from the goal; `null` for a random position
 * @param {boolean} [replaces] whether Back does not return to the position on the board
 */
export async function shufflePuzzle(count = display.shuffleMoves, replaces = false) {
  const { variant, state } = game;
  const seed = 1 + Math.floor(Math.random() * 1e9);
  const goal = state?.board.goal;
  const usualGoal = startState()?.board.goal;
  // The engine shuffles from the current goal, whatever position is set.
  const position = goal && usualGoal && goalFen(goal) !== goalFen(usualGoal) ? `fen ${goalFen(goal)} goal ${goalFen(goal)}` : goal ? `fen ${goalFen(goal)}` : "startpos";
  const fen = await queries.shuffle(variant, position, count, seed).catch((error) => {
    showMessage(engineErrorText(error.message));
    return null;
  });
  if (fen !== null && game.variant === variant) newGame({ fen, replaces });
}

/** Returns the rows of a goal in FEN. @param {number[][]} cells */
export function goalFen(cells) {
  return cells.map((row) => row.join(",")).join("/");
}

/** Returns the default players: a person has the first side, an easy engine the second. @param {State | null} state */
function defaultPlayers(state) {
  if (isPuzzle(state) || state?.board.kind === "tree") return { p1: "person", p2: "person" };
  return { p1: "person", p2: hasChance(state) ? "chance" : "easy" };
}

/** Returns `true` if the current players can play the game. @param {State | null} state */
function playersFit(state) {
  const { p1, p2 } = game.players;
  return isPuzzle(state) ? p1 === "person" : hasChance(state) === ["chance", "worst"].includes(p2) || p2 === "person";
}

/** Writes the game into the address. Of a long game only the position is written, once its state is known. */
function updateAddress() {
  const { tree, variant, board } = game;
  const { state } = tree.current;
  const isLong = tree.nodes.size > MAX_POSITIONS_IN_ADDRESS;
  if (isLong && !state) return;
  const fen = isLong && state ? state.fen : tree.fen;
  const text = fragment({ variant, fen, moves: isLong ? "" : formatGame(tree), board });
  pageHistory.writeAddress(text);
}

/** Opens the game in the address. An unknown game or a wrong board is reported, and the default game opens. */
export function openAddress() {
  const { variant, fen, moves, board } = parse(location.hash);
  openBoard(board, queries).catch((error) => {
    if (!board && variant !== drawnBoard.name) return;
    if (!isListed) newGame({ variant: DEFAULT_VARIANT, fen: null, replaces: true });
    showMessage(MESSAGES.badBoard(error.message, isListed));
  });
  const isListed = server.variants.some((state) => state.variant === variant && !state.isDrawn);
  const isKnown = variant === null || variant === drawnBoard.name || isListed;
  const name = isKnown && variant ? variant : DEFAULT_VARIANT;
  const saved = game.state === null ? loadTab() : null;
  newGame({ variant: name, fen: isKnown ? fen : null, moves: isKnown ? moves : "", keepsPlaying: saved?.address === location.hash && !saved.paused, replaces: true });
  if (saved) {
    restoreSettings(saved);
    const { players } = game;
    if (saved.variant === name) game.players = saved.players;
    if (!playersFit(startState())) game.players = players;
  }
  if (!isKnown) showMessage(MESSAGES.unknownGame(variant));
}

/** Sets the player of a side. @param {"p1" | "p2"} side @param {string} player */
export function setPlayer(side, player) {
  game.players = { ...game.players, [side]: player };
  interaction.scheduledNode = null;
  game.paused = false;
  const { state } = game.tree.current;
  if (state && state.outcome === null && currentPlayer(state) === "chance") void playChance(game.tree.current);
  notifyChange();
}

/** Swaps the players of the two sides. Puzzles and 2048 have no sides to swap. */
export function swapSides() {
  if (isPuzzle(game.state) || hasChance(game.state)) return;
  game.players = { p1: game.players.p2, p2: game.players.p1 };
  interaction.scheduledNode = null;
  game.paused = false;
  notifyChange();
}

/** Shows a message in the status line until the next move. @param {string} text */
export function showMessage(text) {
  game.message = text;
  notifyChange();
}
