// Checks of drawn searches in the tab Learn: steps, views, folding, the node that is pointed at.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { run } from "../support/server.js";
import { waitUntil } from "../support/visitor.js";
import { runAxe } from "./app.js";

/** Opens the tab Learn and draws a search. @param {any} setup @param {{ game?: string, algorithm: string, depth: number, [option: string]: any }} search */
async function drawSearch(setup, { algorithm, depth, ...options }) {
  const visitor = await setup.openPage(options);
  const { page } = visitor;
  await visitor.openTab("learn");
  await page.locator(".trace-place select").first().waitFor();
  await redraw(visitor, algorithm, depth);
  return visitor;
}

/** Draws another search. @param {any} visitor @param {string} algorithm @param {number} depth */
async function redraw(visitor, algorithm, depth) {
  const { page } = visitor;
  await page.locator(".trace-place select").first().selectOption(algorithm);
  await page.getByLabel("Depth", { exact: true }).first().fill(String(depth));
  await page.getByRole("button", { name: "Draw the search" }).click();
  await visitor.waitFor(`${algorithm} is drawn`, ({ trace }, wanted) => trace.result?.begin.algorithm === wanted[0] && trace.result.begin.depth === wanted[1], [algorithm, depth]);
  await page.locator(".trace-stage").waitFor();
}

