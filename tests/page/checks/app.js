// Around the boards: rules, sharing, a server that dies, many tabs, phones, darkness, stillness, access, weight.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Server } from "../support/server.js";
import { mouse, until } from "../support/visitor.js";

const rules = { name: "rules-panel", feature: "each game's rules in a few sentences, with two pictures", async check(bench) {
  const visitor = await bench.visit();
  for (const variant of bench.variants) {
    await visitor.change(variant.variant);
    await visitor.page.locator("#rules").click();
    assert.equal(await visitor.page.locator("dialog[open] .rules li").count(), variant.rules.length);
    assert.ok(variant.rules.length >= 3 && variant.rules.length <= 10, `${variant.variant} has ${variant.rules.length} sentences`);
    assert.equal(await visitor.page.locator("dialog[open] .pictures svg").count(), 2);
    await visitor.page.keyboard.press("Escape");
    assert.equal(await visitor.page.locator("dialog[open]").count(), 0);
  }
  return `${bench.variants.length} games`;
} };

const picker = { name: "picker", feature: "a game picker with a small drawing of every board, in groups", async check(bench) {
  const visitor = await bench.visit();
  for (const variant of bench.variants) {
    await visitor.page.locator("#games").click();
    assert.equal(await visitor.page.locator("dialog[open] .card svg").count(), bench.variants.length);
    await visitor.page.locator(`dialog[open] [data-variant="${variant.variant}"]`).click();
    await visitor.when(`${variant.variant} is on the board`, (page, name) => page.game.current.state?.variant === name, variant.variant);
  }
} };

const share = { name: "share-link", feature: "any FEN; copy and share position and moves by the address", async check(bench) {
  const visitor = await bench.visit();
  await visitor.page.locator("#position").click();
  await visitor.page.getByRole("textbox", { name: "Position" }).fill("T/2TT2/G5/6/4 t 14x");
  await visitor.page.getByRole("button", { name: "Set up" }).click();
  await until("a bad position is refused with its place", async () => /column \d+/.test(await visitor.text("dialog .wrong")));
  await visitor.page.getByRole("textbox", { name: "Position" }).fill("T/2TT2/G5/6/4 t 14");
  await visitor.page.getByRole("button", { name: "Set up" }).click();
  await visitor.when("it is on the board", (page) => page.game.fen === "T/2TT2/G5/6/4 t 14" && page.game.current.state);
  await visitor.shows("#answers", "Go on");
  await visitor.page.locator("#answers button").click();
  await visitor.when("the engine answers", (page) => page.game.current.ply === 1);
  const fen = await visitor.fen();
  await visitor.page.locator("#position").click();
  await visitor.page.getByRole("button", { name: "Set up" }).click();
  await until("the dialog is closed", async () => (await visitor.page.locator("dialog[open]").count()) === 0);
  assert.equal((await visitor.moves()).length, 1, "a position that was not changed keeps the game");
  await visitor.page.locator("#share").click();
  const link = await visitor.page.locator("dialog input").inputValue();
  assert.ok(!link.includes("token"), "the link does not give the key away");
  assert.equal(link, visitor.page.url());
  const friend = await bench.visit({ context: visitor.page.context() });
  await friend.page.goto("about:blank");
  await friend.go(link);
  assert.equal(await friend.fen(), fen);
  assert.deepEqual(await friend.moves(), await visitor.moves());
} };

const reload = { name: "reload-keeps-game", feature: "a reload keeps the game, its variations and where it is looked at", async check(bench) {
  const visitor = await bench.visit({ game: "variant=tic-tac-toe&moves=b2+a1+(+a2+c3+)+c3+a3" });
  await visitor.page.locator("#list .move", { hasText: "a2" }).click();
  await visitor.when("in the variation", (page) => page.game.moves().join(" ") === "b2 a2");
  const list = (await visitor.text("#list .moves")).replace(/\s+/g, " ");
  await visitor.page.reload();
  await visitor.ready();
  assert.deepEqual(await visitor.moves(), ["b2", "a2"]);
  await until("the list is the same", async () => (await visitor.text("#list .moves")).replace(/\s+/g, " ") === list);
  // Whoever is faster than the engine loses nothing either.
  await Promise.all([
    visitor.page.waitForEvent("load"),
    visitor.page.evaluate(() => {
      const moves = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#list .move")]);
      moves.find((move) => move.textContent?.includes("a3"))?.click();
      location.reload();
    }),
  ]);
  await visitor.ready();
  assert.deepEqual(await visitor.moves(), ["b2", "a1", "c3", "a3"]);
  await visitor.page.locator("#list .move", { hasText: "a2" }).click();
  await visitor.when("in the variation again", (page) => page.game.moves().join(" ") === "b2 a2");
  // What is remembered may be broken.
  await visitor.page.evaluate(() => {
    for (const name of ["engine", "lines", "own", "theme", "warn", "picture"]) localStorage.setItem(`puli.${name}`, "{broken");
    localStorage.setItem("puli.lines", '"many"');
    localStorage.setItem("puli.own", "null");
  });
  await visitor.page.reload();
  await visitor.ready();
  assert.deepEqual(await visitor.moves(), ["b2", "a2"]);
} };

