// Checks of the page around the board: dialogs, links, reloads, the connection, layout, accessibility, speed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Server } from "../support/server.js";
import { mouse, waitUntil } from "../support/visitor.js";

const rules = { name: "rules-panel", feature: "the rules of every game in a few sentences with two pictures", async check(setup) {
  const visitor = await setup.openPage();
  for (const variant of setup.variants) {
    await visitor.openGame(variant.variant);
    await visitor.page.locator("#rules").click();
    assert.equal(await visitor.page.locator("dialog[open] .rules li").count(), variant.rules.length);
    for (const source of variant.sources) assert.ok((await visitor.page.locator("dialog[open] .source").first().innerText()).includes(source), source);
    assert.equal(await visitor.page.locator("dialog[open] .source").count(), variant.differences.length + (variant.sources.length ? 1 : 0));
    assert.ok(variant.rules.length >= 3 && variant.rules.length <= 10, `${variant.variant} has ${variant.rules.length} sentences`);
    assert.equal(await visitor.page.locator("dialog[open] .pictures svg").count(), 2);
    await visitor.page.keyboard.press("Escape");
    assert.equal(await visitor.page.locator("dialog[open]").count(), 0);
  }
  return `${setup.variants.length} games`;
} };

const shareLink = { name: "share-link", feature: "set up a FEN; share position and moves by the address", async check(setup) {
  const visitor = await setup.openPage();
  await visitor.page.locator("#position").click();
  await visitor.page.getByRole("textbox", { name: "Position" }).fill("T/2TT2/G5/6/4 t 14x");
  await visitor.page.getByRole("button", { name: "Set up" }).click();
  await waitUntil("a wrong FEN is rejected with its column", async () => /column \d+/.test(await visitor.text("dialog .wrong")));
  await visitor.page.getByRole("textbox", { name: "Position" }).fill("T/2TT2/G5/6/4 t 14");
  await visitor.page.getByRole("button", { name: "Set up" }).click();
  await visitor.waitFor("the position is on the board", (page) => page.game.tree.fen === "T/2TT2/G5/6/4 t 14" && page.game.tree.current.state);
  await visitor.waitForText("#answers", "Continue");
  await visitor.page.locator("#answers button").click();
  await visitor.waitFor("the engine answers", (page) => page.game.tree.current.ply === 1);
  const fen = await visitor.fen();
  await visitor.page.locator("#position").click();
  await visitor.page.getByRole("button", { name: "Set up" }).click();
  await waitUntil("the dialog is closed", async () => (await visitor.page.locator("dialog[open]").count()) === 0);
  assert.equal((await visitor.moves()).length, 1, "an unchanged position keeps the game");
  await visitor.page.locator("#share").click();
  const link = await visitor.page.locator("dialog input").inputValue();
  assert.ok(!link.includes("token"), "the link has no key");
  assert.equal(link, visitor.page.url());
  const friend = await setup.openPage({ context: visitor.page.context() });
  await friend.page.goto("about:blank");
  await friend.open(link);
  assert.equal(await friend.fen(), fen);
  assert.deepEqual(await friend.moves(), await visitor.moves());
} };

const reloadGame = { name: "reload-keeps-game", feature: "a reload keeps the game, its variations and the current position", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=tic-tac-toe&moves=b2+a1+(+a2+c3+)+c3+a3" });
  await visitor.page.locator("#list .move", { hasText: "a2" }).click();
  await visitor.waitFor("the variation is shown", (page) => page.game.tree.moves().join(" ") === "b2 a2");
  // With exact values, the list marks the move that loses.
  await visitor.waitForText("#list .moves", /a2\?\?/);
  const list = (await visitor.text("#list .moves")).replace(/\s+/g, " ");
  await visitor.page.reload();
  await visitor.waitUntilReady();
  assert.deepEqual(await visitor.moves(), ["b2", "a2"]);
  await waitUntil("the list is unchanged", async () => (await visitor.text("#list .moves")).replace(/\s+/g, " ") === list);
  // A reload before the engine replies loses nothing either.
  await Promise.all([
    visitor.page.waitForEvent("load"),
    visitor.page.evaluate(() => {
      const moves = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#list .move")]);
      moves.find((move) => move.textContent?.includes("a3"))?.click();
      location.reload();
    }),
  ]);
  await visitor.waitUntilReady();
  assert.deepEqual(await visitor.moves(), ["b2", "a1", "c3", "a3"]);
  await visitor.page.locator("#list .move", { hasText: "a2" }).click();
  await visitor.waitFor("the variation is shown again", (page) => page.game.tree.moves().join(" ") === "b2 a2");
  // Damaged settings are ignored.
  await visitor.page.evaluate(() => {
    for (const name of ["engine", "lines", "own", "theme", "warn", "picture"]) localStorage.setItem(`puli.${name}`, "{broken");
    localStorage.setItem("puli.lines", '"many"');
    localStorage.setItem("puli.own", "null");
  });
  await visitor.page.reload();
  await visitor.waitUntilReady();
  assert.deepEqual(await visitor.moves(), ["b2", "a2"]);
} };