/** Moves the slider to an event. @param {any} visitor @param {number} at */
async function goTo(visitor, at) {
  await visitor.page.locator(".scrubber input").fill(String(at));
  await visitor.waitFor(`event ${at} is shown`, ({ trace }, wanted) => trace.step === wanted, at);
  await visitor.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Reads something of the search. @param {any} visitor @param {string} read a function of the search and an argument @param {any} [argument] */
function ofSearch(visitor, read, argument) {
  return visitor.page.evaluate(`(${read})(globalThis.puli.trace.result, ${JSON.stringify(argument ?? null)})`);
}

/** Returns what the tree shows: the class and the texts of each place. @param {any} visitor @returns {Promise<string>} */
const picture = (visitor) => visitor.page.locator(".log-tree").first().evaluate((tree) => [...tree.querySelectorAll(".place")].map((one) => `${one.getAttribute("data-path")}|${one.getAttribute("class")}|${one.textContent}`).join("\n"));

const stepThrough = { name: "learn-step-through", feature: "a traced search, event by event: windows, cutoffs, unseen nodes, the sentences of --explain", async check(setup) {
  const visitor = await drawSearch(setup, { game: "variant=tree", algorithm: "alphabeta", depth: 4 });
  const { page } = visitor;
  assert.deepEqual(await visitor.read(({ trace }) => [trace.step, trace.playing]), [0, false], "the search stands before its first event");
  const count = await page.locator(".log-tree .place").count();
  await waitUntil("no node is visited", async () => (await page.locator(".log-tree .place.unseen").count()) === count);
  // The command `trace` gives the expected tree and sentences.
  const lines = (await run(["trace", "--variant", "tree", "--algorithm", "alphabeta", "--depth", "4", "--ordering", "full", "--explain", "--format", "jsonl"])).trim().split("\n").map((line) => JSON.parse(line));
  const end = lines.at(-1);
  await visitor.waitForText("#sheet-learn .head", end.text);
  await page.locator('[data-learn="next"]').click();
  await visitor.waitForText(".trace-stage .step", lines.slice(1).find(({ text }) => text).text);
  assert.equal(await page.locator(".log-tree .place.open").count(), 1, "the root is entered");
  await page.locator('[data-learn="last"]').click();
  await visitor.waitFor("the last event is shown", ({ trace }, last) => trace.step === last, end.i);
  await waitUntil("unseen nodes", async () => (await page.locator(".log-tree .place.unseen").count()) === count - new Set(lines.filter(({ e }) => e === "enter").map(({ n }) => n)).size);
  assert.equal(await page.locator(".log-tree .scissors").count(), lines.filter(({ e }) => e === "cut").reduce((sum, { skipped }) => sum + skipped.length, 0), "edges that are cut");
  await page.locator('[data-learn="plus"]').click();
  await waitUntil("the tree is wider", () => page.locator(".tree-scroll").first().evaluate((box) => box.scrollWidth > box.clientWidth * 1.4));
  assert.equal(await page.locator(".log-tree .value").first().evaluate((text) => getComputedStyle(text).fontSize), "13px");
  await page.locator('[data-learn="first"]').click();
  await page.locator('[data-learn="play"]').click();
  await visitor.waitFor("the events play", ({ trace }) => trace.step >= 3);
  await page.locator('[data-learn="play"]').click();
  return `${count} nodes, ${end.i} events`;
} };

const algorithms = { name: "learn-every-search", feature: "all traced algorithms, with forced ends in words; no search is refused for its size, and a long one can be stopped", async check(setup) {
  const visitor = await drawSearch(setup, { game: "variant=tic-tac-toe&fen=XO1/1X1/2O+x", algorithm: "minimax", depth: 3 });
  const { page } = visitor;
  const values = new Set();
  for (const name of ["minimax", "alphabeta", "scout", "pvs", "mtdf"]) {
    await redraw(visitor, name, 3);
    values.add(await ofSearch(visitor, "(log) => JSON.stringify(log.end.value)"));
  }
  await page.locator('[data-learn="last"]').click();
  await waitUntil("forced wins are in words", async () => /X wins/.test(await picture(visitor)));
  const wrong = /[^\n]*(object|undefined|NaN|#\d)[^\n]*/.exec(await picture(visitor) + await visitor.text(".trace-stage"));
  assert.equal(wrong?.[0], undefined);
  assert.equal(values.size, 1, `all values are equal: ${[...values]}`);
  await visitor.openGame("aadu-puli");
  // Fewer events, to spare time.
  await page.evaluate(async () => {
    const { queries } = await globalThis.pageModule("actions.js");
    const ask = queries.ask.bind(queries);
    queries.ask = (variant, position, command, ...rest) => ask(variant, position, command.replace(/max \d+/, "max 2000"), ...rest);
  });
  await redraw(visitor, "alphabeta", 5);
  await waitUntil("the counts are whole, the events are not", async () => /Counted: 5,?\d\d\d nodes|Only the first 1,999 events/.test(await visitor.text(".trace-place")));
  assert.ok(await ofSearch(visitor, "(log) => log.end.truncated && log.end.counts.all.nodes > 3000"));
  await page.getByLabel("Depth", { exact: true }).first().fill("9");
  await page.locator(".trace-place select").first().selectOption("minimax");
  await page.getByRole("button", { name: "Draw the search" }).click();
  await page.locator(".trace-place").getByRole("button", { name: "Stop" }).click();
  await waitUntil("the search has stopped", async () => (await page.getByRole("button", { name: "Draw the search" }).count()) === 1);
  return `value ${[...values][0]}`;
} };

const followLarge = { name: "follow-large", feature: "a tree of 120 nodes or more first shows the way to the current node, with its siblings as blocks with counts; a switch shows all nodes as bars", async check(setup) {
  const visitor = await drawSearch(setup, { algorithm: "minimax", depth: 2, width: 1440, height: 900 });
  const { page } = visitor;
  assert.equal(await ofSearch(visitor, "(log) => log.size"), 141);
  assert.equal(await page.locator('[data-view="follow"]').getAttribute("aria-pressed"), "true");
  const deep = await ofSearch(visitor, '(log) => log.events.find(({ e, n }) => e === "leaf" && log.path(n) === "c3 b3b2").i');
  await goTo(visitor, deep);
  const names = () => page.locator(".log-tree .place:not(.block)").evaluateAll((all) => all.map((one) => one.getAttribute("data-path")));
  for (const path of ["", "c3", "c3 b3b2"]) assert.ok((await names()).includes(path), `${path} of ${await names()}`);
  const blocks = await page.locator(".log-tree .block .value").allTextContents();
  assert.ok(blocks.length >= 3 && blocks.reduce((sum, text) => sum + Number(text), 0) > 15, `blocks: ${blocks}`);
  const sizes = await page.locator(".log-tree text").evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
  assert.ok(Math.min(...sizes) >= 12);
  // A block opens into its siblings, and the way goes on.
  await page.locator(".log-tree .block").first().click();
  await waitUntil("all children of the root are drawn", async () => (await names()).filter((path) => path && !path.includes(" ")).length === 20);
  await page.locator('[data-view="whole"]').click();
  const bars = page.locator("canvas.whole-tree").first();
  await bars.waitFor();
  assert.match(String(await bars.getAttribute("aria-label")), /^141 nodes in 3 rows$/);
  const colors = () => bars.evaluate((canvas) => { const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height); const found = new Set(); for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) found.add(`${data[at]},${data[at + 1]},${data[at + 2]}`); return found.size; });
  assert.ok((await colors()) >= 3, "visited, unvisited and current nodes differ");
  await bars.click({ position: { x: 3, y: (await bars.evaluate((canvas) => canvas.clientHeight)) / 2 } });
  await waitUntil("the first child of the root is chosen", async () => /^root\s*›?\s*b1$/.test(await visitor.text(".node-card .way")));
  const small = await drawSearch(setup, { game: "variant=tree", algorithm: "minimax", depth: 4 });
  assert.ok(await small.page.locator(".views").isHidden(), "a small tree is drawn whole");
  return `${blocks.join(", ")} siblings`;
} };

