// The program under test: `puli board` on a port of its own, and the protocol asked directly.

import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";

export const PULI = process.env.PULI ?? "target/release/puli";

/** The board's server. */
export class Server {
  /** @param {string[]} args @param {number} port 0: any free one */
  static async start(args = [], port = 0) {
    const server = new Server();
    server.child = spawn(PULI, ["board", "--no-open", "--port", String(port), ...args], { stdio: ["ignore", "pipe", "pipe"] });
    server.log = "";
    server.child.stderr.on("data", (data) => { server.log += data; });
    server.gone = new Promise((resolve) => server.child.on("exit", resolve));
    server.url = await new Promise((resolve, reject) => {
      let text = "";
      server.child.stdout.on("data", (data) => {
        text += data;
        const found = text.match(/http:\/\/\S+#token=[0-9a-f]+/);
        if (found) resolve(found[0]);
      });
      server.child.on("exit", (status) => reject(new Error(`puli board ended with ${status} before it said where it is: ${server.log}`)));
      server.child.on("error", reject);
    });
    return server;
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  /** The address of a game: what stands in the fragment beside the key. @param {string} [game] */
  at(game = "") {
    return game ? `${this.url}&${game}` : this.url;
  }

  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    await this.gone;
  }
}

/** What the program answers to lines, all at once. @param {string[]} lines @param {string[]} [args] */
export async function ask(lines, args = []) {
  const { stdout } = await promisify(execFile)(PULI, [...args, ...lines.flatMap((line) => ["-c", line])], { maxBuffer: 1 << 26 });
  return stdout;
}

/** A subcommand's output. @param {string[]} args */
export async function run(args) {
  const { stdout } = await promisify(execFile)(PULI, args, { maxBuffer: 1 << 26 });
  return stdout;
}
