// Plays seeded games between levels of the page, reviews them with the page's code, and compares the result with exact values.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { BASELINE_MS, CHECK_MS } from "../../../src/web/page/analysis_target.js";
import { GameTree } from "../../../src/web/page/game_tree.js";
import { parseLine } from "../../../src/web/page/info.js";
import { recordValue } from "../../../src/web/page/jobs.js";
import { LEVELS, chooseByWeight, chooseSolvedMove, lineCount, usesExactValues } from "../../../src/web/page/levels.js";
import { QuerySession } from "../../../src/web/page/queries.js";
import { reviewGame } from "../../../src/web/page/review.js";
import { POSITION_MS } from "../../../src/web/page/tasks.js";
import { moverExpectation, outcomeSign } from "../../../src/web/page/value.js";
import { lossToWarnOf } from "../../../src/web/page/warning.js";
import { PULI } from "./server.js";

/** Small games that the engine solves in a second. */
export const SMALL_GAMES = ["kaooa", "hare-and-hounds", "tic-tac-toe", "huli-mane-ata", "hat-diviyan-keliya"];

/** The time for the value of a position whose moves before matter, in milliseconds. */
const TRUTH_MS = 300;

/** The levels that play each other: the person's and the engine's. */
const PAIRS = [["beginner", "medium"], ["easy", "medium"], ["medium", "beginner"], ["easy", "quick"]];

/** Maximum plies of a game. */
const MAX_PLIES = 100;

/** An engine over a pipe. */
export class Engine {
  /** @param {string[]} [setUp] lines that are sent first */
  constructor(setUp = []) {
    this.child = spawn(PULI, [], { stdio: ["pipe", "pipe", "inherit"] });
    this.session = new QuerySession((line) => this.child.stdin.write(`${line}\n`));
    createInterface({ input: this.child.stdout }).on("line", (line) => this.session.line(line));
    this.session.opened();
    for (const line of setUp) this.session.send(line);
  }

  /** Returns the state of a position. @param {string} variant @param {GameTree} tree @param {import("../../../src/web/page/game_tree.js").GameNode} [node] */
  state(variant, tree, node) {
    return this.session.state(variant, tree.position(node));
  }

  /** Searches a position. @param {string} variant @param {string} position @param {string} go @param {Record<string, any>} options @param {(line: string) => void} onLine */
  search(variant, position, go, options, onLine) {
    return this.session.ask(variant, position, `go ${go}`, "bestmove", { MultiPV: 1, Seed: 0, ...options }, onLine);
  }

  async stop() {
    this.child.stdin.end("quit\n");
    await new Promise((resolve) => this.child.on("exit", resolve));
  }
}

/** The engines: one for each game, which solves it, and one that solves none. */
export function startEngines() {
  /** @type {Map<string, Engine>} */
  const solvers = new Map();
  const plain = new Engine(["setoption name SolveLimit value 0"]);
  return {
    plain,
    /** Returns the engine that has solved a game. @param {string} variant */
    async exact(variant) {
      const solver = solvers.get(variant) ?? new Engine();
      solvers.set(variant, solver);
      while (!(await solver.session.state(variant, "startpos")).solved) solver.session.forgetState(variant, "startpos");
      return solver;
    },
    stop: () => Promise.all([plain, ...solvers.values()].map((engine) => engine.stop())),
  };
}

