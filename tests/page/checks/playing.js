// Checks of playing: every game with mouse, touch and keyboard; undo, sides, levels, hints, warnings.

import assert from "node:assert/strict";
import { KNOWN } from "./analysis.js";
import { followHint, keyboard, mouse, touch, waitUntil } from "../support/visitor.js";

/** The number of moves of the person in a partial game. */
const PARTIAL_MOVES = 5;
/** Maximum length of a whole game. */
const MAX_PLIES = 320;

/** First positions for games whose start is the goal or gives a long game. */
const FIRST_POSITIONS = {
  "8-puzzle": "fen=1,2,0/3,4,5/6,7,8",
  "15-puzzle": "fen=1,2,3,0/4,5,6,7/8,9,10,11/12,13,14,15",
  "24-puzzle": "fen=1,2,0,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,23,24",
  2048: "fen=0,0,2/0,2,0+p+0",
};

/** A solution of missionaries and cannibals. */
const CROSSINGS = ["2c", "1c", "2c", "1c", "2m", "1m1c", "2m", "1c", "2c", "1c", "2c"];

/** Returns the person's move, the same in every run. @param {any} state @param {number} made the number of moves before it */
function chooseMove(state, made) {
  const { moves } = state;
  if (state.variant === "missionaries") return moves.find((move) => move.move === CROSSINGS[made]) ?? moves[0];
  if (state.board.slides === "one") return moves.find((move) => move.move === "left") ?? moves[0];
  // Captures shorten a game. Otherwise the moves alternate, so that positions do not repeat.
  return moves.find((move) => move.captures?.length) ?? moves[made % moves.length];
}

/** Creates a check that plays a game. @param {any} variant @param {import("../support/visitor.js").InputDevice} device @param {boolean} isWhole */
function playCheck(variant, device, isWhole) {
  return { name: `opens-and-plays: ${variant.variant} by ${device.name}`, feature: `${variant.title} by ${device.name}`, async check(setup) {
    const game = [`variant=${variant.variant}`, FIRST_POSITIONS[variant.variant]].filter(Boolean).join("&");
    const visitor = await setup.openPage({ game, touch: device === touch, width: device === touch ? 390 : 1280, height: device === touch ? 844 : 860, still: true });
    let state = await visitor.waitForTurn();
    assert.equal(state.variant, variant.variant);
    // The engine replies quickly and without warnings.
    await visitor.setPreference("warn", false);
    await visitor.setPreference("ownLevel", { limit: "depth", amount: 3, errs: 0, algorithm: "auto" });
    await visitor.page.evaluate(async () => {
      if (globalThis.puli.game.players.p2 === "easy") (await globalThis.pageModule("actions.js")).setPlayer("p2", "own");
    });
    let made = 0;
    while (state.outcome === null && (isWhole || made < PARTIAL_MOVES) && state.ply < MAX_PLIES) {
      await visitor.play(chooseMove(state, made++), device);
      state = await visitor.waitForTurn();
    }
    if (isWhole) {
      assert.notEqual(state.outcome, null, `the game is over after ${state.ply} plies`);
      const status = await visitor.text("#status");
      assert.ok(status.length > 5, status);
      return `${state.ply} plies: ${status}`;
    }
    assert.ok(made >= 1);
    return `${made} moves`;
  } };
}

/** Returns all checks of playing. @param {any[]} variants @param {any[]} slowCheckVariants the games that are played with every device */
export function playingChecks(variants, slowCheckVariants) {
  return [
    ...variants.flatMap((variant) => {
      if (!slowCheckVariants.includes(variant)) return [playCheck(variant, mouse, false)];
      const short = variant.group !== "hunts";
      const isMain = ["aadu-puli", "bagh-chal"].includes(variant.variant);
      return [playCheck(variant, mouse, short || isMain), playCheck(variant, touch, short), playCheck(variant, keyboard, short || isMain)];
    }),
    firstMinute, illegalClick, undoRedo, undoRedoInverse, variations, switchSides, replacedEngine, engineOnly, moveNow, hint, hintWords, levels, warning, dragging,
  ];
}