const settings = { name: "reload-keeps-settings", feature: "a reload keeps who plays and how strong, the tab, and the way the board lies", async check(bench) {
  const visitor = await bench.visit({ still: true });
  const { page } = visitor;
  await page.evaluate(async () => (await import("/actions.js")).prefer("warn", false));
  const again = async () => {
    await page.reload();
    await visitor.ready();
  };
  const sides = () => visitor.see((state) => state.sides);
  const names = await page.locator(".seats select").first().locator("option").evaluateAll((all) => all.map((one) => /** @type {HTMLOptionElement} */ (one).value));
  assert.ok(names.length >= 8);
  for (const who of names) {
    for (const pair of [{ p1: "person", p2: who }, { p1: who, p2: "person" }, { p1: who, p2: who }]) {
      await visitor.seat("p1", pair.p1);
      await visitor.seat("p2", pair.p2);
      await again();
      assert.deepEqual(await sides(), pair);
    }
  }
  await visitor.seat("p1", "person");
  await visitor.seat("p2", "strong");
  await page.locator("#controls [data-do=flip]").click();
  await until("the board is turned", () => visitor.see((state) => state.flip));
  for (const tab of ["analyse", "learn", "play"]) {
    await visitor.tab(tab);
    await again();
    assert.equal(await page.locator(`[data-tab="${tab}"]`).getAttribute("aria-selected"), "true");
    assert.ok(await visitor.see((state) => state.flip), "the board lies as it did");
    await visitor.shows("#below", /Tigers\s+Engine, strong/);
  }
  // An engine that was thinking goes on, one that waited waits.
  const begun = await visitor.turn();
  await visitor.play(begun.moves[0], mouse);
  await again();
  await visitor.when("the engine answers", (state, ply) => state.game.current.ply === ply + 2, begun.ply);
  await page.locator("body").press("ArrowLeft");
  await visitor.shows("#answers", "Go on");
  await again();
  await visitor.shows("#answers", "Go on");
  for (const [game, player, who, tab] of [["2048", "p2", "worst", "analyse"], ["2048", "p1", "quick", "learn"], ["8-puzzle", "p1", "person", "solve"]]) {
    await visitor.change(game);
    if (game === "2048") await visitor.seat(player, who);
    await visitor.tab(tab);
    await again();
    assert.equal((await sides())[player], who);
    assert.equal(await page.locator(`[data-tab="${tab}"]`).getAttribute("aria-selected"), "true");
  }
  // What is kept may be broken.
  for (const text of ["{broken", "null", "7", '{"sides":{"p1":"god","p2":"easy"},"waiting":false}', '{"sides":{"p1":"chance","p2":"worst"},"waiting":false,"variant":"8-puzzle","page":{"tab":7,"flip":"x"}}']) {
    await page.evaluate((kept) => addEventListener("pagehide", () => sessionStorage.setItem("puli.session", kept)), text);
    await again();
    assert.equal((await sides()).p1, "person");
  }
  return `${names.length * 3} seatings`;
} };

