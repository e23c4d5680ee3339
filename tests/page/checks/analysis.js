// Thinking: lines, arrows, the bar and the graph, and what tables know.

import assert from "node:assert/strict";
import { ask } from "../support/server.js";
import { mouse, until } from "../support/visitor.js";

/** A position with few goats, of which the tables of this run know everything: half of its moves win, half draw. */
export const KNOWN = "variant=aadu-puli&fen=T/3T1G/2T3/5G/4+t+1";

/** Another one: a draw, in which most of the answers to every move of the tigers lose. */
const TRICKY = "variant=aadu-puli&fen=T/2TT2/6/6/G3+t+2";

/** Both sides are persons, and the tab Analyse is open. @param {any} bench @param {string} game @param {any} [server] */
async function analyst(bench, game, server = bench.server) {
  const visitor = await bench.visit({ game, server });
  await visitor.seat("p2", "person");
  await visitor.tab("analyse");
  await visitor.turn();
  return visitor;
}

const lines = { name: "lines-hover-and-click", feature: "depth, score in words, nodes, speed, lines; hover shows, click plays; arrows; engine on or off remembered", async check(bench) {
  const visitor = await analyst(bench, "");
  const { page } = visitor;
  await page.locator("#engine input[role=switch]").check();
  await visitor.when("three lines", (state) => state.lines.filter((line) => line?.moves.length > 2).length >= 3 && state.linesOf === state.game.current);
  await until("the effort is told", async () => /Depth \d+ · .* nodes · .* a second/.test(await visitor.text("#engine .effort")));
  await visitor.shows("#engine .said", /even|better|win/);
  await until("arrows point", () => page.locator("#board .arrow").count());
  const third = page.locator("#engine .lines li").first().locator(".move").nth(2);
  const before = await visitor.fen();
  // The line may grow while it is looked at; what is hovered is what is shown.
  await until("the line is on the board", async () => {
    await third.hover({ timeout: 5000 }).catch(() => {});
    return page.locator("#board svg.preview").count();
  });
  assert.equal(await visitor.fen(), before, "looking plays nothing");
  await page.mouse.move(5, 5);
  await until("the game is back", async () => (await page.locator("#board svg.preview").count()) === 0);
  await page.locator("#engine .lines li").first().locator(".move").nth(1).click();
  await visitor.when("two moves were played", (state) => state.game.current.ply === 2 && state.game.current.state);
  await visitor.tab("play");
  assert.ok(await page.locator("#engine .lines").isVisible(), "the line is there in every tab");
  await page.reload();
  await visitor.ready();
  await until("the switch is remembered", () => page.locator("#engine input[role=switch]").isChecked());
} };

const changing = { name: "lines-change-under-the-pointer", feature: "a line that changes while it is pointed at is followed, one that ends is let go, and no click is lost; where nothing is left to find the engine rests", async check(bench) {
  const visitor = await analyst(bench, "variant=tic-tac-toe&moves=a1");
  const { page } = visitor;
  await page.locator("#engine input[role=switch]").check();
  await visitor.when("three lines", (state) => state.lines.filter((line) => line?.moves.length > 3).length >= 3 && state.linesOf === state.game.current);
  await until("all is found", () => page.evaluate(async () => (await import("/actions.js")).thinker.busy === null));
  const { frames } = visitor.seen;
  /** As if the engine had found this line first. @param {string[]} moves */
  const found = (moves) => page.evaluate(async (these) => {
    const { changed, page: state } = globalThis.puli;
    state.lines[0] = { ...state.lines[0], moves: these };
    changed();
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, moves);
  const [first, second] = await visitor.see((state) => state.lines.slice(0, 2).map((line) => line.moves));
  await found(first);
  assert.equal(visitor.seen.frames, frames, "the engine rests");
  const previewed = () => visitor.see((state) => state.preview?.state.fen ?? null);
  await page.locator("#engine .lines li").first().locator(".move").nth(2).hover();
  await until("the line is on the board", previewed);
  const shown = await previewed();
  await found(second);
  await until("the other line is on the board", async () => ![null, shown].includes(await previewed()));
  await found(first.slice(0, 1));
  await until("the game is back", async () => (await previewed()) === null);
  await found(first);
  const move = page.locator("#engine .lines li").first().locator(".move").nth(1);
  await move.hover();
  await page.mouse.down();
  await found(second);
  await page.mouse.up();
  await visitor.when("two moves were played", (state) => state.game.current.ply === 3 && state.game.current.state);
  assert.deepEqual(await visitor.see((state) => state.game.line().slice(-2).map((node) => node.move)), second.slice(0, 2), "those that stood there");
} };

const graph = { name: "graph-click", feature: "bar and graph of the score over the game, click to jump", async check(bench) {
  const visitor = await analyst(bench, "variant=aadu-puli&moves=c1+b3c3+c2+b4c4+d1+a1b3+*");
  await visitor.page.getByRole("button", { name: "Analyse the whole game" }).click();
  await visitor.when("every position is judged", (page) => page.work === null && page.game.line().every((node) => node.worth));
  await until("the graph is drawn", async () => ((await visitor.page.locator(".graph .curve").getAttribute("d")) ?? "").split("L").length >= 6);
  await visitor.page.locator('.graph .column[data-ply="2"]').click();
  await visitor.when("the second position", (page) => page.game.current.ply === 2);
  await visitor.page.locator('.graph .column[data-ply="5"]').hover();
  await visitor.shows("#value .worth", /^5\. d1: /);
  const width = await visitor.page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector(".bar .first")).style.width);
  assert.match(width, /^\d+(\.\d+)?%$/);
} };