const firstMinute = { name: "first-minute", feature: "the page opens with Aadu Puli, goats for the person, an easy engine and one prompt", async check(setup) {
  const visitor = await setup.openPage();
  await visitor.waitForText("#status", "Place a goat: click a point.\nYou win when no tiger can move.");
  await visitor.waitForText("#title", "Aadu Puli Aattam");
  assert.deepEqual(await visitor.read((page) => page.game.players), { p1: "person", p2: "easy" });
  assert.equal(await visitor.page.locator("dialog[open]").count(), 0);
  await visitor.play({ move: "c1", to: "c1" }, mouse);
  // A focus ring after a click would look like a mark on the goat.
  const ring = () => visitor.page.locator('#board [data-at="c1"] .hit').evaluate((one) => getComputedStyle(one).stroke);
  assert.equal(await ring(), "none");
  await visitor.waitForTurn();
  await visitor.waitForText("#status", /^The tiger moved from [a-e]\d to [a-e]\d\. Place a goat: click a point\.$/);
  // Who moves second is told how to win, too; then an illegal click why it is none.
  for (const [variant, side, expected] of [["kaooa", "p2", "Place the vulture: click a point.\nYou win by capturing four crows, or when no crow can move."], ["2048", "p1", "Slide the tiles: arrow keys, or swipe.\nYou win by making a tile of 2048 and can continue for a higher score."]]) {
    await visitor.openGame(variant);
    if (side === "p2") await visitor.page.getByRole("button", { name: "Switch sides" }).click();
    await visitor.waitForTurn();
    await visitor.waitForText("#status", expected);
  }
  await visitor.openGame("bagh-chal");
  await visitor.page.getByRole("button", { name: "Switch sides" }).click();
  await visitor.waitForTurn();
  const middle = await visitor.spotCenter("c3");
  await visitor.page.mouse.click(middle.x, middle.y);
  await visitor.waitForText("#status", /^This (point is empty|is a goat): .* Move a tiger: click it, then a point(?:; it can capture)?\.$/);
  // Every game with two sides says how each of them wins.
  const sentences = await visitor.page.evaluate(async () => {
    const { winText } = await globalThis.pageModule("text.js");
    return globalThis.puli.server.variants.filter(({ group }) => ["hunts", "lines"].includes(group)).flatMap((state) => ["p1", "p2", null].map((side) => `${state.variant}: ${winText(state, side)}`));
  });
  assert.deepEqual(sentences.filter((text) => !/: .*\bwins?\b.*\.$/.test(text)), []);
} };

const illegalClick = { name: "illegal-click-says-why", feature: "an illegal click or crossing says why in a few words, to screen readers too", async check(setup) {
  const visitor = await setup.openPage({ still: true });
  const { page } = visitor;
  const click = async (/** @type {string} */ at) => {
    const { x, y } = await visitor.spotCenter(at);
    await page.mouse.click(x, y);
  };
  for (const [game, clicks, says] of [
    ["variant=aadu-puli&moves=c1+b3c3", ["c1"], "Goats move only after all are placed."], ["variant=aadu-puli", ["a1"], "This is a tiger: you move the goats now."],
    ["variant=bagh-chal&fen=T3T/1G3/5/5/T3T+t+19", ["c3"], "This point is empty: click a tiger first."], ["variant=bagh-chal&fen=T3T/1G3/5/5/T3T+t+19", ["a1", "e3"], "The tiger cannot go from a1 to e3."],
    ["variant=bagh-chal&fen=T3T/1G3/5/5/T3T+t+19", ["a1", "b2"], "The tiger cannot go to b2, where a goat stands: to capture it, click the point behind it."],
    ["variant=el-cazador", ["a1"], /^(This point is empty|The hunter|This is an animal)/], ["variant=tic-tac-toe&moves=b2+a1", ["b2"], "This cell is taken."], ["variant=8-puzzle&fen=1,2,5/7,6,4/0,3,8", ["c3"], "Tile 5 is not in line with the gap."],
  ]) {
    await page.evaluate((text) => { location.hash = text; }, game);
    await visitor.waitFor("the game is open", (state, text) => text.startsWith(`variant=${state.game.variant}`) && state.canMove() && (!text.includes("fen=") || state.game.tree.fen), game);
    const fen = await visitor.fen();
    for (const at of clicks) await click(at);
    await waitUntil(`${game}: ${says}`, async () => (says instanceof RegExp ? says.test(await visitor.text("#status")) : (await visitor.text("#status")).startsWith(says)));
    assert.equal(await visitor.fen(), fen, "nothing was played");
  }
  await visitor.openGame("missionaries");
  const state = await visitor.waitForTurn();
  const people = async (/** @type {string[]} */ kinds) => {
    for (const kind of kinds) await page.locator(`#board [data-person^="left-${kind}"]`).first().click();
    // The boat is marked as disabled, and still says why.
    await page.locator('#board [data-person="boat"]').click({ force: true });
  };
  await people(["missionary"]);
  await visitor.waitForText("#status", /^3 cannibals would outnumber 2 missionaries on the left bank\./);
  await people(["cannibal"]);
  await visitor.waitFor("a legal crossing", ({ game }) => game.tree.current.ply === 1 && game.tree.current.state);
  assert.equal(state.variant, "missionaries");
} };

