// The session that solves a game on request, opened when it is first needed. Its answers about a solved game are exact, so
// the states and searches of that game come from it.

import { gameCommands } from "./drawn_board.js";
import { parseBestMove } from "./info.js";
import { t } from "./language.js";
import { QuerySession } from "./queries.js";

/** @import { Job } from "./analysis_session.js" */
/** @import { Transport, TransportHandlers } from "./transport.js" */

/** The memory that solving may use, in MiB. `puli board` allows no more. */
export const SOLVE_MEMORY_MIB = 1024;

/** The error of a question that was open when the connection was lost. */
export const CONNECTION_LOST = t("the connection to the engine was lost");

export class ExactSession {
  /** @param {(handlers: TransportHandlers) => Transport} createTransport @param {() => void} onChange called after a job has ended */
  constructor(createTransport, onChange) {
    this.createTransport = createTransport;
    this.onChange = onChange;
    /** @type {Transport | null} */
    this.transport = null;
    this.queries = new QuerySession((line) => this.transport?.send(line) ?? false);
    /** The commands that choose the solved game; empty if none is solved. */
    this.game = "";
    /** The name of the job whose results are wanted. */
    this.jobName = "";
    this.isSearching = false;
  }

  connect() {
    if (this.transport) return;
    this.transport = this.createTransport({
      onOpen: () => {
        // A new engine has solved nothing.
        this.game = "";
        this.queries.states.clear();
        this.queries.opened();
      },
      onLine: (line) => this.queries.line(line),
      onClose: () => {
        this.game = "";
        this.queries.closed();
        this.queries.abort(CONNECTION_LOST);
      },
      onProgress: () => {},
    });
    this.transport.connect();
  }

  /** Returns `true` if a game of the variant is solved. Positions that cannot follow from its start may be unknown. @param {string} variant */
  hasSolved(variant) {
    return this.game === gameCommands(variant);
  }

  /**
   * Returns the engine's line with the time and the memory for solving a game. A solved game of another variant is forgotten.
   * @param {string} variant
   * @param {string} position
   */
  async forecast(variant, position) {
    this.connect();
    if (!this.hasSolved(variant)) this.game = "";
    const lines = await this.queries.ask(variant, position, "solve forecast", "info string solving ");
    return /** @type {string} */ (lines.at(-1));
  }

  /**
   * Solves a game and returns the engine's last line.
   * @param {string} variant
   * @param {string} position
   * @param {(line: string) => void} onLine
   */
  async solve(variant, position, onLine) {
    this.connect();
    const game = gameCommands(variant);
    const lines = await this.queries.ask(variant, position, "solve", "info string solved ", { MemoryLimit: SOLVE_MEMORY_MIB }, onLine);
    this.game = game;
    this.queries.states.clear();
    return /** @type {string} */ (lines.at(-1));
  }

  /** Stops solving. Nothing is kept. */
  stop() {
    this.transport?.send("stop");
  }

  /**
   * Runs a job if it wants exact values and its game is solved. Returns `false` if the job is not for this session. A
   * search of a solved game takes no time, so a job is not stopped, but the results of a replaced one are dropped.
   * @param {Job | null} job
   */
  setJob(job) {
    const isHere = job !== null && job.isExact === true && this.hasSolved(job.variant);
    this.jobName = isHere ? job.name : "";
    if (isHere && !this.isSearching) void this.search(job);
    return isHere;
  }

  /** @param {Job} job */
  async search(job) {
    const isWanted = () => this.jobName === job.name;
    this.isSearching = true;
    try {
      const lines = await this.queries.ask(job.variant, job.position, `go ${job.go}`, "bestmove", job.options, (line) => isWanted() && job.onLine?.(line));
      if (isWanted()) job.onDone?.(parseBestMove(/** @type {string} */ (lines.at(-1))), []);
    } catch {
      // Another session can still run the job.
      this.game = "";
    }
    this.isSearching = false;
    this.onChange();
  }
}