/** Returns a generator of numbers from 0 to 1. @param {number} seed */
function seededRandom(seed) {
  let state = (seed * 7919 + 20261121) % 2147483647;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

/**
 * Plays a game between two levels as the page does, whose small games have exact values. Returns its tree with the states.
 * @param {Engine} exact
 * @param {Engine} plain
 * @param {string} variant
 * @param {Record<string, string>} players the level of each side
 * @param {number} seed
 * @param {number} maxPlies
 */
async function playGame(exact, plain, variant, players, seed, maxPlies) {
  const random = seededRandom(seed);
  const tree = new GameTree();
  for (;;) {
    const state = await exact.state(variant, tree);
    tree.current.state = state;
    truths.set(tree.current, exactValue(state) ?? await valueAfterRepetition(exact, variant, tree));
    if (state.outcome || state.ply >= maxPlies) return tree;
    const level = LEVELS.find(({ name }) => name === players[state.turn]) ?? LEVELS[0];
    tree.play(chooseSolvedMove(state, level, random) ?? await searchedMove(usesExactValues(level) ? exact : plain, variant, tree, level, random));
  }
}

/** Returns the move of a level from a search. @param {Engine} engine @param {string} variant @param {GameTree} tree @param {any} level @param {() => number} random */
async function searchedMove(engine, variant, tree, level, random) {
  const { turn } = /** @type {any} */ (tree.current.state);
  const found = new Map();
  const lines = await engine.search(variant, tree.position(), level.go, { MultiPV: lineCount(level) }, (text) => {
    const line = parseLine(text, turn);
    if (line?.moves.length && !line.value.bound) found.set(line.rank, { move: line.moves[0], expectation: moverExpectation(line.value, turn) });
  });
  return level.softness > 0 && found.size > 1 ? chooseByWeight([...found.values()], level.softness, random) : String(lines.at(-1)).split(" ")[1];
}

/** The exact value of each position. @type {WeakMap<object, any>} */
const truths = new WeakMap();

/**
 * Returns the exact value of a position whose value may depend on the moves before: a repetition can end the game. Without a win
 * that a search proves, it is the value of the position alone.
 * @param {Engine} exact
 * @param {string} variant
 * @param {GameTree} tree
 */
async function valueAfterRepetition(exact, variant, tree) {
  const { state } = tree.current;
  const searched = /** @type {any} */ ({ value: null, state, depth: 0 });
  await exact.search(variant, tree.position(), `movetime ${TRUTH_MS}`, {}, (text) => recordValue(searched, text));
  return searched.value && "outcome" in searched.value ? searched.value : exactValue(await exact.session.state(variant, `fen ${state?.fen}`));
}

/** Returns the exact value in a state, or `null`. @param {any} state */
function exactValue({ outcome, solved }) {
  if (outcome) return { outcome, plies: 0, exact: true };
  return solved?.verdict ? { outcome: solved.verdict, plies: solved.plies, exact: true } : null;
}

/** Returns whether the move to a node gave away a win or a draw, by exact values. @param {any} node */
function isTurn(node) {
  const { turn } = node.parent.state;
  return outcomeSign(truths.get(node), turn) < outcomeSign(truths.get(node.parent), turn);
}

/**
 * Values the positions of a game as the page does: the person's moves are checked during the game, and then the whole game is
 * analyzed. Returns the review and the warnings.
 * @param {GameTree} tree
 * @param {string} variant
 * @param {string} person the side of the person
 * @param {Engine} engine searches the positions without exact values
 * @param {boolean} isSolved whether the page has the exact values
 */
async function review(tree, variant, person, engine, isSolved) {
  const line = tree.currentLine();
  for (const node of line) {
    const value = exactValue(node.state);
    Object.assign(node, { depth: 0, previousValue: null, isWarned: false, value: isSolved || node.state?.outcome ? value : null });
  }
  /** @param {any} node @param {number} time */
  const search = (node, time) => (node.value?.exact ? null : engine.search(variant, tree.position(node), `movetime ${time}`, {}, (text) => recordValue(node, text)));
  const warned = [];
  for (const node of line.slice(1)) {
    if (node.parent?.state?.turn !== person) continue;
    if (node.parent.value === null) await search(node.parent, BASELINE_MS);
    if (node.value === null && node.parent.value !== null) await search(node, CHECK_MS);
    if (!node.state?.outcome && lossToWarnOf(node)) {
      node.isWarned = true;
      warned.push(node);
    }
  }
  for (const node of line) await search(node, POSITION_MS);
  return { ...reviewGame(line), warned };
}

/**
 * Plays the game number `at` and reviews it with and without exact values.
 * @param {ReturnType<typeof startEngines>} engines
 * @param {number} at
 * @param {string[]} variants
 * @param {number} maxPlies
 */
export async function reviewedGame(engines, at, variants = SMALL_GAMES, maxPlies = MAX_PLIES) {
  const variant = variants[at % variants.length];
  const person = at % 2 ? "p2" : "p1";
  const [own, other] = PAIRS[Math.floor(at / variants.length) % PAIRS.length];
  const exact = await engines.exact(variant);
  const tree = await playGame(exact, engines.plain, variant, person === "p1" ? { p1: own, p2: other } : { p1: other, p2: own }, at + 1, maxPlies);
  const line = tree.currentLine();
  /** @param {Awaited<ReturnType<typeof review>>} result */
  const summary = ({ losses, warned }) => {
    const named = losses.filter(({ lost }) => lost !== "step").map(({ node }) => node);
    return { named: named.map(({ ply }) => ply), falseNamed: named.filter((node) => !isTurn(node)).map(({ ply }) => ply), warned: warned.length, falseWarned: warned.filter((node) => !isTurn(node)).length,
      texts: losses.map((loss) => `${loss.lost} ${JSON.stringify(loss.before)} → ${JSON.stringify(loss.after)} by ply ${loss.node.ply}`) };
  };
  const withExact = summary(await review(tree, variant, person, exact, true));
  const without = summary(await review(tree, variant, person, engines.plain, false));
  return { variant, moves: tree.moves(), personMoves: line.slice(1).filter((node) => node.parent?.state?.turn === person).length, turns: line.slice(1).filter(isTurn).map(({ ply }) => ply), isSolved: line.every(({ state }) => exactValue(state)), withExact, without };
}
