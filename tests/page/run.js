// Checks the page in a real browser. Run by `scripts/page-test`, which installs the packages:
//   node tests/page/run.js [--site FOLDER] [--only WORD] [--shots FOLDER] [--table]
// Prints a line for every check, then `N passed, N failed`. Two checks run at a time, each with a browser and servers of its
// own, except checks that are marked `isAlone`: those that measure times or look at what all others have logged come last.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { analysisChecks } from "./checks/analysis.js";
import { appChecks } from "./checks/app.js";
import { choosingChecks } from "./checks/choosing.js";
import { fittingChecks } from "./checks/fitting.js";
import { keepingChecks } from "./checks/keeping.js";
import { languageChecks } from "./checks/languages.js";
import { layoutChecks } from "./checks/layout.js";
import { learningChecks } from "./checks/learning.js";
import { lessonChecks } from "./checks/lessons.js";
import { playingChecks } from "./checks/playing.js";
import { practiceChecks } from "./checks/practicing.js";
import { puzzleChecks } from "./checks/puzzles.js";
import { reviewingChecks } from "./checks/reviewing.js";
import { takeScreenshots } from "./checks/screenshots.js";
import { setupChecks } from "./checks/setting_up.js";
import { solvingChecks } from "./checks/solving.js";
import { siteChecks } from "./checks/site.js";
import { tracingChecks } from "./checks/tracing.js";
import { Server, run } from "./support/server.js";
import { StaticServer } from "./support/static_server.js";
import { Visitor } from "./support/visitor.js";

const MODULES = resolve(process.env.PAGE_TEST_MODULES ?? "target/page-test", "node_modules");
const { chromium } = createRequire(join(MODULES, "x.js"))("playwright-core");
const BROWSER_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Maximum duration of a check. */
const MAX_CHECK_MS = 300000;

/** One hunt game of each kind. Slow checks use only these and the games that are not hunts. */
const SLOW_CHECK_HUNTS = ["aadu-puli", "bagh-chal", "kaooa", "hare-and-hounds", "fox-and-geese-13", "ludus-coriovalli"];

const { values: options } = parseArgs({ options: { only: { type: "string", multiple: true }, shots: { type: "string" }, site: { type: "string" }, table: { type: "boolean" } } });

/** Number of checks that run at a time. */
const LANES = Math.min(2, availableParallelism());

/** What all pages have logged: their console errors, and their requests to other hosts. @type {{ errors: string[][], externalRequests: string[][] }} */
const logged = { errors: [], externalRequests: [] };

/** A browser and servers, for one check after another. */
class TestSetup {
  constructor() {
    this.errors = logged.errors;
    this.externalRequests = logged.externalRequests;
    this.axe = join(MODULES, "axe-core/axe.min.js");
    /** The folder of the site, if the site is tested in place of the server. */
    this.siteFolder = options.site ? resolve(options.site) : null;
    this.folder = mkdtempSync(join(tmpdir(), "puli-page-"));
  }

  async start() {
    // Aadu Puli with three goats is solved in a moment.
    this.tables = join(this.folder, "tables");
    await run(["solve", "aadu-puli", "--goats", "3", "--out", this.tables]);
    [this.browser, this.server, this.tableServer] = await Promise.all([
      chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: BROWSER_FLAGS }),
      this.siteFolder ? StaticServer.start(this.siteFolder) : Server.start(),
      Server.start(["--tables", this.tables]),
    ]);
    const games = new Uint8Array(await (await fetch(new URL(this.siteFolder ? "variants.json.gz" : "variants.json", this.server.url))).arrayBuffer());
    this.variants = JSON.parse((this.siteFolder ? gunzipSync(games) : Buffer.from(games)).toString()).variants;
    this.slowCheckVariants = this.variants.filter((variant) => variant.group !== "hunts" || SLOW_CHECK_HUNTS.includes(variant.variant));
  }

  /**
   * Opens the page, in a new browser profile unless `context` is given. With `expectsErrors` the console is not checked.
   * @param {{ game?: string, server?: Server, width?: number, height?: number, touch?: boolean, dark?: boolean, still?: boolean, context?: any, expectsErrors?: boolean }} [options]
   */
  async openPage({ game = "", server = this.server, width = 1280, height = 860, touch = false, dark = false, still = false, context = null, expectsErrors = false } = {}) {
    const profile = context ?? await this.browser.newContext({ viewport: { width, height }, hasTouch: touch, isMobile: touch, colorScheme: dark ? "dark" : "light", reducedMotion: still ? "reduce" : "no-preference" });
    // A fixed seed makes all runs alike.
    if (!context) await profile.addInitScript(() => {
      let seed = 20261121;
      Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    });
    const page = await profile.newPage();
    // The folder of the modules is that of the first one.
    await page.addInitScript(() => {
      globalThis.pageModule = (/** @type {string} */ name) => import(new URL(name, /** @type {HTMLScriptElement} */ (document.querySelector('script[type="module"]')).src).href);
    });
    const log = { errors: [], external: [], frames: 0, bytes: 0 };
    const { host } = new URL(server.url);
    page.on("pageerror", (error) => log.errors.push(`${error.message} ${error.stack ?? ""}`));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && log.errors.push(message.text()));
    page.on("request", (request) => new URL(request.url()).host !== host && !request.url().startsWith("data:") && log.external.push(request.url()));
    page.on("requestfinished", async (request) => {
      const sizes = await request.sizes().catch(() => null);
      if (sizes) log.bytes += sizes.responseHeadersSize + sizes.responseBodySize;
    });
    page.on("websocket", (socket) => {
      if (new URL(socket.url()).host !== host) log.external.push(socket.url());
      for (const event of ["framesent", "framereceived"]) socket.on(event, () => log.frames++);
    });
    if (!expectsErrors) {
      this.errors.push(log.errors);
      this.externalRequests.push(log.external);
    }
    return new Visitor(page, log).open(server.at(game));
  }

  async stop() {
    await this.browser?.close();
    await Promise.all([this.server?.stop(), this.tableServer?.stop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Rejects if the check takes longer than `MAX_CHECK_MS`. @template T @param {Promise<T>} check @returns {Promise<T>} */
function withTimeout(check) {
  let timer;
  const timeout = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`not finished after ${MAX_CHECK_MS / 1000} s`)), MAX_CHECK_MS); });
  return Promise.race([check, timeout]).finally(() => clearTimeout(timer));
}