const undoRedo = { name: "undo-redo-jump", feature: "undo, redo, and jumps in the move list", async check(setup) {
  const visitor = await setup.openPage();
  await visitor.play({ to: "c1" }, mouse);
  await visitor.waitForTurn();
  await visitor.play({ to: "e1" }, mouse);
  const state = await visitor.waitForTurn();
  assert.equal(state.ply, 4);
  const all = await visitor.moves();
  await visitor.pressButton("undo");
  await visitor.waitFor("the person is to move again", (page) => page.game.tree.current.ply === 2);
  assert.ok(await visitor.read((page) => page.canMove()), "after undo the person is to move");
  await visitor.pressButton("redo");
  await visitor.waitFor("the person is to move again", (page) => page.game.tree.current.ply === 4);
  await visitor.page.locator("body").press("Home");
  await visitor.waitFor("the start is shown", (page) => page.game.tree.current.ply === 0);
  await visitor.page.locator("body").press("End");
  await visitor.waitFor("the end is shown", (page) => page.game.tree.current.ply === 4);
  await visitor.page.locator("#list .move").nth(1).click();
  await visitor.waitFor("ply 2 is shown", (page) => page.game.tree.current.ply === 2);
  await visitor.page.locator("body").press("ArrowRight");
  await visitor.waitFor("ply 3 is shown", (page) => page.game.tree.current.ply === 3);
  // After a jump the engine is paused, and continues after a click.
  await visitor.waitForText("#status", "The engine is paused. Continue, or move for it.");
  await visitor.waitForText("#answers", "Continue");
  await visitor.page.locator("#answers button").click();
  await visitor.waitFor("the engine replies", (page) => page.game.tree.current.ply === 4);
  assert.deepEqual(all.slice(0, 3), (await visitor.moves()).slice(0, 3));
} };

