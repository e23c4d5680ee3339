// Learning: the tree of a textbook search, step by step, and all algorithms side by side.

import assert from "node:assert/strict";
import { run } from "../support/server.js";
import { until } from "../support/visitor.js";

const steps = { name: "learn-step-through", feature: "step through a textbook search's tree: windows, cut-offs, pruned nodes, the order; it zooms", async check(bench) {
  const visitor = await bench.visit({ game: "variant=tree" });
  const { page } = visitor;
  await visitor.tab("learn");
  await page.locator("#sheet-learn select").first().selectOption("alphabeta");
  await page.getByLabel("Depth", { exact: true }).first().fill("4");
  await page.getByRole("button", { name: "Draw the search" }).click();
  const trace = await visitor.when("the search is drawn", (state) => state.learn.trace);
  // The same search as the command draws it.
  const text = await run(["trace", "--variant", "tree", "--algorithm", "alphabeta", "--depth", "4"]);
  const [, summary] = /^alphabeta, depth 4: (.*)$/m.exec(text) ?? [];
  await visitor.shows("#sheet-learn .head", `${String(summary).replace("value", "Value")}.`);
  const unvisited = text.split("\n").filter((line) => line.includes("not visited")).length;
  assert.equal(await page.locator("svg.trace .knot.unseen").count(), unvisited, "the nodes not visited");
  const cuts = text.split("\n").filter((line) => line.includes("cut off")).length;
  assert.equal(await page.locator("svg.trace .knot.cut").count(), cuts, "the cut-offs");
  assert.ok(await page.locator("svg.trace .knot.pruned").count());
  // Every window that the command prints stands in the picture.
  const windows = new Set(text.match(/\([^()]*, [^()]*\)/g));
  const drawn = new Set((await page.locator("svg.trace .knot .window").allTextContents()).filter(Boolean));
  for (const one of drawn) assert.ok(windows.has(one), `${one} is a window of the command's`);
  // Step by step from the beginning.
  await page.locator('[data-learn="first"]').click();
  await visitor.when("nothing was done yet", (state) => state.learn.step === 0);
  await until("no node is drawn as visited", async () => (await page.locator("svg.trace .knot.unseen").count()) === trace.nodes.length);
  await page.locator('[data-learn="next"]').click();
  await until("the root is entered", async () => /^Enter the root \(max\) with the window \(−∞, ∞\)\.$/.test(await visitor.text("#sheet-learn .step")));
  assert.equal(await page.locator("svg.trace .knot.open").count(), 1);
  const entered = trace.steps.filter(([, way]) => way === "in").length;
  await page.locator('[data-learn="last"]').click();
  await visitor.when("the end", (state, all) => state.learn.step === all, trace.steps.length);
  const visited = new Set(trace.steps.filter(([, way]) => way === "in").map(([node]) => node)).size;
  await until("the nodes are numbered in the order of their visits", async () => {
    const orders = (await page.locator("svg.trace .knot .order").allTextContents()).filter(Boolean).map(Number);
    return Math.max(...orders) === visited;
  });
  await page.locator('[data-learn="plus"]').click();
  await until("the picture is larger", async () => /scale\(1\.4\)/.test((await page.locator("svg.trace > g").getAttribute("transform")) ?? ""));
  await page.locator('[data-learn="first"]').click();
  await page.locator('[data-learn="play"]').click();
  await visitor.when("it plays by itself", (state) => state.learn.step >= 3);
  await page.locator('[data-learn="play"]').click();
  return `${trace.nodes.length} nodes, ${entered} visits, ${cuts} cut-offs, ${unvisited} not visited`;
} };

const others = { name: "learn-every-search", feature: "every textbook search is drawn; one that is too large says so", async check(bench) {
  const visitor = await bench.visit({ game: "variant=tic-tac-toe&fen=XO1/1X1/2O+x" });
  const { page } = visitor;
  await visitor.tab("learn");
  await page.getByLabel("Depth", { exact: true }).first().fill("3");
  const values = new Set();
  for (const name of ["minimax", "alphabeta", "scout", "mtdf"]) {
    await page.locator("#sheet-learn select").first().selectOption(name);
    await page.getByRole("button", { name: "Draw the search" }).click();
    values.add(String(await visitor.when(`${name} is drawn`, (state, wanted) => state.learn.trace?.algorithm === wanted && JSON.stringify(state.learn.trace.value), name)));
  }
  const picture = await page.locator("svg.trace").textContent();
  assert.match(String(picture), /#\d/, "forced ends are told");
  assert.doesNotMatch(String(picture) + await visitor.text("#sheet-learn"), /object|undefined|NaN/);
  assert.equal(values.size, 1, `all find the same value: ${[...values]}`);
  const large = await bench.visit();
  await large.tab("learn");
  await large.page.getByLabel("Depth", { exact: true }).first().fill("6");
  await large.page.getByRole("button", { name: "Draw the search" }).click();
  await until("it says why not", async () => (await large.text("#sheet-learn .wrong")).length > 20);
  return `value ${[...values][0]}`;
} };

const compare = { name: "compare-fills", feature: "all algorithms on the position as table and chart, filling while it runs", async check(bench) {
  const visitor = await bench.visit();
  const { page } = visitor;
  await visitor.tab("learn");
  const section = page.locator(".comparison");
  await section.getByLabel("Depth").fill("5");
  await section.getByLabel("Seconds for each").fill("30");
  await section.getByRole("button", { name: "Compare" }).click();
  await visitor.when("the first row is there and others wait", (state) => state.compare.rows.length >= 1 && state.compare.rows.length < state.compare.plan.length);
  assert.equal(await section.locator("tbody tr").count(), 9, "every algorithm has its row from the beginning");
  await visitor.when("all have run", (state) => state.work === null && state.compare.rows.length === 9 && state.compare.rows.every((row) => !row.running));
  const rows = await visitor.see((state) => state.compare.rows);
  // The published numbers of this position, to the node.
  assert.deepEqual([rows[0].nodes, rows[0].other, rows[0].depth], [397840, 351590, 5]);
  for (const row of rows.filter((one) => !/^(expectimax|auto)/.test(one.name))) assert.deepEqual(row.worth, { points: 51 }, row.name);
  assert.ok(rows[2].nodes < rows[0].nodes / 5, "alpha-beta needs fewer");
  assert.equal(await section.locator("svg .bar").count(), 9);
  const cells = await section.locator("tbody tr").first().locator("td").allInnerTexts();
  assert.deepEqual(cells.slice(0, 3), ["5", "398 k", "352 k"]);
  const puzzle = await bench.visit({ game: "variant=8-puzzle&fen=1,2,5/7,6,4/0,3,8" });
  await puzzle.tab("learn");
  await puzzle.page.locator(".comparison").getByRole("button", { name: "Compare" }).click();
  await puzzle.when("all puzzle searches have run", (state) => state.work === null && state.compare.rows.length === state.compare.plan.length && state.compare.rows.every((row) => !row.running));
  const solved = await puzzle.see((state) => state.compare.rows);
  for (const row of solved.filter((one) => one.name !== "greedy" && one.name !== "auto")) assert.equal(row.depth, 10, `${row.name} ${row.heuristic} ${row.note}`);
  return `${rows.length} algorithms, ${solved.length} puzzle searches`;
} };

export const learning = [steps, others, compare];
