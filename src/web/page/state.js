// The state of the page: one plain object, and who wants to hear that it changed.

import { Game } from "./game_tree.js";
import { recall } from "./storage.js";

/** @import { State, Line, Move, Trace, Worth } from "./types.js" */
/** @import { Node } from "./game_tree.js" */

/** @typedef {{ name: string, heuristic: string, running: boolean, depth: number, nodes: number, other: number | null, time: number, worth: Worth | null, best: string, note: string }} Row */

export const page = {
  /** @type {"connecting" | "open" | "gone" | "key"} */
  link: "connecting",
  /** Every variant at its start. @type {State[]} */
  variants: [],
  variant: "aadu-puli",
  game: new Game(),
  /** What is known of the position that is looked at. @type {State | null} */
  state: null,
  /** What went wrong with it, if it cannot be had. */
  wrong: "",
  /** Clicks of a move that is being made. @type {string[]} */
  made: [],
  /** Who plays each side: `person`, or a level; for chance `chance`, `worst` or `person`. */
  sides: { p1: "person", p2: "easy" },
  own: recall("own", { limit: "depth", amount: 6, errs: 0, algorithm: "auto" }, (own) => own !== null && typeof own === "object" && ["depth", "movetime", "nodes"].includes(own.limit) && Number.isInteger(own.amount) && Number.isInteger(own.errs) && typeof own.algorithm === "string"),
  /** Whether the engine, though it is its turn, waits to be told. */
  waiting: false,
  /** The position whose answer is found and about to be played. @type {Node | null} */
  answering: null,
  /** Milliseconds between the engine's moves where it plays alone. */
  pace: 400,
  /** What happened last, for the status line. */
  news: "",
  /** @type {{ node: Node, text: string } | null} */
  warning: null,
  /** @type {{ node: Node, move: string } | null} */
  hint: null,
  /** The moves among which a click left a choice. @type {Move[]} */
  asking: [],

  engineOn: recall("engine", false),
  multi: recall("lines", 3, (lines) => Number.isInteger(lines) && lines >= 1 && lines <= 8),
  /** What the engine found, and for which position. @type {Line[]} */
  lines: [],
  /** @type {Node | null} */
  linesOf: null,
  /** The position of which nothing is left to find, and the job that found it all. @type {{ node: Node, name: string } | null} */
  settled: null,
  /** A line that is looked at: its position, without being played. @type {{ state: State, last: Move | null } | null} */
  preview: null,

  tab: "play",
  /** How many random moves from its goal a puzzle is shuffled. */
  difficulty: 20,
  warn: recall("warn", true),
  colours: recall("colours", true),
  names: recall("names", true),
  sound: recall("sound", false),
  flip: false,
  picture: recall("picture", "", (name) => ["", "tiger", "hills"].includes(name)),
  theme: recall("theme", "system", (name) => ["system", "light", "dark"].includes(name)),

  /** A task that the engine works at before anything else. @type {{ kind: "hint" | "survey" | "compare" | "solve", node: Node, at: number } | null} */
  work: null,
  learn: { algorithm: "alphabeta", depth: 2, memory: false, trace: /** @type {Trace | null} */ (null), of: /** @type {Node | null} */ (null), step: 0, playing: false, speed: 4, wrong: "" },
  compare: { depth: 4, seconds: 5, rows: /** @type {Row[]} */ ([]), of: /** @type {Node | null} */ (null), plan: /** @type {{ name: string, heuristic: string }[]} */ ([]) },
  solve: { algorithm: "auto", heuristic: "auto", seconds: 60, text: "", bound: 0, found: /** @type {string[]} */ ([]), of: /** @type {Node | null} */ (null), playing: false, speed: 3, history: /** @type {{ time: number, bound: number }[]} */ ([]) },
  run: { moves: 0, began: 0, seconds: 0, games: 0, best: recall("best2048", 0) },
};

/** @type {(() => void)[]} */
const hearers = [];
let asked = false;

/** Has a function called whenever the page changed, at most once for each picture. @param {() => void} hearer */
export function onChange(hearer) {
  hearers.push(hearer);
}

/** The page changed. A tab that is not looked at draws nothing, but is told. */
export function changed() {
  if (asked) return;
  asked = true;
  const tell = () => {
    asked = false;
    for (const hearer of hearers) hearer();
  };
  if (document.hidden) setTimeout(tell, 0);
  else requestAnimationFrame(tell);
}

/** The variant's first position, as it stands in the catalogue. */
export function start() {
  return page.variants.find((state) => state.variant === page.variant) ?? null;
}

/** Whether the variant is a puzzle for one. @param {State | null} state */
export function isPuzzle(state) {
  return state !== null && state.players.length === 1;
}

/** Whether chance plays along. @param {State | null} state */
export function hasChance(state) {
  return state !== null && state.board.slides === "all";
}

/** Who plays the side that is to move. @param {State | null} state */
export function mover(state) {
  if (!state) return "person";
  return state.turn === "p1" ? page.sides.p1 : page.sides.p2;
}

/** Whether an engine plays that side. @param {string} who */
export function isEngine(who) {
  return who !== "person" && who !== "chance";
}

/** Whether the person may move now. */
export function live() {
  const { state } = page;
  if (!state || page.link !== "open" || state.outcome !== null || state !== page.game.current.state || page.preview || page.warning) return false;
  const who = mover(state);
  return who === "person" || (page.waiting && who !== "chance");
}
