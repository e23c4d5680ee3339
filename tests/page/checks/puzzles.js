// Puzzles for one, 2048, trees and boards of any size.

import assert from "node:assert/strict";
import { mouse, until } from "../support/visitor.js";

const solving = { name: "shuffle-solve-play-speed", feature: "shuffle by difficulty, own goal; solve with any algorithm and heuristic, the bound growing; play, pause, step, speed", async check(bench) {
  const visitor = await bench.visit({ game: "variant=8-puzzle" });
  const { page } = visitor;
  // It opens shuffled, and a new game is another one.
  await visitor.when("it is shuffled", (state) => state.game.current.state?.outcome === null && state.game.fen);
  const opened = await visitor.fen();
  await visitor.press("plus");
  await visitor.when("it is shuffled anew", (state, was) => state.game.current.state?.outcome === null && state.game.fen !== was, opened);
  await page.getByLabel("Moves from the goal").fill("18");
  const before = await visitor.fen();
  await page.locator(".shuffle button.main").click();
  await visitor.when("the tiles are shuffled", (state, was) => state.game.current.state?.outcome === null && state.game.fen !== was, before);
  const shuffled = await visitor.fen();
  await visitor.tab("solve");
  for (const [algorithm, heuristic] of [["idastar", "manhattan"], ["astar", "linear-conflict"], ["bfs", "zero"]]) {
    await page.locator("#sheet-solve").getByLabel("Algorithm").selectOption(algorithm);
    await page.locator("#sheet-solve").getByLabel("Heuristic").selectOption(heuristic);
    await page.locator("#sheet-solve").getByRole("button", { name: "Solve" }).click();
    await visitor.when(`${algorithm} solves it`, (state) => state.work === null && state.solve.found.length > 0);
    await visitor.shows("#sheet-solve .found", /^\d+ moves, the fewest there are\./);
  }
  const length = await visitor.see((state) => state.solve.found.length);
  await page.locator('[data-solve="next"]').click();
  await visitor.when("one step", (state) => state.game.current.ply === 1);
  await page.locator('[data-solve="back"]').click();
  await visitor.when("and back", (state) => state.game.current.ply === 0);
  await page.locator("#sheet-solve").getByLabel("Speed").fill("20");
  await page.locator('[data-solve="play"]').click();
  await visitor.when("it plays", (state) => state.game.current.ply >= 2);
  await page.locator('[data-solve="play"]').click();
  await visitor.when("it pauses", (state) => !state.solve.playing);
  await page.locator('[data-solve="play"]').click();
  await visitor.when("it is solved", (state, all) => state.game.current.ply === all && state.game.current.state?.outcome === "p1win", length);
  await visitor.shows("#status", `Solved in ${length} moves.`);
  // A hard one: the bound is told while it grows.
  const hard = await bench.visit({ game: "variant=15-puzzle&fen=14,13,15,7/11,12,9,5/6,0,2,1/4,8,10,3" });
  await hard.tab("solve");
  await hard.page.locator("#sheet-solve").getByLabel("Algorithm").selectOption("idastar");
  await hard.page.locator("#sheet-solve").getByLabel("Heuristic").selectOption("manhattan");
  await hard.page.locator("#sheet-solve").getByRole("button", { name: "Solve" }).click();
  await hard.when("the bound grew twice", (state) => state.solve.history.length >= 3 || state.solve.found.length > 0);
  await until("the growth is drawn", () => hard.page.locator("svg.growth .curve").count());
  if (await hard.see((state) => state.work !== null)) await hard.page.locator("#sheet-solve").getByRole("button", { name: "Stop" }).click();
  // A goal of one's own: shuffles go away from it.
  const own = await bench.visit({ game: "variant=8-puzzle" });
  await own.page.getByLabel("Goal", { exact: true }).fill("1,2,3/4,5,6/7,8,0");
  await own.page.locator("form.goal button").click();
  await own.when("it is the goal", (state) => state.game.current.state?.outcome === "p1win" && state.game.current.state.board.goal[0][0] === 1);
  await own.page.locator(".shuffle button.main").click();
  await own.when("it is shuffled", (state) => state.game.current.state?.outcome === null && state.game.current.state.board.goal[2][2] === 0);
  return `${shuffled}: ${length} moves`;
} };

const pictures = { name: "picture-tiles", feature: "a picture instead of numbers, drawn or one's own", async check(bench) {
  const visitor = await bench.visit({ game: "variant=15-puzzle&fen=1,2,3,0/4,5,6,7/8,9,10,11/12,13,14,15" });
  const { page } = visitor;
  for (const name of ["tiger", "hills"]) {
    await page.getByLabel("What is on the tiles").selectOption(name);
    await until(`${name} is on the tiles`, async () => (await page.locator("#board .tile .slice").count()) === 15);
  }
  // The smallest picture there is, as a file of a person's own.
  const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  await page.locator("input[type=file]").setInputFiles({ name: "own.png", mimeType: "image/png", buffer: pixel });
  await until("it is on the tiles", async () => (await page.locator("#board .tile .slice image").count()) === 15);
  await page.getByLabel("What is on the tiles").selectOption("");
  await until("the numbers are back", async () => (await page.locator("#board .tile .slice").count()) === 0);
} };

