// The state of the page: a few plain objects, and the functions that announce a change.
//
// `game` is the game on the board, `interaction` what a move or a jump clears, `analysis` what the engine works on.
// `trace`, `comparison` and `solution` are the results of the tabs Learn and Solve. Each has a `reset`.
// `preferences` survive in the browser, `tabSettings` in the tab.

import { boardText } from "./drawn_board.js";
import { GameTree } from "./game_tree.js";
import { loadSetting, saveSetting } from "./storage.js";

/** @import { Game, State, Line, Move, Value } from "./types.js" */
/** @import { GameNode } from "./game_tree.js" */

/**
 * A planned run of the comparison: `name` is the algorithm, `+`, and `memory` or `plain`.
 * @typedef {{ name: string, heuristic: string }} PlannedRun
 */

/**
 * A row of the comparison. `nodes` are those of all iterations, and `before` those of all but the last. `extraCount` is the number of leaves, or of states
 * examined by a puzzle search. `isShort`: whether the search was cut short.
 * @typedef {{ name: string, heuristic: string, running: boolean, isShort: boolean, isMinimum?: boolean, depth: number, nodes: number, before: number, extraCount: number | null, time: number, value: Value | null, bestMove: string, note: string }} ComparisonRow
 */

/**
 * A task that the engine finishes before anything else. `index` counts the positions or algorithms done.
 * @typedef {{ kind: "hint" | "analyzeGame" | "compare" | "solve", node: GameNode, index: number }} Task
 */

/**
 * Creates a state object whose `reset` restores the initial values.
 * @template {object} T
 * @param {() => T} initial
 * @returns {T & { reset: () => void }}
 */
function resettable(initial) {
  const state = { ...initial(), reset: () => { Object.assign(state, initial()); } };
  return state;
}

/** The connection to the server, and the games that can be played, each in its first position. */
export const server = {
  /** @type {"connecting" | "open" | import("./transport.js").CloseReason} */
  status: "connecting",
  /** The loaded share of a file that the engine waits for; `null` if it waits for none. @type {number | null} */
  loadedShare: null,
  /** @type {Game[]} */
  variants: [],
};

/** The game on the board. */
export const game = {
  variant: "aadu-puli",
  tree: new GameTree(),
  /** The board file of a drawn board; empty for a game of the server. */
  board: "",
  /** The state on the board; while the state of the current position loads, the one before. @type {State | null} */
  state: null,
  /** The error of the last request for a state; empty if there is none. */
  error: "",
  /** The player of each side: `person`, a level, or for random tiles `chance` or `worst`. */
  players: { p1: "person", p2: "easy" },
  /** Whether the engine or chance waits for a button before it moves. */
  paused: false,
  /** The text of the status line that reports the last move or a notice. */
  message: "",
  /** Starts another game. The players stay. @param {string} variant @param {GameTree} tree */
  reset(variant, tree) {
    Object.assign(game, { variant, tree, board: boardText(variant), error: "", message: "", paused: false });
  },
};

/** The unfinished input and the notices about the current position. A move or a jump clears them. */
export const interaction = resettable(() => ({
  /** The points clicked so far for a move. @type {string[]} */
  clicks: [],
  /** The moves that the clicks leave to choose from. @type {Move[]} */
  choices: [],
  /** @type {{ node: GameNode, move: string } | null} */
  hint: null,
  /** @type {{ node: GameNode, text: string, isReminded: boolean } | null} */
  warning: null,
  /** The move of a review that the board explains: the position before it is shown. @type {import("./review.js").Loss | null} */
  lesson: null,
  /** Whether the worst move of the finished game is shown once it is found. */
  seeksTurn: false,
  /** The position of an engine line, shown without playing it. @type {{ state: State, lastMove: Move | null } | null} */
  preview: null,
  /** The position whose engine move is found and scheduled. @type {GameNode | null} */
  scheduledNode: null,
}));

/** The work of the engine, apart from its own moves. */
export const analysis = resettable(() => ({
  /** The lines found so far, by rank. @type {Line[]} */
  lines: [],
  /** The position of `lines`. @type {GameNode | null} */
  node: null,
  /** The position whose analysis has ended by itself, and the name of that job. @type {{ node: GameNode, name: string } | null} */
  finished: null,
  /** @type {Task | null} */
  task: null,
}));