const reloadSettings = { name: "reload-keeps-settings", feature: "a reload keeps the players, the tab and a flipped board", async check(setup) {
  // Here an engine moves at once, at every level.
  const visitor = await setup.openPage({ game: "variant=tic-tac-toe", still: true });
  const { page } = visitor;
  await visitor.setPreference("warn", false);
  await visitor.waitFor("the game is solved", ({ game }) => game.state?.solved);
  const again = async () => {
    await page.reload();
    await visitor.waitUntilReady();
  };
  const sides = () => visitor.read((state) => state.game.players);
  const names = await page.locator(".players select").first().locator("option").evaluateAll((all) => all.map((one) => /** @type {HTMLOptionElement} */ (one).value));
  assert.ok(names.length >= 8);
  for (const who of names) {
    for (const pair of [{ p1: "person", p2: who }, { p1: who, p2: "person" }, { p1: who, p2: who }]) {
      await visitor.setPlayer("p1", pair.p1);
      await visitor.setPlayer("p2", pair.p2);
      await again();
      assert.deepEqual(await sides(), pair);
    }
  }
  await visitor.openGame("aadu-puli");
  await visitor.setPlayer("p1", "person");
  await visitor.setPlayer("p2", "strong");
  await page.locator("#controls [data-do=flip]").click();
  await waitUntil("the board is flipped", () => visitor.read((state) => state.display.flipped));
  for (const tab of ["analyze", "learn", "play"]) {
    await visitor.openTab(tab);
    await again();
    assert.equal(await page.locator(`[data-tab="${tab}"]`).getAttribute("aria-selected"), "true");
    assert.ok(await visitor.read((state) => state.display.flipped), "the board stays flipped");
    await visitor.waitForText("#below", /Tigers\s+Engine, strong/);
  }
  // A thinking engine continues after a reload, a paused one stays paused.
  const begun = await visitor.waitForTurn();
  await visitor.play(begun.moves[0], mouse);
  await again();
  await visitor.waitFor("the engine answers", (state, ply) => state.game.tree.current.ply === ply + 2, begun.ply);
  await page.locator("body").press("ArrowLeft");
  await visitor.waitForText("#answers", "Continue");
  await again();
  await visitor.waitForText("#answers", "Continue");
  for (const [game, player, who, tab] of [["2048", "p2", "worst", "analyze"], ["2048", "p1", "quick", "learn"], ["8-puzzle", "p1", "person", "solve"]]) {
    await visitor.openGame(game);
    if (game === "2048") await visitor.setPlayer(player, who);
    await visitor.openTab(tab);
    await again();
    assert.equal((await sides())[player], who);
    assert.equal(await page.locator(`[data-tab="${tab}"]`).getAttribute("aria-selected"), "true");
  }
  // A damaged tab state is ignored.
  for (const text of ["{broken", "null", "7", '{"players":{"p1":"god","p2":"easy"},"paused":false}', '{"players":{"p1":"chance","p2":"worst"},"paused":false,"variant":"8-puzzle","settings":{"display":{"tab":7,"flipped":"x"}}}']) {
    await page.evaluate((kept) => addEventListener("pagehide", () => sessionStorage.setItem("puli.session", kept)), text);
    await again();
    assert.equal((await sides()).p1, "person");
  }
  return `${names.length * 3} pairs of players`;
} };

