// Checks of the analysis: lines, arrows, the bar, the graph, exact values, and the review.

import assert from "node:assert/strict";
import { ask } from "../support/server.js";
import { mouse, waitUntil } from "../support/visitor.js";

/** A position in the tables of this run. Half of its moves win, half draw. */
export const KNOWN = "variant=aadu-puli&fen=T/3T1G/2T3/5G/4+t+1";

/** A drawn position in the tables, in which most replies to every move of the tigers lose. */
const TRICKY = "variant=aadu-puli&fen=T/2TT2/6/6/G3+t+2";

/** Opens a game between two persons, with the tab Analyze. @param {any} setup @param {string} game @param {any} [server] */
async function openAnalysis(setup, game, server = setup.server) {
  const visitor = await setup.openPage({ game, server });
  await visitor.setPlayer("p2", "person");
  await visitor.openTab("analyze");
  await visitor.waitForTurn();
  return visitor;
}

const lines = { name: "lines-hover-and-click", feature: "engine lines with depth, value and effort: pointing previews, a click plays; arrows; the switch is remembered", async check(setup) {
  const visitor = await openAnalysis(setup, "");
  const { page } = visitor;
  await page.locator("#engine input[role=switch]").check();
  await visitor.waitFor("three lines", (state) => state.analysis.lines.filter((line) => line?.moves.length > 2).length >= 3 && state.analysis.node === state.game.tree.current);
  await waitUntil("the effort is shown", async () => /Depth \d+ · .* nodes · .* a second/.test(await visitor.text("#engine .effort")));
  await visitor.waitForText("#engine .words", /even|better|win/);
  await waitUntil("arrows are drawn", () => page.locator("#board .arrow").count());
  const third = page.locator("#engine .lines li").first().locator(".move").nth(2);
  const before = await visitor.fen();
  // The line may change while the pointer is on it.
  await waitUntil("the line is previewed", async () => {
    await third.hover({ timeout: 5000 }).catch(() => {});
    return page.locator("#board svg.preview").count();
  });
  assert.equal(await visitor.fen(), before, "a preview plays nothing");
  await page.mouse.move(5, 5);
  await waitUntil("the preview has ended", async () => (await page.locator("#board svg.preview").count()) === 0);
  await page.locator("#engine .lines li").first().locator(".move").nth(1).click();
  await visitor.waitFor("two moves were played", (state) => state.game.tree.current.ply === 2 && state.game.tree.current.state);
  await visitor.openTab("play");
  assert.ok(await page.locator("#engine .lines").isVisible(), "every tab shows the lines");
  await page.reload();
  await visitor.waitUntilReady();
  await waitUntil("the switch is remembered", () => page.locator("#engine input[role=switch]").isChecked());
} };

const changingLines = { name: "lines-change-under-the-pointer", feature: "a preview follows a changed line, ends with its line, and no click is lost; a finished analysis stops", async check(setup) {
  const visitor = await openAnalysis(setup, "variant=kaooa&moves=a1");
  const { page } = visitor;
  await page.locator("#engine input[role=switch]").check();
  await visitor.waitFor("three lines", (state) => state.analysis.lines.filter((line) => line?.moves.length > 3).length >= 3 && state.analysis.node === state.game.tree.current);
  await waitUntil("the analysis has finished", () => page.evaluate(async () => (await globalThis.pageModule("actions.js")).analysisSession.currentJob === null));
  const { frames } = visitor.log;
  /** Replaces the first line. @param {string[]} moves */
  const replaceLine = (moves) => page.evaluate(async (these) => {
    const { analysis, notifyChange } = globalThis.puli;
    analysis.lines[0] = { ...analysis.lines[0], moves: these };
    notifyChange();
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, moves);
  const [first, second] = await visitor.read((state) => state.analysis.lines.slice(0, 2).map((line) => line.moves));
  await replaceLine(first);
  assert.equal(visitor.log.frames, frames, "the engine gets no new job");
  const previewed = () => visitor.read((state) => state.interaction.preview?.state.fen ?? null);
  await page.locator("#engine .lines li").first().locator(".move").nth(2).hover();
  await waitUntil("the line is previewed", previewed);
  const shown = await previewed();
  await replaceLine(second);
  await waitUntil("the other line is previewed", async () => ![null, shown].includes(await previewed()));
  await replaceLine(first.slice(0, 1));
  await waitUntil("the preview has ended", async () => (await previewed()) === null);
  await replaceLine(first);
  const move = page.locator("#engine .lines li").first().locator(".move").nth(1);
  await move.hover();
  await page.mouse.down();
  await replaceLine(second);
  await page.mouse.up();
  await visitor.waitFor("two moves were played", (state) => state.game.tree.current.ply === 3 && state.game.tree.current.state);
  assert.deepEqual(await visitor.read((state) => state.game.tree.currentLine().slice(-2).map((node) => node.move)), second.slice(0, 2), "the moves at the time of the click");
} };

const graph = { name: "graph-click", feature: "bar and graph of the values; a click goes to a position", async check(setup) {
  const visitor = await openAnalysis(setup, "variant=aadu-puli&moves=c1+b3c3+c2+b4c4+d1+a1b3+*");
  await visitor.page.getByRole("button", { name: "Analyze the whole game" }).click();
  await visitor.waitFor("every position has a value", (page) => page.analysis.task === null && page.game.tree.currentLine().every((node) => node.value));
  await waitUntil("the graph is drawn", async () => ((await visitor.page.locator(".graph .curve").getAttribute("d")) ?? "").split("L").length >= 6);
  await visitor.page.locator('.graph .column[data-ply="2"]').click();
  await visitor.waitFor("ply 2 is shown", (page) => page.game.tree.current.ply === 2);
  await visitor.page.locator('.graph .column[data-ply="5"]').hover();
  await visitor.waitForText("#value .value", /^5\. d1: /);
  const width = await visitor.page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector(".bar .first")).style.width);
  assert.match(width, /^\d+(\.\d+)?%$/);
} };

