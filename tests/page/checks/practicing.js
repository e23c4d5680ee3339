// Checks of the tab Practice: the only move, endgames, streaks.

import assert from "node:assert/strict";
import { ask } from "../support/server.js";
import { keyboard, mouse, touch, waitUntil } from "../support/visitor.js";

/** The number of positions that are compared with the engine in a process of its own. */
const COMPARED_POSITIONS = 6;

/** Four in a row on 2 rows and 8 columns: solved by the button only. */
const LARGE_FEN = "2 8 4 8/8 x";

/** Returns the exact values of a position, from the engine in a process of its own. @param {string} variant @param {string} fen */
async function exactValues(variant, fen) {
  const lines = await ask([`setoption name UCI_Variant value ${variant}`, "solve", `position fen ${fen}`, "state"]);
  const state = JSON.parse(lines.match(/^state (.*)$/m)?.[1] ?? "null");
  const winner = state.turn === "p1" ? "p1win" : "p2win";
  /** @param {string} verdict */
  const rank = (verdict) => (verdict === "draw" ? 0 : verdict === winner ? 1 : -1);
  const keeping = state.solved.moves.filter((move) => rank(move.verdict) >= rank(state.solved.verdict));
  assert.equal(state.solved.moves.length, state.moves.length, "every move has a value");
  return { state, keeping, sign: rank(state.solved.verdict), rank };
}

/** Presses a button of the tab and waits for the question. @param {any} visitor @param {string} name */
async function next(visitor, name) {
  const before = await visitor.read(({ practice }) => practice.tree?.fen ?? "");
  await visitor.page.locator("#sheet-practice").getByRole("button", { name, exact: true }).click();
  await visitor.waitFor("a position is asked", ({ game, practice }, old) => practice.status === "asked" && practice.tree === game.tree && game.tree.fen !== old && game.state === game.tree.current.state && game.state?.solved, before);
}

/** Returns a move of the position on the board by its name. @param {any} visitor @param {string} name */
async function moveOf(visitor, name) {
  return (await visitor.state()).moves.find((move) => move.move === name);
}

const onlyMove = { name: "only-move-practice", feature: "practice finds positions in which exactly one move keeps the value; answers are judged at once, and streaks are kept", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=kaooa", width: 390, height: 844, touch: true });
  const { page } = visitor;
  await visitor.openTab("practice");
  await visitor.waitFor("the game is solved", ({ game }) => game.state?.solved);
  await next(visitor, "Start");
  const seen = new Set();
  for (let count = 0; count < COMPARED_POSITIONS; count++) {
    const fen = await visitor.fen();
    assert.ok(!seen.has(fen), "no position is asked twice");
    seen.add(fen);
    const { state, keeping } = await exactValues("kaooa", fen);
    assert.equal(keeping.length, 1, `${fen}: exactly one move keeps the value`);
    assert.ok(state.moves.length > 1);
    // Nothing gives the answer away.
    assert.equal(await page.locator("#board .badge, #board .arrow").count(), 0);
    await visitor.waitForText("#status", /Only one of \d+ moves keeps a (win|draw)/);
    await visitor.play(await moveOf(visitor, keeping[0].move), touch);
    await visitor.waitForText("#status", /^Right\. .+ Every other move loses the (win|draw)\.$/);
    await visitor.waitForText(".streak", `Streak ${count + 1}, best ${count + 1}`);
    await next(visitor, "Next position");
  }
  // A wrong answer: the refutation is on the board and in words.
  const { keeping, state, rank, sign } = await exactValues("kaooa", await visitor.fen());
  const wrong = state.moves.find((move) => move.move !== keeping[0].move);
  await visitor.play(await moveOf(visitor, wrong.move), touch);
  await visitor.waitForText("#status", /^Wrong\. /);
  const after = await visitor.waitFor("the verdict is known", ({ game }) => game.tree.current.state);
  if (after.outcome === null) {
    assert.ok(rank(after.solved.verdict) < sign, "the value really changed");
    await waitUntil("the refutation is drawn", async () => (await page.locator("#board .arrow.refutation").count()) === 1);
    assert.match(await visitor.text("#status"), /The reply: /);
    const refutation = await visitor.read(({ practice }) => practice.refutation.move);
    assert.equal(refutation, after.solved.moves[0].move);
  }
  await visitor.waitForText(".streak", `Streak 0, best ${COMPARED_POSITIONS}`);
  // The second answer to a position does not count.
  await page.locator("#answers").getByRole("button", { name: "Try again" }).click();
  await visitor.waitFor("the position is asked again", ({ game, practice }) => practice.status === "asked" && game.tree.current === game.tree.root && game.state === game.tree.root.state);
  await visitor.play(await moveOf(visitor, keeping[0].move), touch);
  await visitor.waitForText("#status", /^Right\. /);
  await visitor.waitForText(".streak", `Streak 0, best ${COMPARED_POSITIONS}`);
  // The streak survives a reload, and the next position is one of the whole game.
  await page.reload();
  await visitor.waitUntilReady();
  await visitor.waitForText(".streak", `Streak 0, best ${COMPARED_POSITIONS}`);
  await next(visitor, "Start");
  await page.locator("#sheet-practice").getByRole("button", { name: "Show the move" }).click();
  await waitUntil("the move is shown", async () => (await page.locator("#board .arrow.hint").count()) === 1);
  await visitor.play(await moveOf(visitor, await visitor.read(({ interaction }) => interaction.hint.move)), touch);
  await visitor.waitForText("#status", /^Right\. /);
  await visitor.waitForText(".streak", `Streak 0, best ${COMPARED_POSITIONS}`);
  await page.locator("#sheet-practice").getByRole("button", { name: "Stop practicing" }).click();
  await visitor.waitFor("the game begins", ({ game, practice }) => game.tree.fen === null && practice.tree === null && game.tree.current.state);
  return `${COMPARED_POSITIONS} positions`;
} };

