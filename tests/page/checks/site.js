// Checks of the site: the page with the engine in WebAssembly, on a plain server of static files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ask } from "../support/server.js";
import { waitUntil } from "../support/visitor.js";

/** Maximum time from the first request to a board on which a person can move. A loaded machine takes longer than 2 s. */
const MAX_COLD_START_MS = 10000;
const MAX_STOP_MS = 50;
const MOVES_PER_GAME = 10;

/** Runs analysis in a worker of its own until it has filled a part of the hash table. Returns what a stop costs. @param {any} page */
const stopAnalysis = (page) => page.evaluate(async () => {
  const { WorkerTransport } = await globalThis.pageModule("worker_transport.js");
  /** @type {string[]} */
  const lines = [];
  const seen = (/** @type {RegExp} */ pattern) => new Promise((resolve) => {
    const timer = setInterval(() => lines.some((line) => pattern.test(line)) && resolve(clearInterval(timer)), 1);
  });
  const transport = new WorkerTransport({ onOpen: () => lines.push("open"), onLine: (line) => lines.push(line), onClose: () => {}, onProgress: () => {} }, false);
  transport.connect();
  await seen(/^open$/);
  transport.send("setoption name Algorithm value pvs");
  transport.send("setoption name Hash value 4");
  transport.send("go infinite");
  await seen(/ hashfull [1-9]\d/);
  const start = performance.now();
  transport.send("stop");
  await seen(/^bestmove/);
  const stopMs = performance.now() - start;
  const hashfull = (/** @type {string | undefined} */ line) => Number(/hashfull (\d+)/.exec(line ?? "")?.[1] ?? 0);
  const before = hashfull(lines.findLast((line) => line.startsWith("info depth")));
  lines.length = 0;
  transport.send("go depth 1");
  await seen(/^bestmove/);
  const after = hashfull(lines.find((line) => line.startsWith("info depth")));
  transport.endWorker();
  return { stopMs, before, after };
});

const stopKeepsHash = { name: "site-stop-keeps-hash", feature: "stop ends a search at once and keeps its memory", isAlone: true, async check(setup) {
  const visitor = await setup.openPage();
  assert.ok(await visitor.page.evaluate(() => crossOriginIsolated), "the service worker isolates the page");
  const { stopMs, before, after } = await stopAnalysis(visitor.page);
  assert.ok(after >= before, `hashfull ${before} before the stop, ${after} after it`);
  assert.ok(stopMs <= MAX_STOP_MS, `stop took ${stopMs} ms`);
  return `bestmove ${stopMs.toFixed(1)} ms after stop, hashfull ${before} and then ${after}`;
} };

const offline = { name: "site-offline", feature: "the page works offline after the first visit, and a new version is taken", async check(setup) {
  const visitor = await setup.openPage();
  const { page } = visitor;
  await waitUntil("all files are kept", () => page.evaluate(async () => {
    const cache = await caches.open("puli");
    const addresses = (await cache.keys()).map(({ url }) => url);
    return ["/variants.json.gz", "/icon.svg", "/review.js", "/networks.json", ".wasm.gz"].every((end) => addresses.some((url) => url.endsWith(end)));
  }));
  await page.context().setOffline(true);
  await page.reload();
  await visitor.waitUntilReady();
  await visitor.openGame("bagh-chal");
  await visitor.openGame("tic-tac-toe");
  await page.evaluate(async () => (await globalThis.pageModule("actions.js")).setPlayer("p2", "strong"));
  await page.evaluate(async () => (await globalThis.pageModule("actions.js")).playMove("b2"));
  await visitor.waitFor("the engine answers offline", (state) => state.game.tree.current.ply === 2);
  await page.context().setOffline(false);
} };

const firstVisit = { name: "site-first-visit", feature: "few bytes and little time until the first move", isAlone: true, async check(setup) {
  const before = setup.server.sentBytes;
  const start = performance.now();
  const visitor = await setup.openPage();
  const readyMs = performance.now() - start;
  const bytes = setup.server.sentBytes - before;
  assert.ok(readyMs <= MAX_COLD_START_MS, `ready after ${readyMs} ms`);
  const again = performance.now();
  await visitor.page.reload();
  await visitor.waitUntilReady();
  return `ready after ${readyMs.toFixed(0)} ms and at most ${bytes} bytes, some of them of the first network; reloaded in ${(performance.now() - again).toFixed(0)} ms`;
} };