const fold = { name: "fold", feature: "a click on a marker folds and opens a node, and so do - and + on the keyboard; one tab stop, and arrows go from node to node", async check(setup) {
  const visitor = await drawSearch(setup, { game: "variant=tree", algorithm: "alphabeta", depth: 4 });
  const { page } = visitor;
  const count = () => page.locator(".log-tree .place").count();
  const all = await count();
  /** @param {string} path */
  const node = (path) => page.locator(`.log-tree [data-path="${path}"]`);
  assert.equal(await page.locator('.log-tree [tabindex="0"]').count(), 1, "one tab stop");
  await node("2").hover();
  await node("2").locator(".fold").click();
  await waitUntil("the node is folded", async () => (await node("2").getAttribute("aria-expanded")) === "false");
  assert.equal(all - (await count()), Number(await node("2").locator(".fold text").textContent()), "the marker counts what it hides");
  await node("2").locator(".fold").click();
  await waitUntil("the node is open", async () => (await count()) === all);
  await node("").focus();
  await page.keyboard.press("ArrowDown");
  await waitUntil("the first child has the focus", () => page.evaluate(() => document.activeElement?.getAttribute("data-path") === "1"));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("-");
  await waitUntil("the node is folded by a key", async () => (await node("2").getAttribute("aria-expanded")) === "false" && await page.evaluate(() => document.activeElement?.getAttribute("data-path") === "2"));
  await page.keyboard.press("+");
  await waitUntil("the node is open again", async () => (await count()) === all);
  assert.equal(await visitor.read(({ trace }) => trace.step), 0, "the keys do not move the slider");
  return `${all} nodes`;
} };