const undoRedoInverse = { name: "undo-redo-inverse", feature: "undo and redo reverse each other with all players; so do steps, flips and side switches", async check(setup) {
  /** @param {any} visitor */
  const ply = (visitor) => visitor.read((page) => page.game.tree.current.ply);
  for (const [game, p1, p2] of [["", "person", "easy"], ["", "easy", "person"], ["", "person", "person"], ["variant=2048", "person", "chance"]]) {
    const visitor = await setup.openPage({ game });
    await visitor.page.evaluate(async ([first, second]) => {
      const { setPlayer } = await globalThis.pageModule("actions.js");
      globalThis.puli.setPreference("warn", false);
      setPlayer("p1", first);
      setPlayer("p2", second);
    }, [p1, p2]);
    for (let move = 0; move < 3; move++) {
      const state = await visitor.waitForTurn();
      await visitor.play(state.moves[0], mouse);
    }
    await visitor.waitForTurn();
    const fen = await visitor.fen();
    const moves = await visitor.moves();
    const plies = [await ply(visitor)];
    for (let times = 0; times < 2; times++) {
      await visitor.pressButton("undo");
      await visitor.waitFor("a person is to move", (page, before) => page.game.tree.current.ply < before && page.canMove(), plies.at(-1));
      plies.push(await ply(visitor));
    }
    for (const expected of plies.slice(0, -1).reverse()) {
      await visitor.pressButton("redo");
      await visitor.waitFor(`ply ${expected}`, (page, target) => page.game.tree.current.ply === target && page.canMove(), expected);
    }
    assert.equal(await visitor.fen(), fen);
    assert.deepEqual(await visitor.moves(), moves);
    // After a step in the list, the engine and chance stay paused.
    await visitor.page.locator('[data-step="back"]').click();
    await visitor.waitFor("one move back", (page, start) => page.game.tree.current.ply === start - 1 && page.game.tree.current.state, plies[0]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(await ply(visitor), plies[0] - 1, `${game || "aadu-puli"} stays paused`);
    await visitor.page.locator('[data-step="next"]').click();
    await visitor.waitFor("one move forward", (page, start) => page.game.tree.current.ply === start && page.game.tree.current.state, plies[0]);
    assert.equal(await visitor.fen(), fen);
    if (!game) {
      const topOfA1 = async () => (await visitor.page.locator('#board [data-at="a1"] .hit').boundingBox())?.y;
      const before = await topOfA1();
      await visitor.pressButton("flip");
      await waitUntil("the board is flipped", async () => ![undefined, before].includes(await topOfA1()));
      await visitor.pressButton("flip");
      await waitUntil("it is flipped back", async () => (await topOfA1()) === before);
    }
    // The sides of 2048 cannot be switched.
    const sides = await visitor.read((page) => page.game.players);
    await visitor.page.locator("body").press("s");
    assert.deepEqual(await visitor.read((page) => page.game.players), game ? sides : { p1: sides.p2, p2: sides.p1 });
    await visitor.page.locator("body").press("s");
    assert.deepEqual(await visitor.read((page) => page.game.players), sides);
  }
} };

const variations = { name: "variations", feature: "variations: indented, promoted, deleted", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=tic-tac-toe" });
  await visitor.setPlayer("p2", "person");
  for (const at of ["b2", "a1", "c3"]) await visitor.play({ to: at }, mouse);
  await visitor.page.locator("#list .move").nth(0).click();
  await visitor.waitFor("ply 1 is shown", (page) => page.game.tree.current.ply === 1);
  await visitor.play({ to: "a2" }, mouse);
  await waitUntil("the variation is listed", () => visitor.page.locator("#list .block .move").count());
  assert.equal((await visitor.text("#list .block")).replace(/\s+/g, ""), "2.a2??", "a reply on the edge to the center loses");
  await visitor.waitForText("#list .moves", /b2\s+a1[\s\S]*a2[\s\S]*c3/);
  await visitor.page.locator('[data-step="promote"]').click();
  await waitUntil("the variation is the main line", async () => /a1/.test(await visitor.text("#list .block")));
  await visitor.page.locator('[data-step="remove"]').click();
  await waitUntil("the variation is deleted", async () => !(await visitor.text("#list .moves")).includes("a2"));
  assert.deepEqual(await visitor.moves(), ["b2"]);
} };

const switchSides = { name: "switch-sides", feature: "the sides can be switched at any time", async check(setup) {
  const visitor = await setup.openPage();
  // The first legal move may lose, and a warning would wait for an answer.
  await visitor.setPreference("warn", false);
  await visitor.page.getByRole("button", { name: "Switch sides" }).first().click();
  await visitor.waitFor("the engine placed the first goat", (page) => page.game.tree.current.ply === 1);
  const state = await visitor.waitForTurn();
  assert.equal(state.turn, "p2");
  await visitor.waitForText("#above", /Tigers\s+A person/);
  await visitor.play(state.moves[0], mouse);
  await visitor.waitFor("the goats' engine answers", (page) => page.game.tree.current.ply === 3);
  await visitor.waitForTurn();
  await visitor.page.locator("body").press("s");
  await visitor.waitFor("the engine moves the tigers", (page) => page.game.tree.current.ply === 4 || (page.canMove() && page.game.tree.current.state.turn === "p1"));
} };

const replacedEngine = { name: "late-answer", feature: "an engine that is replaced while it thinks does not move", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=bagh-chal" });
  await visitor.setPreference("warn", false);
  await visitor.setPreference("ownLevel", { limit: "movetime", amount: 1500, errs: 0, algorithm: "auto" });
  await visitor.setPlayer("p2", "own");
  await visitor.play((await visitor.waitForTurn()).moves[0], mouse);
  await visitor.waitForText("#status", /The engine is thinking/);
  // A late frame delays the stop of the engine, as on a busy machine.
  await visitor.page.evaluate(async () => {
    const soon = globalThis.requestAnimationFrame;
    globalThis.requestAnimationFrame = (draw) => setTimeout(() => soon(draw), 3000);
    (await globalThis.pageModule("actions.js")).setPlayer("p2", "person");
  });
  await new Promise((resolve) => setTimeout(resolve, 4000));
  assert.equal(await visitor.read((page) => page.game.tree.current.ply), 1);
  assert.ok(await visitor.read((page) => page.canMove()));
} };