/** The drawn search of the tab Learn. */
export const trace = resettable(() => ({
  /** @type {import("./trace/search_log.js").SearchLog | null} */
  result: null,
  /** Whether the engine is asked for it. */
  loading: false,
  /** The last event shown. */
  step: 0,
  playing: false,
  error: "",
}));

/** The comparison of algorithms in the tab Learn. */
export const comparison = resettable(() => ({
  /** @type {PlannedRun[]} */
  plan: [],
  /** One row for each run that has started. @type {ComparisonRow[]} */
  rows: [],
  /** The position that is searched. @type {GameNode | null} */
  node: null,
}));

/** The solution of the tab Solve. */
export const solution = resettable(() => ({
  text: "",
  /** @type {string[]} */
  moves: [],
  /** The position that `moves` solve. @type {GameNode | null} */
  node: null,
  playing: false,
  /** The lower bounds in the order found, with the time in milliseconds. @type {{ time: number, bound: number }[]} */
  bounds: [],
}));

/** The solution of the whole game on the board, in memory. */
export const solving = resettable(() => ({
  /** The game and its first position. */
  root: "",
  /** `refused`: it does not fit the memory. @type {"unknown" | "asking" | "offered" | "running" | "solved" | "refused"} */
  status: "unknown",
  /** Whether nobody has asked for it. Then the result needs no words. */
  isUnasked: false,
  /** What it takes. @type {import("./info.js").Forecast | null} */
  forecast: null,
  /** The positions found so far, and the seconds since the start. */
  positions: 0,
  seconds: 0,
  /** The result, or why there is none. */
  note: "",
}));

/** The exercise of the tab Practice. */
export const practice = resettable(() => ({
  /** `right` and `wrong` after an answer. @type {"idle" | "searching" | "asked" | "right" | "wrong"} */
  status: "idle",
  /** What is asked, or the verdict on the answer. */
  text: "",
  /** @type {"only" | "endgame"} */
  exercise: "only",
  /** The game of the exercise, and the game in which a position is searched. @type {GameTree | null} */
  tree: null,
  /** @type {GameTree | null} */
  searchTree: null,
  /** The start of the game that the position is from; `null` for the start of the variant. @type {string | null} */
  startFen: null,
  /** The players before the practice. @type {{ p1: string, p2: string } | null} */
  players: null,
  /** The side of the person. @type {import("./types.js").Turn} */
  side: "p1",
  /** The plies of the win; `null` if there is none. @type {number | null} */
  plies: null,
  /** The last position in which the person was to move, and the one in which the defense is. @type {GameNode | null} */
  judged: null,
  /** @type {GameNode | null} */
  replyTo: null,
  /** Whether the next answer counts for the streak. */
  counts: false,
  /** The reply that refutes a wrong move, after it. @type {{ node: GameNode, move: string } | null} */
  refutation: null,
}));

/** Returns `true` if the board shows an exercise without an answer, so that nothing may give it away. */
export function isAsked() {
  return practice.status === "asked" && practice.tree === game.tree;
}

/** The rate of the current game of 2048: player's moves, start time in milliseconds, seconds since then. */
export const run = resettable(() => ({ moves: 0, startTime: performance.now(), seconds: 0 }));

/** The finished games of 2048 since the page was loaded, and the best score in this browser. */
export const totals = { games: 0, bestScore: loadSetting("best2048", 0) };

/** The names of the preferences in the browser's storage. */
const STORAGE_NAMES = { engineOn: "engine", lineCount: "lines", warn: "warn", colors: "colours", showNames: "names", sound: "sound", theme: "theme", picture: "picture", ownLevel: "own" };

