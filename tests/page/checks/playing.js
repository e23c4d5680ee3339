// Playing: every variant by every hand, back and forth, both sides, levels, warnings.

import assert from "node:assert/strict";
import { KNOWN } from "./analysis.js";
import { keyboard, mouse, obey, touch, until } from "../support/visitor.js";

/** So many moves of the person are enough where a game is long. */
const SOME = 5;
/** No whole game takes more plies than this. */
const LONG = 320;

/** First positions from which the person has something to do, where the start is the goal or longer than a test should be. */
const FROM = {
  "8-puzzle": "fen=1,2,0/3,4,5/6,7,8",
  "15-puzzle": "fen=1,2,3,0/4,5,6,7/8,9,10,11/12,13,14,15",
  "24-puzzle": "fen=1,2,0,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,23,24",
  2048: "fen=0,0,2/0,2,0+p+0",
};

/** How missionaries and cannibals cross. */
const CROSSING = ["2c", "1c", "2c", "1c", "2m", "1m1c", "2m", "1c", "2c", "1c", "2c"];

/** The moves that a person plays, the same in every run. @param {any} state @param {number} made */
function chosen(state, made) {
  const { moves } = state;
  if (state.variant === "missionaries") return moves.find((move) => move.move === CROSSING[made]) ?? moves[0];
  if (state.board.slides === "one") return moves.find((move) => move.move === "left") ?? moves[0];
  // Captures end games; otherwise one after the other, so that no game is long.
  return moves.find((move) => move.captures?.length) ?? moves[made % moves.length];
}

/** @param {any} variant @param {import("../support/visitor.js").Hand} hand @param {boolean} whole */
function plays(variant, hand, whole) {
  return { name: `opens-and-plays: ${variant.variant} by ${hand.name}`, feature: `${variant.title} by ${hand.name}`, async check(bench) {
    const game = [`variant=${variant.variant}`, FROM[variant.variant]].filter(Boolean).join("&");
    const visitor = await bench.visit({ game, touch: hand === touch, width: hand === touch ? 390 : 1280, height: hand === touch ? 844 : 860, still: true });
    let state = await visitor.turn();
    assert.equal(state.variant, variant.variant);
    // A person who plays badly, against an engine that answers at once; whether he is warned is another check.
    await visitor.page.evaluate(async () => {
      const play = await import("/actions.js");
      play.prefer("warn", false);
      play.prefer("own", { limit: "depth", amount: 3, errs: 0, algorithm: "auto" });
      if (globalThis.puli.page.sides.p2 === "easy") play.seat("p2", "own");
    });
    let made = 0;
    while (state.outcome === null && (whole || made < SOME) && state.ply < LONG) {
      await visitor.play(chosen(state, made++), hand);
      state = await visitor.turn();
    }
    if (whole) {
      assert.notEqual(state.outcome, null, `the game is over after ${state.ply} plies`);
      const says = await visitor.text("#status");
      assert.ok(says.length > 5, says);
      return `${state.ply} plies: ${says}`;
    }
    assert.ok(made >= 1);
    return `${made} moves`;
  } };
}

/** @param {any[]} variants @param {any[]} kinds those of which whole games are played, by every hand */
export function playing(variants, kinds) {
  return [
    ...variants.flatMap((variant) => {
      if (!kinds.includes(variant)) return [plays(variant, mouse, false)];
      const short = variant.group !== "hunts";
      const known = ["aadu-puli", "bagh-chal"].includes(variant.variant);
      return [plays(variant, mouse, short || known), plays(variant, touch, short), plays(variant, keyboard, short || known)];
    }),
    first, undoes, inverse, varies, switches, late, alone, now, hints, obeys, levels, warns, drags,
  ];
}

const first = { name: "first-minute", feature: "Aadu Puli, the person has the goats, an easy engine, one line", async check(bench) {
  const visitor = await bench.visit();
  await visitor.shows("#status", "Place a goat: click a point.");
  await visitor.shows("#title", "Aadu Puli Aattam");
  assert.deepEqual(await visitor.see((page) => page.sides), { p1: "person", p2: "easy" });
  assert.equal(await visitor.page.locator("dialog[open]").count(), 0);
  await visitor.play({ move: "c1", to: "c1" }, mouse);
  await visitor.turn();
  await visitor.shows("#status", /^The tiger moved from [a-e]\d to [a-e]\d\. Place a goat: click a point\.$/);
} };

