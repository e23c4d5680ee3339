// Checks of what the page keeps and gives away: the browser's history, files of games, pictures of positions.

import assert from "node:assert/strict";
import { mouse, waitUntil } from "../support/visitor.js";

const backButton = { name: "back-button", feature: "the browser's Back goes one game or dialog back and never leaves the page; Undo and Redo do the same at the start of a game", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=hare-and-hounds" });
  const { page } = visitor;
  await visitor.setPreference("warn", false);
  /** @param {string} name */
  const isShown = (name) => visitor.waitFor(`${name} is shown`, (state, expected) => state.game.tree.current.state?.variant === expected && state.game.state === state.game.tree.current.state && location.hash.includes(`variant=${expected}`), name);
  const dialogs = () => page.locator("dialog[open]").count();
  /** @param {"goBack" | "goForward"} way */
  const go = async (way) => {
    await page.evaluate((forward) => (forward ? history.forward() : history.back()), way === "goForward");
    await page.waitForTimeout(200);
  };
  /** @param {string} name */
  const choose = async (name) => {
    await page.locator("#games").click();
    await page.locator(`dialog[open] [data-variant="${name}"]`).click();
    await isShown(name);
    await waitUntil("the list of games is closed", async () => (await dialogs()) === 0);
  };
  const first = await visitor.waitForTurn();
  await visitor.play(first.moves[0], mouse);
  await visitor.waitForTurn();
  const moves = await visitor.moves();
  assert.ok(moves.length >= 2);
  // A dialog is a step of its own, whichever way it is closed.
  for (const id of ["rules", "games", "share"]) {
    await page.locator(`#${id}`).click();
    await go("goBack");
    assert.equal(await dialogs(), 0, `Back closes ${id}`);
    assert.deepEqual(await visitor.moves(), moves);
    await go("goForward");
    assert.equal(await dialogs(), 1, "Forward opens it again");
    await page.keyboard.press("Escape");
    await waitUntil("Escape closes it", async () => (await dialogs()) === 0);
    await page.waitForTimeout(100);
  }
  // Other games.
  await choose("tic-tac-toe");
  await visitor.play({ to: "b2" }, mouse);
  await visitor.waitForTurn();
  const lineGame = await visitor.moves();
  await visitor.pressButton("plus");
  await visitor.waitFor("a new game", (state) => state.game.tree.nodes.size === 1);
  await choose("kaooa");
  await go("goBack");
  await isShown("tic-tac-toe");
  assert.deepEqual(await visitor.moves(), []);
  await go("goBack");
  assert.deepEqual(await visitor.moves(), lineGame, "Back undoes the new game");
  await go("goBack");
  await isShown("hare-and-hounds");
  assert.deepEqual(await visitor.moves(), moves, "Back undoes the change of the game");
  assert.ok(await visitor.read((state) => state.game.tree.root.state !== null), "its positions are still known");
  // Nothing is below the first game.
  for (let press = 0; press < 3; press++) {
    await go("goBack");
    await isShown("hare-and-hounds");
    await visitor.waitForText("#status", /There is no earlier game/);
  }
  assert.deepEqual(await visitor.moves(), moves);
  await go("goForward");
  await isShown("tic-tac-toe");
  assert.deepEqual(await visitor.moves(), lineGame, "Forward undoes Back");
  await go("goForward");
  await go("goForward");
  await isShown("kaooa");
  // The buttons of the page do the same.
  await visitor.pressButton("undo");
  await isShown("tic-tac-toe");
  await visitor.waitForText("#status", /This is the game before/);
  await visitor.pressButton("redo");
  await isShown("kaooa");
  await visitor.pressButton("undo");
  await isShown("tic-tac-toe");
  await visitor.pressButton("undo");
  await visitor.waitFor("the game with moves", (state, all) => state.game.tree.moves().join() === all, lineGame.join());
  // A reload keeps the way back, and a dialog does not stay in it.
  await page.locator("#rules").click();
  await page.reload();
  await visitor.waitUntilReady();
  await isShown("tic-tac-toe");
  assert.deepEqual(await visitor.moves(), lineGame);
  await page.waitForTimeout(200);
  await go("goBack");
  await isShown("hare-and-hounds");
  assert.deepEqual(await visitor.moves(), moves);
  // An address that a person edits is a step too.
  await page.evaluate(() => { location.hash = "variant=kaooa"; });
  await isShown("kaooa");
  await go("goBack");
  await isShown("hare-and-hounds");
  await page.evaluate(() => { location.hash = "variant=no-such-game"; });
  await isShown("aadu-puli");
  await go("goBack");
  await isShown("hare-and-hounds");
  assert.deepEqual(await visitor.moves(), moves);
  // A puzzle that opens shuffled is one step.
  await choose("8-puzzle");
  await visitor.waitFor("it is shuffled", (state) => state.game.tree.fen !== null);
  await go("goBack");
  await isShown("hare-and-hounds");
} };

export const keepingChecks = [backButton];
