// Questions that are answered at once: what a position is, what a search would do, which tile comes. One at a time.

import { complaint } from "./info.js";

/** @import { State, Trace } from "./types.js" */

/**
 * @typedef {object} Question
 * @property {string} variant
 * @property {string} position what `position` takes
 * @property {Record<string, string | number | boolean>} options
 * @property {string} line
 * @property {string} until what the last line of the answer begins with
 * @property {(lines: string[]) => void} answer
 * @property {(reason: Error) => void} refuse
 */

/** So many positions are remembered. */
const MOST = 4000;

export class Asker {
  /** @param {(line: string) => boolean} send */
  constructor(send) {
    this.send = send;
    /** @type {Question[]} */
    this.waiting = [];
    /** @type {Question | null} */
    this.asked = null;
    /** @type {string[]} */
    this.heard = [];
    this.open = false;
    this.variant = "";
    this.position = "";
    /** @type {Record<string, string>} */
    this.options = {};
    /** @type {Map<string, Promise<State>>} */
    this.states = new Map();
  }

  /** The engine listens, as if for the first time. */
  opened() {
    this.open = true;
    this.variant = "";
    this.position = "";
    this.options = {};
    this.send("ugi");
    if (this.asked) this.waiting.unshift(this.asked);
    this.asked = null;
    this.next();
  }

  closed() {
    this.open = false;
  }

  /** @param {string} line */
  line(line) {
    const question = this.asked;
    if (!question) return;
    this.heard.push(line);
    const wrong = complaint(line);
    if (!line.startsWith(question.until) && !(wrong !== null && question.until !== "bestmove" && question.until !== "state ")) return;
    this.asked = null;
    const error = this.heard.map(complaint).find((text) => text !== null);
    if (error !== undefined && error !== null) {
      this.position = "";
      question.refuse(new Error(error));
    } else question.answer(this.heard);
    this.next();
  }

  next() {
    if (!this.open || this.asked || this.waiting.length === 0) return;
    const question = /** @type {Question} */ (this.waiting.shift());
    this.asked = question;
    this.heard = [];
    if (question.variant !== this.variant) {
      this.send(`setoption name UCI_Variant value ${question.variant}`);
      this.variant = question.variant;
      this.position = "startpos";
    }
    for (const [name, value] of Object.entries(question.options)) {
      if (this.options[name] === String(value)) continue;
      this.send(`setoption name ${name} value ${value}`);
      this.options[name] = String(value);
    }
    if (question.position !== this.position) {
      this.send(`position ${question.position}`);
      this.position = question.position;
    }
    this.send(question.line);
    // A question that changes the position leaves it unknown.
    if (question.line.startsWith("position")) {
      this.position = "";
      this.send("isready");
    }
  }

  /**
   * @param {string} variant
   * @param {string} position
   * @param {string} line
   * @param {string} until
   * @param {Record<string, string | number | boolean>} [options]
   * @returns {Promise<string[]>}
   */
  ask(variant, position, line, until, options = {}) {
    return new Promise((answer, refuse) => {
      this.waiting.push({ variant, position, options, line, until, answer, refuse });
      this.next();
    });
  }

  /** What the engine says of a position. @param {string} variant @param {string} position @returns {Promise<State>} */
  state(variant, position) {
    const name = `${variant}|${position}`;
    let known = this.states.get(name);
    if (!known) {
      known = this.ask(variant, position, "state", "state ").then((lines) => JSON.parse(/** @type {string} */ (lines.at(-1)).slice(6)));
      known.catch(() => this.states.delete(name));
      if (this.states.size >= MOST) this.states.delete(/** @type {string} */ (this.states.keys().next().value));
      this.states.set(name, known);
    }
    return known;
  }

  /** A tile as chance draws it. @param {string} variant @param {string} position @param {number} seed @returns {Promise<string>} */
  async draw(variant, position, seed) {
    const lines = await this.ask(variant, position, "go depth 1", "bestmove", { Seed: seed, Algorithm: "auto" });
    return /** @type {string} */ (lines.at(-1)).split(" ")[1];
  }

  /** What a textbook search does. @param {string} variant @param {string} position @param {{ algorithm: string, memory: boolean, depth: number }} how @returns {Promise<Trace>} */
  async trace(variant, position, { algorithm, memory, depth }) {
    const lines = await this.ask(variant, position, `trace depth ${depth}`, "trace ", { Algorithm: algorithm, Memory: memory });
    return JSON.parse(/** @type {string} */ (lines.at(-1)).slice(6));
  }

  /** A puzzle so many random moves from its goal, or any. @param {string} variant @param {string} position @param {number | null} moves @param {number} seed */
  async shuffled(variant, position, moves, seed) {
    const line = moves === null ? `position random seed ${seed}` : `position scramble ${moves} seed ${seed}`;
    const lines = await this.ask(variant, position, line, "readyok");
    return lines.map((text) => text.match(/^info string position fen (.*)$/)?.[1]).find((fen) => fen !== undefined) ?? null;
  }
}