/** @typedef {{ name: string, feature: string, isAlone?: boolean, check: (setup: TestSetup) => Promise<string | void> }} Check */
/** @typedef {{ check: Check, isPassed: boolean, note: string }} Result */

/** Runs one check, prints its result, and closes its pages. @param {TestSetup} setup @param {Check} check @returns {Promise<Result>} */
async function runCheck(setup, check) {
  const start = performance.now();
  /** @type {Result} */
  let result;
  try {
    result = { check, isPassed: true, note: (await withTimeout(check.check(setup))) ?? "" };
  } catch (error) {
    result = { check, isPassed: false, note: String(error?.stack ?? error) };
  }
  for (const context of setup.browser.contexts()) await context.close();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${result.isPassed ? "ok  " : "FAIL"} ${check.name} (${seconds} s)${result.note ? `: ${result.note}` : ""}`);
  return result;
}

/** Runs all checks on the setups, each as soon as a setup is free. @param {TestSetup[]} setups @param {Check[]} checks */
async function runChecks(setups, checks) {
  /** @type {Result[]} */
  const results = [];
  const queue = checks.filter((check) => !check.isAlone);
  const lane = async (/** @type {TestSetup} */ setup) => {
    for (let check = queue.shift(); check; check = queue.shift()) results.push(await runCheck(setup, check));
  };
  await Promise.all(setups.map(lane));
  for (const check of checks.filter((check) => check.isAlone)) results.push(await runCheck(setups[0], check));
  return results.sort((one, other) => checks.indexOf(one.check) - checks.indexOf(other.check));
}

/** Prints the results as a table if `--table` is given, then the failed checks and the counts. @param {Result[]} results */
function report(results) {
  if (options.table) {
    console.log("\n| feature | check | result |\n| --- | --- | --- |");
    for (const { check, isPassed, note } of results) console.log(`| ${check.feature} | ${check.name} | ${isPassed ? `✓${note ? ` ${note}` : ""}` : "✗ failed"} |`);
  }
  const failed = results.filter(({ isPassed }) => !isPassed);
  console.log(`${failed.length ? `failed: ${failed.map(({ check }) => check.name).join(", ")}\n` : ""}${results.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length ? 1 : 0;
}

const isWanted = (/** @type {Check} */ { name }) => !options.only || options.only.some((word) => name.includes(word));
const setups = [new TestSetup()];
try {
  await setups[0].start();
  const [{ variants, slowCheckVariants, siteFolder }] = setups;
  if (options.shots) {
    mkdirSync(options.shots, { recursive: true });
    await takeScreenshots(setups[0], options.shots, isWanted);
  } else {
    const checks = [...playingChecks(variants, slowCheckVariants), ...analysisChecks, ...reviewingChecks, ...solvingChecks, ...learningChecks, ...tracingChecks, ...lessonChecks, ...practiceChecks, ...puzzleChecks, ...setupChecks, ...keepingChecks, ...layoutChecks, ...fittingChecks, ...choosingChecks, ...languageChecks, ...appChecks, ...(siteFolder ? siteChecks : [])].filter(isWanted);
    while (setups.length < Math.min(LANES, checks.filter((check) => !check.isAlone).length)) {
      const setup = new TestSetup();
      setups.push(setup);
      await setup.start();
    }
    report(await runChecks(setups, checks));
  }
} finally {
  for (const setup of setups) await setup.stop();
}
