// The exercise on the board: finds a position, judges the moves at once, answers for the defense, and counts streaks.

import { fetchState, goToNode, newGame, playMove } from "./actions.js";
import { findPosition, judgeEndgame, keepingMoves } from "./practice.js";
import { randomNumbers } from "./random_numbers.js";
import { game, hasChance, interaction, isPuzzle, notifyChange, practice, server, tabSettings } from "./state.js";
import { loadSetting, saveSetting } from "./storage.js";
import { PRACTICE_TEXTS, endgameText, endgameVerdict, engineErrorText, leftText, onlyMoveText, onlyMoveVerdict } from "./text.js";

/** @import { State } from "./types.js" */
/** @import { GameNode } from "./game_tree.js" */
/** @import { Exercise } from "./practice.js" */

/** The delay before the defense replies. */
const REPLY_DELAY_MS = 450;
/** Number of practiced positions that are not asked again. */
const MAX_KNOWN = 200;

const settings = tabSettings.practice;

/** The positions practiced on this page. @type {Set<string>} */
const known = new Set();

/** @typedef {{ current: number, best: number }} Streak */

/** The streaks by exercise and game. @type {Record<string, Streak>} */
const streaks = loadSetting("streaks", {}, (saved) => saved !== null && typeof saved === "object" && !Array.isArray(saved)
  && Object.values(saved).every((one) => Number.isInteger(one?.current) && Number.isInteger(one?.best)));

/** Returns the streak of the chosen exercise in the game on the board. @returns {Streak} */
export function currentStreak() {
  return streaks[`${settings.exercise}:${game.variant}`] ?? { current: 0, best: 0 };
}

/** Counts an answer. Only the first answer to a position counts. @param {boolean} isRight */
function count(isRight) {
  if (!practice.counts) return;
  practice.counts = false;
  const { current, best } = currentStreak();
  const next = isRight ? current + 1 : 0;
  streaks[`${settings.exercise}:${game.variant}`] = { current: next, best: Math.max(best, next) };
  saveSetting("streaks", streaks);
}

/** Returns `true` if the game has positions to practice. @param {State | null} state */
export function canBePracticed(state) {
  return state !== null && !isPuzzle(state) && !hasChance(state) && state.board.kind !== "tree";
}

/** Returns the FEN of the game's own start, also while a position of it is practiced; `null` for the start of the variant. */
function gameStart() {
  if (practice.tree === game.tree) return practice.startFen;
  // After a reload the position on the board is one that was practiced.
  const { variant, fen, startFen } = settings;
  return variant === game.variant && fen === game.tree.fen ? startFen || null : game.tree.fen;
}

/** Finds a position and asks for the answer. */
export async function nextPosition() {
  if (practice.status === "searching" || server.status !== "open") return;
  const { variant } = game;
  const startFen = gameStart();
  const start = startFen === null ? "startpos" : `fen ${startFen}`;
  const exercise = /** @type {Exercise} */ (settings.exercise);
  const tree = game.tree;
  Object.assign(practice, { status: "searching", text: PRACTICE_TEXTS.searching, searchTree: tree });
  notifyChange();
  const isStopped = () => practice.searchTree !== tree || game.tree !== tree;
  try {
    if (!(await fetchState(variant, start)).solved) return finishSearch(isStopped, PRACTICE_TEXTS.noValues);
    const found = await findPosition({
      fetch: (position) => fetchState(variant, position), start, exercise, grade: settings.grade, isKnown: (fen) => known.has(`${variant} ${fen}`),
      random: randomNumbers(Math.floor(Math.random() * 2 ** 32)), isStopped,
    });
    if (!found) return finishSearch(isStopped, PRACTICE_TEXTS.noneFound);
    if (!isStopped()) ask(found, exercise, startFen);
  } catch (error) {
    finishSearch(isStopped, engineErrorText(/** @type {Error} */ (error).message));
  }
}

/** @param {() => boolean} isStopped @param {string} text */
function finishSearch(isStopped, text) {
  if (isStopped()) return;
  known.clear();
  Object.assign(practice, { status: "idle", text, searchTree: null });
  notifyChange();
}

