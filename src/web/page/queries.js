// The session that answers queries at once: the state of a position, a traced search, a random tile. One query at a time.

import { NEUTRAL_VARIANT, boardCommand, gameCommands } from "./drawn_board.js";
import { parseError, parseFailure } from "./info.js";

/** @import { State } from "./types.js" */

/**
 * @typedef {object} Query
 * @property {string} variant
 * @property {string} position the argument of the command `position`
 * @property {Record<string, string | number | boolean>} options
 * @property {string} command
 * @property {string} lastLinePrefix what the last line of the answer begins with
 * @property {((line: string) => void) | undefined} onLine called for every line of the answer when it arrives
 * @property {(lines: string[]) => void} resolve
 * @property {(reason: Error) => void} reject
 */

/** Maximum number of cached states. */
const MAX_CACHED_STATES = 4000;

/** The engine answers `state` after 50 ms if it is solving the game meanwhile, and at once if it is not. */
const SOLVING_ANSWER_MS = 45;

export class QuerySession {
  /** @param {(line: string) => boolean} send */
  constructor(send) {
    this.send = send;
    /** @type {Query[]} */
    this.queue = [];
    /** @type {Query | null} */
    this.running = null;
    /** The lines received for the running query. @type {string[]} */
    this.received = [];
    /** The time when the running query was sent, and the milliseconds that the last answer took. */
    this.sentTime = 0;
    this.answerMs = 0;
    this.open = false;
    /** The commands that chose the game of the engine; empty if it is not known. */
    this.game = "";
    /** Whether the running query has chosen the game. */
    this.hasChosen = false;
    /** The position of the engine; empty if it is not known. */
    this.position = "";
    /** @type {Record<string, string>} */
    this.options = {};
    /** @type {Map<string, Promise<State>>} */
    this.states = new Map();
  }

  /** Starts with a new engine. A query without an answer is sent again. */
  opened() {
    this.open = true;
    this.game = "";
    this.position = "";
    this.options = {};
    this.send("ugi");
    if (this.running) this.queue.unshift(this.running);
    this.running = null;
    this.next();
  }

  closed() {
    this.open = false;
  }

  /** Rejects all queries that have no answer. @param {string} reason */
  abort(reason) {
    const queries = [...(this.running ? [this.running] : []), ...this.queue];
    this.running = null;
    this.queue = [];
    for (const query of queries) query.reject(new Error(reason));
  }

  /** Handles a line of the engine. @param {string} line */
  line(line) {
    const query = this.running;
    if (!query) return;
    this.received.push(line);
    query.onLine?.(line);
    // These answers end with their last line even after an error, unless the engine has failed.
    const endsWithError = parseFailure(line) !== null || (parseError(line) !== null && !["bestmove", "state ", "readyok"].includes(query.lastLinePrefix));
    if (!line.startsWith(query.lastLinePrefix) && !endsWithError) return;
    this.running = null;
    this.answerMs = performance.now() - this.sentTime;
    const error = this.received.map(parseError).find((text) => text !== null);
    if (error !== undefined && error !== null) {
      this.position = "";
      if (this.hasChosen) this.game = "";
      query.reject(new Error(error));
    } else query.resolve(this.received);
    this.next();
  }

  /** Sends the next query if the engine is free. */
  next() {
    if (!this.open || this.running || this.queue.length === 0) return;
    const query = /** @type {Query} */ (this.queue.shift());
    this.running = query;
    this.received = [];
    const commands = gameCommands(query.variant);
    this.hasChosen = commands !== this.game;
    if (this.hasChosen) {
      for (const command of commands.split("\n")) this.send(command);
      this.game = commands;
      this.position = "startpos";
    }
    for (const [name, value] of Object.entries(query.options)) {
      if (this.options[name] === String(value)) continue;
      this.send(`setoption name ${name} value ${value}`);
      this.options[name] = String(value);
    }
    if (query.position !== this.position) {
      this.send(`position ${query.position}`);
      this.position = query.position;
    }
    this.sentTime = performance.now();
    this.send(query.command);
    if (query.command.startsWith("position")) this.position = "";
    // These commands have no answer of their own.
    if (query.lastLinePrefix === "readyok") this.send("isready");
  }

  /**
   * Queues a query and returns the lines of its answer.
   * @param {string} variant
   * @param {string} position
   * @param {string} command
   * @param {string} lastLinePrefix
   * @param {Record<string, string | number | boolean>} [options]
   * @param {(line: string) => void} [onLine]
   * @returns {Promise<string[]>}
   */
  ask(variant, position, command, lastLinePrefix, options = {}, onLine) {
    return new Promise((resolve, reject) => {
      this.queue.push({ variant, position, options, command, lastLinePrefix, onLine, resolve, reject });
      this.next();
    });
  }

  /** Removes a state from the cache, so that it is requested again. @param {string} variant @param {string} position */
  forgetState(variant, position) {
    this.states.delete(`${gameCommands(variant)}|${position}`);
  }

  /** Returns the state of a position. @param {string} variant @param {string} position @returns {Promise<State>} */
  state(variant, position) {
    const name = `${gameCommands(variant)}|${position}`;
    let state = this.states.get(name);
    if (!state) {
      state = this.ask(variant, position, "state", "state ").then((lines) => {
        const answer = JSON.parse(/** @type {string} */ (lines.at(-1)).slice(6));
        return { ...answer, isSolving: answer.solved === null && this.answerMs >= SOLVING_ANSWER_MS };
      });
      state.catch(() => this.states.delete(name));
      if (this.states.size >= MAX_CACHED_STATES) this.states.delete(/** @type {string} */ (this.states.keys().next().value));
      this.states.set(name, state);
    }
    return state;
  }

  /** Gives the engine a board file. Rejects with its errors. @param {string} text */
  async checkBoard(text) {
    await this.ask(NEUTRAL_VARIANT, "startpos", boardCommand(text), "readyok");
  }

  /** Returns a random tile as a move. @param {string} variant @param {string} position @param {number} seed @returns {Promise<string>} */
  async sampleTile(variant, position, seed) {
    const lines = await this.ask(variant, position, "go depth 1", "bestmove", { Seed: seed, Algorithm: "auto" });
    return /** @type {string} */ (lines.at(-1)).split(" ")[1];
  }

  /** Returns the FEN of a shuffled puzzle: `moves` random moves from its goal, or a random position if `null`. @param {string} variant @param {string} position @param {number | null} moves @param {number} seed */
  async shuffle(variant, position, moves, seed) {
    const command = moves === null ? `position random seed ${seed}` : `position scramble ${moves} seed ${seed}`;
    const lines = await this.ask(variant, position, command, "readyok");
    return lines.map((text) => text.match(/^info string position fen (.*)$/)?.[1]).find((fen) => fen !== undefined) ?? null;
  }
}
