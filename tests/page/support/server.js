// The program under test: `puli board` on a free port, and single commands.

import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";

export const PULI = process.env.PULI ?? "target/release/puli";

const MAX_OUTPUT_BYTES = 1 << 26;

/** A running `puli board`. */
export class Server {
  /** Starts the server and waits until it has printed its address. @param {string[]} args @param {number} port 0 for any free port */
  static async start(args = [], port = 0) {
    const server = new Server();
    server.child = spawn(PULI, ["board", "--no-open", "--port", String(port), ...args], { stdio: ["ignore", "pipe", "pipe"] });
    server.log = "";
    server.child.stderr.on("data", (data) => { server.log += data; });
    server.exited = new Promise((resolve) => server.child.on("exit", resolve));
    server.url = await new Promise((resolve, reject) => {
      let text = "";
      server.child.stdout.on("data", (data) => {
        text += data;
        const match = text.match(/http:\/\/\S+#token=[0-9a-f]+/);
        if (match) resolve(match[0]);
      });
      server.child.on("exit", (status) => reject(new Error(`puli board exited with status ${status} before it printed its address: ${server.log}`)));
      server.child.on("error", reject);
    });
    return server;
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  /** Returns the address of a game, with the page's key. @param {string} [game] the rest of the fragment */
  at(game = "") {
    return game ? `${this.url}&${game}` : this.url;
  }

  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    await this.exited;
  }
}

/** Sends lines to the engine and returns its output. @param {string[]} lines */
export function ask(lines) {
  return run(lines.flatMap((line) => ["-c", line]));
}

/** Runs the program and returns its output. @param {string[]} args */
export async function run(args) {
  const { stdout } = await promisify(execFile)(PULI, args, { maxBuffer: MAX_OUTPUT_BYTES });
  return stdout;
}