const colours = { name: "table-colours", feature: "each legal move coloured by its value with its distance, as `eval` says", async check(bench) {
  const visitor = await analyst(bench, KNOWN, bench.tabled);
  const state = await visitor.state();
  assert.ok(state.solved, "the tables know the position");
  const said = await ask(["setoption name TablebasePath value " + bench.tables, `position fen ${state.fen}`, "eval"]);
  // What `eval` says of each move, in its own words.
  const shown = await visitor.page.locator("#sheet-analyse .known li").allInnerTexts();
  assert.equal(shown.length, state.moves.length, "every legal move is listed");
  let compared = 0;
  for (const line of shown) {
    const [move] = line.trim().split(/\s+/);
    const text = said.split("\n").find((one) => new RegExp(`^\\s*${move}\\b`).test(one));
    if (!text) continue;
    compared++;
    const plies = line.match(/in (\d+)/)?.[1];
    if (plies) assert.ok(new RegExp(`\\b${plies}\\b`).test(text), `${line} against ${text}`);
    else assert.match(text, /draw/, `${line} against ${text}`);
  }
  assert.equal(compared, state.moves.length, `eval speaks of every move: ${said}`);
  const badges = visitor.page.locator("#board .badge");
  assert.equal(await badges.count(), new Set(state.moves.map((move) => move.from)).size, "every piece that can move has its mark");
  const { x, y } = await visitor.spot(state.moves[0].from);
  await visitor.page.mouse.click(x, y);
  await until("every target has its mark", async () => (await badges.count()) === state.moves.filter((move) => move.from === state.moves[0].from).length);
  const classes = new Set(await visitor.page.locator("#board .badge").evaluateAll((all) => all.map((one) => one.getAttribute("class"))));
  await visitor.tab("play");
  await visitor.page.getByLabel("Colour the moves").uncheck();
  await until("the marks are gone", async () => (await visitor.page.locator("#board .badge").count()) === 0);
  return `${compared} moves, ${classes.size} kinds`;
} };

const traps = { name: "traps", feature: "which moves set traps; the history of exact values; where it was thrown away", async check(bench) {
  const visitor = await analyst(bench, TRICKY, bench.tabled);
  const state = await visitor.state();
  assert.ok(state.solved, "the tables know the position");
  const trap = state.solved.moves.find((one) => one.traps > 0);
  assert.ok(trap, "a move that keeps the draw sets a trap");
  const shown = await visitor.page.locator("#sheet-analyse .known li", { hasText: trap.move }).first().innerText();
  assert.match(shown, new RegExp(`a trap: ${Math.round(trap.traps * 100)}% of the answers lose`));
  const after = await visitor.page.evaluate(async ([fen, move]) => {
    const { asker } = await import("/actions.js");
    return asker.state("aadu-puli", `fen ${fen} moves ${move}`);
  }, [state.fen, trap.move]);
  // The answers that lose, counted by hand.
  const losing = after.turn === "p1" ? "p2win" : "p1win";
  const lose = after.solved.moves.filter((one) => one.verdict === losing).length;
  assert.ok(Math.abs(lose / after.moves.length - trap.traps) < 0.001, `${lose} of ${after.moves.length}, told ${trap.traps}`);
  await visitor.play(state.moves.find((one) => one.move === trap.move), mouse);
  const blunder = after.solved.moves.find((one) => one.verdict === losing);
  await visitor.turn();
  await visitor.play(after.moves.find((one) => one.move === blunder.move), mouse);
  await until("the list marks the blunder", () => visitor.page.locator("#list .move.lost", { hasText: `${blunder.move}??` }).count());
  const history = await visitor.page.locator("#sheet-analyse .history li").allInnerTexts();
  assert.ok(history.length >= 3, "a value for every position");
  assert.match(history.at(-1) ?? "", /win in \d+ moves, both sides counted/);
  return `${trap.move} sets a trap: ${lose} of ${after.moves.length} answers lose`;
} };