const nodeCard = { name: "node-hover-board", feature: "pointing at a node shows its position, window, value, visits, order and events; its board can be played on from there", async check(setup) {
  const visitor = await drawSearch(setup, { algorithm: "alphabeta", depth: 3, width: 1440, height: 900 });
  const { page } = visitor;
  const cut = await ofSearch(visitor, "(log) => log.marks.cut[0]");
  await goTo(visitor, cut);
  const path = await ofSearch(visitor, "(log, at) => log.path(log.nodeOf(at))", cut);
  const board = page.locator(".mini-board");
  await waitUntil("the board shows the event", async () => (await board.getAttribute("data-path")) === path);
  const facts = () => page.locator(".node-card .facts").innerText();
  assert.match(await facts(), /Value[\s\S]*Window\s*\(?[\s\S]*Visits\s*1 of 1[\s\S]*Order\s*\d+ of \d+/);
  const parent = path.split(" ").slice(0, -1).join(" ");
  await page.locator(`.log-tree [data-path="${parent}"]`).hover();
  await waitUntil("the board shows the node that is pointed at", async () => (await board.getAttribute("data-path")) === parent);
  assert.ok(await board.locator(".thumb .move-ring").count(), "its move is marked");
  await page.mouse.move(2, 2);
  await waitUntil("the board shows the event again", async () => (await board.getAttribute("data-path")) === path);
  // A button of an event moves the slider, and the node stays.
  const chip = page.locator(".chips button").first();
  const wanted = Number(await chip.getAttribute("data-event"));
  await chip.click();
  await visitor.waitFor("the event is shown", ({ trace }, at) => trace.step === at, wanted);
  await waitUntil("the node stays", async () => (await board.getAttribute("data-path")) === path);
  await page.locator('[data-trace="continue"]').click();
  await visitor.waitFor("the moves are played", (state, moves) => state.game.tree.moves().join(" ") === moves, path);
  return path;
} };

const breadcrumb = { name: "breadcrumb", feature: "the way to a node is a row of buttons that choose the nodes on it", async check(setup) {
  const visitor = await drawSearch(setup, { game: "variant=tree", algorithm: "alphabeta", depth: 4 });
  const { page } = visitor;
  await page.locator('.log-tree [data-path="1 2 1"]').click();
  const way = () => page.locator(".node-card .way button").allInnerTexts();
  await waitUntil("the way is shown", async () => (await way()).join(" ") === "root 1 2 1");
  await page.locator(".node-card .way button").nth(2).click();
  await waitUntil("the node above is chosen", async () => (await way()).join(" ") === "root 1 2");
  await waitUntil("it is marked in the tree", async () => (await page.locator(".log-tree .place.chosen").getAttribute("data-path")) === "1 2");
} };

const scrubBothWays = { name: "scrub-both-ways", feature: "going forward and back shows the same tree at the same event, by buttons, arrows and the slider", async check(setup) {
  const visitor = await drawSearch(setup, { game: "variant=tree", algorithm: "mtdf", depth: 4 });
  const { page } = visitor;
  const last = await ofSearch(visitor, "(log) => log.last");
  const places = [0, 10, 45, Math.floor(last / 2), last - 20, last];
  /** @type {Map<number, string>} */
  const seen = new Map();
  for (const at of places) {
    await goTo(visitor, at);
    seen.set(at, await picture(visitor));
  }
  assert.equal(new Set(seen.values()).size, places.length, "the pictures differ");
  for (const at of [...places].reverse()) {
    await goTo(visitor, at);
    assert.equal(await picture(visitor), seen.get(at), `event ${at}`);
  }
  await goTo(visitor, 45);
  const start = await ofSearch(visitor, "(log) => log.nextTold(log.nextTold(45, 1), -1)");
  await page.locator(".scrubber input").focus();
  await page.keyboard.press("ArrowRight");
  await visitor.waitFor("one event later", ({ trace }) => trace.step > 45);
  await page.keyboard.press("ArrowLeft");
  await visitor.waitFor("one event back", ({ trace }, at) => trace.step === at, start);
  return `${places.length} events`;
} };

const jumpToCut = { name: "jump-to-cut", feature: "Shift and an arrow go to the next cutoff, Alt past a subtree; cutoffs are marked above the slider", async check(setup) {
  const visitor = await drawSearch(setup, { game: "variant=tree", algorithm: "alphabeta", depth: 4 });
  const { page } = visitor;
  const cuts = await ofSearch(visitor, "(log) => log.marks.cut");
  assert.equal((await page.locator(".scrub-marks .cut").getAttribute("d"))?.split("M").length, cuts.length + 1, "a mark a cutoff");
  await page.locator(".scrubber input").focus();
  for (const cut of cuts) {
    await page.keyboard.press("Shift+ArrowRight");
    await visitor.waitFor(`the cutoff at ${cut}`, ({ trace }, at) => trace.step === at, cut);
    await waitUntil("the sentence says why", async () => /^Cut off at/.test(await visitor.text(".trace-stage .step")));
  }
  await page.keyboard.press("Shift+ArrowLeft");
  await visitor.waitFor("the cutoff before", ({ trace }, at) => trace.step === at, cuts.at(-2));
  await page.locator('[data-learn="cut-next"]').click();
  await visitor.waitFor("the cutoff after", ({ trace }, at) => trace.step === at, cuts.at(-1));
  const entered = await ofSearch(visitor, '(log) => log.events.find(({ e, n }) => e === "enter" && log.path(n) === "1").i');
  await goTo(visitor, entered);
  await page.locator(".scrubber input").focus();
  await page.keyboard.press("Alt+ArrowRight");
  await waitUntil("the subtree is left", async () => /^Max can have 3 at the root/.test(await visitor.text(".trace-stage .step")));
  return `${cuts.length} cutoffs`;
} };

const boardFollows = { name: "board-follows-event", feature: "the board beside the tree shows the position of the event, on a wide screen and on a phone, where a tap swaps them", async check(setup) {
  for (const size of [{ width: 1440, height: 900 }, { width: 390, height: 844, touch: true }]) {
    const visitor = await drawSearch(setup, { game: "variant=kaooa", algorithm: "alphabeta", depth: 3, ...size });
    const { page } = visitor;
    const board = page.locator(".mini-board");
    const pieces = () => board.locator(".thumb > g").count();
    await waitUntil("the start is shown", async () => (await board.getAttribute("data-path")) === "");
    const start = await pieces();
    const leaf = await ofSearch(visitor, '(log) => log.events.find(({ e }) => e === "leaf").i');
    await goTo(visitor, leaf);
    const path = await ofSearch(visitor, "(log, at) => log.path(log.nodeOf(at))", leaf);
    await waitUntil("the position of the leaf is shown", async () => (await board.getAttribute("data-path")) === path);
    assert.ok((await pieces()) > start, "pieces were placed");
    await goTo(visitor, 0);
    await waitUntil("the start is shown again", async () => (await board.getAttribute("data-path")) === "" && (await pieces()) === start);
    if (!size.touch) continue;
    await board.tap();
    await waitUntil("the board has the place of the tree", () => page.locator(".lanes").isHidden());
    await board.tap();
    await waitUntil("the tree is back", () => page.locator(".lanes").isVisible());
    const sticky = await page.locator(".trace-controls").boundingBox();
    await page.locator(".trace-stage").evaluate((stage) => stage.scrollIntoView());
    assert.ok(sticky && (await page.locator(".trace-controls .stepper").boundingBox()).y < 844, "the buttons stay in view");
  }
} };

const twoLanes = { name: "two-lanes", feature: "two searches of a position on one slider, at the same event, number of nodes or number of leaves; what only one has visited is marked", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=tree", width: 1440, height: 900 });
  const { page } = visitor;
  await visitor.openTab("learn");
  await page.getByLabel("Beside it").selectOption("alphabeta+plain");
  await redraw(visitor, "minimax", 4);
  await waitUntil("two trees are drawn", async () => (await page.locator(".log-tree:visible").count()) === 2);
  assert.deepEqual(await page.locator(".lane-title").allInnerTexts(), ["minimax", "alpha-beta"]);
  const [minimax, alphabeta] = await Promise.all(["minimax", "alphabeta"].map(async (name) => (await run(["trace", "--variant", "tree", "--algorithm", name, "--depth", "4", "--ordering", "full", "--format", "jsonl"])).trim().split("\n").map((line) => JSON.parse(line))));
  /** @param {any[]} events @param {number} at @returns {Set<string>} */
  const visited = (events, at) => {
    const paths = [];
    const seen = new Set();
    for (const { e, i, n, parent, move } of events) {
      if (e === "make") paths[n] = parent === null ? "" : `${paths[parent]} ${move}`.trim();
      if (e === "enter" && i <= at) seen.add(paths[n]);
    }
    return seen;
  };
  /** @param {number} lane */
  const marked = (lane) => page.locator(".lane").nth(lane).locator(".place.only").evaluateAll((all) => all.map((one) => one.getAttribute("data-path")).sort());
  /** @param {number} first @param {number} second */
  const expectAt = async (first, second) => {
    const [one, other] = [visited(minimax, first), visited(alphabeta, second)];
    await waitUntil(`events ${first} and ${second} are compared`, async () => JSON.stringify([await marked(0), await marked(1)]) === JSON.stringify([[...one].filter((path) => !other.has(path)).sort(), [...other].filter((path) => !one.has(path)).sort()]));
  };
  const slider = page.locator(".scrubber input");
  assert.equal(Number(await slider.getAttribute("max")), Math.max(minimax.length, alphabeta.length) - 1, "the slider is as long as the longer search");
  for (const at of [40, 70, minimax.length - 1]) {
    await goTo(visitor, at);
    await expectAt(at, Math.min(at, alphabeta.length - 1));
  }
  // At the same number of leaves, and of nodes.
  /** @param {any[]} events @param {(event: any) => boolean} counts @param {number} count */
  const atCount = (events, counts, count) => events.filter(counts)[count - 1]?.i ?? events.length - 1;
  await page.getByLabel("Side by side at the same").selectOption("leaf");
  await waitUntil("the slider counts leaves", async () => (await slider.getAttribute("max")) === "12");
  for (const count of [3, 5]) {
    await goTo(visitor, count);
    await expectAt(atCount(minimax, ({ e }) => e === "leaf", count), atCount(alphabeta, ({ e }) => e === "leaf", count));
  }
  await page.getByLabel("Side by side at the same").selectOption("node");
  await goTo(visitor, 10);
  await expectAt(atCount(minimax, ({ e, n }) => e === "enter" && n !== 0, 10), atCount(alphabeta, ({ e, n }) => e === "enter" && n !== 0, 10));
  // The card tells of the node that is pointed at, in either search.
  await page.locator(".lane").nth(1).locator('[data-path="1 1"]').click();
  await waitUntil("the node of the second search is shown", async () => /Window/.test(await page.locator(".node-card .facts").innerText()));
  const phone = await setup.openPage({ game: "variant=tree", width: 390, height: 844, touch: true });
  await phone.openTab("learn");
  await phone.page.getByLabel("Beside it").selectOption("mtdf+memory");
  await redraw(phone, "scout", 4);
  await waitUntil("both are drawn on a phone", async () => (await phone.page.locator(".log-tree:visible").count()) === 2);
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "no sideways scrolling");
} };

