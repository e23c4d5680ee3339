// Checks of the tab Learn: the comparison of algorithms, and the glossary.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Learner } from "../support/learner.js";
import { waitUntil } from "../support/visitor.js";

const comparison = { name: "compare-fills", feature: "all algorithms on a position, as a table and a chart that fill while they run", async check(setup) {
  const visitor = await setup.openPage();
  const { page } = visitor;
  await visitor.openTab("learn");
  const section = page.locator(".comparison");
  await section.getByLabel("Depth").fill("5");
  await section.getByLabel("Time limit (s)").fill("30");
  await section.getByRole("button", { name: "Compare" }).click();
  await visitor.waitFor("some algorithms have started and others wait", (state) => state.comparison.rows.length >= 1 && state.comparison.rows.length < state.comparison.plan.length);
  assert.equal(await section.locator("tbody tr").count(), 9, "every algorithm has a row from the start");
  await visitor.waitFor("all algorithms have finished", (state) => state.analysis.task === null && state.comparison.rows.length === 9 && state.comparison.rows.every((row) => !row.running));
  const rows = await visitor.read((state) => state.comparison.rows);
  // The published node counts of this position.
  assert.deepEqual([rows[0].nodes, rows[0].extraCount, rows[0].depth], [397840, 351590, 5]);
  for (const row of rows.filter((one) => !/^(expectimax|auto)/.test(one.name))) assert.deepEqual(row.value, { points: 51 }, row.name);
  assert.ok(rows[2].nodes < rows[0].nodes / 5, "alpha-beta needs fewer nodes");
  const cells = await section.locator("tbody tr").first().locator("td").allInnerTexts();
  assert.deepEqual(cells.slice(0, 3), ["373 k", "398 k", "352 k"], "nodes of the last iteration and of all, leaves");
  const puzzle = await setup.openPage({ game: "variant=8-puzzle&fen=1,2,5/7,6,4/0,3,8" });
  await puzzle.openTab("learn");
  await puzzle.page.locator(".comparison").getByRole("button", { name: "Compare" }).click();
  await puzzle.waitFor("all puzzle searches have finished", (state) => state.analysis.task === null && state.comparison.rows.length === state.comparison.plan.length && state.comparison.rows.every((row) => !row.running));
  const solved = await puzzle.read((state) => state.comparison.rows);
  for (const row of solved.filter((one) => one.name !== "greedy" && one.name !== "auto")) assert.equal(row.depth, 10, `${row.name} ${row.heuristic} ${row.note}`);
  return `${rows.length} algorithms, ${solved.length} puzzle searches`;
} };

const dotPlot = { name: "dot-plot-axis", feature: "the comparison as dots on a logarithmic axis that names its powers of ten: full for the last iteration, open for all, an arrow for a search cut short; last and all beside it; no bars, times only on request", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=tree" });
  const { page } = visitor;
  await visitor.openTab("learn");
  const section = page.locator(".comparison");
  await section.getByLabel("Depth").fill("4");
  await section.getByRole("button", { name: "Compare" }).click();
  await visitor.waitFor("all have finished", ({ analysis, comparison: { rows, plan } }) => analysis.task === null && plan.length > 0 && rows.length === plan.length && rows.every((row) => !row.running));
  const plot = section.locator("svg.dot-plot");
  const rows = await visitor.read(({ comparison }) => comparison.rows.filter(({ nodes }) => nodes > 0).map(({ name, nodes, before }) => ({ name, last: nodes - before, all: nodes })));
  // The counts of the tutorial's tree.
  assert.deepEqual(rows[0], { name: "minimax+plain", last: 25, all: 46 });
  assert.deepEqual(rows.find(({ name }) => name === "alphabeta+plain"), { name: "alphabeta+plain", last: 16, all: 33 });
  await waitUntil("every row is drawn", async () => (await plot.locator(".plot-row").count()) === rows.length);
  assert.deepEqual(await plot.locator(".axis-name").allTextContents(), ["1", "10", "100"]);
  const ticks = await plot.locator(".axis-tick").evaluateAll((all) => all.map((one) => Number(/^M([\d.]+)/.exec(one.getAttribute("d") ?? "")?.[1])));
  assert.ok(Math.abs(ticks[1] - ticks[0] - (ticks[2] - ticks[1])) < 0.01, "powers of ten have equal distances");
  const dots = await plot.locator(".plot-row").evaluateAll((all) => all.map((row) => ["last", "all"].map((name) => Number(row.querySelector(`.dot-${name}`)?.getAttribute("cx")))));
  rows.forEach(({ name, ...counts }, at) => ["last", "all"].forEach((which, dot) => {
    const x = ticks[0] + (ticks[1] - ticks[0]) * Math.log10(Math.max(1, counts[which]));
    assert.ok(Math.abs(dots[at][dot] - x) < 0.01, `${name}, ${which}: ${dots[at][dot]}, expected ${x}`);
  }));
  assert.equal(await section.locator("svg rect").count(), 0, "no bars");
  const headings = () => section.locator("thead th").allTextContents();
  assert.deepEqual(await headings(), ["Algorithm", "Last", "All", "Leaves", "Value", "Best move", "Proved"]);
  assert.equal(await section.locator("tbody tr").first().locator("td").last().innerText(), "yes", "the whole tree is searched");
  await section.getByLabel("Show times").check();
  await waitUntil("times are shown on request", async () => (await headings()).at(-1) === "Time" && await section.getByText("Times do not compare").isVisible());
  // A search that is cut short has an arrow, and says how far it came.
  await visitor.openGame("aadu-puli");
  await section.getByLabel("Depth").fill("12");
  await section.getByLabel("Time limit (s)").fill("1");
  await section.getByRole("button", { name: "Compare" }).click();
  await waitUntil("minimax is cut short", async () => (await plot.locator(".short").count()) >= 1);
  assert.match(await section.locator("tbody th").first().innerText(), /^minimax \(depth \d\)$/);
  const proved = await section.locator("tbody tr").first().locator("td").evaluateAll((all) => all.map((one) => one.textContent));
  assert.equal(proved.at(-2), "no");
  await section.getByRole("button", { name: "Stop" }).click();
  return `${rows.length} searches`;
} };

