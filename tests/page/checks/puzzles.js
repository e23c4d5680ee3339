// Checks of the puzzles, 2048, and boards of other sizes.

import assert from "node:assert/strict";
import { mouse, waitUntil } from "../support/visitor.js";

const solve = { name: "shuffle-solve-play-speed", feature: "shuffle, another goal, solve with any algorithm and heuristic, the growing bound, play the solution", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=8-puzzle" });
  const { page } = visitor;
  // The puzzle opens shuffled, and a new game shuffles it again.
  await visitor.waitFor("it is shuffled", (state) => state.game.tree.current.state?.outcome === null && state.game.tree.fen);
  const opened = await visitor.fen();
  await visitor.pressButton("plus");
  await visitor.waitFor("it is shuffled again", (state, was) => state.game.tree.current.state?.outcome === null && state.game.tree.fen !== was, opened);
  await page.getByLabel("Moves from the goal").fill("18");
  const before = await visitor.fen();
  await page.locator(".shuffle button.main").click();
  await visitor.waitFor("the tiles are shuffled", (state, was) => state.game.tree.current.state?.outcome === null && state.game.tree.fen !== was, before);
  const shuffled = await visitor.fen();
  await visitor.openTab("solve");
  for (const [algorithm, heuristic] of [["idastar", "manhattan"], ["astar", "linear-conflict"], ["bfs", "zero"]]) {
    await page.locator("#sheet-solve").getByLabel("Algorithm").selectOption(algorithm);
    await page.locator("#sheet-solve").getByLabel("Heuristic").selectOption(heuristic);
    await page.locator("#sheet-solve").getByRole("button", { name: "Solve", exact: true }).click();
    await visitor.waitFor(`${algorithm} solves it`, (state) => state.analysis.task === null && state.solution.moves.length > 0);
    await visitor.waitForText("#sheet-solve .found", /^\d+ moves, the minimum\./);
  }
  const length = await visitor.read((state) => state.solution.moves.length);
  await page.locator('[data-solve="next"]').click();
  await visitor.waitFor("one move is played", (state) => state.game.tree.current.ply === 1);
  await page.locator('[data-solve="back"]').click();
  await visitor.waitFor("it is taken back", (state) => state.game.tree.current.ply === 0);
  await page.locator("#sheet-solve").getByLabel("Speed").fill("20");
  await page.locator('[data-solve="play"]').click();
  await visitor.waitFor("the solution plays", (state) => state.game.tree.current.ply >= 2);
  await page.locator('[data-solve="play"]').click();
  await visitor.waitFor("it has paused", (state) => !state.solution.playing);
  await page.locator('[data-solve="play"]').click();
  await visitor.waitFor("the puzzle is solved", (state, all) => state.game.tree.current.ply === all && state.game.tree.current.state?.outcome === "p1win", length);
  await visitor.waitForText("#status", `Solved in ${length} moves, the minimum.`);
  // A hard puzzle shows its bound while it grows.
  const hard = await setup.openPage({ game: "variant=15-puzzle&fen=14,13,15,7/11,12,9,5/6,0,2,1/4,8,10,3" });
  await hard.openTab("solve");
  await hard.page.locator("#sheet-solve").getByLabel("Algorithm").selectOption("idastar");
  await hard.page.locator("#sheet-solve").getByLabel("Heuristic").selectOption("manhattan");
  await hard.page.locator("#sheet-solve").getByRole("button", { name: "Solve", exact: true }).click();
  await hard.waitFor("the bound has grown twice", (state) => state.solution.bounds.length >= 3 || state.solution.moves.length > 0);
  await waitUntil("the chart is drawn", () => hard.page.locator("svg.growth .curve").count());
  if (await hard.read((state) => state.analysis.task !== null)) await hard.page.locator("#sheet-solve").getByRole("button", { name: "Stop" }).click();
  // Another goal: shuffles start from it.
  const own = await setup.openPage({ game: "variant=8-puzzle" });
  await own.page.getByLabel("Goal", { exact: true }).fill("1,2,3/4,5,6/7,8,0");
  await own.page.locator("form.goal button").click();
  await own.waitFor("the goal is on the board", (state) => state.game.tree.current.state?.outcome === "p1win" && state.game.tree.current.state.board.goal[0][0] === 1);
  await own.page.locator(".shuffle button.main").click();
  await own.waitFor("it is shuffled", (state) => state.game.tree.current.state?.outcome === null && state.game.tree.current.state.board.goal[2][2] === 0);
  return `${shuffled}: ${length} moves`;
} };