const differ = { name: "pieces-differ", feature: "every two kinds of pieces of a game have different outlines, also at 24 pixels", async check(bench) {
  const visitor = await bench.visit();
  const pairs = bench.variants.filter((variant) => variant.board.kind === "graph").map(({ variant, each, players }) => ({ variant, each, players }));
  const found = await visitor.page.evaluate(async (games) => {
    const { pieceDrawing, drawing, person } = await import("/view/pieces.js");
    const { s } = await import("/dom.js");
    const size = 24;
    /** The outline of a drawing, filled: what is left of it without its colors. @param {SVGElement} drawn */
    const outline = async (drawn) => {
      for (const part of drawn.querySelectorAll("*")) part.removeAttribute("class");
      const svg = s("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: "-52 -52 104 104", width: size, height: size }, drawn);
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
      await image.decode();
      const canvas = new OffscreenCanvas(size, size);
      const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
      pen.drawImage(image, 0, 0);
      return [...pen.getImageData(0, 0, size, size).data].filter((_, at) => at % 4 === 3).map((alpha) => alpha > 127);
    };
    /** The share of the covered pixels that only one of two outlines covers. */
    const difference = async (one, other) => {
      const [first, second] = [await outline(one), await outline(other)];
      const all = first.filter((covered, at) => covered || second[at]).length;
      return first.filter((covered, at) => covered !== second[at]).length / all;
    };
    const answers = [];
    for (const { variant, each, players } of games) {
      for (const [p1, p2] of [["hunter", "prey"], ["prey", "hunter"]]) answers.push([`${variant}: ${each}`, await difference(pieceDrawing({ each, players }, p1, "p1"), pieceDrawing({ each, players }, p2, "p2"))]);
    }
    answers.push(["missionary, cannibal", await difference(person("missionary"), person("cannibal"))]);
    return answers;
  }, pairs);
  const alike = found.filter(([name, share]) => share < (name.startsWith("missionary") ? 0.08 : 0.2));
  assert.deepEqual(alike, []);
  const least = found.toSorted((one, other) => one[1] - other[1])[0];
  return `${found.length} pairs, the most alike differ in ${Math.round(least[1] * 100)}% (${least[0]})`;
} };

const zones = { name: "goals-are-named", feature: "goals are marked on the board and named, for the eye and for the ear", async check(bench) {
  const visitor = await bench.visit();
  const games = bench.variants.filter((variant) => variant.board.zones?.length);
  assert.ok(games.some(({ variant }) => variant === "wolf-and-sheep") && games.length >= 2);
  for (const { variant, board, players } of games) {
    await visitor.change(variant);
    for (const { kind, player, points } of board.zones) {
      assert.equal(kind, "goal");
      assert.equal(await visitor.page.locator("#board .ground > .zone.goal").count(), points.length);
      const words = `Goal of the ${players[player === "p1" ? 0 : 1]}`;
      assert.equal(await visitor.page.locator("#board .legend").textContent(), words);
      assert.match(await visitor.page.locator(`#board [data-at="${points[0]}"]`).getAttribute("aria-label"), new RegExp(words, "i"));
    }
  }
  return games.map(({ variant }) => variant).join(", ");
} };

const links = { name: "bad-links-say-so", feature: "an address with an unknown game, a bad position or an illegal move says so and leaves a game to play", async check(bench) {
  for (const [game, says, sees] of [
    ["variant=chess", /There is no game called ‘chess’/, (page) => page.variant === "aadu-puli"],
    ["fen=T/2TT2/6/6/4+x+15", /The address has a position that cannot be read: .+\. The start is shown instead\./, (page) => page.game.fen === null],
    ["variant=15-puzzle&fen=1,2,3", /The address has a position that cannot be read: .+\. The start is shown instead\./, (page) => page.variant === "15-puzzle"],
    ["moves=c1+b3c3+zz+d1", /The address has a move that cannot be played: ‘zz’/, (page) => page.game.moves().join() === "c1,b3c3"],
    ["variant=tic-tac-toe&moves=b2+b2", /The address has a move that cannot be played: ‘b2’/, (page) => page.game.moves().join() === "b2"],
  ]) {
    const visitor = await bench.visit({ game });
    await visitor.shows("#status", says);
    await visitor.when(`${game} leaves a game`, sees);
    await visitor.when("it can be played", (page) => page.game.current.state?.outcome === null);
  }
  // A typed move that is not legal is not passed over in silence.
  const visitor = await bench.visit();
  await visitor.page.keyboard.press("t");
  await visitor.page.keyboard.type("zz");
  await visitor.page.keyboard.press("Enter");
  await visitor.shows("#status", /‘zz’ is not a legal move here\./);
} };

const dies = { name: "engine-dies-and-returns", feature: "the engine stops: the page says so, keeps the game, and goes on when it is back", async check(bench) {
  let server = await Server.start();
  try {
    const visitor = await bench.visit({ server, grieves: false });
    await visitor.play({ to: "c1" }, mouse);
    await visitor.turn();
    const moves = await visitor.moves();
    await server.stop();
    await until("the page says so", async () => (await visitor.text("#status")) === "The engine does not answer. If it has stopped, start it again with `puli board`.");
    assert.deepEqual(await visitor.moves(), moves, "the game is kept");
    assert.equal(await visitor.page.locator("#board .piece").count(), 4);
    server = await Server.start([], server.port);
    // The tab that the new server opens has the new key, and hands it on.
    await bench.visit({ server, context: visitor.page.context(), grieves: false });
    await visitor.when("the old tab goes on", (page) => page.link === "open");
    await visitor.turn();
    await visitor.play({ to: "d1" }, mouse);
    await visitor.when("the engine answers again", (page) => page.game.current.ply === 4);
  } finally {
    await server.stop();
  }
} };

const tabs = { name: "ten-tabs", feature: "ten tabs that search at once leave the page usable", async check(bench) {
  const context = await bench.browser.newContext({ viewport: { width: 1000, height: 800 } });
  const visitors = [];
  for (let at = 0; at < 10; at++) {
    const visitor = await bench.visit({ context, game: at % 2 ? "variant=bagh-chal" : "" });
    await visitor.page.locator("#engine input[role=switch]").check();
    visitors.push(visitor);
  }
  for (const visitor of visitors) await visitor.when("it searches", (page) => page.lines.length > 0);
  const visitor = visitors[0];
  await visitor.page.bringToFront();
  const began = Date.now();
  const state = await visitor.turn();
  await visitor.play(state.moves[5], mouse);
  const took = Date.now() - began;
  await visitor.turn();
  return `a move was on the board after ${took} ms`;
} };

const phone = { name: "phone-layout", feature: "small phones to wide screens; nothing scrolls sideways; targets of 44 px", async check(bench) {
  for (const width of [320, 390, 768, 1440, 2200]) {
    const visitor = await bench.visit({ width, height: width < 500 ? 780 : 900, touch: width < 500 });
    const { page } = visitor;
    for (const variant of bench.kinds) {
      await visitor.change(variant.variant);
      // The longest words that stand beside the bar.
      await page.evaluate(async () => {
        const { changed, page: state } = await import("/state.js");
        state.game.current.worth = { points: state.state.board.slides === "all" ? 178798 : 0.5, depth: 88 };
        changed();
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      });
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(sideways <= 0, `${variant.variant} at ${width} scrolls ${sideways} px sideways`);
      const board = /** @type {any} */ (await page.locator("#board svg").boundingBox());
      assert.ok(board.x >= 0 && board.x + board.width <= width + 0.5, `${variant.variant} at ${width}: the board is inside`);
      if (width < 500) {
        assert.ok(board.width > width * 0.9, `${variant.variant} at ${width}: the board has the full width`);
        const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input:not(.off-stage):not([type=checkbox]):not([type=range])")].flatMap((one) => {
          const box = one.getBoundingClientRect();
          const inLine = one.matches(".moves .move, .lines .move");
          return box.width && !inLine && (box.height < 43.5 || box.width < 43.5) ? [`${one.textContent?.trim() || one.id || one.className} ${box.width}×${box.height}`] : [];
        }));
        assert.deepEqual(small, [], `${variant.variant} at ${width}: all can be touched`);
      } else if (width >= 1440) assert.ok(board.width >= 480, `${variant.variant} at ${width}: the board is ${board.width} wide`);
    }
  }
} };

