// Checks of games that are solved in memory: small ones when they are opened, larger ones by a button.

import assert from "node:assert/strict";
import { ask } from "../support/server.js";
import { waitUntil } from "../support/visitor.js";

/** Maximum positions of the games that must be exact at once. */
const SMALL_GAME_POSITIONS = 2100000;

/** Four in a row on 2 rows and 8 columns has 2,445,213 positions: too many to be solved when it is opened. */
const LARGE_FEN = "2 8 4 8/8 x";

/** Returns the names of the games with few positions, by the engine's forecast. @param {any} setup */
async function smallGames(setup) {
  const candidates = setup.variants.filter(({ group }) => !["numbers", "trees"].includes(group)).map(({ variant }) => variant);
  const answers = (await ask(candidates.flatMap((variant) => [`setoption name UCI_Variant value ${variant}`, "solve forecast"]))).split("\n").filter((line) => line.startsWith("info string solving"));
  assert.equal(answers.length, candidates.length, "every game has a forecast");
  return candidates.filter((_, at) => Number(answers[at].match(/for (?:at most |about )?(\d+) positions/)?.[1] ?? Infinity) <= SMALL_GAME_POSITIONS);
}

const exactAtOnce = { name: "exact-at-once", feature: "small games are solved when they are opened: value and hint are exact without a search", async check(setup) {
  const small = await smallGames(setup);
  assert.ok(small.length >= 15, small.join(" "));
  const visitor = await setup.openPage({ game: "variant=kaooa" });
  for (const variant of small) {
    await visitor.openGame(variant);
    await visitor.waitFor(`${variant} is exact`, ({ game }, name) => game.state?.variant === name && game.tree.current.state?.solved && game.tree.current.state.outcome === null, variant);
    const state = await visitor.state();
    const start = [`setoption name UCI_Variant value ${variant}`, `position fen ${state.fen}`];
    if (state.players.length === 1) {
      // A search finds the same distance.
      const length = (await ask([...start, "go"])).match(/^info .*score mate (\d+) (?!lowerbound)/m)?.[1];
      await visitor.waitForText("#value .value", `${length} moves to the goal`);
      continue;
    }
    const solved = (await ask([...start, "solve"])).match(/^info string solved \d+ positions: (.*)$/m)?.[1] ?? "";
    const plies = solved.match(/in (\d+) pl/)?.[1];
    await visitor.waitForText("#value .value", plies ? new RegExp(`wins? in ${plies}$`) : solved === "draw" ? "A draw with best play" : /wins?$/);
    await visitor.openTab("analyze");
    await waitUntil(`${variant}: every move has a value`, async () => (await visitor.page.locator("#sheet-analyze .known li").count()) === state.moves.length);
    assert.equal(await visitor.page.locator("#sheet-analyze .solve-game").isVisible(), false, `${variant}: there is nothing to solve`);
    const { frames } = visitor.log;
    await visitor.pressButton("hint");
    await visitor.waitFor("the hint is shown", ({ interaction }) => interaction.hint);
    assert.equal(visitor.log.frames, frames, `${variant}: the hint needs no search`);
    assert.equal(await visitor.read(({ interaction }) => interaction.hint.move), state.solved.moves[0].move);
  }
  return `${small.length} games`;
} };