/** Puts a position on the board, for the person to answer. @param {State} state @param {Exercise} exercise @param {string | null} startFen */
function ask(state, exercise, startFen) {
  if (known.size >= MAX_KNOWN) known.clear();
  known.add(`${game.variant} ${state.fen}`);
  const players = practice.players ?? game.players;
  newGame({ fen: state.fen, keepsPlaying: true, replaces: practice.tree === game.tree });
  game.players = { p1: "person", p2: "person" };
  Object.assign(settings, { variant: game.variant, fen: state.fen, startFen: startFen ?? "" });
  Object.assign(practice, {
    status: "asked", exercise, tree: game.tree, searchTree: null, startFen, players, judged: game.tree.root, counts: true, refutation: null,
    side: state.turn, plies: state.solved?.plies ?? null, text: exercise === "only" ? onlyMoveText(state) : endgameText(state),
  });
  notifyChange();
}

/** Ends the practice and opens the start of the game. */
export function stopPractice() {
  const { startFen } = practice;
  newGame({ fen: startFen });
}

/** Lets the person try the same position again. The new answer does not count. */
export function tryAgain() {
  const { tree, exercise } = practice;
  const state = tree?.root.state;
  if (!tree || tree !== game.tree || !state) return;
  Object.assign(practice, { status: "asked", judged: tree.root, counts: false, refutation: null, text: exercise === "only" ? onlyMoveText(state) : endgameText(state) });
  goToNode(tree.root);
}

/** Shows a move that keeps the value as an arrow. The streak ends. */
export function showSolution() {
  const node = practice.judged;
  const best = node?.state?.solved?.moves[0];
  if (!node || !best || practice.tree !== game.tree) return;
  count(false);
  if (practice.status !== "asked") Object.assign(practice, { status: "asked", refutation: null });
  if (game.tree.current !== node) goToNode(node);
  interaction.hint = { node, move: best.move };
  notifyChange();
}

/** Follows the game on the board. Called after every change. */
export function update() {
  const { tree, searchTree, players } = practice;
  if ((tree ?? game.tree) !== game.tree || (searchTree ?? game.tree) !== game.tree) {
    practice.reset();
    if (players && game.variant === settings.variant) game.players = players;
  }
  if (practice.status !== "asked") return;
  // A hint answers the question.
  if (interaction.hint) count(false);
  const { current } = game.tree;
  const before = practice.judged;
  if (!current.state || !before?.state || current === before) return;
  if (current.parent === before) judge(before, current);
  else if (current.parent === practice.replyTo) Object.assign(practice, { judged: current, replyTo: null, text: leftText((practice.plies ?? 0) - current.ply) });
  // The person went to another position.
  else if (current.state.turn === practice.side) Object.assign(practice, { judged: current, replyTo: null, counts: false });
}

/** Judges a move of the person. @param {GameNode} before @param {GameNode} node the position after it */
function judge(before, node) {
  const [old, state] = /** @type {[State, State]} */ ([before.state, node.state]);
  const reply = state.solved?.moves[0]?.move ?? null;
  let isRight = true;
  if (practice.exercise === "only") {
    isRight = (keepingMoves(old) ?? []).some((move) => move.move === node.move);
    practice.text = onlyMoveVerdict(old, state, node.move, isRight);
  } else {
    const verdict = judgeEndgame(state, practice.side, (practice.plies ?? 0) - node.ply);
    if (verdict === "good") return void answer(node, reply);
    isRight = verdict === "won";
    practice.text = endgameVerdict(old, state, node, verdict, practice.plies ?? 0);
  }
  count(isRight);
  Object.assign(practice, { status: isRight ? "right" : "wrong", refutation: isRight || !reply ? null : { node, move: reply } });
  notifyChange();
}

/** Plays the reply that resists longest. @param {GameNode} node @param {string | null} reply */
function answer(node, reply) {
  if (!reply || practice.replyTo === node) return;
  practice.replyTo = node;
  setTimeout(() => {
    if (practice.replyTo === node && game.tree.current === node) playMove(reply);
    else if (practice.replyTo === node) practice.replyTo = null;
  }, REPLY_DELAY_MS);
}
