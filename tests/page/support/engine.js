// The program as an engine that answers one command after another, for tests without a browser.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
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
   * @param {{ tree?: string, variant?: string, fen?: string, algorithm?: string, ordering?: string, depth: number, cutOn?: string }} search
   */
  async events({ tree, variant = "tree", fen, algorithm = "alphabeta", ordering = "none", depth, cutOn = "equal" }) {
    const position = tree ? `fen ${tree}` : fen === undefined || fen === "startpos" ? "startpos" : `fen ${fen}`;
    const cuts = algorithm === "alphabeta" ? ` cut-on ${cutOn}` : "";
    const lines = await this.ask([`setoption name UCI_Variant value ${variant}`, `setoption name Algorithm value ${algorithm}`, "setoption name Memory value false", `setoption name Ordering value ${ordering}`, `position ${position}`, `trace depth ${depth} events explain${cuts}`], 'trace {"e":"end"');
    return lines.filter((line) => line.startsWith("trace {")).map((line) => JSON.parse(line.slice(6)));
  }

  stop() {
    this.child.stdin.end("quit\n");
  }
}