const tilePuzzles = { name: "tile-puzzles", feature: "tile puzzles open shuffled; a click slides a row; moves, a silent clock, and the minimum at the end", async check(setup) {
  for (const variant of ["8-puzzle", "15-puzzle", "24-puzzle"]) {
    const visitor = await setup.openPage({ game: `variant=${variant}` });
    await visitor.waitFor(`${variant} opens shuffled`, (state) => state.game.tree.current.state?.outcome === null && state.game.tree.fen !== null);
    const before = await visitor.fen();
    await visitor.pressButton("plus");
    await visitor.waitFor("a new game is shuffled", (state, was) => state.game.tree.fen !== null && state.game.tree.current.state?.outcome === null && state.game.tree.current.state.fen !== was, before);
  }
  // The gap is at a4. A click on c4 slides b4 and c4 to the left, one on c1 then slides three tiles up.
  const visitor = await setup.openPage({ game: "variant=15-puzzle&fen=0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15+goal+1,2,3,0/4,5,6,7/8,9,10,11/12,13,14,15" });
  const { page } = visitor;
  /** @param {string} at */
  const click = async (at) => {
    const { x, y } = await visitor.spotCenter(at);
    await page.mouse.click(x, y);
  };
  await visitor.waitForText("#below", /^0 moves\s+Time 0:00$/);
  await click("c4");
  await visitor.waitFor("two tiles have moved", (state) => state.game.tree.current.state?.ply === 2);
  await visitor.waitForText("#status", /^2 tiles slid left\./);
  assert.match(await visitor.fen(), /^1,2,0,3\//);
  await click("c1");
  await visitor.waitFor("three tiles have moved", (state) => state.game.tree.current.state?.ply === 5);
  assert.match(await visitor.fen(), /^1,2,6,3\/4,5,10,7\/8,9,14,11\/12,13,0,15/);
  const slid = await visitor.fen();
  await click("a3");
  await page.waitForTimeout(100);
  assert.equal(await visitor.fen(), slid, "a tile in another row stays");
  await visitor.waitForText("#below", /^5 moves\s+Time 0:0[1-9]$/);
  assert.deepEqual(await page.locator("#below [role=timer]").evaluateAll((all) => all.map((one) => [one.getAttribute("aria-live"), one.closest("[role=status], [role=log], [role=alert], [aria-live=polite], [aria-live=assertive]")])), [["off", null]]);
  // Back by the keyboard, and on to the goal: 13 moves for a puzzle of 3.
  await page.locator('#board [data-at="c4"]').focus();
  await page.keyboard.press("Enter");
  await visitor.waitFor("the column is back", (state) => state.game.tree.current.state?.ply === 8);
  await click("a4");
  await visitor.waitFor("the row is back", (state) => state.game.tree.current.state?.ply === 10);
  await click("d4");
  await visitor.waitFor("the puzzle is solved", (state) => state.game.tree.current.state?.ply === 13 && state.game.tree.current.state.outcome !== null);
  await visitor.waitForText("#status", "Solved in 13 moves; the minimum is 3.");
  const time = await visitor.text("#below [role=timer]");
  await page.waitForTimeout(1300);
  assert.equal(await visitor.text("#below [role=timer]"), time, "the clock has stopped");
} };

const words2048 = { name: "2048-words", feature: "the values of 2048 in plain words, before, near and after the end", async check(setup) {
  for (const game of ["variant=2048", "variant=2048&fen=2,8/16,0+t+0", "variant=2048&fen=2,4/8,16+p+100", "variant=2048&fen=2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,0+t+100"]) {
    const visitor = await setup.openPage({ game });
    const { page } = visitor;
    await visitor.setPreference("engineOn", true);
    await visitor.openTab("analyze");
    await visitor.waitFor("a value", (state) => state.game.tree.current.value !== null);
    await visitor.waitForText("#engine", /more points if played well|The game is over|The game ends soon/);
    const words = await page.evaluate(() => [document.body.innerText, ...[...document.querySelectorAll("[title],[aria-label]")].map((one) => `${one.getAttribute("title")} ${one.getAttribute("aria-label")}`)].join("\n"));
    assert.doesNotMatch(words, /still to come|tiles? (win|won|lose|lost)|#\d|\bwon\b|\blost\b/i, game);
  }
} };

const pictures = { name: "picture-tiles", feature: "a picture on the tiles, drawn or from a file", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=15-puzzle&fen=1,2,3,0/4,5,6,7/8,9,10,11/12,13,14,15" });
  const { page } = visitor;
  for (const name of ["tiger", "hills"]) {
    await page.getByLabel("Tiles show").selectOption(name);
    await waitUntil(`${name} is on the tiles`, async () => (await page.locator("#board .tile .slice").count()) === 15);
  }
  // A PNG of one pixel.
  const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  await page.locator("input[type=file]").setInputFiles({ name: "own.png", mimeType: "image/png", buffer: pixel });
  await waitUntil("the file is on the tiles", async () => (await page.locator("#board .tile .slice image").count()) === 15);
  await page.getByLabel("Tiles show").selectOption("");
  await waitUntil("the numbers are back", async () => (await page.locator("#board .tile .slice").count()) === 0);
} };

const river = { name: "river", feature: "missionaries and cannibals: cross by clicks, solve, play the solution", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=missionaries" });
  const { page } = visitor;
  await page.locator('#board [data-person="left-cannibal-0"]').click();
  await page.locator('#board [data-person="left-cannibal-0"]').click();
  assert.equal(await page.locator('#board [data-person^="aboard"]').count(), 2);
  await page.locator('#board [data-person="aboard-cannibal-1"]').click();
  assert.equal(await page.locator('#board [data-person^="aboard"]').count(), 1, "one person has left the boat");
  await page.locator('#board [data-person="boat"]').click();
  await visitor.waitFor("the boat is across", (state) => state.game.tree.current.state?.board.boat === "right");
  await visitor.waitForText("#status", /^A cannibal crossed to the right bank\./);
  await visitor.pressButton("undo");
  await visitor.waitForTurn();
  await visitor.openTab("solve");
  await page.locator("#sheet-solve").getByRole("button", { name: "Solve", exact: true }).click();
  await visitor.waitFor("the puzzle is solved", (state) => state.solution.moves.length === 11);
  await page.locator("#sheet-solve").getByLabel("Speed").fill("20");
  await page.locator('[data-solve="play"]').click();
  await visitor.waitFor("everyone is across", (state) => state.game.tree.current.state?.outcome === "p1win");
  await visitor.waitForText("#status", "Solved in 11 moves, the minimum.");
} };