const piecesDiffer = { name: "pieces-differ", feature: "the two kinds of pieces of every game have different outlines at 24 pixels", async check(setup) {
  const visitor = await setup.openPage();
  const pairs = setup.variants.filter((variant) => variant.board.kind === "graph").map(({ variant, each, players }) => ({ variant, each, players }));
  const found = await visitor.page.evaluate(async (games) => {
    const { drawPieceOf, person } = await globalThis.pageModule("view/pieces.js");
    const { svg: createSvg } = await globalThis.pageModule("dom.js");
    const size = 24;
    /** Returns the pixels that a drawing covers. @param {SVGElement} drawn */
    const outline = async (drawn) => {
      for (const part of drawn.querySelectorAll("*")) part.removeAttribute("class");
      const svg = createSvg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: "-52 -52 104 104", width: size, height: size }, drawn);
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
      await image.decode();
      const canvas = new OffscreenCanvas(size, size);
      const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
      pen.drawImage(image, 0, 0);
      return [...pen.getImageData(0, 0, size, size).data].filter((_, at) => at % 4 === 3).map((alpha) => alpha > 127);
    };
    /** Returns the share of the covered pixels that only one of two drawings covers. */
    const difference = async (one, other) => {
      const [first, second] = [await outline(one), await outline(other)];
      const all = first.filter((covered, at) => covered || second[at]).length;
      return first.filter((covered, at) => covered !== second[at]).length / all;
    };
    const answers = [];
    for (const { variant, each, players } of games) {
      for (const [p1, p2] of [["hunter", "prey"], ["prey", "hunter"]]) answers.push([`${variant}: ${each}`, await difference(drawPieceOf({ each, players }, p1, "p1"), drawPieceOf({ each, players }, p2, "p2"))]);
    }
    answers.push(["missionary, cannibal", await difference(person("missionary"), person("cannibal"))]);
    return answers;
  }, pairs);
  const similar = found.filter(([name, share]) => share < (name.startsWith("missionary") ? 0.08 : 0.2));
  assert.deepEqual(similar, []);
  const least = found.toSorted((one, other) => one[1] - other[1])[0];
  return `${found.length} pairs, the most similar differ in ${Math.round(least[1] * 100)}% (${least[0]})`;
} };

const stackHeights = { name: "stack-heights", feature: "stacks show their height, beside the mark of an exact value", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=sher-bakr" });
  await visitor.page.locator("#board .badge").first().waitFor();
  const height = visitor.page.locator("#board .height");
  assert.equal(await height.textContent(), "4");
  assert.equal(await height.evaluate((one) => getComputedStyle(one).fill), "rgb(255, 255, 255)");
  const box = await height.boundingBox();
  for (const badge of await visitor.page.locator("#board .badge").all()) {
    const other = await badge.boundingBox();
    assert.ok(box.x + box.width <= other.x || other.x + other.width <= box.x || box.y + box.height <= other.y || other.y + other.height <= box.y, "a badge covers the height");
  }
} };

const goals = { name: "goals-are-named", feature: "goals and traps are marked, and named on the board and for screen readers", async check(setup) {
  const visitor = await setup.openPage();
  const games = setup.variants.filter((variant) => variant.board.zones?.length);
  assert.ok(games.some(({ variant }) => variant === "wolf-and-sheep") && games.some(({ board }) => board.zones.some(({ kind }) => kind === "trap")));
  for (const { variant, board, players } of games) {
    await visitor.openGame(variant);
    const legends = await visitor.page.locator("#board .legend").allTextContents();
    const words = board.zones.map(({ kind, player }) => {
      const side = `the ${players[player === "p1" ? 0 : 1]}`;
      return kind === "zone" ? `Area that ${side} may not leave` : `${kind === "goal" ? "Goal" : "Trap"} of ${side}`;
    });
    assert.deepEqual(legends.toSorted(), words.toSorted());
    for (const wanted of ["goal", "trap", "zone"]) {
      const marked = board.zones.filter(({ kind }) => kind === wanted).flatMap(({ points }) => points);
      assert.equal(await visitor.page.locator(`#board .ground > .zone${wanted === "zone" ? ":not(.goal, .trap)" : `.${wanted}`}`).count(), marked.length);
    }
    for (const [number, { points }] of board.zones.entries()) {
      assert.match(await visitor.page.locator(`#board [data-at="${points[0]}"]`).getAttribute("aria-label"), new RegExp(words[number], "i"));
    }
  }
  return games.map(({ variant }) => variant).join(", ");
} };

