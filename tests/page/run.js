// Drives a real browser through the board: `node tests/page/run.js [--only WORD] [--shots FOLDER] [--table]`, after
// `scripts/page-test` has put the packages in place. A line for every check, and `N passed, N failed` at the end.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { analysing } from "./checks/analysis.js";
import { around } from "./checks/app.js";
import { learning } from "./checks/learning.js";
import { playing } from "./checks/playing.js";
import { puzzling } from "./checks/puzzles.js";
import { shots } from "./checks/screenshots.js";
import { Server, run } from "./support/server.js";
import { Visitor } from "./support/visitor.js";

const MODULES = resolve(process.env.PAGE_TEST_MODULES ?? "target/page-test", "node_modules");
const { chromium } = createRequire(join(MODULES, "x.js"))("playwright-core");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const { values: options } = parseArgs({ options: { only: { type: "string", multiple: true }, shots: { type: "string" }, table: { type: "boolean" } } });

/** Hunts of every kind: the two that the tables know, hunters that are dropped, a race, prey on the board and a wide one, the smallest. */
const KINDS = ["aadu-puli", "bagh-chal", "kaooa", "hare-and-hounds", "fox-and-geese-13", "ludus-coriovalli"];

/** What every check is given: the servers, and visitors with browsers of their own. */
class Bench {
  constructor() {
    this.errors = [];
    this.foreign = [];
    this.axe = join(MODULES, "axe-core/axe.min.js");
    this.folder = mkdtempSync(join(tmpdir(), "puli-page-"));
  }

  async start() {
    // Tables of the smallest games of Aadu Puli: three goats, solved in a moment.
    this.tables = join(this.folder, "tables");
    await run(["solve", "aadu-puli", "--goats", "3", "--out", this.tables]);
    [this.browser, this.server, this.tabled] = await Promise.all([
      chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS }),
      Server.start(),
      Server.start(["--tables", this.tables]),
    ]);
    this.variants = (await (await fetch(`http://127.0.0.1:${this.server.port}/variants.json`)).json()).variants;
    // What takes long on every board is done on one of each kind.
    this.kinds = this.variants.filter((variant) => variant.group !== "hunts" || KINDS.includes(variant.variant));
  }

  /**
   * A new person at the page, with a browser that remembers nothing.
   * @param {{ game?: string, server?: Server, width?: number, height?: number, touch?: boolean, dark?: boolean, still?: boolean, context?: any, dice?: boolean, grieves?: boolean }} [how]
   */
  async visit({ game = "", server = this.server, width = 1280, height = 860, touch = false, dark = false, still = false, context = null, grieves = true } = {}) {
    const own = context ?? await this.browser.newContext({ viewport: { width, height }, hasTouch: touch, isMobile: touch, colorScheme: dark ? "dark" : "light", reducedMotion: still ? "reduce" : "no-preference" });
    // The same dice for every run.
    if (!context) await own.addInitScript(() => {
      let seed = 20261121;
      Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    });
    const page = await own.newPage();
    const seen = { errors: [], foreign: [], frames: 0, bytes: 0 };
    page.on("pageerror", (error) => seen.errors.push(`${error.message} ${error.stack ?? ""}`));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && seen.errors.push(message.text()));
    page.on("request", (request) => new URL(request.url()).host !== new URL(server.url).host && !request.url().startsWith("data:") && seen.foreign.push(request.url()));
    // As many bytes as go over the wire, head and body.
    page.on("requestfinished", async (request) => {
      const sizes = await request.sizes().catch(() => null);
      if (sizes) seen.bytes += sizes.responseHeadersSize + sizes.responseBodySize;
    });
    page.on("websocket", (socket) => {
      if (new URL(socket.url()).host !== new URL(server.url).host) seen.foreign.push(socket.url());
      for (const event of ["framesent", "framereceived"]) socket.on(event, () => seen.frames++);
    });
    if (grieves) this.keepAccount(seen);
    return new Visitor(page, seen).go(server.at(game));
  }

  /** What this visitor's console says and where his page goes is judged at the end. @param {{ errors: string[], foreign: string[] }} seen */
  keepAccount(seen) {
    this.errors.push(seen.errors);
    this.foreign.push(seen.foreign);
  }

  async stop() {
    await this.browser?.close();
    await Promise.all([this.server?.stop(), this.tabled?.stop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** No check takes longer than this, in milliseconds, whatever hangs in it. */
const LONGEST = 300000;

/** @template T @param {Promise<T>} work @returns {Promise<T>} */
function inTime(work) {
  let timer;
  const late = new Promise((_, refuse) => { timer = setTimeout(() => refuse(new Error(`not done after ${LONGEST / 1000} s`)), LONGEST); });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const bench = new Bench();
let passed = 0;
const failed = [];
/** @type {[string, string, boolean, string][]} */
const table = [];
try {
  await bench.start();
  if (options.shots) {
    mkdirSync(options.shots, { recursive: true });
    await shots(bench, options.shots);
  } else {
    const checks = [...playing(bench.variants, bench.kinds), ...analysing, ...learning, ...puzzling, ...around];
    for (const { name, feature, check } of checks) {
      if (options.only && !options.only.some((word) => name.includes(word))) continue;
      const began = performance.now();
      let note = "";
      let good = true;
      try {
        note = (await inTime(check(bench))) ?? "";
        passed++;
      } catch (error) {
        good = false;
        failed.push(name);
        note = String(error?.stack ?? error);
      }
      for (const context of bench.browser.contexts()) await context.close();
      table.push([name, feature, good, good ? note : "failed"]);
      console.log(`${good ? "ok  " : "FAIL"} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)${note ? `: ${note}` : ""}`);
    }
    if (options.table) {
      console.log("\n| what people can do | check | |\n| --- | --- | --- |");
      for (const [name, feature, good, note] of table) console.log(`| ${feature} | ${name} | ${good ? "✓" : "✗"}${note ? ` ${note}` : ""} |`);
    }
    console.log(`${failed.length ? `failed: ${failed.join(", ")}\n` : ""}${passed} passed, ${failed.length} failed`);
  }
} finally {
  await bench.stop();
}
process.exitCode = failed.length ? 1 : 0;