const grades = { name: "practice-grades", feature: "positions are graded by the plies of the win; a game without exact values says how to get them, and can be practiced once it is solved", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=hare-and-hounds" });
  const { page } = visitor;
  await visitor.openTab("practice");
  await visitor.waitFor("the game is solved", ({ game }) => game.state?.solved);
  let button = "Start";
  for (const [grade, min, max] of /** @type {[string, number, number][]} */ ([["short", 1, 5], ["medium", 6, 11], ["long", 12, Infinity]])) {
    await page.getByLabel("Grade").selectOption(grade);
    for (let count = 0; count < 2; count++) {
      await next(visitor, button);
      button = "Next position";
      const { state, keeping } = await exactValues("hare-and-hounds", await visitor.fen());
      assert.equal(keeping.length, 1);
      const plies = state.solved.plies ?? Infinity;
      assert.ok(plies >= min && plies <= max, `${grade}: ${plies}`);
    }
  }
  // The hare's win by endless play is the rule, so no position is a draw.
  await page.getByLabel("Grade").selectOption("draw");
  await page.locator("#sheet-practice").getByRole("button", { name: "Next position", exact: true }).click();
  await visitor.waitForText(".practice-task", /^No further position of this grade was found\./);
  await visitor.openGame("aadu-puli");
  await visitor.waitForText(".practice-task", /^Practice needs exact values: choose a smaller game, or start /);
  assert.equal(await page.locator("#sheet-practice .main").isEnabled(), false);
  await page.evaluate(async (fen) => (await globalThis.pageModule("actions.js")).newGame({ variant: "tic-tac-toe", fen }), LARGE_FEN);
  await visitor.waitForText(".practice-task", "Practice needs exact values: use “Solve this game”.");
  await page.getByLabel("Grade").selectOption("any");
  const solve = page.locator("#sheet-practice .solve-game button");
  await waitUntil("the game can be solved", async () => /^Solve this game: /.test(await solve.innerText()) && await solve.isEnabled());
  await solve.click();
  for (const count of [1e6, 2e6]) await visitor.waitFor(`${count} positions are found`, ({ solving }, enough) => solving.status === "solved" || solving.positions >= enough, count);
  await visitor.waitFor("it is solved", ({ game, solving }) => solving.status === "solved" && game.state?.solved);
  await next(visitor, "Start");
  const fen = await visitor.fen();
  const lines = await ask(["setoption name UCI_Variant value tic-tac-toe", `position fen ${LARGE_FEN}`, "solve", `position fen ${fen}`, "state"]);
  const { solved } = JSON.parse(lines.match(/^state (.*)$/m)?.[1] ?? "null");
  assert.notEqual(solved.moves[0].verdict, solved.moves[1].verdict, "the best move is the only one");
  await page.locator("#sheet-practice").getByRole("button", { name: "Stop practicing" }).click();
  await visitor.waitFor("the same board is back", ({ game }, start) => game.tree.fen === start && game.tree.current.state, LARGE_FEN);
} };

const endgames = { name: "practice-endgames", feature: "a won position is won against the longest defense within its distance, by the keyboard; a slow win and a lost win end it", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=hare-and-hounds" });
  const { page } = visitor;
  await visitor.openTab("practice");
  await visitor.waitFor("the game is solved", ({ game }) => game.state?.solved);
  await page.getByLabel("Exercise").selectOption("endgame");
  await page.getByLabel("Grade").selectOption("medium");
  await next(visitor, "Start");
  const start = await visitor.state();
  const { plies } = start.solved;
  assert.ok(plies >= 6 && plies <= 11);
  await visitor.waitForText("#status", new RegExp(` Win within ${plies} plies\\.$`));
  for (let played = 0; played < plies; played += 2) {
    const state = await visitor.waitFor("the person is to move", ({ canMove, game, practice }) => canMove() && game.state.turn === practice.side && practice.judged === game.tree.current && game.state);
    assert.equal(state.solved.plies, plies - played, "the defense lasts as long as it can");
    await visitor.play(await moveOf(visitor, state.solved.moves[0].move), played ? mouse : keyboard);
  }
  await visitor.waitForText("#status", new RegExp(`^Won in ${plies} plies: as fast as possible\\. `));
  await visitor.waitForText(".streak", "Streak 1, best 1");
  // A move that only delays the win, and one that gives it away.
  const missing = new Set(["slow", "lost"]);
  for (let tries = 0; missing.size > 0 && tries < 40; tries++) {
    await next(visitor, "Next position");
    const { state, rank } = await exactValues("hare-and-hounds", await visitor.fen());
    const slow = state.solved.moves.find((move) => rank(move.verdict) === 1 && move.plies !== null && move.plies > state.solved.plies);
    const lost = state.solved.moves.find((move) => rank(move.verdict) < 1);
    const kind = slow && missing.has("slow") ? "slow" : lost && missing.has("lost") ? "lost" : null;
    if (!kind) continue;
    missing.delete(kind);
    await visitor.play(await moveOf(visitor, (kind === "slow" ? slow : lost).move), mouse);
    await visitor.waitForText("#status", kind === "slow" ? /^Too slow\. .+ The win now takes \d+ pl\w+, and \d+ pl\w+ (is|are) left\.$/ : /^Wrong\. /);
    await visitor.waitForText(".streak", "Streak 0, best 1");
  }
  assert.equal(missing.size, 0, [...missing].join(" "));
} };

export const practiceChecks = [onlyMove, grades, endgames];
