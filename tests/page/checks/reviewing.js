// Checks the review of games between levels against exact values, and what the page says after a game.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mouse, waitUntil } from "../support/visitor.js";
import { KNOWN } from "./analysis.js";
import { runAxe } from "./app.js";
import { reviewedGame, startEngines } from "../support/reviewed_games.js";

/** The number of games. `review_games.js` plays a hundred, and longer ones. */
const GAMES = 10;
/** The games, and the maximum plies of each. A drawn position takes the search all of its time. */
const VARIANTS = ["hare-and-hounds", "kaooa", "tic-tac-toe"];
const MAX_PLIES = 20;

const namesTheTurn = { name: "review-names-the-turn", feature: "the review of seeded games names moves that gave away a win or a draw, with and without exact values, none falsely, and at most three; warnings at most once in five moves", async check() {
  const engines = startEngines();
  const total = { moves: 0, turns: 0, exact: 0, searched: 0, warned: 0, own: 0 };
  try {
    for (let at = 0; at < GAMES; at++) {
      const { variant, moves, personMoves, turns, isSolved, withExact, without } = await reviewedGame(engines, at, VARIANTS, MAX_PLIES);
      const game = `game ${at}, ${variant}: ${moves.join(" ")}`;
      for (const review of [withExact, without]) {
        assert.deepEqual(review.falseNamed, [], `${game}: ${review.texts.join("; ")}`);
        assert.equal(review.falseWarned, 0, game);
        assert.ok(review.named.length <= 3, game);
        assert.ok(review.warned <= Math.ceil(personMoves / 5), `${game}: ${review.warned} warnings in ${personMoves} moves`);
      }
      if (isSolved) assert.equal(withExact.named.length, Math.min(3, turns.length), `${game}: exact values name all`);
      total.moves += moves.length;
      total.turns += turns.length;
      total.exact += withExact.named.length;
      total.searched += without.named.length;
      total.warned += withExact.warned;
      total.own += personMoves;
    }
  } finally {
    await engines.stop();
  }
  assert.ok(total.searched > 0, "estimates name some");
  return `${GAMES} games, ${total.moves} moves, ${total.turns} gave away a win or a draw; named ${total.exact} with exact values and ${total.searched} without, none falsely; ${total.warned} warnings in ${total.own} moves`;
} };

/**
 * Returns a game from the known position in which the tigers give away the win and the goats then the draw, by the tables.
 * @param {any} setup
 * @returns {Promise<{ moves: string[], turns: number[] }>} `turns`: the plies of the two moves
 */
async function gameWithTurns(setup) {
  const visitor = await setup.openPage({ game: KNOWN, server: setup.tableServer });
  const found = await visitor.page.evaluate(async () => {
    const { queries } = await globalThis.pageModule("actions.js");
    const { game } = globalThis.puli;
    const moves = [];
    const turns = [];
    for (;;) {
      const state = await queries.state(game.variant, `fen ${game.tree.fen}${moves.length ? ` moves ${moves.join(" ")}` : ""}`);
      if (state.outcome) return { moves, turns };
      const { verdict, moves: valued } = state.solved;
      const lost = state.turn === "p1" ? "p2win" : "draw";
      // The last move loses fastest.
      const error = turns.length < 2 && verdict === (state.turn === "p1" ? "draw" : "p2win") ? valued.findLast((move) => move.verdict === lost) : null;
      moves.push((error ?? valued[0]).move);
      if (error) turns.push(moves.length);
    }
  });
  await visitor.page.context().close();
  assert.equal(found.turns.length, 2, "both sides can err");
  return found;
}

/** Opens a finished game, in which the engine has the tigers. @param {any} setup @param {any} server @param {string[]} moves */
async function openFinished(setup, server, moves) {
  const visitor = await setup.openPage({ game: `${KNOWN}&moves=${moves.join("+")}`, server });
  await visitor.waitFor("the game is over", ({ game }) => game.state?.outcome === "p2win" && game.tree.current.state === game.state);
  return visitor;
}

/** Returns the texts of the arrows' kinds on the board. @param {any} page */
const arrowKinds = (page) => page.locator("#board .arrow").evaluateAll((all) => all.map((one) => [...one.classList].find((name) => ["best", "refutation"].includes(name))).sort());