const dark = { name: "dark", feature: "light and dark, by the system and by a switch", async check(bench) {
  const visitor = await bench.visit({ dark: true });
  const { page } = visitor;
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const night = await paper();
  assert.ok(night.match(/\d+/g).every((part) => Number(part) < 60), `${night} is dark`);
  await page.locator("#theme").click();
  await until("it is light", async () => (await paper()) !== night);
  await page.reload();
  await visitor.ready();
  assert.notEqual(await paper(), night, "the choice is remembered");
} };

const still = { name: "reduced-motion", feature: "no movement where the system asks for little", async check(bench) {
  const calm = await bench.visit({ still: true });
  await calm.play({ to: "c1" }, mouse);
  await calm.turn();
  assert.equal(await calm.page.locator("#board .travels, #board .piece.new").count(), 0);
  const moves = await calm.page.evaluate(() => getComputedStyle(/** @type {Element} */ (document.querySelector("#board .piece"))).transitionDuration);
  assert.match(moves, /^0s/);
  const lively = await bench.visit();
  await lively.play({ to: "c1" }, mouse);
  await lively.turn();
  assert.ok(await lively.page.locator("#board .piece.new, #board .piece.travels").count(), "otherwise pieces travel");
} };

const axe = { name: "axe-clean", feature: "screen readers and contrast: no serious finding of axe, in light and dark", async check(bench) {
  const source = readFileSync(bench.axe, "utf8");
  let rules = 0;
  for (const night of [false, true]) {
    const visitor = await bench.visit({ dark: night, still: true });
    await visitor.page.evaluate(source);
    for (const variant of bench.kinds) {
      await visitor.change(variant.variant);
      const names = await visitor.page.locator("#tabs [role=tab]:visible").evaluateAll((all) => all.map((one) => one.getAttribute("data-tab")));
      for (const view of [...names, "games", "rules", "position", "keys"]) {
        if (names.includes(view)) await visitor.tab(String(view));
        else if (variant.variant !== "aadu-puli") continue;
        else await visitor.page.locator(`#${view}`).click();
        const found = await visitor.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        rules = found.passes.length + found.violations.length;
        const serious = found.violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`);
        assert.deepEqual(serious, [], `${variant.variant}, ${view}, ${night ? "dark" : "light"}`);
        if (await visitor.page.locator("dialog[open]").count()) await visitor.page.keyboard.press("Escape");
      }
    }
  }
  return `${rules} rules`;
} };

const reader = { name: "live-region", feature: "a live region says every move; every place has a name", async check(bench) {
  const visitor = await bench.visit();
  assert.equal(await visitor.page.locator("#status[role=status][aria-live=polite]").count(), 1);
  assert.equal(await visitor.page.locator('#board [data-at="a1"]').getAttribute("aria-label"), "a1, tiger");
  await visitor.play({ to: "c1" }, mouse);
  await visitor.turn();
  assert.equal(await visitor.page.locator('#board [data-at="c1"]').getAttribute("aria-label"), "c1, goat");
  await visitor.page.keyboard.press("t");
  await visitor.page.keyboard.type("zz");
  await visitor.page.keyboard.press("Enter");
  assert.equal(await visitor.page.locator(".type input").getAttribute("aria-invalid"), "true");
  await visitor.page.locator(".type input").fill("e1");
  await visitor.page.keyboard.press("Enter");
  await visitor.when("the typed move is played", (page) => page.game.moves()[2] === "e1");
} };

const weight = { name: "page-weight", feature: "the page weighs less than 300 KB, a move is on the board at once", async check(bench) {
  const visitor = await bench.visit();
  await until("everything has arrived", async () => visitor.seen.bytes > 50000);
  await visitor.turn();
  assert.ok(visitor.seen.bytes < 300000, `${visitor.seen.bytes} bytes`);
  await visitor.page.evaluate(async () => (await import("/actions.js")).prefer("warn", false));
  await visitor.seat("p2", "quick");
  // From the click to the drawn move, and to the engine's answer, by the page's own clock.
  const times = await visitor.page.evaluate(async () => {
    const { press } = await import("/game_panel.js");
    const { page, live } = globalThis.puli;
    const own = [];
    const answers = [];
    const until = (holds) => new Promise((done) => {
      const look = () => (holds() ? done(performance.now()) : setTimeout(look, 1));
      look();
    });
    for (let at = 0; at < 5; at++) {
      const began = performance.now();
      const { ply } = page.game.current;
      const pieces = document.querySelectorAll("#board .piece").length;
      press(page.game.current.state.moves[at * 2].to);
      // On a busy machine both moves may be there before anybody looks, and the tigers' may have captured.
      own.push(await until(() => document.querySelectorAll("#board .piece").length > pieces || page.game.current.ply > ply + 1) - began);
      answers.push(await until(() => live() || page.game.current.state?.outcome) - began);
    }
    return { own: own.sort((a, b) => a - b)[2], answer: answers.sort((a, b) => a - b)[2] };
  });
  return `${visitor.seen.bytes} bytes; a move after ${Math.round(times.own)} ms, the answer after ${Math.round(times.answer)} ms (medians of five)`;
} };

const prompt = { name: "at-once", feature: "on every board a move is there at once, and the quick engine's answer soon", async check(bench) {
  const visitor = await bench.visit();
  await visitor.turn();
  const slowest = { own: { variant: "", time: 0 }, answer: { variant: "", time: 0 } };
  for (const { variant } of bench.variants) {
    // By the page's own clock: from the act to the frame that shows the new position, and until it is one's turn again.
    const times = await visitor.page.evaluate(async (name) => {
      const { page, live } = globalThis.puli;
      const { advance, begin, prefer, seat } = await import("/actions.js");
      const { onChange } = await import("/state.js");
      // Whoever hears of a change last hears when everything is drawn.
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
      const known = () => page.game.current.state;
      // A person moves when what moved before has come to rest.
      const rest = () => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))
        .then(() => new Promise((idle) => requestIdleCallback(idle, { timeout: 500 })));
      prefer("warn", false);
      const begun = frame(() => known()?.variant === name && page.state === known());
      begin({ variant: name, fen: null });
      await begun;
      const isGame = page.sides.p2 === "easy";
      const own = [];
      for (const player of ["p1", "p2"]) if (page.sides[player] !== "chance") seat(player, "person");
      for (let at = 0; at < 5 && known().moves.length && known().outcome === null && live(); at++) {
        await rest();
        const [began, node] = [performance.now(), page.game.current];
        const drawn = frame(() => page.game.current !== node && page.state === known());
        advance(known().moves[0].move);
        own.push((await drawn) - began);
        // Chance may be to move.
        if (!live() && known().outcome === null) await frame(() => live() || known()?.outcome);
      }
      let answer = 0;
      if (isGame && known().outcome === null) {
        const mover = known().turn;
        seat(mover === "p1" ? "p2" : "p1", "quick");
        await rest();
        const [began, { ply }] = [performance.now(), page.game.current];
        const answered = frame(() => page.game.current.ply > ply + 1 && known() || known()?.outcome);
        advance(known().moves[0].move);
        answer = (await answered) - began;
      }
      return { own: own.sort((a, b) => a - b)[own.length >> 1] ?? 0, answer };
    }, variant);
    for (const what of ["own", "answer"]) if (times[what] > slowest[what].time) slowest[what] = { variant, time: times[what] };
    assert.ok(times.own < 1000, `${variant}: ${times.own} ms to a move`);
    assert.ok(times.answer < 5000, `${variant}: ${times.answer} ms to an answer`);
  }
  const told = ({ variant, time }) => `${Math.round(time)} ms (${variant})`;
  return `the slowest of ${bench.variants.length} games: a move after ${told(slowest.own)}, an answer after ${told(slowest.answer)}`;
} };

const quiet = { name: "quiet-when-idle", feature: "no traffic and no work when nothing thinks", async check(bench) {
  const visitor = await bench.visit();
  await visitor.turn();
  await visitor.when("nothing is under way", async () => (await import("/actions.js")).thinker.busy === null);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const devtools = await visitor.page.context().newCDPSession(visitor.page);
  await devtools.send("Performance.enable");
  const scripts = async () => (await devtools.send("Performance.getMetrics")).metrics.find((one) => one.name === "ScriptDuration")?.value ?? 0;
  const [frames, before] = [visitor.seen.frames, await scripts()];
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const spent = (await scripts()) - before;
  assert.equal(visitor.seen.frames, frames, "nothing is said");
  assert.ok(spent < 0.03, `${spent} s of scripts in three seconds`);
  return `${(spent * 1000).toFixed(1)} ms of scripts in 3 s`;
} };

const clean = { name: "no-console-error", feature: "no error on the console in all of these checks", async check(bench) {
  assert.deepEqual(bench.errors.flat(), []);
} };

const home = { name: "no-foreign-request", feature: "nothing is fetched from anywhere else in all of these checks", async check(bench) {
  assert.deepEqual(bench.foreign.flat(), []);
} };

export const around = [rules, picker, share, reload, settings, differ, zones, links, dies, tabs, phone, dark, still, axe, reader, weight, prompt, quiet, clean, home];