const engineOnly = { name: "engine-against-engine-and-stop", feature: "the engine plays both sides, and stops", async check(setup) {
  const visitor = await setup.openPage();
  await visitor.setPlayer("p1", "beginner");
  await visitor.waitFor("four moves are played", (page) => page.game.tree.current.ply >= 4);
  await visitor.pressButton("stop");
  await visitor.waitFor("it is paused", (page) => page.game.paused && page.canMove());
  const ply = await visitor.read((page) => page.game.tree.current.ply);
  // Longer than two delays between moves.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.equal(await visitor.read((page) => page.game.tree.current.ply), ply);
  await visitor.page.locator("#answers button", { hasText: "Continue" }).click();
  await visitor.waitFor("it continues", (page) => page.game.tree.current.ply > 6);
} };

const moveNow = { name: "move-now", feature: "the engine moves early on request", async check(setup) {
  const visitor = await setup.openPage();
  await visitor.setPreference("warn", false);
  await visitor.setPreference("ownLevel", { limit: "movetime", amount: 60000, errs: 0, algorithm: "auto" });
  await visitor.setPlayer("p2", "own");
  const began = Date.now();
  await visitor.play({ to: "d3" }, mouse);
  await waitUntil("the button is enabled", () => visitor.page.locator('#controls [data-do="now"]:not([disabled])').isVisible());
  await visitor.waitForText("#status", /The engine is thinking/);
  await visitor.pressButton("now");
  await visitor.waitFor("the engine has moved", (page) => page.game.tree.current.ply === 2);
  assert.ok(Date.now() - began < 55000, "the search was cut short");
} };

const hint = { name: "hint", feature: "a hint in words and as an arrow", async check(setup) {
  for (const game of ["", "variant=bagh-chal", "variant=8-puzzle&fen=1,2,5/7,6,4/0,3,8", "variant=2048&fen=2,2,0,0/0,0,0,0/0,4,0,0/0,0,0,0+p+0"]) {
    const visitor = await setup.openPage({ game });
    await visitor.waitForTurn();
    await visitor.pressButton("hint");
    const move = await visitor.waitFor("a hint is shown", (page) => page.interaction.hint?.move);
    const state = await visitor.state();
    assert.ok(state.moves.some((one) => one.move === move), `${move} is legal`);
    await visitor.waitForText("#status", /^Hint: (Place a goat|Place an? \w+|Slide (tile \d|all tiles)).*\.$/);
    assert.ok(await visitor.page.locator("#board .arrow.hint").count(), "an arrow is drawn");
    await visitor.play(state.moves.find((one) => one.move === move), mouse);
    await waitUntil("the arrow is gone", async () => (await visitor.page.locator("#board .arrow.hint").count()) === 0);
  }
} };