const solveButton = { name: "solve-button", feature: "a larger game is solved by a button: forecast, progress, stop, exact values everywhere; nothing moves, and the game goes on", isAlone: true, async check(setup) {
  const visitor = await setup.openPage({ game: `variant=tic-tac-toe&fen=${LARGE_FEN.replaceAll(" ", "+")}&moves=d1+d2` });
  const { page } = visitor;
  await visitor.setPlayer("p2", "person");
  await visitor.openTab("analyze");
  const box = page.locator("#sheet-analyze .solve-game");
  const button = box.locator("button");
  await waitUntil("the button says what solving takes", async () => /^Solve this game: \d+ (s|min), \d+ MiB$/.test(await button.innerText()) && await button.isEnabled());
  const offer = await button.innerText();
  // Nothing moves while the engine solves.
  const layout = () => page.evaluate(() => ["#board", "#line", "#controls", "#value", "#engine", "#tabs", "#sheet-analyze .solve-game", "#sheet-analyze .solve-game button", "#sheet-analyze .history", "#list"].map((name) => {
    const { x, y, width, height } = /** @type {Element} */ (document.querySelector(name)).getBoundingClientRect();
    return `${name} ${[x, y, width, height].map(Math.round).join(" ")}`;
  }));
  const before = await layout();
  await button.click();
  await waitUntil("progress is shown", async () => /^[\d,]+ positions after \d+ s of about \d+ (s|min)\.$/.test(await box.locator(".hint").innerText()));
  assert.deepEqual(await layout(), before, "nothing moved");
  assert.equal(await button.innerText(), "Stop");
  // The game goes on, and solving can be stopped.
  await page.evaluate(async () => (await globalThis.pageModule("actions.js")).playMove("e1"));
  await visitor.waitFor("the move was played", ({ game }) => game.tree.current.ply === 3 && game.tree.current.state);
  assert.equal(await button.innerText(), "Stop");
  await button.click();
  await waitUntil("it has stopped", async () => (await box.locator(".hint").innerText()) === "Stopped. Nothing is kept.");
  assert.equal(await visitor.read(({ game }) => game.tree.current.state.solved), null);
  // Here a move will appear under the pointer.
  await button.click({ position: { x: 60, y: 34 } });
  // A busy machine takes longer than one wait.
  for (const count of [5e5, 1e6, 1.5e6, 2e6]) await visitor.waitFor(`${count} positions are found`, ({ solving }, enough) => solving.status === "solved" || solving.positions >= enough, count);
  await visitor.waitFor("the game is solved", ({ game, solving }) => solving.status === "solved" && game.tree.currentLine().every((node) => node.state?.solved && node.value?.exact));
  await waitUntil("it says how many positions are known", async () => (await box.innerText()).trim() === "All 2,445,213 positions of this game are solved.");
  await waitUntil("a move is under the pointer", () => page.locator("#sheet-analyze .known-move:hover").count());
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  assert.equal(await visitor.read(({ interaction }) => interaction.preview), null, "it is not previewed while the pointer rests");
  // The values are those of the engine in a process of its own.
  const lines = await ask(["setoption name UCI_Variant value tic-tac-toe", `position fen ${LARGE_FEN}`, "solve", `position fen ${LARGE_FEN} moves d1 d2 e1`, "state"]);
  const expected = JSON.parse(lines.match(/^state (.*)$/m)?.[1] ?? "null").solved;
  assert.deepEqual(await visitor.read(({ game }) => game.tree.current.state.solved), expected);
  await waitUntil("every move has a value", async () => (await page.locator("#sheet-analyze .known li").count()) === expected.moves.length);
  await waitUntil("every position of the game is exact", async () => (await page.locator("#sheet-analyze .history li").count()) === 4);
  await page.locator("#engine input[role=switch]").check();
  const isExact = ({ analysis, game }) => analysis.finished?.node === game.tree.current && analysis.lines[0]?.moves.length;
  await visitor.waitFor("the engine's line is exact", isExact);
  const found = await visitor.read(({ analysis }) => analysis.lines.map(({ moves, value }) => ({ move: moves[0], verdict: value.outcome, plies: value.plies })));
  for (const line of found) assert.deepEqual(line, (({ move, verdict, plies }) => ({ move, verdict, plies }))(expected.moves.find((one) => one.move === line.move)));
  // The engine's moves keep the value.
  await visitor.setPlayer("p2", "strong");
  await visitor.waitFor("the engine has moved", ({ game }) => game.tree.current.ply === 4 && game.tree.current.state?.solved);
  assert.equal(await visitor.read(({ game }) => game.tree.current.state.solved.verdict), expected.verdict);
  // A game that does not fit the memory.
  await visitor.openGame("aadu-puli");
  await visitor.openTab("analyze");
  await waitUntil("the reason is given", async () => /^This game is too large to be solved in memory: it takes about [\d.]+ [GT]iB, and only 1 GiB may be used\.$/.test((await box.innerText()).trim()));
  assert.equal(await button.isVisible(), false);
  return offer;
} };

/** Returns a drawn board with tigers and leopards that are dropped in turn. @param {string} name @param {number} prey @param {number} captures the captures that win */
const droppedBoard = (name, prey, captures) => `game ${name}
names tigers leopards
row 8   4
row 6   3 4 5
row 4   2 4 6
row 2   1 4 7
row 0   0 4 8
line a1 b1 c1 d1 e1
line a1 b2 c2 d2 e2
line a1 b3 c3 d3 e3
line b1 b2 b3
line c1 c2 c3
line d1 d2 d3
line e1 e2 e3
hunters 2
hunters-drop alternate
prey ${prey}
first hunters
captures ${captures}
`;

const drawnAtOnce = { name: "exact-at-once: drawn boards", feature: "a small drawn board is solved when it is opened, also where the engine does not do so by itself, and the list says how difficult it is", async check(setup) {
  const difficulties = [];
  // In the browser, solving the larger board takes about a minute.
  const boards = [["few", 4, 3], ["many", 10, 5]].slice(0, setup.siteFolder ? 1 : 2);
  for (const [name, prey, captures] of boards) {
    const board = droppedBoard(String(name), Number(prey), Number(captures));
    const visitor = await setup.openPage({ game: `variant=${name}&board=${encodeURIComponent(board)}` });
    await visitor.waitFor("it is solved without being asked", ({ game }, variant) => game.state?.variant === variant && game.tree.current.state?.solved, name);
    const { solved, players } = await visitor.state();
    const [, truth] = (await ask([`setoption name VariantText value ${JSON.stringify(board)}`, `setoption name UCI_Variant value ${name}`, "solve"])).match(/^info string solved \d+ positions: (.*)$/m) ?? [];
    assert.equal(solved.verdict === "draw" ? "draw" : `${players[solved.verdict === "p1win" ? 0 : 1]} win in ${solved.plies} plies`, truth, board);
    await visitor.waitFor("the size is known", ({ solving }) => solving.forecast);
    await visitor.page.locator("#games").click();
    difficulties.push((await visitor.page.locator(`dialog [data-variant="${name}"] > span`).allInnerTexts()).slice(-1).join());
  }
  // The number of positions of the larger one is known up to symmetry only.
  assert.deepEqual(difficulties, ["Medium", ""].slice(0, boards.length));
} };

export const solvingChecks = [exactAtOnce, drawnAtOnce, solveButton];