const game2048 = { name: "2048-auto", feature: "2048: play, let the engine play, score and rates, tiles placed by a person", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=2048" });
  const { page } = visitor;
  const state = await visitor.waitForTurn();
  assert.equal(state.pieces.length, 2, "the game starts with two tiles");
  await visitor.play(state.moves[0], mouse);
  await visitor.waitForTurn();
  await page.getByLabel("Speed").first().fill("10");
  await page.locator(".players select").first().selectOption("easy");
  await visitor.waitFor("60 plies are played", (one) => one.game.tree.current.ply >= 60);
  await visitor.waitForText(".rates", /\d+ moves, [\d.]+ a second/);
  await waitUntil("the score grows", async () => Number((await visitor.text("#below .counts")).replace(/\D/g, "")) > 0);
  await page.locator(".players select").first().selectOption("person");
  await visitor.waitForTurn();
  const ply = await visitor.read((one) => one.game.tree.current.ply);
  assert.ok(await visitor.read((one) => one.canMove()));
  // A person can place the tiles.
  await page.locator(".players select").nth(1).selectOption("person");
  const next = await visitor.waitForTurn();
  await visitor.play(next.moves[0], mouse);
  const tiles = await visitor.waitForTurn();
  assert.equal(tiles.turn, "chance");
  const { x, y } = await visitor.spotCenter(tiles.moves[0].to);
  await page.mouse.click(x, y);
  await waitUntil("the page asks for the number", async () => (await page.locator("#answers button").count()) === 2);
  await page.locator("#answers button").first().click();
  await visitor.waitFor("the tile is placed", (one, was) => one.game.tree.current.ply === was + 2, ply);
  // A finished game is counted once, even if its end is shown again.
  const end = await setup.openPage({ game: "variant=2048&fen=2,8/16,0+t+0" });
  const last = await end.waitFor("the game is over", (one) => one.game.tree.current.state?.outcome && one.game.tree.current.ply);
  await end.page.locator("body").press("Home");
  await end.waitFor("the start is shown", (one) => one.game.tree.current.ply === 0);
  await end.page.locator("body").press("End");
  await end.waitFor("the end is shown", (one, where) => one.game.tree.current.ply === where, last);
  await end.waitForText(".rates", /; 1 game finished/);
  return `${ply} plies`;
} };

