// The program as an engine that answers one command after another, for tests without a browser.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { PERFT_END, algorithmOption, eventsCommand, positionOf, puzzleRequest, readEvaluation, readPerft } from "../../../src/web/page/lessons/engine_lines.js";
import { PULI } from "./server.js";

export class Engine {
  constructor() {
    this.child = spawn(PULI, [], { stdio: ["pipe", "pipe", "inherit"] });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** Sends commands and returns the lines up to one that begins with `last`. @param {string[]} commands @param {string} last */
  async ask(commands, last) {
    this.child.stdin.write(`${commands.join("\n")}\n`);
    const received = [];
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) throw new Error(`the engine ended before '${last}'`);
      if (value.startsWith("info string error")) throw new Error(value);
      received.push(value);
      if (value.startsWith(last)) return received;
    }
  }

  /**
   * Returns the events of a search.
   * @param {{ tree?: string, variant?: string, fen?: string, moves?: string, algorithm?: string, ordering?: string, memory?: boolean, depth: number, cutOn?: string, deepen?: boolean, guess?: number, max?: number, heuristic?: string, positions?: boolean }} search
   */
  async events({ variant = "tree", algorithm = "alphabeta", ordering = "none", memory = false, ...rest }) {
    const { heuristic, ...puzzle } = puzzleRequest({ variant, algorithm, ...rest });
    const search = { ...rest, ...puzzle };
    if (heuristic) await this.accept(variant, positionOf(search), heuristic);
    const lines = await this.ask([`setoption name UCI_Variant value ${variant}`, `setoption name Algorithm value ${algorithmOption(algorithm)}`, `setoption name Memory value ${memory}`, `setoption name Ordering value ${ordering}`, `position ${positionOf(search)}`, eventsCommand({ algorithm, ...search })], 'trace {"e":"end"');
    return lines.filter((line) => line.startsWith("trace {")).map((line) => JSON.parse(line.slice(6)));
  }

  /** Gives the engine a position of a puzzle and an estimate. Rejects if it refuses the position. @param {string} variant @param {string} position @param {string} heuristic */
  async accept(variant, position, heuristic) {
    const lines = await this.ask([`setoption name UCI_Variant value ${variant}`, `setoption name Heuristic value ${heuristic}`, "isready"], "readyok");
    this.child.stdin.write(`position ${position}\nisready\n`);
    for (let refusal = ""; ;) {
      const { value } = await this.lines.next();
      if (value.startsWith("info string error")) refusal = value;
      if (value.startsWith("readyok") && refusal) throw new Error(refusal);
      if (value.startsWith("readyok")) return lines;
    }
  }

  /** Returns the terms of the reference evaluation of a position. @param {string} variant @param {string} fen */
  async evaluation(variant, fen) {
    return readEvaluation(await this.ask([`setoption name UCI_Variant value ${variant}`, "setoption name Algorithm value minimax", `position fen ${fen}`, "eval"], "Evaluation:"));
  }

  /** Returns the number of positions at each ply, up to `plies`. @param {string} variant @param {string} fen @param {number} plies */
  async perft(variant, fen, plies) {
    const counts = [];
    for (let ply = 1; ply <= plies; ply++) counts.push(readPerft(await this.ask([`setoption name UCI_Variant value ${variant}`, `position fen ${fen}`, `go perft ${ply}`], PERFT_END)));
    return counts;
  }

  stop() {
    this.child.stdin.end("quit\n");
  }
}