const colors = { name: "table-colors", feature: "every legal move is colored by its exact value and distance, equal to those of `eval`", async check(setup) {
  const visitor = await openAnalysis(setup, KNOWN, setup.tableServer);
  const state = await visitor.state();
  assert.ok(state.solved, "the position is in the tables");
  const evalOutput = await ask(["setoption name TablebasePath value " + setup.tables, `position fen ${state.fen}`, "eval"]);
  const shown = await visitor.page.locator("#sheet-analyze .known li").allInnerTexts();
  assert.equal(shown.length, state.moves.length, "every legal move is listed");
  let compared = 0;
  for (const line of shown) {
    const [move] = line.trim().split(/\s+/);
    const text = evalOutput.split("\n").find((one) => new RegExp(`^\\s*${move}\\b`).test(one));
    if (!text) continue;
    compared++;
    const plies = line.match(/in (\d+)/)?.[1];
    if (plies) assert.ok(new RegExp(`\\b${plies}\\b`).test(text), `${line} against ${text}`);
    else assert.match(text, /draw/, `${line} against ${text}`);
  }
  assert.equal(compared, state.moves.length, `eval lists every move: ${evalOutput}`);
  const badges = visitor.page.locator("#board .badge");
  assert.equal(await badges.count(), new Set(state.moves.map((move) => move.from)).size, "every movable piece has a badge");
  const { x, y } = await visitor.spotCenter(state.moves[0].from);
  await visitor.page.mouse.click(x, y);
  await waitUntil("every target has a badge", async () => (await badges.count()) === state.moves.filter((move) => move.from === state.moves[0].from).length);
  const classes = new Set(await visitor.page.locator("#board .badge").evaluateAll((all) => all.map((one) => one.getAttribute("class"))));
  await visitor.openTab("play");
  await visitor.page.getByLabel("Color the moves").uncheck();
  await waitUntil("the badges are gone", async () => (await visitor.page.locator("#board .badge").count()) === 0);
  return `${compared} moves, ${classes.size} kinds`;
} };

const evenColors = { name: "table-colors: equal moves", feature: "where all moves have the same outcome, only the best have a badge, and none if all are equally good", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=kaooa" });
  const notes = [];
  for (const [address, isSome] of [["variant=kaooa", true], ["variant=kaooa&moves=a1", false], ["variant=tic-tac-toe", false], ["variant=hare-and-hounds", true]]) {
    await visitor.page.goto("about:blank");
    await visitor.open(setup.server.at(address));
    await visitor.setPlayer("p2", "person");
    const { solved, moves } = await visitor.waitFor("the exact values are there", ({ game, canMove }) => canMove() && game.state === game.tree.current.state && game.state?.solved && game.state);
    assert.equal(new Set(solved.moves.map(({ verdict }) => verdict)).size, 1, `${address}: all moves have the same outcome`);
    const best = solved.moves.filter(({ plies }) => plies === solved.moves[0].plies);
    const points = new Set(moves.filter(({ move }) => best.some((one) => one.move === move)).map(({ from, to }) => from ?? to));
    assert.equal(best.length < solved.moves.length, isSome, address);
    const expected = isSome ? points.size : 0;
    await waitUntil(`${address}: ${expected} badges`, async () => (await visitor.page.locator("#board .badge").count()) === expected);
    notes.push(`${expected} of ${solved.moves.length}`);
  }
  return notes.join(", ");
} };