const badLinks = { name: "bad-links-say-so", feature: "an unknown game, an invalid position and an illegal move in the address are reported, and a game opens", async check(setup) {
  for (const [game, says, sees] of [
    ["variant=chess", /There is no game called ‘chess’/, (page) => page.game.variant === "aadu-puli"],
    ["fen=T/2TT2/6/6/4+x+15", /The address contains an invalid position: .+\. The start is shown instead\./, (page) => page.game.tree.fen === null],
    ["variant=15-puzzle&fen=1,2,3", /The address contains an invalid position: .+\. The start is shown instead\./, (page) => page.game.variant === "15-puzzle"],
    ["moves=c1+b3c3+zz+d1", /The address contains an illegal move: ‘zz’/, (page) => page.game.tree.moves().join() === "c1,b3c3"],
    ["variant=tic-tac-toe&moves=b2+b2", /The address contains an illegal move: ‘b2’/, (page) => page.game.tree.moves().join() === "b2"],
  ]) {
    const visitor = await setup.openPage({ game });
    await visitor.waitForText("#status", says);
    await visitor.waitFor(`${game} opens a game`, sees);
    await visitor.waitFor("the game can be played", (page) => page.game.tree.current.state?.outcome === null);
  }
  // An illegal typed move is reported.
  const visitor = await setup.openPage();
  await visitor.page.keyboard.press("t");
  await visitor.page.keyboard.type("zz");
  await visitor.page.keyboard.press("Enter");
  await visitor.waitForText("#status", /‘zz’ is not a legal move here\./);
} };

const serverRestart = { name: "engine-dies-and-returns", feature: "the page reports a stopped server, keeps the game, and continues with a new server", async check(setup) {
  let server = await Server.start();
  try {
    const visitor = await setup.openPage({ server, expectsErrors: true });
    await visitor.play({ to: "c1" }, mouse);
    await visitor.waitForTurn();
    const moves = await visitor.moves();
    await server.stop();
    await waitUntil("the page reports it", async () => (await visitor.text("#status")) === "The engine does not answer. If it has stopped, start it again with `puli board`.");
    assert.deepEqual(await visitor.moves(), moves, "the game is kept");
    assert.equal(await visitor.page.locator("#board .piece").count(), 4);
    server = await Server.start([], server.port);
    // The new server opens a tab with a new key, and the old tab takes it over.
    await setup.openPage({ server, context: visitor.page.context(), expectsErrors: true });
    await visitor.waitFor("the old tab is connected", (page) => page.server.status === "open");
    await visitor.waitForTurn();
    await visitor.play({ to: "d1" }, mouse);
    await visitor.waitFor("the engine replies again", (page) => page.game.tree.current.ply === 4);
  } finally {
    await server.stop();
  }
} };

const tenTabs = { name: "ten-tabs", feature: "ten tabs that search at the same time", async check(setup) {
  const context = await setup.browser.newContext({ viewport: { width: 1000, height: 800 } });
  const visitors = [];
  for (let at = 0; at < 10; at++) {
    const visitor = await setup.openPage({ context, game: at % 2 ? "variant=bagh-chal" : "" });
    await visitor.page.locator("#engine input[role=switch]").check();
    visitors.push(visitor);
  }
  for (const visitor of visitors) await visitor.waitFor("the search has a line", (page) => page.analysis.lines.length > 0);
  const visitor = visitors[0];
  await visitor.page.bringToFront();
  const began = Date.now();
  const state = await visitor.waitForTurn();
  await visitor.play(state.moves[5], mouse);
  const took = Date.now() - began;
  await visitor.waitForTurn();
  return `a move was on the board after ${took} ms`;
} };

