// The session that searches: one job at a time. A new job stops the old one and starts after its `bestmove`.

import { gameCommands } from "./drawn_board.js";
import { parseBestMove, parseError, parseFailure } from "./info.js";

/**
 * @typedef {object} Job
 * @property {string} name kind, variant, position, limits and options; jobs with equal names are the same job
 * @property {string} variant
 * @property {string} position the argument of the command `position`
 * @property {Record<string, string | number | boolean>} options the options that differ from `DEFAULT_OPTIONS`
 * @property {string} go the argument of the command `go`
 * @property {boolean} [isExact] whether the job should use exact values if its game is solved
 * @property {(line: string) => void} [onLine]
 * @property {(move: string | null, errors: string[]) => void} [onDone] not called for a job that another one replaced
 */

/** The values of the options that a job does not set. @type {Record<string, string | number | boolean>} */
const DEFAULT_OPTIONS = { Algorithm: "auto", Heuristic: "auto", Memory: true, MultiPV: 1, Seed: 0, ClosedList: true, TieBreak: "high-g", MemoryLimit: 1024, SolveLimit: 2000000 };

export class AnalysisSession {
  /** @param {(line: string) => boolean} send @param {() => void} onChange called after a job has ended */
  constructor(send, onChange) {
    this.send = send;
    this.onChange = onChange;
    this.open = false;
    /** @type {Job | null} */
    this.job = null;
    /** Whether the job was replaced and only its `bestmove` is awaited. */
    this.stopping = false;
    /** The job that starts after it. @type {Job | null} */
    this.next = null;
    /** The commands that chose the game. */
    this.game = "";
    /** @type {Record<string, string>} */
    this.options = {};
    /** @type {string[]} */
    this.errors = [];
    /** The name of the job during which the engine failed. It is not started again. */
    this.failedName = "";
  }

  opened() {
    this.closed();
    this.open = true;
    this.game = "";
    this.options = {};
    this.send("ugi");
  }

  closed() {
    this.open = false;
    this.job = null;
    this.next = null;
    this.stopping = false;
  }

  /** The job that runs or starts next, or `null`. */
  get currentJob() {
    return this.stopping ? this.next : this.job;
  }

  /** Replaces the current job, unless it is the same one. `null` stops it. @param {Job | null} job */
  setJob(job) {
    if (!this.open || (job && job.name === this.failedName)) return;
    if (this.job && !this.stopping && job && this.job.name === job.name) return;
    if (this.next && job && this.next.name === job.name) return;
    this.next = job;
    if (this.job) {
      if (!this.stopping) {
        this.stopping = true;
        this.send("stop");
      }
    } else if (job) this.start(job);
  }

  /** Stops the job and keeps its result. A job without a limit continues. */
  stopEarly() {
    if (this.job && !this.stopping && this.job.go !== "infinite") this.send("stop");
  }

  /** @param {Job} job */
  start(job) {
    this.job = job;
    this.next = null;
    this.stopping = false;
    this.errors = [];
    this.failedName = "";
    const commands = gameCommands(job.variant);
    if (commands !== this.game) {
      for (const command of commands.split("\n")) this.send(command);
      this.game = commands;
    }
    for (const [name, value] of Object.entries({ ...DEFAULT_OPTIONS, ...job.options })) {
      const text = String(value);
      // The engine's own default of `MemoryLimit` is larger, so the first job sends it.
      if ((this.options[name] ?? String(DEFAULT_OPTIONS[name])) === text && !(name === "MemoryLimit" && !this.options[name])) continue;
      this.send(`setoption name ${name} value ${text}`);
      this.options[name] = text;
    }
    this.send(`position ${job.position}`);
    this.send(`go ${job.go}`);
  }

  /** Handles a line of the engine. @param {string} line */
  line(line) {
    const { job } = this;
    if (!job) return;
    const failure = parseFailure(line);
    if (failure !== null) {
      this.closed();
      this.failedName = job.name;
      job.onDone?.(null, [failure]);
      this.onChange();
    } else if (line.startsWith("bestmove")) {
      const { stopping, next } = this;
      this.job = null;
      this.stopping = false;
      this.next = null;
      if (next) this.start(next);
      if (!stopping) job.onDone?.(parseBestMove(line), this.errors);
      this.onChange();
    } else if (!this.stopping) {
      const error = parseError(line);
      if (error !== null) this.errors.push(error);
      job.onLine?.(line);
    }
  }
}
