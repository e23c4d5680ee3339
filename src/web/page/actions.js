// What people do: play, take back, look around, begin anew. Every act changes the page's state and says so.

import { Asker } from "./queries.js";
import { fragment, parse } from "./address.js";
import { read, written } from "./game_tree.js";
import { position } from "./jobs.js";
import { changed, hasChance, isEngine, isPuzzle, mover, page, start } from "./state.js";
import { remember } from "./storage.js";
import { kept, restore } from "./tab_state.js";
import { Link } from "./socket.js";
import { opposed, wanted } from "./analysis_target.js";
import { Thinker } from "./analysis_session.js";
import { Travel } from "./undo_history.js";
import { SAY, blunder, happened } from "./text.js";
import { given } from "./value.js";

/** @import { State } from "./types.js" */
/** @import { Node } from "./game_tree.js" */

/** No answer comes quicker than this after a move, in milliseconds, so that people see what was first. */
const BREATH = 120;
/** The game of an address that names none. */
const FIRST = "aadu-puli";
/** Games longer than this are not written into the address move by move. */
const LONG = 400;

const links = { ask: /** @type {Link | null} */ (null), think: /** @type {Link | null} */ (null) };
export const asker = new Asker((line) => links.ask?.send(line) ?? false);
export const thinker = new Thinker((line) => links.think?.send(line) ?? false, changed);
const travel = new Travel();
let movedAt = 0;
let timer = 0;

/** Opens both sessions. */
export function connect() {
  links.ask = new Link({ open: () => { asker.opened(); joined(); }, line: (line) => asker.line(line), close: (why) => { asker.closed(); lost(why); } });
  links.think = new Link({ open: () => { thinker.opened(); joined(); }, line: (line) => thinker.line(line), close: (why) => { thinker.closed(); lost(why); } });
  links.ask.connect();
  links.think.connect();
}

function joined() {
  if (!asker.open || !thinker.open) return;
  page.link = "open";
  page.answering = null;
  void look();
}

/** @param {"gone" | "key"} why */
function lost(why) {
  page.link = why === "key" ? "key" : "gone";
  changed();
}

/** Gives the engine what it should think of now. Called after every change. */
export function consider() {
  thinker.want(wanted({ answer, checked }));
}

/** Learns what there is to know of the position that is looked at. */
export async function look() {
  const node = page.game.current;
  page.preview = null;
  // Whoever reloads before the engine has told of a position loses no move.
  write();
  const state = await learn(node);
  if (page.game.current !== node) return;
  if (state) page.state = state;
  settle();
  changed();
}

/** @param {Node} node @returns {Promise<State | null>} */
export async function learn(node) {
  if (node.state) return node.state;
  const { game, variant } = page;
  try {
    const state = await asker.state(variant, position(node));
    // Where chance plays along, a position is asked for by its parent's FEN: its own ply follows from the tree.
    node.state = { ...state, ply: node.ply };
    if (hasChance(state) && state.outcome !== null && node.parent) page.run.games++;
    if (state.solved) node.worth = { end: state.solved.verdict, plies: state.solved.plies, sure: true };
    else if (state.ending?.why === "leaf") node.worth = { points: state.score ?? 0 };
    else if (state.outcome) node.worth = { end: state.outcome, plies: 0, sure: true };
    if (game === page.game) page.wrong = "";
    return node.state;
  } catch (error) {
    if (game !== page.game) return null;
    page.wrong = /** @type {Error} */ (error).message;
    if (!node.parent && game.fen !== null) {
      // An address that cannot be read says so, and leaves people at the start.
      const why = page.wrong.replace(/^column \d+: /, "");
      begin({ fen: null });
      page.news = SAY.badPosition(why);
    } else if (node.parent) {
      const { move } = node;
      game.remove(node);
      page.made = [];
      page.news = SAY.illegalInLink(move);
      await look();
    }
    changed();
    return null;
  }
}

/** What follows by itself once a position is known: chance, a warning, the record of a run. */
function settle() {
  const node = page.game.current;
  const { state } = node;
  write();
  if (!state || page.link !== "open") return;
  if (state.outcome === null && mover(state) === "chance" && !page.waiting) void chance(node);
  else if (node.parent && state.solved && opposed(state) && isEngine(mover(state))) checked(node);
}

/** @param {Node} node */
async function chance(node) {
  const move = await asker.draw(page.variant, position(node), 1 + Math.floor(Math.random() * 1e9)).catch(() => null);
  if (move && page.game.current === node && mover(node.state) === "chance" && page.link === "open") advance(move);
}