const pvsTraced = { name: "pvs-traced", feature: "PVS is drawn in its textbook form: null windows as questions, a better child searched again, and what is switched off", async check(setup) {
  const fen = "[[5,9],[7,8],[2,6]]";
  const visitor = await drawSearch(setup, { game: `variant=tree&fen=${fen}`, algorithm: "pvs", depth: 2 });
  const { page } = visitor;
  const events = (await run(["trace", "--variant", "tree", "--fen", fen, "--algorithm", "pvs", "--depth", "2", "--ordering", "full", "--format", "jsonl", "--explain"])).trim().split("\n").map((line) => JSON.parse(line));
  await visitor.waitForText("#sheet-learn .head", events.at(-1).text);
  await visitor.waitForText(".trace-stage .step", `The search has not started. ${events[0].text}`);
  assert.ok(events[0].options.off.length, "the tuned parts are off");
  const again = events.find(({ e }) => e === "again");
  assert.ok(again, "a child is searched again");
  const entered = events.find(({ e, i, n, purpose }) => e === "enter" && i > again.i && n === again.n && purpose === "again");
  const asked = events.find(({ e, n, purpose }) => e === "enter" && n === entered.n && purpose === "null");
  const node = page.locator('.log-tree [data-path="2"]');
  await goTo(visitor, asked.i);
  await waitUntil("the null window is a question", async () => /^[>≥] \d+\?$/.test((await node.locator(".window").textContent()) ?? ""));
  await goTo(visitor, entered.i);
  await waitUntil("the child is marked", async () => (await node.locator(".sign").textContent().catch(() => "")) === "↻");
  assert.equal(await page.locator(".scrub-marks .again").getAttribute("d").then((d) => (d ?? "").split("M").length - 1), events.filter(({ e }) => e === "again").length, "a mark each time");
  return `${events.length} events`;
} };