const glossary = { name: "glossary", feature: "signs and words open a glossary with two sentences and a picture an entry, by mouse and keyboard, which is loaded only then", async check(setup) {
  const learner = new Learner(await setup.openPage({ game: "variant=tree" }));
  const { page, visitor } = learner;
  /** @type {string[]} */
  const loaded = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await visitor.openTab("learn");
  const legend = page.locator("#sheet-learn .legend");
  await waitUntil("the line of signs is shown", () => legend.count());
  assert.match(await legend.innerText(), /▲ max\s*▼ min\s*● chance\s*▭ leaf\s*═ cut\s*↻ again\s*▣ from the table\s*┄ unseen/);
  assert.ok(!loaded.some((path) => path.includes("glossary.js") && path.includes("/lessons/")), "the glossary is not loaded yet");
  const dialog = page.locator("dialog.glossary");
  const entry = dialog.locator(".entry");
  for (const name of ["max", "min", "chance", "leaf", "cut", "again", "table", "unseen"]) {
    const word = legend.locator(`[data-term="${name}"]`);
    await word.focus();
    await page.keyboard.press("Enter");
    await waitUntil(`the entry ${name} is shown`, async () => (await entry.locator(".entry-term").textContent().catch(() => ""))?.toLowerCase() === name);
    await page.keyboard.press("Escape");
    await waitUntil("the glossary is closed", async () => (await dialog.count()) === 0);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-term")), name, "the focus is back");
  }
  // Every entry has two sentences, a picture with something in it, and leads to others.
  await legend.locator('[data-term="cut"]').click();
  await page.evaluate(readFileSync(setup.axe, "utf8"));
  const names = await dialog.locator(".words button").evaluateAll((all) => all.map((one) => one.getAttribute("data-entry")));
  assert.ok(names.length >= 30, `${names.length} entries`);
  const faults = await dialog.evaluate((box, all) => all.flatMap((name) => {
    /** @type {HTMLElement} */ (box.querySelector(`.words [data-entry="${name}"]`)).click();
    const picture = /** @type {SVGElement} */ (box.querySelector(".entry .glossary-picture"));
    const { left, right, top, bottom } = picture.getBoundingClientRect();
    const outside = [...picture.querySelectorAll("text")].map((one) => ({ text: one.textContent, box: one.getBoundingClientRect() })).filter((one) => one.box.width > 0 && (one.box.left < left || one.box.right > right || one.box.top < top || one.box.bottom > bottom));
    const text = box.querySelector(".entry div > p")?.textContent ?? "";
    return [
      box.querySelector(".words [aria-current]")?.getAttribute("data-entry") !== name && `${name} is not marked`,
      picture.children.length < 2 && `${name} has no picture`, !box.querySelector(".entry .see button") && `${name} leads nowhere`,
      !/^[^]+?[.?!] [A-Z0-9][^]*[.?!]$/.test(text) && `${name} has other than two sentences: ${text}`,
      ...outside.map((one) => `${name}: ${one.text} is outside the picture`)].filter(Boolean);
  }), names);
  assert.deepEqual(faults, []);
  const violations = await page.evaluate(async () => (await globalThis.axe.run("dialog.glossary")).violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`));
  assert.deepEqual(violations, []);
  await page.goBack();
  await waitUntil("Back closes the glossary", async () => (await dialog.count()) === 0);
  // In a lesson, words open it where they first occur, and closing it leaves the lesson open.
  await learner.open("02-the-window");
  const words = () => page.locator(".lesson .sentence .term").evaluateAll((all) => all.map((one) => one.getAttribute("data-term")));
  assert.deepEqual(await words(), ["alpha", "value", "max", "beta", "min"]);
  assert.equal(await page.locator(".lesson .legend .term").count(), 8);
  await page.locator('.lesson .sentence [data-term="beta"]').click();
  await waitUntil("the entry is shown", async () => /^Beta/.test(await entry.locator(".entry-term").textContent().catch(() => "") ?? ""));
  await dialog.locator('[data-glossary="close"]').click();
  await waitUntil("the glossary is closed", async () => (await dialog.count()) === 0);
  assert.equal(await page.locator("dialog.lesson[open]").count(), 1);
  await learner.answerRight();
  assert.ok((await page.locator(".lesson .event .term").count()) + (await words()).length > 0);
  await learner.close();
  return `${names.length} entries`;
} };

export const learningChecks = [comparison, dotPlot, glossary];
