// Checks of what the page keeps and gives away: the browser's history, files of games, pictures of positions.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PULI } from "../support/server.js";
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
  // A reload before the first click changes nothing.
  await page.reload();
  await visitor.waitUntilReady();
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

/** Clicks a button of the dialog and returns the file that it offers. @param {any} page @param {string} name @returns {Promise<Buffer>} */
async function download(page, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("dialog[open]").getByRole("button", { name, exact: true }).click()]);
  return readFileSync(await file.path());
}

/** Returns the saved game that `puli play` writes after it has loaded a file. @param {string} path @returns {Promise<string>} */
function saveInTerminal(path) {
  return new Promise((resolve, reject) => {
    const child = spawn(PULI, ["play", "--load", path, "--p1", "person", "--p2", "person"], { stdio: ["pipe", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("exit", () => {
      try {
        resolve(readFileSync(`${path}.saved`, "utf8"));
      } catch (error) {
        reject(error);
      }
    });
    child.stdin.end(`save ${path}.saved\nquit\n`);
  });
}

const roundTrip = { name: "export-import-round-trip", feature: "a game as text with variations and comments, opened again from the text and from a file; the position as SVG and PNG", async check(setup) {
  const folder = mkdtempSync(join(tmpdir(), "puli-files-"));
  try {
    const visitor = await setup.openPage({ game: "variant=tic-tac-toe&moves=b2+a1+(+a2+c3+(+b1+)+)+c3+a3" });
    const { page } = visitor;
    await visitor.setPlayer("p2", "person");
    const list = async () => (await visitor.text("#list .moves")).replace(/\s+/g, " ");
    await page.locator("#files").click();
    await page.getByLabel("Comment on the last move").fill("O blocks; 'forced' (only move)");
    const text = (await download(page, "Download the game")).toString();
    assert.match(text, /^\[Event "Tic-tac-toe"\]\n/i);
    assert.match(text, /\n\[Variant "tic-tac-toe"\]\n/);
    await page.keyboard.press("Escape");
    const before = await list();
    assert.match(before, /O blocks; 'forced' \(only move\)/);
    await visitor.openGame("kaooa");
    await page.locator("#files").click();
    await page.getByLabel("Paste the text of a game here").fill(text);
    await page.getByRole("button", { name: "Open this text" }).click();
    await visitor.waitFor("the game is open", (state) => state.game.variant === "tic-tac-toe" && state.game.tree.current.ply === 4 && state.game.state === state.game.tree.current.state);
    await waitUntil("the list is unchanged", async () => (await list()) === before);
    assert.equal(await page.locator("dialog[open]").count(), 0);
    await page.locator("#files").click();
    const again = (await download(page, "Download the game")).toString();
    const withoutValues = (/** @type {string} */ file) => file.replace(/\[(White|Black) .*\]/g, "").replace(/\[%eval [^\]]*\]\s*/g, "").replaceAll("{}", "").replace(/\d+\.+/g, "").replace(/\s+/g, " ");
    assert.equal(withoutValues(again), withoutValues(text));
    // A wrong text names the line, and the game stays.
    for (const [wrong, message] of [
      [text.replace(/c3(?![^]*c3)/, "c9"), /^line \d+: 'c9' is not a legal move here\.$/], [text.replace('[Variant "tic-tac-toe"]', '[Variant "chess"]'), /^line \d+: there is no game called 'chess' here\.$/],
      [text.replace(/b1\s*\)\)/, "b1)"), /^line \d+: the variation that begins here has no '\)'\.$/], ["hello", /^line 1: expected the tag \[Variant/],
    ]) {
      await page.getByLabel("Paste the text of a game here").fill(/** @type {string} */ (wrong));
      await page.getByRole("button", { name: "Open this text" }).click();
      await visitor.waitForText("dialog .wrong", /** @type {RegExp} */ (message));
    }
    await page.keyboard.press("Escape");
    assert.equal(await list(), before);
    // Every kind of board: the game through a file, and the pictures.
    const other = await setup.openPage();
    await other.setPreference("warn", false);
    for (const variant of ["aadu-puli", "hare-and-hounds", "tic-tac-toe", "2048", "15-puzzle", "missionaries", "tree"]) {
      await other.openGame(variant);
      const start = await other.waitFor("it is open", (state) => state.game.tree.current.state?.outcome === null && state.canMove() && state.game.tree.current.state);
      if (start.players.length === 2 && variant !== "2048") await other.setPlayer("p2", "person");
      for (let ply = 0; ply < 2; ply++) {
        const state = await other.waitForTurn();
        const id = await other.id();
        await other.page.evaluate(async (name) => (await globalThis.pageModule("actions.js")).playMove(name), state.moves[0].move);
        await other.waitForMove(id);
      }
      await other.waitForTurn();
      const [moves, fen] = [await other.moves(), await other.fen()];
      await other.page.locator("#files").click();
      const file = join(folder, `${variant}.pgn`);
      const [saved] = await Promise.all([other.page.waitForEvent("download"), other.page.getByRole("button", { name: "Download the game" }).click()]);
      await saved.saveAs(file);
      const picture = (await download(other.page, "SVG")).toString();
      const parsed = await other.page.evaluate((source) => {
        const root = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
        return { name: root.nodeName, shapes: root.querySelectorAll("path, circle, rect, text").length, styled: root.querySelectorAll("[class], [style], script").length };
      }, picture);
      assert.equal(parsed.name, "svg", variant);
      assert.ok(parsed.shapes > 5 && parsed.styled === 0, `${variant}: ${JSON.stringify(parsed)}`);
      const png = await download(other.page, "PNG");
      assert.equal(png.subarray(1, 4).toString(), "PNG");
      assert.equal(png.readUInt32BE(16), 1200, "the width of the picture");
      assert.ok(png.length > 3000, `${variant}: a picture of ${png.length} bytes`);
      await other.page.keyboard.press("Escape");
      await other.openGame("kaooa");
      await other.page.locator("#files").click();
      await other.page.locator("dialog[open] input[type=file]").setInputFiles(file);
      await other.waitFor(`${variant} is open again`, (state, [name, last]) => state.game.variant === name && state.game.tree.current.state?.fen === last, [variant, fen]);
      assert.deepEqual(await other.moves(), moves);
      const lines = (await saveInTerminal(file)).trim().split("\n");
      assert.deepEqual([lines[0], lines[1].split(" moves ")[1]], [`setoption name UCI_Variant value ${variant}`, moves.join(" ")], `puli play loads ${variant}`);
    }
    await other.page.close();
    // The link of `puli board` works on this machine only.
    await page.locator("#share").click();
    assert.equal(await page.locator("dialog", { hasText: "This link works on this machine only" }).count(), setup.siteFolder ? 0 : 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} };

/** Games of every kind of board, with captures, merged tiles and a crossing, as addresses. */
const SHOWN_GAMES = ["variant=aadu-puli&moves=d3+a1b2+c2+b2d2+d4+b3c3+c4+b4a1", "variant=bagh-chal&fen=T3T/1G3/5/5/T3T+t+19&moves=a1c3+b1+c3c2", "variant=tic-tac-toe&moves=a1+b2+c3+a3+b1+c1", "variant=2048&fen=2,2,0,0/0,0,0,0/0,4,0,0/0,0,0,0+p+0&moves=left+2@b2+up", "variant=8-puzzle&fen=1,2,5/7,6,4/0,3,8&moves=up+up+right", "variant=missionaries&moves=2c+1c+2c", "variant=tree&moves=1"];

const animation = { name: "export-import-round-trip: the game as an animated picture", feature: "the game as an animated SVG: every position has its pieces and its move, on every kind of board", async check(setup) {
  let [positions, bytes] = [0, 0];
  const visitor = await setup.openPage({ still: true });
  const { page } = visitor;
  for (const game of SHOWN_GAMES) {
    await page.evaluate((text) => { location.hash = text; }, game);
    // Only the moves that are legal are shown.
    await visitor.waitFor("the game is open", (state, text) => text.startsWith(`variant=${state.game.variant}&`) && state.game.tree.currentLine().every((node) => node.state) && state.game.tree.nodes.size > 1, game);
    await page.locator("#files").click();
    const file = (await download(page, "Animated picture (SVG)")).toString();
    await page.keyboard.press("Escape");
    const expected = await page.evaluate(async () => {
      const { goToNode } = await globalThis.pageModule("actions.js");
      const { game } = globalThis.puli;
      const shown = [];
      for (const node of game.tree.currentLine()) {
        goToNode(node);
        while (game.state !== node.state) await new Promise((drawn) => requestAnimationFrame(drawn));
        for (let frame = 0; frame < 2; frame++) await new Promise((drawn) => requestAnimationFrame(drawn));
        shown.push({ caption: node.parent ? `${node.ply}. ${node.move}` : node.state.title, pieces: [...document.querySelectorAll("#board .piece")].map((one) => /** @type {SVGElement} */ (one).style.transform.replaceAll("px", "")).sort() });
      }
      return shown;
    });
    const seen = await page.evaluate(([source, count]) => {
      const root = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (new DOMParser().parseFromString(source, "image/svg+xml").documentElement));
      if (root.nodeName !== "svg" || root.querySelector("[class], [style], script, parsererror")) return [];
      document.body.append(root);
      root.pauseAnimations();
      const isShown = (/** @type {Element} */ one) => getComputedStyle(one).visibility === "visible";
      const frames = Array.from({ length: count }, (_, at) => {
        root.setCurrentTime(at * 0.9 + 0.45);
        const [, , , pieces] = root.querySelectorAll(":scope > g");
        return { caption: [...root.querySelectorAll(":scope > text")].filter(isShown).map((one) => one.textContent ?? ""), pieces: [...pieces?.children ?? []].filter(isShown).map((one) => one.getAttribute("transform")).sort(), hasStatic: [...root.querySelectorAll(":scope > text:not([visibility])")].length };
      });
      root.remove();
      return frames;
    }, [file, expected.length]);
    assert.equal(seen.length, expected.length, game);
    expected.forEach(({ caption, pieces }, at) => {
      assert.ok(seen[at].caption.length === 1 && seen[at].caption[0].startsWith(caption), `${game}: ${seen[at].caption} at ${at}`);
      if (pieces.length) assert.deepEqual(seen[at].pieces, pieces, `${game} at ${at}`);
      assert.equal(seen[at].hasStatic, 1, "a program without animations shows the end");
    });
    assert.ok(new Set(seen.map(({ caption }) => caption.join())).size === expected.length);
    [positions, bytes] = [positions + seen.length, Math.max(bytes, file.length)];
  }
  return `${SHOWN_GAMES.length} games, ${positions} positions, at most ${bytes} bytes`;
} };

const printSheet = { name: "export-import-round-trip: the print sheet", feature: "the print sheet has the position, the moves with variations and comments, the rules and an empty board, black on white; the page prints without its controls", async check(setup) {
  const visitor = await setup.openPage({ game: "variant=aadu-puli&moves=d3+a1b2+(+b3b2+c2+)+c2+b2d2", dark: true });
  const { page } = visitor;
  await visitor.setPlayer("p2", "person");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.deepEqual(await page.locator("header, #controls, #tabs, #engine, .steps, #answers button").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().width).length), 0);
  assert.ok(await page.locator("#board svg").isVisible());
  await page.emulateMedia({ media: "screen" });
  await page.locator("#files").click();
  await page.getByLabel("Comment on the last move").fill("a <b>trap</b> & more");
  await page.evaluate(() => { window.print = () => { globalThis.printed = true; }; });
  await page.getByRole("button", { name: "Print sheet" }).click();
  await waitUntil("it is printed", () => page.evaluate(() => globalThis.printed));
  assert.equal(await page.locator(".print-sheet").isVisible(), false, "the screen does not show it");
  assert.ok(await page.evaluate(() => document.documentElement.classList.contains("dark")), "the page stays dark");
  await page.emulateMedia({ media: "print" });
  const shown = await page.evaluate(() => [...document.body.children].filter((one) => one.getBoundingClientRect().height > 0).map((one) => one.className));
  assert.deepEqual(shown, ["print-sheet"]);
  const text = (await visitor.text(".print-sheet")).replace(/\s+/g, " ");
  assert.match(text, /^Aadu Puli Aattam India · .*1\. d3 a1b2 \(2\. b3b2 3\. c2 ?\) ?3\. c2 b2d2 a <b>trap<\/b> & more Rules/);
  const state = await visitor.state();
  assert.equal(await page.locator(".print-sheet .rules li").count(), state.rules.length);
  const pieces = await page.locator(".print-sheet svg").evaluateAll((all) => all.map((one) => one.querySelectorAll("[transform*=translate]").length));
  assert.deepEqual(pieces, [state.pieces.length, 0], "the position, and an empty board");
  assert.equal(await page.locator(".print-sheet svg [class]").count(), 0);
  // The colors are those of the light page.
  assert.equal(await page.locator(".print-sheet svg rect").first().getAttribute("fill"), "rgb(236, 213, 164)");
  assert.equal(await page.locator(".print-sheet h1").evaluate((one) => getComputedStyle(one).color), "rgb(0, 0, 0)");
  const pdf = await page.pdf({ format: "A4" });
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length;
  assert.equal(pages, 2, "two pages");
  return `${pages} pages`;
} };

export const keepingChecks = [backButton, roundTrip, animation, printSheet];