const coach = { name: "review-names-the-turn: after the game", feature: "after a game the page says which move decided it, shows what was better, and lets one try again; with exact values as a fact", async check(setup) {
  const { moves, turns } = await gameWithTurns(setup);
  const names = { see: "See where it turned", again: "Try that move again", yourself: "Try it yourself" };
  const exact = await openFinished(setup, setup.tableServer, moves);
  const { page } = exact;
  const answer = (/** @type {any} */ where, /** @type {string} */ name) => where.locator("#answers").getByRole("button", { name, exact: true });
  const sentence = `Move ${turns[0]}, ${moves[turns[0] - 1]}, gave away the win.`;
  await waitUntil("the turn is named", async () => (await exact.text("#status")).startsWith("The tigers win: ") && (await exact.text("#status")).endsWith(sentence));
  await exact.waitForText(".review", /By exact values, 2 moves gave away a win or a draw:/);
  const entries = page.locator(".review li .plain");
  // Short lines, not a long link.
  assert.deepEqual(await entries.evaluateAll((all) => all.map((one) => [one.children.length, getComputedStyle(one).textDecorationLine])), turns.map(() => [3, "none"]));
  assert.match((await entries.allInnerTexts()).join("\n"), new RegExp(`^Move ${turns[0]}: \\w+ by the tigers\nGave away the win, from winning in \\d+ to a draw\nBetter: move the tiger from \\w\\d to \\w\\d\nMove ${turns[1]}: \\w+ by the goats\nGave away the draw, from a draw to losing in \\d+\nBetter: .+$`));
  assert.deepEqual(await page.locator("button:visible", { hasText: /^(New game|Play again)$/ }).allInnerTexts(), ["Play again"], "one button starts a new game");
  await page.evaluate(readFileSync(setup.axe, "utf8"));
  const isAccessible = async (/** @type {string} */ what) => {
    for (const theme of ["dark", "light"]) {
      await exact.setPreference("theme", theme);
      assert.deepEqual((await runAxe(page)).serious, [], `${what}, ${theme}`);
    }
  };
  await isAccessible("the review");
  // The position before the move, with the better one, which keeps the win.
  await answer(page, names.see).click();
  await exact.waitFor("the position before is shown", ({ game, interaction }, ply) => game.tree.current.ply === ply - 1 && interaction.lesson && game.state === game.tree.current.state, turns[0]);
  await exact.waitForText("#status", new RegExp(`^Move ${turns[0]}: .* gave away the win, .* Better: `));
  await waitUntil("both moves are drawn", async () => (await arrowKinds(page)).join() === "best,refutation");
  const best = await exact.read(({ game, interaction }) => game.state.solved.moves.find(({ move }) => move === interaction.lesson.better));
  assert.equal(best.verdict, "p2win");
  await isAccessible("the turning point");
  await answer(page, names.yourself).click();
  await waitUntil("nothing is given away", async () => (await page.locator("#board .arrow").count()) === 0);
  assert.ok(await exact.read((state) => state.canMove()), "a person can try");
  await page.keyboard.press("End");
  await exact.waitForText("#status", /^The tigers win: /);
  // The worst move of the person, who plays on against the engine.
  await answer(page, names.again).click();
  const before = await exact.waitFor("the goats are to move", ({ game, canMove }, ply) => game.tree.current.ply === ply - 1 && canMove() && game.tree.current.state, turns[1]);
  assert.deepEqual([before.turn, await page.locator("#board .arrow").count()], ["p1", 0]);
  const { solved } = before;
  await exact.play(before.moves.find(({ move }) => move === solved.moves[0].move), mouse);
  await exact.waitFor("the engine plays on", ({ game }, ply) => game.tree.current.ply > ply, turns[1]);
  assert.equal(await page.locator(".review").isVisible(), false, "the new line has no end");
  await page.locator("#list .move").last().click();

  // Without tables: what is named is one of the two, and only proved values are called facts.
  const searched = await openFinished(setup, setup.server, moves);
  await searched.waitFor("every position was searched", ({ game }) => game.tree.currentLine().every((node) => node.value || node.searchEnded));
  const named = await searched.page.locator(".review li .plain").allInnerTexts();
  for (const text of named) assert.ok(turns.includes(Number(text.match(/^Move (\d+):/)?.[1])) || /chances \(estimate\)/.test(text), text);
  assert.doesNotMatch(await searched.text(".review"), /By exact values/);
  // Five in a row is not solved, but the search proves that X could win at once.
  const proved = await setup.openPage({ game: `variant=tic-tac-toe&fen=9+9+5+${Array(9).fill("9").join("/")}+x&moves=e5+a1+e6+b1+e7+c1+e8+d1+c9+e1` });
  await proved.waitForText("#status", "O wins: a line is complete. Move 9, c9, gave away the win.");
  await proved.waitForText(".review", /Estimates prove nothing\.[^]*Move 9: c9 by X\nGave away the win, from winning within 1 to losing within 1\nBetter: place an X on e[49]\n/);
  // Between people, the engine waits for a request.
  const people = await openFinished(setup, setup.server, moves);
  await people.setPlayer("p2", "person");
  await people.page.reload();
  await people.waitUntilReady();
  await people.waitForText(".review p", "Too few positions of this game have a value to review it.");
  assert.ok(await answer(people.page, names.again).isDisabled());
  await answer(people.page, names.see).click();
  await people.waitForText("#status", /Looking for the move that decided it: \d+ of \d+ positions\.$/);
  await people.waitFor("the answer is there", ({ game, interaction }) => interaction.lesson || !interaction.seeksTurn && game.state.outcome);
  await people.page.keyboard.press("End");
  await waitUntil("the game can be played again", () => answer(people.page, "Play again").isVisible());
  await answer(people.page, "Play again").click();
  await people.waitFor("a new game", ({ game }) => game.tree.nodes.size === 1 && game.state === game.tree.current.state);
  return `${moves.length} moves, turns at ${turns.join(" and ")}; ${named.length} of them named without tables`;
} };

export const reviewingChecks = [namesTheTurn, coach];