/** A person's move was looked at: if it throws the game away, he hears of it before the engine answers. @param {Node} node */
function checked(node) {
  const before = node.parent;
  const state = before?.state;
  node.searched = true;
  if (page.warn && before && state && node === page.game.current && page.sides[state.turn === "p1" ? "p1" : "p2"] === "person") {
    const lost = given(before.worth, node.worth, state.turn);
    if (lost && !page.waiting && !seen.has(node)) {
      seen.add(node);
      page.warning = { node, text: blunder(state, node.move, lost) };
    }
  }
  changed();
}

/** Warnings that were given already. @type {WeakSet<Node>} */
const seen = new WeakSet();

/** The engine's move, when it may be seen, unless a person took its seat since it was asked. @param {Node} node @param {string} move */
function answer(node, move) {
  if (page.game.current !== node || page.answering === node || !isEngine(mover(node.state))) return;
  const alone = isEngine(page.sides.p1) && (isEngine(page.sides.p2) || page.sides.p2 === "chance");
  const due = movedAt + (alone ? page.pace : BREATH) - performance.now();
  const now = () => {
    if (page.answering !== node) return;
    page.answering = null;
    if (page.game.current === node && !page.waiting && page.link === "open") advance(move);
  };
  page.answering = node;
  if (due <= 0) now();
  else {
    clearTimeout(timer);
    timer = window.setTimeout(now, due);
  }
}

/** Plays a move, whoever made it. @param {string} word */
export function advance(word) {
  const before = page.game.current.state;
  const move = before?.moves.find((one) => one.move === word);
  if (!before || !move) return;
  movedAt = performance.now();
  travel.clear();
  page.game.play(word);
  Object.assign(page, { made: [], asking: [], hint: null, warning: null, preview: null, answering: null, waiting: false });
  // Where chance only answers, what the player did is the news.
  if (!(hasChance(before) && before.turn !== "p1" && before.ply > 1)) page.news = happened(before, move);
  if (hasChance(before) && before.turn === "p1") page.run.moves++;
  void look();
}

/** Looks at another position of the game; the engine and chance wait there until they are told to go on. @param {Node} node */
export function go(node) {
  travel.clear();
  visit(node);
}

/** @param {Node} node */
function visit(node) {
  page.game.go(node);
  page.news = "";
  Object.assign(page, { made: [], asking: [], hint: null, warning: null, preview: null, answering: null, waiting: mover(node.state) !== "person" || !node.state });
  page.solve.playing = false;
  void look().then(() => {
    page.waiting = mover(page.game.current.state) !== "person";
    changed();
  });
}

/** Whether Undo and Redo stop at a position: where a person is to move, or everywhere if no person plays. @param {Node} node */
function stops(node) {
  const played = page.sides.p1 === "person" || page.sides.p2 === "person";
  return !played || !node.state || node.state.outcome !== null || mover(node.state) === "person";
}

/** Takes the last move back; against the engine its answer too, so that the person is to move again. */
export function undo() {
  const node = travel.undo(page.game, stops);
  if (node) visit(node);
}

/** Makes the move again that was taken back; against the engine its answer too. */
export function redo() {
  const node = travel.redo(page.game, stops);
  if (node) visit(node);
}

/** One position back. */
export function back() {
  if (page.game.current.parent) go(page.game.current.parent);
}

/** One position on, along the line looked at. */
export function forth() {
  if (page.game.redo()) go(page.game.current);
}

/** Lets the engine or chance go on where it waits. */
export function goOn() {
  page.waiting = false;
  page.warning = null;
  settle();
  changed();
}

/** Begins a game: of another variant, from another position, or the same anew. @param {{ variant?: string, fen?: string | null, moves?: string, goesOn?: boolean }} [how] `goesOn`: the engine does not wait in a position that was set up */
export function begin({ variant = page.variant, fen = variant === page.variant ? page.game.fen : null, moves = "", goesOn = false } = {}) {
  const other = variant !== page.variant || page.state === null;
  page.variant = variant;
  page.game = read(fen, moves);
  Object.assign(page, { made: [], asking: [], hint: null, warning: null, preview: null, answering: null, waiting: false, news: "", work: null, lines: [], linesOf: null, settled: null, wrong: "" });
  page.learn.trace = null;
  page.compare.rows = [];
  Object.assign(page.solve, { text: "", bound: 0, found: [], of: null, playing: false, history: [] });
  const first = start();
  if (other) page.learn.depth = first?.board.kind === "tree" ? 4 : 2;
  if (other) page.state = first;
  if (other || !fits(first)) page.sides = sides(first);
  page.run = { ...page.run, moves: 0, began: performance.now(), seconds: 0 };
  travel.clear();
  // A position that somebody set up is looked at first: the engine waits where it is to move.
  const setUp = fen !== null || page.game.current !== page.game.root;
  const { game } = page;
  page.waiting = setUp && !goesOn;
  void look().then(() => {
    if (page.game !== game) return;
    const held = page.waiting;
    page.waiting = held && isEngine(mover(page.game.current.state));
    if (held && !page.waiting) settle();
    // A puzzle that begins solved is shuffled; what was said before is still said.
    const { news } = page;
    if (!setUp && isPuzzle(first) && first?.outcome) void mix().then(() => news && tell(news));
    changed();
  });
}