const signature = { name: "site-signature", feature: "the engine in WebAssembly counts the nodes that the native one counts", async check(setup) {
  const { default: puli } = await import(pathToFileURL(join(setup.siteFolder, "npm/node.js")).href);
  const engine = await puli();
  try {
    const searched = (/** @type {string[]} */ lines) => lines.find((line) => line.startsWith("Nodes searched"));
    const lines = await engine.ask("bench");
    const native = readFileSync("tests/signature", "utf8").trim();
    assert.equal(searched(lines), `Nodes searched  : ${native}`);
    const commands = ["setoption name UCI_Variant value bagh-chal", "go depth 7"];
    const best = (/** @type {string[]} */ answer) => answer.filter((line) => line.startsWith("info depth")).at(-1)?.replace(/ nps \d+| time \d+/g, "");
    await engine.ask(commands[0]);
    assert.equal(best(await engine.ask(commands[1])), best((await ask(commands)).split("\n")), "the network judges as the native one does");
    return native;
  } finally {
    engine.close();
  }
} };

const everyGame = { name: "site-every-game", feature: "ten moves of every game", async check(setup) {
  const { default: puli } = await import(pathToFileURL(join(setup.siteFolder, "npm/node.js")).href);
  const engine = await puli();
  try {
    for (const { variant } of setup.variants) {
      const set = await engine.ask(`setoption name UCI_Variant value ${variant}`);
      assert.deepEqual(set, [], variant);
      const scramble = ["15-puzzle", "24-puzzle", "8-puzzle"].includes(variant);
      const start = scramble ? (await engine.ask("position scramble 20 seed 1"))[0].replace("info string position ", "position ") : "position startpos";
      const moves = [];
      while (moves.length < MOVES_PER_GAME) {
        const answer = await engine.ask(`${start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`);
        assert.deepEqual(answer.filter((line) => line.includes("error")), [], `${variant} ${moves.join(" ")}`);
        const best = (await engine.ask("go nodes 20000")).at(-1)?.split(" ")[1] ?? "";
        if (best === "(none)") break;
        moves.push(best);
      }
      const isOver = (await engine.ask("query gameover")).includes("response true");
      assert.ok(moves.length === MOVES_PER_GAME || isOver, `${variant}: ${moves.join(" ")}`);
    }
  } finally {
    engine.close();
  }
  return `${setup.variants.length} games`;
} };

const npmPackage = { name: "site-npm", feature: "the npm package works in another page", async check(setup) {
  const visitor = await setup.openPage();
  const move = await visitor.page.evaluate(async () => {
    const { default: puli } = await import(new URL("npm/browser.js", document.baseURI).href);
    const engine = await puli();
    await engine.ask("setoption name UCI_Variant value bagh-chal");
    const answer = await engine.ask("go depth 4");
    engine.close();
    return answer.at(-1);
  });
  assert.match(move, /^bestmove [a-e][1-5]/);
  return move;
} };

const embedded = { name: "site-embed", feature: "a frame in another page shows the board, the turn and the buttons, and nothing else", async check(setup) {
  const visitor = await setup.openPage({ width: 420, height: 560 });
  const { page } = visitor;
  await page.goto("about:blank");
  await page.goto(new URL("?embed#variant=kaooa", setup.server.url).href);
  await visitor.waitUntilReady();
  await visitor.waitForTurn();
  const isVisible = (/** @type {string} */ part) => page.locator(part).first().isVisible();
  for (const part of ["#board", "#status", "#controls"]) await page.locator(part).first().waitFor({ state: "visible" });
  for (const part of ["header", "#panel"]) assert.ok(!(await isVisible(part)), `${part} is hidden`);
  const { width, height } = await page.evaluate(() => ({ width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight }));
  assert.ok(width <= 420 && height <= 560, `the page has ${width} by ${height} px`);
} };

export const siteChecks = [firstVisit, stopKeepsHash, offline, signature, everyGame, npmPackage, embedded];