const hintWords = { name: "hint-words-match-effect", feature: "following the words of a hint plays the hinted move, in every game", async check(setup) {
  const visitor = await setup.openPage({ still: true });
  await visitor.setPreference("warn", false);
  let done = 0;
  for (const { variant } of setup.variants) {
    await visitor.openGame(variant);
    await visitor.page.evaluate(async () => {
      const { setPlayer } = await globalThis.pageModule("actions.js");
      for (const side of ["p1", "p2"]) if (globalThis.puli.game.players[side] !== "person") setPlayer(side, "person");
    });
    await visitor.waitFor("the game is not over", (page) => page.game.tree.current.state && page.game.tree.current.state.outcome === null);
    // Every legal move has its own words, also deep in the game.
    const alike = await visitor.page.evaluate(async (name) => {
      const { queries } = await globalThis.pageModule("actions.js");
      const { moveInstruction, solutionSteps } = await globalThis.pageModule("text.js");
      const same = [];
      const { fen } = globalThis.puli.game.tree.current.state;
      const moves = [];
      for (let ply = 0; ply < 25; ply++) {
        const state = await queries.state(name, moves.length ? `fen ${fen} moves ${moves.join(" ")}` : `fen ${fen}`);
        if (!state.moves.length) break;
        const words = state.moves.map((move) => moveInstruction(state, move));
        words.forEach((text, at) => words.indexOf(text) < at && same.push(`${text}: ${state.moves[words.indexOf(text)].move}, ${state.moves[at].move}`));
        const move = state.moves[(ply * 7 + 3) % state.moves.length];
        if (state.players.length === 1 && solutionSteps(state, [move.move])[0] !== moveInstruction(state, move)) same.push(`${move.move} has two instructions`);
        moves.push(move.move);
      }
      return same;
    }, variant);
    assert.deepEqual(alike, [], variant);
    for (let hint = 0; hint < 2; hint++) {
      const state = await visitor.waitForTurn();
      if (state.outcome !== null) break;
      await visitor.pressButton("hint");
      // Any move will do, so the search of a game ends as soon as it has begun.
      await visitor.page.evaluate(async () => {
        const { analysisSession } = await globalThis.pageModule("actions.js");
        const { analysis, game, isPuzzle } = globalThis.puli;
        while (analysis.task && !analysisSession.currentJob?.name.startsWith("hint")) await new Promise((drawn) => requestAnimationFrame(drawn));
        if (!isPuzzle(game.state)) analysisSession.stopEarly();
      });
      const move = await visitor.waitFor("a hint is shown", (page) => page.interaction.hint?.node === page.game.tree.current && page.interaction.hint.move);
      await visitor.waitForText("#status", /^Hint: .*\.$/);
      const words = (await visitor.text("#status")).replace(/^Hint: (.*)\.$/, "$1");
      const id = await visitor.id();
      await followHint(visitor, words);
      await visitor.waitForMove(id).catch((error) => { throw new Error(`${variant}: ‘${words}’ plays no move: ${error.message}`); });
      assert.equal(await visitor.read((page) => page.game.tree.current.move), move, `${variant}: ${words}`);
      done++;
    }
  }
  return `${done} hints in ${setup.variants.length} games`;
} };

const levels = { name: "levels", feature: "levels by depth, time and nodes, and levels with errors", async check(setup) {
  const visitor = await setup.openPage();
  await visitor.setPreference("warn", false);
  const offered = await visitor.page.locator(".players select").nth(1).locator("option").allInnerTexts();
  assert.equal(offered.length, 8);
  let ply = 0;
  /** @param {string} name */
  const answers = async (name) => {
    const state = await visitor.waitForTurn();
    await visitor.play(state.moves[(ply * 3) % state.moves.length], mouse);
    await visitor.waitFor(`${name} answers`, (page, before) => page.game.tree.current.ply > before + 1, ply);
    ply = (await visitor.waitForTurn()).ply;
  };
  for (const name of ["beginner", "medium", "quick", "strong"]) {
    await visitor.setPlayer("p2", name);
    await answers(name);
  }
  await visitor.setPlayer("p2", "own");
  for (const [limit, amount] of [["depth", "2"], ["nodes", "5000"], ["movetime", "60"]]) {
    await visitor.page.getByLabel("Limit", { exact: true }).selectOption(limit);
    await visitor.page.getByLabel("Amount").fill(amount);
    await visitor.page.getByLabel("Amount").press("Enter");
    await answers(`${limit} ${amount}`);
  }
  // With tables, a level loses value about once per error interval.
  const tabled = await setup.openPage({ server: setup.tableServer, game: KNOWN });
  const state = await tabled.waitForTurn();
  assert.ok(state.solved, "the position is in the tables");
  assert.ok(new Set(state.solved.moves.map((one) => one.verdict)).size > 1, "some of its moves lose value");
  const count = async (errs) => tabled.page.evaluate(async ([solved, often]) => {
    const { chooseSolvedMove } = await globalThis.pageModule("levels.js");
    const best = solved.solved.moves[0].verdict;
    let lost = 0;
    for (let at = 0; at < 300; at++) {
      const move = chooseSolvedMove(solved, { errorInterval: often, go: "", name: "", softness: 0, algorithm: "auto" }, Math.random);
      if (solved.solved.moves.find((one) => one.move === move)?.verdict !== best) lost++;
    }
    return lost;
  }, [state, errs]);
  const lost = await count(3);
  assert.ok(lost > 60 && lost < 150, `${lost} of 300`);
  return `errors with interval 3: ${lost} of 300`;
} };