/** The choices that the browser remembers. */
export const preferences = {
  /** Whether the engine analyzes the position on the board. */
  engineOn: loadSetting(STORAGE_NAMES.engineOn, false),
  lineCount: loadSetting(STORAGE_NAMES.lineCount, 3, (count) => Number.isInteger(count) && count >= 1 && count <= 8),
  warn: loadSetting(STORAGE_NAMES.warn, true),
  /** Whether moves are colored by their exact values. */
  colors: loadSetting(STORAGE_NAMES.colors, true),
  /** Whether the names of the points are shown. */
  showNames: loadSetting(STORAGE_NAMES.showNames, true),
  sound: loadSetting(STORAGE_NAMES.sound, false),
  theme: loadSetting(STORAGE_NAMES.theme, "system", (name) => ["system", "light", "dark"].includes(name)),
  /** The picture on the tiles; empty for numbers. */
  picture: loadSetting(STORAGE_NAMES.picture, "", (name) => ["", "tiger", "hills"].includes(name)),
  /** The level set by hand: one error in `errs` moves on average, 0 for none. */
  ownLevel: loadSetting(STORAGE_NAMES.ownLevel, { limit: "depth", amount: 6, errs: 0, algorithm: "auto" }, (own) => own !== null && typeof own === "object" && ["depth", "movetime", "nodes"].includes(own.limit) && Number.isInteger(own.amount) && Number.isInteger(own.errs) && typeof own.algorithm === "string"),
};

/** Sets a preference, saves it in the browser and updates the page. @param {keyof typeof preferences} name @param {any} value */
export function setPreference(name, value) {
  /** @type {any} */ (preferences)[name] = value;
  saveSetting(STORAGE_NAMES[name], value);
  notifyChange();
}

/** The settings that survive a reload of this tab. */
export const tabSettings = {
  display: {
    tab: "play",
    flipped: false,
    /** Milliseconds between moves if no person plays. */
    moveDelayMs: 400,
    /** The number of random moves from the goal when a puzzle is shuffled. */
    shuffleMoves: 20,
  },
  trace: { algorithm: "alphabeta", depth: 2, memory: false, /** The search beside it: its algorithm, `+`, and `memory` or `plain`; empty for none. */ beside: "", /** Steps a second. */ speed: 4 },
  comparison: { depth: 4, seconds: 5, showsTime: false },
  practice: { exercise: "only", grade: "any", /** The last position, its game, and the start of that game. */ variant: "", fen: "", startFen: "" },
  solver: { algorithm: "auto", heuristic: "auto", seconds: 60, /** Moves a second. */ speed: 3 },
};

export const { display } = tabSettings;

/** @type {(() => void)[]} */
const listeners = [];
let scheduled = false;

/** Registers a listener for changes. It is called at most once for each frame. @param {() => void} listener */
export function onChange(listener) {
  listeners.push(listener);
}

/** Announces a change of the state. A hidden tab gets no frames, so its listeners are called by a timer. */
export function notifyChange() {
  if (scheduled) return;
  scheduled = true;
  const notify = () => {
    scheduled = false;
    for (const listener of listeners) listener();
  };
  if (document.hidden) setTimeout(notify, 0);
  else requestAnimationFrame(notify);
}

/** Returns the first position of the variant, or `null` before the games are loaded. */
export function startState() {
  return server.variants.find((state) => state.variant === game.variant) ?? null;
}

/** Returns `true` if the game is a puzzle for one player. @param {State | null} state */
export function isPuzzle(state) {
  return state !== null && state.players.length === 1;
}

/** Returns `true` if random tiles appear in the game. @param {State | null} state */
export function hasChance(state) {
  return state !== null && state.board.slides === "all";
}

/** Returns the number of moves before a person's first one if the engine or chance begins. @param {State} state */
export function openingPlies(state) {
  return hasChance(state) ? 2 : 1;
}

/** Returns the player of the side to move. @param {State | null} state */
export function currentPlayer(state) {
  if (!state) return "person";
  return state.turn === "p1" ? game.players.p1 : game.players.p2;
}

/** Returns `true` if `player` is the engine. @param {string} player */
export function isEngine(player) {
  return player !== "person" && player !== "chance";
}

/** Returns `true` if no person plays. */
export function isEngineOnly() {
  const { p1, p2 } = game.players;
  return isEngine(p1) && (isEngine(p2) || p2 === "chance");
}

/** Returns `true` if a person may move now. In a paused game a person may also move for the engine. */
export function canMove() {
  const { state } = game;
  if (!state || server.status !== "open" || state.outcome !== null || state !== game.tree.current.state || interaction.preview || interaction.warning) return false;
  // The defense of an endgame moves by itself.
  if (isAsked() && state.turn !== practice.side) return false;
  const player = currentPlayer(state);
  return player === "person" || (game.paused && player !== "chance");
}