const undoes = { name: "undo-redo-jump", feature: "undo, redo, jump in the move list", async check(bench) {
  const visitor = await bench.visit();
  await visitor.play({ to: "c1" }, mouse);
  await visitor.turn();
  await visitor.play({ to: "e1" }, mouse);
  const state = await visitor.turn();
  assert.equal(state.ply, 4);
  const all = await visitor.moves();
  await visitor.press("undo");
  await visitor.when("the person is to move again", (page) => page.game.current.ply === 2);
  assert.ok(await visitor.see(() => globalThis.puli.live()), "after undo the person is to move");
  await visitor.press("redo");
  await visitor.when("the person is to move again", (page) => page.game.current.ply === 4);
  await visitor.page.locator("body").press("Home");
  await visitor.when("the start", (page) => page.game.current.ply === 0);
  await visitor.page.locator("body").press("End");
  await visitor.when("the end", (page) => page.game.current.ply === 4);
  await visitor.page.locator("#list .move").nth(1).click();
  await visitor.when("the second move", (page) => page.game.current.ply === 2);
  await visitor.page.locator("body").press("ArrowRight");
  await visitor.when("the third move", (page) => page.game.current.ply === 3);
  // Where the engine would be to move it waits, and goes on when told.
  await visitor.shows("#answers", "Go on");
  await visitor.page.locator("#answers button").click();
  await visitor.when("the engine's answer", (page) => page.game.current.ply === 4);
  assert.deepEqual(all.slice(0, 3), (await visitor.moves()).slice(0, 3));
} };