const traps = { name: "traps", feature: "traps, the history of exact values, and the mark of a lost draw", async check(setup) {
  const visitor = await openAnalysis(setup, TRICKY, setup.tableServer);
  const state = await visitor.state();
  assert.ok(state.solved, "the position is in the tables");
  const trap = state.solved.moves.find((one) => one.traps > 0);
  assert.ok(trap, "a drawing move is a trap");
  const shown = await visitor.page.locator("#sheet-analyze .known li", { hasText: trap.move }).first().innerText();
  assert.match(shown, new RegExp(`a trap: ${Math.round(trap.traps * 100)}% of replies lose`));
  const after = await visitor.page.evaluate(async ([fen, move]) => {
    const { queries } = await globalThis.pageModule("actions.js");
    return queries.state("aadu-puli", `fen ${fen} moves ${move}`);
  }, [state.fen, trap.move]);
  // The share of traps equals a count of the losing replies.
  const losing = after.turn === "p1" ? "p2win" : "p1win";
  const lose = after.solved.moves.filter((one) => one.verdict === losing).length;
  assert.ok(Math.abs(lose / after.moves.length - trap.traps) < 0.001, `${lose} of ${after.moves.length}, reported ${trap.traps}`);
  await visitor.play(state.moves.find((one) => one.move === trap.move), mouse);
  const blunder = after.solved.moves.find((one) => one.verdict === losing);
  await visitor.waitForTurn();
  await visitor.play(after.moves.find((one) => one.move === blunder.move), mouse);
  await waitUntil("the list marks the lost draw", () => visitor.page.locator("#list .move.lost", { hasText: `${blunder.move}??` }).count());
  const history = await visitor.page.locator("#sheet-analyze .history li").allInnerTexts();
  assert.ok(history.length >= 3, "every position has an entry");
  assert.match(history.at(-1) ?? "", /· \w+ win in \d+$/);
  return `${trap.move} is a trap: ${lose} of ${after.moves.length} replies lose`;
} };

const review = { name: "review", feature: "the review of a finished game", async check(setup) {
  // O loses the draw, X loses the win and then the draw, and O wins.
  const visitor = await setup.openPage({ game: "variant=tic-tac-toe&moves=a1+b2+c3+a3+b1+c1+*" });
  await visitor.setPlayer("p2", "person");
  await waitUntil("the game is over", async () => /O wins/.test(await visitor.text("#status")));
  await visitor.openTab("analyze");
  await visitor.page.getByRole("button", { name: "Analyze the whole game" }).click();
  await visitor.waitFor("every position has a value", (page) => page.analysis.task === null && page.game.tree.currentLine().every((node) => node.value));
  await visitor.openTab("play");
  await waitUntil("the turning points are listed", async () => /2 moves gave away a win or a draw/.test(await visitor.text(".review")));
  await visitor.waitForText(".review", /Move 5: b1 by X\nGave away the win, from winning in 3 to losing in 1\nBetter: place an X on c1\n/);
  await visitor.page.locator(".review li button").first().click();
  await visitor.waitFor("the position before the move is shown", (page) => page.game.tree.current.ply === 4);
} };

const reviewHonesty = { name: "review-never-false", feature: "a review says that no move gave away anything only if exact values prove it", async check(setup) {
  // X loses this game. The values before the end are estimates of short searches.
  const visitor = await setup.openPage({ game: `variant=tic-tac-toe&fen=9+9+5+${Array(9).fill("9").join("/")}+x&moves=e5+a1+e6+b1+e7+c1+a9+d1+c9+e1+*` });
  await visitor.setPlayer("p2", "person");
  await waitUntil("the game is over", async () => /O wins/.test(await visitor.text("#status")));
  await visitor.openTab("analyze");
  await visitor.page.getByRole("button", { name: "Analyze the whole game" }).click();
  await visitor.waitFor("every position has a value", (page) => page.analysis.task === null && page.game.tree.currentLine().every((node) => node.value));
  await visitor.openTab("play");
  await waitUntil("the review is shown", async () => /^\d+ moves/m.test(await visitor.text(".review")));
  const text = await visitor.text(".review");
  const estimates = await visitor.read((page) => page.game.tree.currentLine().some((node) => "points" in node.value));
  assert.ok(estimates, "some values are estimates");
  assert.match(text, /judged (partly )?by estimates of depth \d+( to \d+)?\. Estimates prove nothing/);
  assert.doesNotMatch(text, /no move gave|none of them/);
  // With tables every outcome is proved.
  const proved = await setup.openPage({ game: KNOWN, server: setup.tableServer });
  await proved.setPlayer("p2", "person");
  const head = await proved.page.evaluate(async () => {
    const { queries } = await globalThis.pageModule("actions.js");
    const { parseGame } = await globalThis.pageModule("game_tree.js");
    const { reviewGame } = await globalThis.pageModule("review.js");
    const { reviewSummary } = await globalThis.pageModule("text.js");
    const { game } = globalThis.puli;
    // Both sides play the best moves of the tables, to the end or to a draw by repetition.
    const tree = parseGame(game.tree.fen, "");
    for (let ply = 0; ply < 200; ply++) {
      const state = await queries.state(game.variant, tree.position());
      tree.current.state = state;
      tree.current.value = state.outcome ? { outcome: state.outcome, plies: 0, exact: true } : { outcome: state.solved.verdict, plies: state.solved.plies, exact: true };
      if (state.outcome) break;
      tree.play(state.solved.moves[0].move);
    }
    return reviewSummary(tree.root.state, reviewGame(tree.currentLine()));
  });
  assert.match(head, /By exact values, no move gave away a win or a draw\.$/);
  return `${text.split("\n").find((line) => /moves/.test(line))} / ${head}`;
} };

export const analysisChecks = [lines, changingLines, graph, colors, evenColors, traps, review, reviewHonesty];