const river = { name: "river", feature: "missionaries and cannibals on a river, solved and watched", async check(bench) {
  const visitor = await bench.visit({ game: "variant=missionaries" });
  const { page } = visitor;
  await page.locator('#board [data-person="left-cannibal-0"]').click();
  await page.locator('#board [data-person="left-cannibal-0"]').click();
  assert.equal(await page.locator('#board [data-person^="aboard"]').count(), 2);
  await page.locator('#board [data-person="aboard-cannibal-1"]').click();
  assert.equal(await page.locator('#board [data-person^="aboard"]').count(), 1, "one got out again");
  await page.locator('#board [data-person="boat"]').click();
  await visitor.when("the boat is across", (state) => state.game.current.state?.board.boat === "right");
  await visitor.shows("#status", /^A cannibal crossed to the right bank\./);
  await visitor.press("undo");
  await visitor.turn();
  await visitor.tab("solve");
  await page.locator("#sheet-solve").getByRole("button", { name: "Solve" }).click();
  await visitor.when("it is solved", (state) => state.solve.found.length === 11);
  await page.locator("#sheet-solve").getByLabel("Speed").fill("20");
  await page.locator('[data-solve="play"]').click();
  await visitor.when("everybody is across", (state) => state.game.current.state?.outcome === "p1win");
  await visitor.shows("#status", "Solved in 11 moves.");
} };

const running = { name: "2048-auto", feature: "2048: play, hint, auto-run at any speed, score and rates", async check(bench) {
  const visitor = await bench.visit({ game: "variant=2048" });
  const { page } = visitor;
  const state = await visitor.turn();
  assert.equal(state.pieces.length, 2, "two tiles came by themselves");
  await visitor.play(state.moves[0], mouse);
  await visitor.turn();
  await page.getByLabel("Speed").first().fill("10");
  await page.locator(".seats select").first().selectOption("easy");
  await visitor.when("sixty plies", (one) => one.game.current.ply >= 60);
  await visitor.shows(".rates", /\d+ moves, [\d.]+ a second/);
  await until("the score grows", async () => Number((await visitor.text("#below .tally")).replace(/\D/g, "")) > 0);
  await page.locator(".seats select").first().selectOption("person");
  await visitor.turn();
  const ply = await visitor.see((one) => one.game.current.ply);
  assert.ok(await visitor.see(() => globalThis.puli.live()));
  // The tiles may be placed by the worst adversary, or by a person.
  await page.locator(".seats select").nth(1).selectOption("person");
  const next = await visitor.turn();
  await visitor.play(next.moves[0], mouse);
  const tiles = await visitor.turn();
  assert.equal(tiles.turn, "chance");
  const { x, y } = await visitor.spot(tiles.moves[0].to);
  await page.mouse.click(x, y);
  await until("it is asked which tile", async () => (await page.locator("#answers button").count()) === 2);
  await page.locator("#answers button").first().click();
  await visitor.when("the tile is there", (one, was) => one.game.current.ply === was + 2, ply);
  // A finished game counts once, however often one looks at its end.
  const end = await bench.visit({ game: "variant=2048&fen=2,8/16,0+t+0" });
  const last = await end.when("the game is over", (one) => one.game.current.state?.outcome && one.game.current.ply);
  await end.page.locator("body").press("Home");
  await end.when("the start", (one) => one.game.current.ply === 0);
  await end.page.locator("body").press("End");
  await end.when("the end", (one, where) => one.game.current.ply === where, last);
  await end.shows(".rates", /; 1 game finished/);
  return `${ply} plies`;
} };

const sizes = { name: "any-size", feature: "m,n,k of any size; any tree; small boards of 2048", async check(bench) {
  const visitor = await bench.visit({ game: "variant=tic-tac-toe" });
  await visitor.page.getByLabel("Rows", { exact: true }).fill("6");
  await visitor.page.getByLabel("Columns").fill("7");
  await visitor.page.getByLabel("In a row").fill("4");
  await visitor.page.locator("form.sizes button").click();
  const state = await visitor.when("a board of six rows", (page) => page.game.current.state?.board.rows === 6 && page.game.current.state);
  assert.equal(state.moves.length, 42);
  // Whether he is warned is another check.
  await visitor.page.evaluate(async () => (await import("/actions.js")).prefer("warn", false));
  await visitor.play({ to: "d3" }, mouse);
  await visitor.turn();
  for (const [game, sees] of [
    ["variant=tree&fen=[[3,17],[2,[12,1]]]+min", (one) => JSON.stringify(one.game.current.state?.board.root) === "[[3,17],[2,[12,1]]]"],
    ["variant=2048&fen=0,0/0,0+t+0", (one) => one.game.current.state?.board.rows === 2 && one.game.current.ply === 2],
    ["variant=missionaries&fen=5+5+left+of+5+5+boat+3", (one) => one.game.current.state?.board.seats === 3],
    ["variant=15-puzzle&fen=1,2,0/3,4,5", (one) => one.game.current.state?.board.rows === 2 && one.game.current.state.board.columns === 3],
  ]) await (await bench.visit({ game })).when(`${game} is shown`, sees);
} };

export const puzzling = [solving, pictures, river, running, sizes];