const inverse = { name: "undo-redo-inverse", feature: "Undo and Redo take each other back, whoever plays; so do one move back and one on, and flipping twice", async check(bench) {
  /** @param {any} visitor */
  const ply = (visitor) => visitor.see((page) => page.game.current.ply);
  for (const [game, p1, p2] of [["", "person", "easy"], ["", "easy", "person"], ["", "person", "person"], ["variant=2048", "person", "chance"]]) {
    const visitor = await bench.visit({ game });
    await visitor.page.evaluate(async ([first, second]) => {
      const { prefer, seat } = await import("/actions.js");
      prefer("warn", false);
      seat("p1", first);
      seat("p2", second);
    }, [p1, p2]);
    for (let move = 0; move < 3; move++) {
      const state = await visitor.turn();
      await visitor.play(state.moves[0], mouse);
    }
    await visitor.turn();
    const there = await visitor.fen();
    const moves = await visitor.moves();
    const seen = [await ply(visitor)];
    for (let times = 0; times < 2; times++) {
      await visitor.press("undo");
      await visitor.when("a person is to move", (page, was) => page.game.current.ply < was && globalThis.puli.live(), seen.at(-1));
      seen.push(await ply(visitor));
    }
    for (const wanted of seen.slice(0, -1).reverse()) {
      await visitor.press("redo");
      await visitor.when(`ply ${wanted}`, (page, where) => page.game.current.ply === where && globalThis.puli.live(), wanted);
    }
    assert.equal(await visitor.fen(), there);
    assert.deepEqual(await visitor.moves(), moves);
    // One move at a time, in the list: nobody plays on by himself there.
    await visitor.page.locator('[data-step="back"]').click();
    await visitor.when("one move back", (page, was) => page.game.current.ply === was - 1 && page.game.current.state, seen[0]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(await ply(visitor), seen[0] - 1, `${game || "aadu-puli"} stays where it is looked at`);
    await visitor.page.locator('[data-step="next"]').click();
    await visitor.when("one move on", (page, was) => page.game.current.ply === was && page.game.current.state, seen[0]);
    assert.equal(await visitor.fen(), there);
    if (!game) {
      const high = async () => (await visitor.page.locator('#board [data-at="a1"] .hit').boundingBox())?.y;
      const was = await high();
      await visitor.press("flip");
      await until("the board is turned", async () => ![undefined, was].includes(await high()));
      await visitor.press("flip");
      await until("it is turned back", async () => (await high()) === was);
    }
    // Sides that cannot be exchanged stay, others are exchanged and exchanged back.
    const sides = await visitor.see((page) => page.sides);
    await visitor.page.locator("body").press("s");
    assert.deepEqual(await visitor.see((page) => page.sides), game ? sides : { p1: sides.p2, p2: sides.p1 });
    await visitor.page.locator("body").press("s");
    assert.deepEqual(await visitor.see((page) => page.sides), sides);
  }
} };

const varies = { name: "variations", feature: "branches kept as variations, indented; promoted, deleted", async check(bench) {
  const visitor = await bench.visit({ game: "variant=tic-tac-toe" });
  await visitor.seat("p2", "person");
  for (const at of ["b2", "a1", "c3"]) await visitor.play({ to: at }, mouse);
  await visitor.page.locator("#list .move").nth(0).click();
  await visitor.when("after one move", (page) => page.game.current.ply === 1);
  await visitor.play({ to: "a2" }, mouse);
  await until("the variation is listed", () => visitor.page.locator("#list .block .move").count());
  assert.equal((await visitor.text("#list .block")).replace(/\s+/g, ""), "2.a2");
  await visitor.shows("#list .moves", /b2\s+a1[\s\S]*a2[\s\S]*c3/);
  await visitor.page.locator('[data-step="promote"]').click();
  await until("it is the main line", async () => /a1/.test(await visitor.text("#list .block")));
  await visitor.page.locator('[data-step="remove"]').click();
  await until("it is gone", async () => !(await visitor.text("#list .moves")).includes("a2"));
  assert.deepEqual(await visitor.moves(), ["b2"]);
} };

const switches = { name: "switch-sides", feature: "either side a person or the engine at any time", async check(bench) {
  const visitor = await bench.visit();
  await visitor.page.getByRole("button", { name: "Switch sides" }).first().click();
  await visitor.when("the engine placed the first goat", (page) => page.game.current.ply === 1);
  const state = await visitor.turn();
  assert.equal(state.turn, "p2");
  await visitor.shows("#above", /Tigers\s+A person/);
  await visitor.play(state.moves[0], mouse);
  await visitor.when("the goats' engine answers", (page) => page.game.current.ply === 3);
  await visitor.turn();
  await visitor.page.locator("body").press("s");
  await visitor.when("the engine moves the tigers", (page) => page.game.current.ply === 4 || (globalThis.puli.live() && page.game.current.state.turn === "p1"));
} };

const late = { name: "late-answer", feature: "who takes the engine's seat while it thinks gets no move of its any more", async check(bench) {
  const visitor = await bench.visit({ game: "variant=bagh-chal" });
  await visitor.page.evaluate(async () => {
    const play = await import("/actions.js");
    play.prefer("warn", false);
    play.prefer("own", { limit: "movetime", amount: 1500, errs: 0, algorithm: "auto" });
  });
  await visitor.seat("p2", "own");
  await visitor.play((await visitor.turn()).moves[0], mouse);
  await visitor.shows("#status", /The engine thinks/);
  // The page's next picture comes late, as on a busy machine: the engine is not told in time.
  await visitor.page.evaluate(async () => {
    const soon = globalThis.requestAnimationFrame;
    globalThis.requestAnimationFrame = (draw) => setTimeout(() => soon(draw), 3000);
    (await import("/actions.js")).seat("p2", "person");
  });
  await new Promise((resolve) => setTimeout(resolve, 4000));
  assert.equal(await visitor.see((page) => page.game.current.ply), 1);
  assert.ok(await visitor.see(() => globalThis.puli.live()));
} };

const alone = { name: "engine-against-engine-and-stop", feature: "both engines against each other, and stop", async check(bench) {
  const visitor = await bench.visit();
  await visitor.seat("p1", "beginner");
  await visitor.when("four moves were made", (page) => page.game.current.ply >= 4);
  await visitor.press("stop");
  await visitor.when("it waits", (page) => page.waiting && globalThis.puli.live());
  const ply = await visitor.see((page) => page.game.current.ply);
  // Longer than the pace of two moves.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.equal(await visitor.see((page) => page.game.current.ply), ply);
  await visitor.page.locator("#answers button", { hasText: "Go on" }).click();
  await visitor.when("it goes on", (page) => page.game.current.ply > 6);
} };

const now = { name: "move-now", feature: "move now", async check(bench) {
  const visitor = await bench.visit();
  await visitor.page.evaluate(async () => {
    const play = await import("/actions.js");
    play.prefer("warn", false);
    play.prefer("own", { limit: "movetime", amount: 60000, errs: 0, algorithm: "auto" });
  });
  await visitor.seat("p2", "own");
  const began = Date.now();
  await visitor.play({ to: "d3" }, mouse);
  await until("the button is there", () => visitor.page.locator('#controls [data-do="now"]:not([disabled])').isVisible());
  await visitor.shows("#status", /The engine thinks/);
  await visitor.press("now");
  await visitor.when("the engine moved", (page) => page.game.current.ply === 2);
  assert.ok(Date.now() - began < 55000, "long before its minute is over");
} };

const hints = { name: "hint", feature: "hint", async check(bench) {
  for (const game of ["", "variant=bagh-chal", "variant=8-puzzle&fen=1,2,5/7,6,4/0,3,8", "variant=2048&fen=2,2,0,0/0,0,0,0/0,4,0,0/0,0,0,0+p+0"]) {
    const visitor = await bench.visit({ game });
    await visitor.turn();
    await visitor.press("hint");
    const move = await visitor.when("a hint", (page) => page.hint?.move);
    const state = await visitor.state();
    assert.ok(state.moves.some((one) => one.move === move), `${move} is legal`);
    await visitor.shows("#status", /^Hint: (Place a goat|Place an? \w+|Slide (tile \d|all tiles)).*\.$/);
    assert.ok(await visitor.page.locator("#board .arrow.hint").count(), "an arrow shows it");
    await visitor.play(state.moves.find((one) => one.move === move), mouse);
    await until("the arrow is gone", async () => (await visitor.page.locator("#board .arrow.hint").count()) === 0);
  }
} };

const obeys = { name: "hint-words-match-effect", feature: "a hint is words about pieces: doing what they say plays the hinted move, in every game", async check(bench) {
  const visitor = await bench.visit({ still: true });
  await visitor.page.evaluate(async () => (await import("/actions.js")).prefer("warn", false));
  let done = 0;
  for (const { variant } of bench.variants) {
    await visitor.change(variant);
    await visitor.page.evaluate(async () => {
      const { page } = await import("/state.js");
      const { seat } = await import("/actions.js");
      for (const player of ["p1", "p2"]) if (page.sides[player] !== "person") seat(player, "person");
    });
    await visitor.when("there is something to play", (page) => page.game.current.state && page.game.current.state.outcome === null);
    // Words say one legal move and no other, also deep in the game.
    const alike = await visitor.page.evaluate(async (name) => {
      const { page } = await import("/state.js");
      const { asker } = await import("/actions.js");
      const { instruction, instructions } = await import("/text.js");
      const same = [];
      const { fen } = page.game.current.state;
      const moves = [];
      for (let ply = 0; ply < 25; ply++) {
        const state = await asker.state(name, moves.length ? `fen ${fen} moves ${moves.join(" ")}` : `fen ${fen}`);
        if (!state.moves.length) break;
        const words = state.moves.map((move) => instruction(state, move));
        words.forEach((text, at) => words.indexOf(text) < at && same.push(`${text}: ${state.moves[words.indexOf(text)].move}, ${state.moves[at].move}`));
        const move = state.moves[(ply * 7 + 3) % state.moves.length];
        if (state.players.length === 1 && instructions(state, [move.move])[0] !== instruction(state, move)) same.push(`${move.move} is told in two ways`);
        moves.push(move.move);
      }
      return same;
    }, variant);
    assert.deepEqual(alike, [], variant);
    for (let hint = 0; hint < 2; hint++) {
      const state = await visitor.turn();
      if (state.outcome !== null) break;
      await visitor.press("hint");
      const move = await visitor.when("a hint", (page) => page.hint?.node === page.game.current && page.hint.move);
      await visitor.shows("#status", /^Hint: .*\.$/);
      const words = (await visitor.text("#status")).replace(/^Hint: (.*)\.$/, "$1");
      const id = await visitor.id();
      await obey(visitor, words);
      await visitor.moved(id).catch((error) => { throw new Error(`${variant}: ‘${words}’ plays nothing: ${error.message}`); });
      assert.equal(await visitor.see((page) => page.game.current.move), move, `${variant}: ${words}`);
      done++;
    }
  }
  return `${done} hints in ${bench.variants.length} games`;
} };

const levels = { name: "levels", feature: "levels by depth, time, nodes, and levels that err", async check(bench) {
  const visitor = await bench.visit();
  await visitor.page.evaluate(async () => (await import("/actions.js")).prefer("warn", false));
  const offered = await visitor.page.locator(".seats select").nth(1).locator("option").allInnerTexts();
  assert.equal(offered.length, 8);
  let ply = 0;
  /** @param {string} name */
  const answers = async (name) => {
    const state = await visitor.turn();
    await visitor.play(state.moves[(ply * 3) % state.moves.length], mouse);
    await visitor.when(`${name} answers`, (page, was) => page.game.current.ply > was + 1, ply);
    ply = (await visitor.turn()).ply;
  };
  for (const name of ["beginner", "medium", "quick", "strong"]) {
    await visitor.seat("p2", name);
    await answers(name);
  }
  await visitor.seat("p2", "own");
  for (const [limit, amount] of [["depth", "2"], ["nodes", "5000"], ["movetime", "60"]]) {
    await visitor.page.getByLabel("Limit").selectOption(limit);
    await visitor.page.getByLabel("How much").fill(amount);
    await visitor.page.getByLabel("How much").press("Enter");
    await answers(`${limit} ${amount}`);
  }
  // Where tables know, a level that errs gives the value away now and then, and one that does not never does.
  const tabled = await bench.visit({ server: bench.tabled, game: KNOWN });
  const state = await tabled.turn();
  assert.ok(state.solved, "the tables know this position");
  assert.ok(new Set(state.solved.moves.map((one) => one.verdict)).size > 1, "and that some of its moves lose");
  const count = async (errs) => tabled.page.evaluate(async ([solved, often]) => {
    const { known } = await import("/levels.js");
    const best = solved.solved.moves[0].verdict;
    let lost = 0;
    for (let at = 0; at < 300; at++) {
      const move = known(solved, { errs: often, go: "", name: "", soft: 0, algorithm: "auto" }, Math.random);
      if (solved.solved.moves.find((one) => one.move === move)?.verdict !== best) lost++;
    }
    return lost;
  }, [state, errs]);
  const lost = await count(3);
  assert.ok(lost > 60 && lost < 150, `${lost} of 300`);
  return `errs once in 3: ${lost} of 300`;
} };

const warns = { name: "blunder-warning", feature: "a warning when a move throws the game away, with take back", async check(bench) {
  // O to answer a diagonal of X: a corner loses, an edge draws.
  const visitor = await bench.visit({ game: "variant=tic-tac-toe&fen=3+3+3+X2/1O1/2X+o+4" });
  await visitor.page.getByRole("button", { name: "Switch sides" }).first().click();
  await visitor.turn();
  await visitor.play({ to: "a1" }, mouse);
  await until("the line warns", async () => /seems to give much away: from .* to X wins within \d/.test(await visitor.text("#status")));
  assert.equal(await visitor.see((page) => page.game.current.ply), 1, "the engine waits");
  await visitor.page.getByRole("button", { name: "Take back" }).click();
  await visitor.when("the move is taken back", (page) => page.game.current.ply === 0);
  await visitor.play({ to: "b1" }, mouse);
  await visitor.when("a good move is answered", (page) => page.game.current.ply === 2);
  assert.equal(await visitor.see((page) => page.warning), null);
  await visitor.press("undo");
  await visitor.turn();
  await visitor.play({ to: "c3" }, mouse);
  await until("the line warns", async () => /seems to give much away/.test(await visitor.text("#status")));
  await visitor.page.getByRole("button", { name: "Play on" }).click();
  await visitor.when("the engine answers", (page) => page.game.current.ply === 2);
} };

const drags = { name: "drag-and-marks", feature: "drag a piece; legal targets and captures marked; ghost of the last move", async check(bench) {
  const visitor = await bench.visit({ game: "variant=bagh-chal&fen=T3T/1G3/5/5/T3T+t+19" });
  await visitor.seat("p2", "person");
  await visitor.turn();
  const from = await visitor.spot("a1");
  await visitor.page.mouse.click(from.x, from.y);
  await until("the leap is marked", async () => (await visitor.page.locator("#board .target.captures").count()) === 1);
  assert.equal(await visitor.page.locator("#board .taken").count(), 1, "what it takes too");
  assert.equal(await visitor.page.locator("#board .target").count(), 3);
  await visitor.page.mouse.click(from.x, from.y);
  await until("it is let go again", async () => (await visitor.page.locator("#board .target").count()) === 0);
  const to = await visitor.spot("c3");
  const id = await visitor.id();
  await visitor.page.mouse.move(from.x, from.y);
  await visitor.page.mouse.down();
  await visitor.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  assert.equal(await visitor.page.locator("#board .piece.dragged").count(), 1);
  await visitor.page.mouse.move(to.x, to.y, { steps: 4 });
  await visitor.page.mouse.up();
  await visitor.moved(id);
  assert.deepEqual(await visitor.moves(), ["a1c3"]);
  await until("the ghost is drawn", () => visitor.page.locator("#board .ghost").count());
  await visitor.shows("#below", /in hand\s+19/);
  await visitor.shows("#above", /captured\s+1\s+of 5/);
  // A tile is dragged into the gap, and moves once.
  const tiles = await bench.visit({ game: "variant=8-puzzle&fen=1,2,0/3,4,5/6,7,8" });
  const [tile, gap] = [await tiles.spot("b3"), await tiles.spot("c3")];
  await tiles.page.mouse.move(tile.x, tile.y);
  await tiles.page.mouse.down();
  await tiles.page.mouse.move(gap.x, gap.y, { steps: 6 });
  await tiles.page.mouse.up();
  await tiles.when("the tile is in the gap", (page) => page.game.moves().join() === "left" && page.game.current.state);
} };