const layout = { name: "phone-layout", feature: "widths of 320 to 2200 px without sideways scrolling; touch targets of 44 px", async check(setup) {
  for (const width of [320, 390, 768, 1440, 2200]) {
    const visitor = await setup.openPage({ width, height: width < 500 ? 780 : 900, touch: width < 500 });
    const { page } = visitor;
    for (const variant of setup.slowCheckVariants) {
      await visitor.openGame(variant.variant);
      // A long text beside the bar.
      await page.evaluate(async () => {
        const { game, notifyChange } = globalThis.puli;
        game.tree.current.value = { points: game.state.board.slides === "all" ? 178798 : 0.5, depth: 88 };
        notifyChange();
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      });
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(sideways <= 0, `${variant.variant} at ${width} scrolls ${sideways} px sideways`);
      const board = /** @type {any} */ (await page.locator("#board svg").boundingBox());
      assert.ok(board.x >= 0 && board.x + board.width <= width + 0.5, `${variant.variant} at ${width}: the board is visible`);
      if (width < 500) {
        assert.ok(board.width > width * 0.9, `${variant.variant} at ${width}: the board has the full width`);
        const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input:not(.off-stage):not([type=checkbox]):not([type=range])")].flatMap((one) => {
          const box = one.getBoundingClientRect();
          const inLine = one.matches(".moves .move, .lines .move");
          return box.width && !inLine && (box.height < 43.5 || box.width < 43.5) ? [`${one.textContent?.trim() || one.id || one.className} ${box.width}×${box.height}`] : [];
        }));
        assert.deepEqual(small, [], `${variant.variant} at ${width}: all targets are large enough`);
      } else if (width >= 1440) assert.ok(board.width >= 480, `${variant.variant} at ${width}: the board is ${board.width} wide`);
    }
  }
} };

const darkColors = { name: "dark", feature: "light and dark colors, by the system and by a button", async check(setup) {
  const visitor = await setup.openPage({ dark: true });
  const { page } = visitor;
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const night = await background();
  assert.ok(night.match(/\d+/g).every((part) => Number(part) < 60), `${night} is dark`);
  await page.locator("#theme").click();
  await waitUntil("the page is light", async () => (await background()) !== night);
  await page.reload();
  await visitor.waitUntilReady();
  assert.notEqual(await background(), night, "the choice is remembered");
} };

const reducedMotion = { name: "reduced-motion", feature: "no animation if the system asks for reduced motion", async check(setup) {
  const calm = await setup.openPage({ still: true });
  await calm.play({ to: "c1" }, mouse);
  await calm.waitForTurn();
  assert.equal(await calm.page.locator("#board .travels, #board .piece.new").count(), 0);
  const moves = await calm.page.evaluate(() => getComputedStyle(/** @type {Element} */ (document.querySelector("#board .piece"))).transitionDuration);
  assert.match(moves, /^0s/);
  const lively = await setup.openPage();
  await lively.play({ to: "c1" }, mouse);
  await lively.waitForTurn();
  assert.ok(await lively.page.locator("#board .piece.new, #board .piece.travels").count(), "pieces are animated otherwise");
} };

/** Returns the serious findings of axe, which the page must have loaded, and the number of rules. @param {any} page @param {string} [part] the selector of a part of the page; without it, the whole page is examined */
export async function runAxe(page, part) {
  const { passes, violations } = await page.evaluate((selector) => globalThis.axe.run(selector ? { include: [[selector]] } : document, { resultTypes: ["violations"] }), part ?? null);
  const serious = violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`);
  return { serious, count: passes.length + violations.length };
}

const accessibility = { name: "axe-clean", feature: "accessibility: axe has no serious finding, in light and dark", async check(setup) {
  const source = readFileSync(setup.axe, "utf8");
  let rules = 0;
  for (const night of [false, true]) {
    const visitor = await setup.openPage({ dark: night, still: true });
    await visitor.page.evaluate(source);
    for (const variant of setup.slowCheckVariants) {
      await visitor.openGame(variant.variant);
      const names = await visitor.page.locator("#tabs [role=tab]:visible").evaluateAll((all) => all.map((one) => one.getAttribute("data-tab")));
      for (const [at, view] of [...names, "games", "rules", "position", "keys"].entries()) {
        const isTab = names.includes(view);
        if (isTab) await visitor.openTab(String(view));
        else if (variant.variant !== "aadu-puli") continue;
        else await visitor.page.locator(`#${view}`).click();
        // Another tab changes the panel only, and a dialog covers the rest.
        const { serious, count } = await runAxe(visitor.page, at === 0 ? undefined : isTab ? "#panel" : "#dialog");
        rules = Math.max(rules, count);
        assert.deepEqual(serious, [], `${variant.variant}, ${view}, ${night ? "dark" : "light"}`);
        if (await visitor.page.locator("dialog[open]").count()) await visitor.page.keyboard.press("Escape");
      }
    }
  }
  return `${rules} rules`;
} };