const traceFits = { name: "traces-fit", feature: "drawn searches: no serious finding of axe in light and dark; at 390 and 320 px no sideways scroll, text from 12 px, targets of 44 px, the buttons in view", async check(setup) {
  for (const [width, height, dark] of [[1440, 900, true], [1440, 900, false], [390, 844, false], [320, 568, true]]) {
    const visitor = await drawSearch(setup, { game: "variant=kaooa", algorithm: "minimax", depth: 3, width, height, dark, touch: width < 500, still: true });
    const { page } = visitor;
    await page.evaluate(readFileSync(setup.axe, "utf8"));
    await goTo(visitor, await ofSearch(visitor, "(log) => Math.floor(log.last / 2)"));
    for (const view of ["follow", "whole"]) {
      await page.locator(`[data-view="${view}"]`).click();
      await waitUntil("the view is drawn", () => page.locator(view === "follow" ? ".log-tree" : ".whole-tree").first().isVisible());
      assert.deepEqual((await runAxe(page, ".trace-stage")).serious, [], `${view} at ${width}`);
      if (width > 500) continue;
      await page.locator(".trace-stage").evaluate((stage) => stage.scrollIntoView());
      const faults = await page.evaluate(() => {
        const stage = /** @type {Element} */ (document.querySelector(".trace-stage"));
        const found = document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
        for (const one of stage.querySelectorAll("*")) {
          const box = one.getBoundingClientRect();
          if (!box.width) continue;
          const hasText = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim());
          if (hasText && Number.parseFloat(getComputedStyle(one).fontSize) < 12) found.push(`${one.textContent} is small`);
          if (one.matches("button:not(.step .term), select") && (box.height < 43.5 || box.width < 43.5)) found.push(`${one.textContent || one.getAttribute("aria-label")} has ${Math.round(box.width)}×${Math.round(box.height)}`);
        }
        for (const one of stage.querySelectorAll(".stepper button, .scrubber input")) {
          const { top, bottom, width } = one.getBoundingClientRect();
          if (width && (top < 0 || bottom > innerHeight + 0.5)) found.push(`${one.getAttribute("aria-label")} is out of view`);
        }
        return [...new Set(found)];
      });
      assert.deepEqual(faults, [], `${view} at ${width}`);
    }
  }
} };