const summary = { name: "summary", feature: "the whole-game summary after the end", async check(bench) {
  // O gives X a win, X gives it back and more, and O wins.
  const visitor = await bench.visit({ game: "variant=tic-tac-toe&moves=a1+b2+c3+a3+b1+c1+*" });
  await visitor.seat("p2", "person");
  await until("the game is over", async () => /O wins/.test(await visitor.text("#status")));
  await visitor.tab("analyse");
  await visitor.page.getByRole("button", { name: "Analyse the whole game" }).click();
  await visitor.when("every position is judged", (page) => page.work === null && page.game.line().every((node) => node.worth));
  await visitor.tab("play");
  await until("it says what decided", async () => /turning point/.test(await visitor.text(".summary")));
  await visitor.shows(".summary", /Move 5, b1 by X, gave away the win: from X wins within \d to O wins within 1\./);
  await visitor.page.locator(".summary li button").first().click();
  await visitor.when("before that move", (page) => page.game.current.ply === 4);
} };

const honest = { name: "review-never-false", feature: "the review of a lost game never says that nothing was given away, unless exact values prove it", async check(bench) {
  // A game that X loses: the positions before the end are estimates of a short search.
  const visitor = await bench.visit({ game: `variant=tic-tac-toe&fen=9+9+5+${Array(9).fill("9").join("/")}+x&moves=e5+a1+e6+b1+e7+c1+a9+d1+c9+e1+*` });
  await visitor.seat("p2", "person");
  await until("the game is over", async () => /O wins/.test(await visitor.text("#status")));
  await visitor.tab("analyse");
  await visitor.page.getByRole("button", { name: "Analyse the whole game" }).click();
  await visitor.when("every position is judged", (page) => page.work === null && page.game.line().every((node) => node.worth));
  await visitor.tab("play");
  await until("the review is there", async () => /^\d+ moves/m.test(await visitor.text(".summary")));
  const text = await visitor.text(".summary");
  const estimates = await visitor.see((page) => page.game.line().some((node) => "points" in node.worth));
  assert.ok(estimates, "some values are estimates");
  assert.match(text, /judged (partly )?by estimates of depth \d+( to \d+)?, which prove nothing/);
  assert.doesNotMatch(text, /no move gave|none of them/);
  // With tables everything is proved, and then it may be said.
  const proved = await bench.visit({ game: KNOWN, server: bench.tabled });
  await proved.seat("p2", "person");
  const head = await proved.page.evaluate(async () => {
    const { page } = await import("/state.js");
    const { asker } = await import("/actions.js");
    const { read } = await import("/game_tree.js");
    const { review } = await import("/review.js");
    const { reviewHead } = await import("/text.js");
    // Both sides play what the tables say is best, to the end or to a draw by repetition.
    const game = read(page.game.fen, "");
    for (let ply = 0; ply < 200; ply++) {
      const state = await asker.state(page.variant, game.position());
      game.current.state = state;
      game.current.worth = state.outcome ? { end: state.outcome, plies: 0, sure: true } : { end: state.solved.verdict, plies: state.solved.plies, sure: true };
      if (state.outcome) break;
      game.play(state.solved.moves[0].move);
    }
    return reviewHead(game.root.state, review(game.line()));
  });
  assert.match(head, /By exact values no move gave a win or a draw away\.$/);
  return `${text.split("\n").find((line) => /moves/.test(line))} / ${head}`;
} };

export const analysing = [lines, changing, graph, colours, traps, summary, honest];
