// The session that thinks: one job at a time; a new one stops the old, waits for its `bestmove`, and then goes.

import { best, complaint } from "./info.js";

/**
 * @typedef {object} Job
 * @property {string} name what it is for, with all that matters: equal names are the same job
 * @property {string} variant
 * @property {string} position
 * @property {Record<string, string | number | boolean>} options those that are not at their defaults
 * @property {string} go
 * @property {(line: string) => void} [line]
 * @property {(move: string | null, errors: string[]) => void} [done] not called for a job that was given up
 */

/** @type {Record<string, string | number | boolean>} */
const DEFAULTS = { Algorithm: "auto", Heuristic: "auto", Memory: true, MultiPV: 1, Seed: 0, ClosedList: true, TieBreak: "high-g", MemoryLimit: 1024 };

export class Thinker {
  /** @param {(line: string) => boolean} send @param {() => void} changed it began or ended */
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
    this.open = false;
    /** @type {Job | null} */
    this.job = null;
    /** Whether the job was given up and only its `bestmove` is awaited. */
    this.dropped = false;
    /** @type {Job | null} */
    this.next = null;
    this.variant = "";
    /** @type {Record<string, string>} */
    this.options = {};
    /** @type {string[]} */
    this.errors = [];
  }

  opened() {
    this.open = true;
    this.job = null;
    this.next = null;
    this.dropped = false;
    this.variant = "";
    this.options = {};
    this.send("ugi");
  }

  closed() {
    this.open = false;
    this.job = null;
    this.next = null;
    this.dropped = false;
  }

  /** What it works at, or will. */
  get busy() {
    return this.dropped ? this.next : this.job;
  }

  /** Wants this job done, or none. The same job goes on. @param {Job | null} job */
  want(job) {
    if (!this.open) return;
    if (this.job && !this.dropped && job && this.job.name === job.name) return;
    if (this.next && job && this.next.name === job.name) return;
    this.next = job;
    if (this.job) {
      if (!this.dropped) {
        this.dropped = true;
        this.send("stop");
      }
    } else if (job) this.begin(job);
  }

  /** Has the job end as soon as it can, with what it found. One without an end goes on. */
  hurry() {
    if (this.job && !this.dropped && this.job.go !== "infinite") this.send("stop");
  }

  /** @param {Job} job */
  begin(job) {
    this.job = job;
    this.next = null;
    this.dropped = false;
    this.errors = [];
    if (job.variant !== this.variant) {
      this.send(`setoption name UCI_Variant value ${job.variant}`);
      this.variant = job.variant;
    }
    for (const [name, value] of Object.entries({ ...DEFAULTS, ...job.options })) {
      const text = String(value);
      if ((this.options[name] ?? String(DEFAULTS[name])) === text && !(name === "MemoryLimit" && !this.options[name])) continue;
      this.send(`setoption name ${name} value ${text}`);
      this.options[name] = text;
    }
    this.send(`position ${job.position}`);
    this.send(`go ${job.go}`);
  }

  /** @param {string} line */
  line(line) {
    const { job } = this;
    if (!job) return;
    if (line.startsWith("bestmove")) {
      const given = this.dropped;
      const { next } = this;
      this.job = null;
      this.dropped = false;
      this.next = null;
      if (next) this.begin(next);
      if (!given) job.done?.(best(line), this.errors);
      this.changed();
    } else if (!this.dropped) {
      const wrong = complaint(line);
      if (wrong !== null) this.errors.push(wrong);
      job.line?.(line);
    }
  }
}