const warning = { name: "blunder-warning", feature: "a warning after a losing move, with a button to take it back", async check(setup) {
  // O replies to a diagonal of X: a corner loses, an edge draws.
  const visitor = await setup.openPage({ game: "variant=tic-tac-toe&fen=3+3+3+X2/1O1/2X+o+4" });
  await visitor.page.getByRole("button", { name: "Switch sides" }).first().click();
  await visitor.waitForTurn();
  await visitor.play({ to: "a1" }, mouse);
  await waitUntil("the warning is shown", async () => /^This gives away the draw: X wins in \d+ after a1, a draw with best play before\.$/.test(await visitor.text("#status")));
  assert.equal(await visitor.read((page) => page.game.tree.current.ply), 1, "the engine has not replied");
  const { x, y } = await visitor.spotCenter("b1");
  await visitor.page.mouse.click(x, y);
  await visitor.waitForText("#status", / First choose one of these:$/);
  await visitor.page.getByRole("button", { name: "Take back" }).click();
  await visitor.waitFor("the move is taken back", (page) => page.game.tree.current.ply === 0);
  await visitor.play({ to: "b1" }, mouse);
  await visitor.waitFor("the engine replies to a good move", (page) => page.game.tree.current.ply === 2);
  assert.equal(await visitor.read((page) => page.interaction.warning), null);
  await visitor.pressButton("undo");
  await visitor.waitForTurn();
  await visitor.play({ to: "c3" }, mouse);
  await waitUntil("the warning is shown", async () => /gives away the draw/.test(await visitor.text("#status")));
  await visitor.page.getByRole("button", { name: "Play on" }).click();
  await visitor.waitFor("the engine answers", (page) => page.game.tree.current.ply === 2);
} };

const dragging = { name: "drag-and-marks", feature: "drag a piece; targets, captures and the last move are marked", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=bagh-chal&fen=T3T/1G3/5/5/T3T+t+19" });
  await visitor.setPlayer("p2", "person");
  await visitor.waitForTurn();
  const from = await visitor.spotCenter("a1");
  await visitor.page.mouse.click(from.x, from.y);
  await waitUntil("the jump is marked", async () => (await visitor.page.locator("#board .target.captures").count()) === 1);
  assert.equal(await visitor.page.locator("#board .taken").count(), 1, "the captured piece is marked");
  assert.equal(await visitor.page.locator("#board .target").count(), 3);
  await visitor.page.mouse.click(from.x, from.y);
  await waitUntil("the piece is released", async () => (await visitor.page.locator("#board .target").count()) === 0);
  const to = await visitor.spotCenter("c3");
  const id = await visitor.id();
  await visitor.page.mouse.move(from.x, from.y);
  await visitor.page.mouse.down();
  await visitor.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  assert.equal(await visitor.page.locator("#board .piece.dragged").count(), 1);
  await visitor.page.mouse.move(to.x, to.y, { steps: 4 });
  await visitor.page.mouse.up();
  await visitor.waitForMove(id);
  assert.deepEqual(await visitor.moves(), ["a1c3"]);
  await waitUntil("the ghost is drawn", () => visitor.page.locator("#board .ghost").count());
  await visitor.waitForText("#below", /in hand\s+19/);
  await visitor.waitForText("#above", /captured\s+1\s+of 5/);
  // A tile that is dragged into the gap moves once.
  const tiles = await setup.openPage({ game: "variant=8-puzzle&fen=1,2,0/3,4,5/6,7,8" });
  const [tile, gap] = [await tiles.spotCenter("b3"), await tiles.spotCenter("c3")];
  await tiles.page.mouse.move(tile.x, tile.y);
  await tiles.page.mouse.down();
  await tiles.page.mouse.move(gap.x, gap.y, { steps: 6 });
  await tiles.page.mouse.up();
  await tiles.waitFor("the tile is in the gap", (page) => page.game.tree.moves().join() === "left" && page.game.tree.current.state);
} };