const liveRegion = { name: "live-region", feature: "a live region reports every move; every point has a label", async check(setup) {
  const visitor = await setup.openPage();
  assert.equal(await visitor.page.locator("#status[role=status][aria-live=polite]").count(), 1);
  assert.equal(await visitor.page.locator('#board [data-at="a1"]').getAttribute("aria-label"), "a1, tiger");
  await visitor.play({ to: "c1" }, mouse);
  await visitor.waitForTurn();
  assert.equal(await visitor.page.locator('#board [data-at="c1"]').getAttribute("aria-label"), "c1, goat");
  await visitor.page.keyboard.press("t");
  await visitor.page.keyboard.type("zz");
  await visitor.page.keyboard.press("Enter");
  assert.equal(await visitor.page.locator(".type input").getAttribute("aria-invalid"), "true");
  await visitor.page.locator(".type input").fill("e1");
  await visitor.page.keyboard.press("Enter");
  await visitor.waitFor("the typed move is played", (page) => page.game.tree.moves()[2] === "e1");
} };

const pageWeight = { name: "page-weight", feature: "the page loads less than 250 kB", async check(setup) {
  const visitor = await setup.openPage();
  await visitor.waitForTurn();
  await visitor.page.waitForLoadState("networkidle");
  assert.ok(visitor.log.bytes < 250000, `${visitor.log.bytes} bytes`);
  await visitor.setPreference("warn", false);
  await visitor.setPlayer("p2", "quick");
  // Measured in the page: from the click to the drawn move and to the engine's reply.
  const times = await visitor.page.evaluate(async () => {
    const { pressSpot } = await globalThis.pageModule("game_panel.js");
    const { game, canMove } = globalThis.puli;
    const own = [];
    const answers = [];
    const waitUntil = (condition) => new Promise((done) => {
      const poll = () => (condition() ? done(performance.now()) : setTimeout(poll, 1));
      poll();
    });
    for (let at = 0; at < 5; at++) {
      const began = performance.now();
      const { ply } = game.tree.current;
      const pieces = document.querySelectorAll("#board .piece").length;
      pressSpot(game.tree.current.state.moves[at * 2].to);
      // On a busy machine the reply may already be drawn, and may have captured the piece.
      own.push(await waitUntil(() => document.querySelectorAll("#board .piece").length > pieces || game.tree.current.ply > ply + 1) - began);
      answers.push(await waitUntil(() => canMove() || game.tree.current.state?.outcome) - began);
    }
    return { own: own.sort((a, b) => a - b)[2], answer: answers.sort((a, b) => a - b)[2] };
  });
  return `${visitor.log.bytes} bytes; a move after ${Math.round(times.own)} ms, the reply after ${Math.round(times.answer)} ms (medians of five)`;
} };