const MAX_FRAME_MS = 1000 / 30;

const manyNodes = { name: "20,000-nodes", feature: "a tree of 20,000 nodes is drawn in both views in less than a thirtieth of a second an event", isAlone: true, async check(setup) {
  // The events come from the command, which is faster than a socket on a busy machine.
  const lines = (await run(["trace", "--variant", "aadu-puli", "--algorithm", "minimax", "--depth", "4", "--ordering", "full", "--format", "jsonl"])).trim();
  const visitor = await setup.openPage({ width: 1440, height: 900 });
  const { page } = visitor;
  await page.evaluate(async (text) => {
    const { queries } = await globalThis.pageModule("actions.js");
    const ask = queries.ask.bind(queries);
    queries.ask = (variant, position, command, ...rest) => (command.startsWith("trace") ? Promise.resolve(text.split("\n").map((line) => `trace ${line}`)) : ask(variant, position, command, ...rest));
  }, lines);
  await visitor.openTab("learn");
  await page.locator(".trace-place select").first().waitFor();
  await redraw(visitor, "minimax", 4);
  const size = await ofSearch(visitor, "(log) => log.size");
  assert.ok(size >= 20000, `${size} nodes`);
  const notes = [];
  for (const view of ["follow", "whole"]) {
    await page.locator(`[data-view="${view}"]`).click();
    // The time of the work for an event, without the frames between: the least of several medians, since others use the machine.
    const times = await page.evaluate(async () => {
      const { trace } = globalThis.puli;
      const input = /** @type {HTMLInputElement} */ (document.querySelector(".scrubber input"));
      const medians = [];
      for (let round = 0; round < 4; round++) {
        const times = [];
        for (let step = 0; step < 9; step++) {
          input.value = String(Math.floor(((round * 9 + step + 1) / 38) * trace.result.last));
          input.dispatchEvent(new Event("input"));
          await new Promise((resolve) => requestAnimationFrame(() => { const start = performance.now(); requestAnimationFrame(() => resolve(times.push(performance.now() - start))); }));
        }
        medians.push(times.sort((one, other) => one - other)[4]);
      }
      return medians;
    });
    assert.ok(Math.min(...times) < MAX_FRAME_MS, `${view}: ${times.map(Math.round)} ms`);
    notes.push(`${view} ${Math.round(Math.min(...times))} ms`);
  }
  return `${size} nodes: ${notes.join(", ")}`;
} };

export const tracingChecks = [stepThrough, algorithms, followLarge, fold, nodeCard, breadcrumb, scrubBothWays, jumpToCut, boardFollows, twoLanes, pvsTraced, traceFits, manyNodes];
