// The check of the dialog that sets up a position by hand.

import assert from "node:assert/strict";
import { ask } from "../support/server.js";
import { waitUntil } from "../support/visitor.js";

/** Presses a point of the dialog's board. @param {any} visitor @param {string} at @param {"mouse" | "touch" | "keyboard"} device */
async function press(visitor, at, device) {
  const hit = visitor.page.locator(`dialog .setup [data-at="${at}"] .hit`);
  await hit.scrollIntoViewIfNeeded();
  const box = await hit.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  if (device === "mouse") await visitor.page.mouse.click(x, y);
  else if (device === "touch") await visitor.page.touchscreen.tap(x, y);
  else {
    await visitor.page.locator(`dialog .setup [data-at="${at}"]`).focus();
    await visitor.page.keyboard.press("Enter");
  }
}

const setupPosition = { name: "setup-position", feature: "place and remove pieces by mouse, touch and keyboard; only legal positions can be played, and the reason is given", async check(setup) {
  // The FEN of every hunt game and m,n,k game is written as the engine writes it.
  const visitor = await setup.openPage();
  const { page } = visitor;
  const positions = await visitor.page.evaluate(async () => {
    const { canBeSetUp, draftFen, draftOf } = await globalThis.pageModule("setup_position.js");
    const { queries } = await globalThis.pageModule("actions.js");
    const found = [];
    for (const first of globalThis.puli.server.variants.filter(canBeSetUp)) {
      let state = await queries.state(first.variant, "startpos");
      for (let moves = []; state.outcome === null && moves.length < 6; state = await queries.state(first.variant, `startpos moves ${moves.join(" ")}`)) {
        found.push([state.fen, draftFen(draftOf(state), state)]);
        moves.push(state.moves[Math.floor(Math.random() * state.moves.length)].move);
      }
    }
    return found;
  });
  assert.ok(positions.length > 150, String(positions.length));
  for (const [expected, written] of positions) assert.equal(written, /^\d+ \d+ \d+ /.test(expected) ? expected.replace(/ \d+$/, "") : expected);
  const dialog = page.locator("dialog .setup");
  const reason = dialog.locator(".reason");
  const play = dialog.getByRole("button", { name: "Play from here" });
  await page.locator("#position").click();
  await waitUntil("the position on the board is legal", async () => (await reason.innerText()) === "This position is legal." && await play.isEnabled());
  // A tiger is removed: the engine says why that cannot be played.
  await dialog.locator("[data-kind=hunter].piece-choice").click();
  await press(visitor, "b3", "mouse");
  await waitUntil("the reason is given", async () => (await reason.innerText()) === "This position cannot be played: expected 3 tigers on the board, found 2.");
  assert.equal(await play.isEnabled(), false);
  await press(visitor, "d3", "keyboard");
  await waitUntil("the position is legal again", async () => play.isEnabled());
  // Goats: the hand cannot hold more than are left.
  await dialog.locator("[data-kind=prey].piece-choice").click();
  for (const at of ["e1", "e2"]) await press(visitor, at, "mouse");
  const hand = dialog.getByLabel("Goats in hand");
  assert.equal(await hand.inputValue(), "13");
  await dialog.locator("[data-kind=remove].piece-choice").click();
  await press(visitor, "e2", "mouse");
  await hand.fill("11");
  await dialog.getByLabel("Side to move").selectOption("p2");
  await waitUntil("it is legal", async () => play.isEnabled());
  assert.equal(await page.getByRole("textbox", { name: "Position" }).inputValue(), "T/3T2/6/2T3/G3 t 11", "the FEN follows");
  await play.click();
  await visitor.waitFor("the position is on the board", ({ game }) => game.tree.fen === "T/3T2/6/2T3/G3 t 11" && game.tree.current.state);
  const [tigers] = (await visitor.state()).captured;
  assert.equal(tigers.count, 3);
  // On a phone, in a game whose numbers of pieces decide the side to move.
  const phone = await setup.openPage({ game: "variant=tic-tac-toe", width: 390, height: 844, touch: true });
  await phone.page.evaluate(() => document.getElementById("position")?.click());
  const sheet = phone.page.locator("dialog .setup");
  for (const [kind, at] of [["X", "a1"], ["X", "b1"], ["O", "c3"]]) {
    await sheet.locator(`[data-kind=${kind}].piece-choice`).tap();
    await press(phone, at, "touch");
  }
  await waitUntil("the side to move is wrong", async () => /^This position cannot be played: expected o to move after 2 X and 1 O, found 'x'\.$/.test(await sheet.locator(".reason").innerText()));
  await sheet.getByLabel("Side to move").selectOption("p2");
  await sheet.locator("[data-kind=X].piece-choice").tap();
  await press(phone, "c1", "touch");
  await waitUntil("a finished game cannot be played", async () => /because the game is over|expected/.test(await sheet.locator(".reason").innerText()));
  await sheet.locator("[data-kind=O].piece-choice").tap();
  await press(phone, "b3", "touch");
  await waitUntil("a finished game cannot be played", async () => (await sheet.locator(".reason").innerText()) === "This position cannot be played, because the game is over. X wins: a line is complete.");
  assert.equal(await sheet.getByRole("button", { name: "Play from here" }).isEnabled(), false);
  await sheet.getByRole("button", { name: "Empty the board" }).tap();
  await sheet.getByLabel("Side to move").selectOption("p1");
  await sheet.locator("[data-kind=X].piece-choice").tap();
  await press(phone, "b2", "touch");
  await sheet.getByLabel("Side to move").selectOption("p2");
  await waitUntil("it is legal", async () => sheet.getByRole("button", { name: "Play from here" }).isEnabled());
  await sheet.getByRole("button", { name: "Play from here" }).tap();
  await phone.waitFor("it is on the board", ({ game }) => game.tree.current.state?.pieces.length === 1 && game.tree.current.state.turn === "p2");
  assert.match(await ask(["setoption name UCI_Variant value tic-tac-toe", `position fen ${await phone.fen()}`, "d"]), /1X1/);
  return `${positions.length} positions written`;
} };

export const setupChecks = [setupPosition];