const responseTime = { name: "at-once", feature: "in every game a move is drawn within 1 s, and the quick engine replies within 5 s", isAlone: true, async check(setup) {
  const visitor = await setup.openPage();
  await visitor.waitForTurn();
  const slowest = { own: { variant: "", time: 0 }, answer: { variant: "", time: 0 } };
  for (const { variant } of setup.variants) {
    // Measured in the page: from the move to the frame that shows it, and to the engine's reply.
    const times = await visitor.page.evaluate(async (name) => {
      const { game, canMove, onChange, setPreference } = globalThis.puli;
      const { newGame, playMove, setPlayer } = await globalThis.pageModule("actions.js");
      // The last listener is called after everything is drawn.
      globalThis.drawn ??= { waiting: new Set() };
      if (!globalThis.drawn.hears) onChange(() => [...globalThis.drawn.waiting].forEach((wait) => wait()));
      globalThis.drawn.hears = true;
      const frame = (holds) => new Promise((done) => {
        const wait = () => {
          if (!holds()) return;
          globalThis.drawn.waiting.delete(wait);
          done(performance.now());
        };
        globalThis.drawn.waiting.add(wait);
        wait();
      });
      const known = () => game.tree.current.state;
      // Ends all animations, and waits until nothing is left to do.
      const rest = () => {
        for (const one of document.getAnimations()) one.finish();
        return new Promise((idle) => requestIdleCallback(idle, { timeout: 500 }));
      };
      setPreference("warn", false);
      newGame({ variant: name, fen: null });
      // A puzzle is shuffled after it was opened at its goal.
      await frame(() => known()?.variant === name && game.state === known() && known().outcome === null);
      const isGame = game.players.p2 === "easy";
      const own = [];
      for (const player of ["p1", "p2"]) if (game.players[player] !== "chance") setPlayer(player, "person");
      for (let at = 0; at < 5 && known().moves.length && known().outcome === null && canMove(); at++) {
        await rest();
        const [began, node] = [performance.now(), game.tree.current];
        const drawn = frame(() => game.tree.current !== node && game.state === known());
        playMove(known().moves[0].move);
        own.push((await drawn) - began);
        // A random tile may be next.
        if (!canMove() && known().outcome === null) await frame(() => canMove() || known()?.outcome);
      }
      let answer = 0;
      if (isGame && known().outcome === null) {
        const mover = known().turn;
        setPlayer(mover === "p1" ? "p2" : "p1", "quick");
        await rest();
        const [began, { ply }] = [performance.now(), game.tree.current];
        const answered = frame(() => game.tree.current.ply > ply + 1 && known() || known()?.outcome);
        playMove(known().moves[0].move);
        answer = (await answered) - began;
      }
      return { own: own.sort((a, b) => a - b)[own.length >> 1] ?? 0, answer };
    }, variant);
    for (const what of ["own", "answer"]) if (times[what] > slowest[what].time) slowest[what] = { variant, time: times[what] };
    assert.ok(times.own < 1000, `${variant}: ${times.own} ms to a move`);
    assert.ok(times.answer < 5000, `${variant}: ${times.answer} ms to a reply`);
  }
  const text = ({ variant, time }) => `${Math.round(time)} ms (${variant})`;
  return `the slowest of ${setup.variants.length} games: a move after ${text(slowest.own)}, a reply after ${text(slowest.answer)}`;
} };

const idle = { name: "quiet-when-idle", feature: "no traffic and no work while the engine is idle", isAlone: true, async check(setup) {
  const visitor = await setup.openPage();
  await visitor.waitForTurn();
  await visitor.waitFor("the engine is idle", async () => (await globalThis.pageModule("actions.js")).analysisSession.currentJob === null);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const devtools = await visitor.page.context().newCDPSession(visitor.page);
  await devtools.send("Performance.enable");
  const scripts = async () => (await devtools.send("Performance.getMetrics")).metrics.find((one) => one.name === "ScriptDuration")?.value ?? 0;
  const [frames, before] = [visitor.log.frames, await scripts()];
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const spent = (await scripts()) - before;
  assert.equal(visitor.log.frames, frames, "no line is sent");
  assert.ok(spent < 0.03, `${spent} s of scripts in three seconds`);
  return `${(spent * 1000).toFixed(1)} ms of scripts in 3 s`;
} };

const consoleErrors = { name: "no-console-error", feature: "no console errors in all checks", isAlone: true, async check(setup) {
  assert.deepEqual(setup.errors.flat(), []);
} };

const externalRequests = { name: "no-foreign-request", feature: "no requests to other hosts in all checks", isAlone: true, async check(setup) {
  assert.deepEqual(setup.externalRequests.flat(), []);
} };

export const appChecks = [rules, shareLink, reloadGame, reloadSettings, piecesDiffer, stackHeights, goals, badLinks, serverRestart, tenTabs, layout, darkColors, reducedMotion, accessibility, liveRegion, pageWeight, responseTime, idle, consoleErrors, externalRequests];