const otherSizes = { name: "any-size", feature: "other sizes of m,n,k boards, trees, 2048, the river and puzzles", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=tic-tac-toe" });
  await visitor.page.getByText("Another size").click();
  await visitor.page.getByLabel("Rows", { exact: true }).fill("6");
  await visitor.page.getByLabel("Columns").fill("7");
  await visitor.page.getByLabel("In a row").fill("4");
  await visitor.page.locator("form.sizes button").click();
  const state = await visitor.waitFor("a board of six rows", (page) => page.game.tree.current.state?.board.rows === 6 && page.game.tree.current.state);
  assert.equal(state.moves.length, 42);
  await visitor.setPreference("warn", false);
  await visitor.play({ to: "d3" }, mouse);
  await visitor.waitForTurn();
  for (const [game, sees] of [
    ["variant=tree&fen=[[3,17],[2,[12,1]]]+min", (one) => JSON.stringify(one.game.tree.current.state?.board.root) === "[[3,17],[2,[12,1]]]"],
    ["variant=2048&fen=0,0/0,0+t+0", (one) => one.game.tree.current.state?.board.rows === 2 && one.game.tree.current.ply === 2],
    ["variant=missionaries&fen=5+5+left+of+5+5+boat+3", (one) => one.game.tree.current.state?.board.seats === 3],
    ["variant=15-puzzle&fen=1,2,0/3,4,5", (one) => one.game.tree.current.state?.board.rows === 2 && one.game.tree.current.state.board.columns === 3],
  ]) await (await setup.openPage({ game })).waitFor(`${game} is shown`, sees);
  const chance = await setup.openPage({ game: "variant=tree&fen=[(9:8,1:30),[3]]&moves=1" });
  await waitUntil("chance nodes have probabilities", async () => (await chance.page.locator("svg.tree .probability").allTextContents()).join() === "0.9,0.1");
  assert.equal(await chance.page.locator("svg.tree .node.chance").count(), 1);
} };

export const puzzleChecks = [solve, tilePuzzles, words2048, pictures, river, game2048, otherSizes];