/** Begins a game again; a puzzle of tiles is shuffled anew. */
export function again() {
  if (page.state?.board.slides === "one") void mix();
  else begin();
}

/** Shuffles a puzzle of tiles. @param {number | null} [count] moves from the goal; `null` for any position */
export async function mix(count = page.difficulty) {
  const { variant, state } = page;
  const seed = 1 + Math.floor(Math.random() * 1e9);
  const goal = state?.board.goal;
  const home = start()?.board.goal;
  // The engine shuffles away from the present goal, whatever position is set.
  const where = goal && home && rows(goal) !== rows(home) ? `fen ${rows(goal)} goal ${rows(goal)}` : goal ? `fen ${rows(goal)}` : "startpos";
  const fen = await asker.shuffled(variant, where, count, seed).catch((error) => {
    tell(error.message);
    return null;
  });
  if (fen !== null && page.variant === variant) begin({ fen });
}

/** The rows of a goal as a FEN writes them. @param {number[][]} cells */
export function rows(cells) {
  return cells.map((row) => row.join(",")).join("/");
}

/** Who plays at first: the person the first side, an easy engine the other. @param {State | null} state */
export function sides(state) {
  if (isPuzzle(state) || state?.board.kind === "tree") return { p1: "person", p2: "person" };
  return { p1: "person", p2: hasChance(state) ? "chance" : "easy" };
}

/** @param {State | null} state */
function fits(state) {
  return isPuzzle(state) ? page.sides.p1 === "person" : hasChance(state) === ["chance", "worst"].includes(page.sides.p2) || page.sides.p2 === "person";
}

/** Writes the game into the address; of a long one the position alone, once it is known. */
function write() {
  const { game, variant } = page;
  const { state } = game.current;
  const long = game.nodes.size > LONG;
  if (long && !state) return;
  const fen = long && state ? state.fen : game.fen;
  const text = fragment({ variant, fen, moves: long ? "" : written(game) });
  if (location.hash !== text) history.replaceState(null, "", text);
}

/** The game that the address names, or the first one; an address that names none says so. */
export function open() {
  const { variant, fen, moves } = parse(location.hash);
  const known = variant === null || page.variants.some((state) => state.variant === variant);
  const name = known && variant ? variant : FIRST;
  const before = page.state === null ? kept() : null;
  begin({ variant: name, fen: known ? fen : null, moves: known ? moves : "", goesOn: before?.address === location.hash && !before.waiting });
  if (before) {
    restore(before);
    const now = page.sides;
    if (before.variant === name) page.sides = before.sides;
    if (!fits(start())) page.sides = now;
  }
  if (!known) tell(SAY.noGame(variant));
}

/** Sets who plays a side. @param {"p1" | "p2"} player @param {string} who */
export function seat(player, who) {
  page.sides = { ...page.sides, [player]: who };
  page.answering = null;
  page.waiting = false;
  const { state } = page.game.current;
  if (state && state.outcome === null && mover(state) === "chance") void chance(page.game.current);
  changed();
}

/** Every side gets the other's player; a puzzle and a game of chance have no sides to exchange. */
export function swap() {
  if (isPuzzle(page.state) || hasChance(page.state)) return;
  page.sides = { p1: page.sides.p2, p2: page.sides.p1 };
  page.answering = null;
  page.waiting = false;
  changed();
}

/** Remembers a choice on this machine and shows it. @param {"engineOn" | "warn" | "colours" | "names" | "sound" | "theme" | "multi" | "picture" | "own"} name @param {any} value */
export function prefer(name, value) {
  /** @type {any} */ (page)[name] = value;
  remember(/** @type {Record<string, string>} */ ({ engineOn: "engine", multi: "lines" })[name] ?? name, value);
  changed();
}

/** A notice that goes with the next move. @param {string} text */
export function tell(text) {
  page.news = text;
  changed();
}
