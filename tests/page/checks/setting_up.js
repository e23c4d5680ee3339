// The checks of the dialogs that set up a position and draw a board.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Server, ask, run } from "../support/server.js";
import { drag, mouse, swipe, waitUntil } from "../support/visitor.js";
import { runAxe } from "./app.js";

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

/** A file made of a board file by some random changes, most of which are errors. @param {string} text @param {(limit: number) => number} random */
function damaged(text, random) {
  const words = ["0", "1", "a1", "b2", "z9", "99", "-1", "at", "none", "all", "prey", "hunters", "first", "forward", "up", "row", "line", "1.5", "x", "lines", "draw", "chain", "# c", "1e1", "c3 c3"];
  const lines = text.trimEnd().split("\n");
  for (let count = 1 + random(3); count > 0; count--) {
    const at = random(lines.length);
    const parts = lines[at].split(/ +/);
    const way = random(6);
    if (way < 3) lines[at] = parts.toSpliced(random(parts.length), way === 0 ? 1 : way - 1, ...(way === 0 ? [] : [words[random(words.length)]])).join(" ");
    else if (way === 3) lines.splice(random(lines.length), 0, lines[at]);
    else if (way === 4 && lines.length > 1) lines.splice(at, 1);
    else lines.push(...lines.splice(at, 1));
  }
  return `${lines.join("\n")}\n`;
}

/** Number of damaged files that the page and the engine read. */
const DAMAGED_FILES = 600;

/** Compares the reader and the writer of the page with those of the engine, on built-in boards and damaged ones. @param {any} setup @param {any} page */
async function compareReaders(setup, page) {
  const names = setup.variants.filter(({ group }) => group === "hunts").map(({ variant }) => variant);
  const texts = await Promise.all(names.map((name) => run(["boards", "show", name])));
  let seed = 20261129;
  const random = (/** @type {number} */ limit) => (seed = (seed * 16807) % 2147483647) % limit;
  const files = Array.from({ length: DAMAGED_FILES }, () => damaged(texts[random(texts.length)], random));
  const { errors, written } = await page.evaluate(async ([broken, whole]) => {
    const { readBoard } = await globalThis.pageModule("board_file/reader.js");
    const { formatBoard } = await globalThis.pageModule("board_file/draft.js");
    const line = (error) => (error.line ? `line ${error.line}, column ${error.column}: ${error.text}` : error.text);
    return { errors: broken.map((text) => readBoard(text).errors.map(line)), written: whole.map((text) => formatBoard(readBoard(text).draft)) };
  }, [files, texts]);
  const folder = (/** @type {string} */ name, /** @type {string[]} */ contents) => {
    const path = join(setup.folder, name);
    mkdirSync(path, { recursive: true });
    contents.forEach((text, at) => writeFileSync(join(path, `${String(at).padStart(3, "0")}.txt`), text));
    return path;
  };
  const broken = folder("broken", files);
  const output = await run(["boards", "check", broken]).then(() => "", ({ stderr }) => stderr);
  const expected = files.map(() => /** @type {string[]} */ ([]));
  for (const [, at, text] of output.matchAll(/[/\\](\d{3})\.txt, (.*)/g)) expected[Number(at)].push(text);
  assert.ok(expected.filter((list) => list.length).length > DAMAGED_FILES / 2, "most of the files have errors");
  files.forEach((text, at) => assert.deepEqual(errors[at], expected[at], text));
  assert.equal(await run(["boards", "check", folder("written", written)]), await run(["boards", "check", folder("whole", texts)]), "a written file is the same game");
}

/** The board of README.md, as the page writes it: its points start at 0, and lines are drawn in another order. */
export const KITE = `game kite
names fox hens
row 4   2
row 3   1 2 3
row 2   0 2 4
line a1 b1 c1
line a1 b2 c2
line a1 b3 c3
line b1 b2 b3
line c1 c2 c3
hunters 1 at a1
prey 5
`;

/** Opens the dialog that draws a board. @param {any} visitor */
export async function openBoardEditor({ page }) {
  await page.locator("#games").click();
  await page.getByRole("button", { name: "Draw a board" }).click();
  await page.locator(".board-editor svg .spot").first().waitFor();
}

/** Saves the board file. @param {any} page @param {string} folder */
async function saveBoard(page, folder) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the board file" }).click()]);
  const path = join(folder, file.suggestedFilename());
  await file.saveAs(path);
  return path;
}

/** Closes the dialog, and waits until the browser has left its entry of the history. @param {any} page */
async function closeDialog(page) {
  await page.keyboard.press("Escape");
  await waitUntil("the dialog is closed", () => page.evaluate(() => !document.querySelector("dialog[open]") && !history.state?.isDialog));
}

/** Returns the texts of the first group in the list of games, and closes the list. @param {any} page */
async function firstGroup(page) {
  await page.locator("#games").click();
  const group = page.locator("dialog .group").first();
  const found = [await group.locator("h3").innerText(), ...await group.locator(".name").allInnerTexts()];
  await closeDialog(page);
  return found;
}

/** Waits until the exact value of the position on the board is shown. @param {any} visitor */
async function waitForExactValue(visitor) {
  await visitor.waitFor("the value is exact", ({ game }) => game.tree.current.state?.solved?.verdict);
  await visitor.waitForText("#value .value", /wins? in \d+$|^A draw with best play$/);
}

/** Plays a move, and waits for the reply of the engine. @param {any} visitor */
async function playRound(visitor) {
  const { ply, moves } = await visitor.waitForTurn();
  await visitor.play(moves[0], mouse);
  await visitor.waitFor("the engine answers", ({ game }, next) => game.tree.current.ply === next && game.tree.current.state, ply + 2);
}

/** Opens the text of a game. @param {any} page @param {string} text */
async function openText(page, text) {
  if (!await page.locator("dialog[open]").count()) await page.locator("#files").click();
  await page.getByLabel("Paste the text of a game here").fill(text);
  await page.getByRole("button", { name: "Open this text" }).click();
}

/** Plays on the board of the dialog: exact values, analysis, a solution, a reload. Returns the text of the game. @param {any} visitor */
async function playDrawnBoard(visitor) {
  const { page } = visitor;
  await page.getByRole("button", { name: "Play this board" }).click();
  const { players } = await visitor.waitFor("the game is open", ({ game }) => game.state?.variant === "kite" && game.tree.current.state);
  assert.deepEqual(players, ["hens", "fox"]);
  assert.equal(await page.locator("dialog[open]").count(), 0);
  for (let round = 0; round < 2; round++) await playRound(visitor);
  await waitForExactValue(visitor);
  await visitor.setPreference("engineOn", true);
  await visitor.waitFor("the analysis has a line", ({ analysis, game }) => analysis.node === game.tree.current && analysis.lines[0]?.moves.length);
  const answer = await page.evaluate(async () => {
    const { exactSession } = await globalThis.pageModule("actions.js");
    return exactSession.solve("kite", "startpos", () => {}).then((/** @type {string} */ line) => [line, exactSession.hasSolved("kite")]);
  });
  const [, count] = /solved (\d+) positions/.exec(answer[0]) ?? [];
  assert.ok(Number(count) > 100 && answer[1], answer[0]);
  const moves = await visitor.moves();
  await page.locator("#files").click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download the game" }).click()]);
  const text = readFileSync(await file.path(), "utf8");
  assert.ok(text.includes(`\n{\nsetoption name VariantText value ${JSON.stringify(KITE)}\nsetoption name UCI_Variant value kite\nposition startpos moves ${moves.join(" ")}\n}\n`), text);
  await closeDialog(page);
  // The board is kept by the address, and by the browser without it.
  await page.reload();
  await visitor.waitUntilReady();
  assert.deepEqual(await visitor.moves(), moves);
  await waitForExactValue(visitor);
  await page.evaluate(() => location.assign("#variant=kite&moves=b1"));
  await page.reload();
  await visitor.waitUntilReady();
  assert.deepEqual([await visitor.read(({ game }) => game.variant), await visitor.moves()], ["kite", ["b1"]]);
  assert.deepEqual(await firstGroup(page), ["Yours", "kite"]);
  await visitor.pressButton("plus");
  await visitor.waitFor("a new game", ({ game }) => game.variant === "kite" && game.tree.nodes.size === 1 && game.tree.current.state);
  return text;
}

/** Opens the text of a drawn board's game in a new browser, whose server is then restarted, and by a link. @param {any} setup @param {string} text */
async function openDrawnGame(setup, text) {
  let server = await Server.start();
  try {
    const visitor = await setup.openPage({ server, expectsErrors: true });
    const { page } = visitor;
    // The errors of the engine have a place, and the game stays.
    for (const [wrong, message] of [
      [text.replace("a1 b2 c2", "a1 b9 c2"), /^line \d+: the board file, line 7, column 9: expected the name of a point, b1 to b3 in this row, found 'b9'\.$/],
      [text.replaceAll("kite", "kaooa"), /^line \d+: the board file, line 1, column 6: expected another name, there is already a game called 'kaooa' here\.$/],
      [text.replace(/(?<=[\n ]1\. )\S+/, "c9"), /^line \d+: 'c9' is not a legal move here\.$/],
    ]) {
      await openText(page, /** @type {string} */ (wrong));
      await visitor.waitForText("dialog .wrong", /** @type {RegExp} */ (message));
    }
    assert.equal(await visitor.read(({ server: { variants } }) => variants.filter(({ isDrawn }) => isDrawn).length), 0, "a wrong game leaves no board");
    // Text of others is no HTML.
    const mark = "<img/src=x/onerror=globalThis.isRun=true>";
    await openText(page, text.replace("names fox", `names ${mark}`));
    await visitor.waitFor("the game is open", ({ game }) => game.variant === "kite" && game.tree.current.ply === 4 && game.tree.current.state);
    await page.locator("#rules").click();
    await waitUntil("the name is text", async () => (await page.locator("dialog").innerText()).includes(mark));
    assert.deepEqual([await page.locator("dialog img").count(), await page.evaluate(() => "isRun" in globalThis)], [0, false]);
    await closeDialog(page);
    await waitForExactValue(visitor);
    const [moves, hash] = [await visitor.moves(), await page.evaluate(() => location.hash.slice(1))];
    await server.stop();
    server = await Server.start([], server.port);
    const link = await setup.openPage({ server, game: hash, context: page.context(), expectsErrors: true });
    assert.deepEqual([await link.read(({ game }) => game.variant), await link.moves()], ["kite", moves], "a link has the board");
    await visitor.waitFor("the old tab is connected", ({ server: { status } }) => status === "open");
    await playRound(visitor);
    // A link with a wrong board.
    const wrong = await setup.openPage({ server, game: hash.replace("row+4", "row+x"), expectsErrors: true });
    await wrong.waitForText("#status", /^The address contains a board that cannot be played: line \d+, column 5: expected the y coordinate of the row, found 'x'\. The first game is shown instead\./);
    await wrong.waitFor("the first game is open", ({ game }) => game.variant === "aadu-puli" && game.tree.current.state);
  } finally {
    await server.stop();
  }
}

/** Chooses a tool of the dialog. @param {any} visitor @param {string} kind */
const chooseTool = ({ page }, kind) => page.locator(`.board-editor [data-kind="${kind}"].piece-choice`).click();

/** Returns the center of a place of the dialog's board on the screen. @param {any} visitor @param {string} at */
async function placeCenter({ page }, at) {
  const hit = page.locator(`.board-editor [data-at="${at}"] .hit`);
  await hit.scrollIntoViewIfNeeded();
  const box = await hit.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The text and the errors of the dialog. @param {any} page */
const editorParts = (page) => ({ file: page.getByRole("textbox", { name: "Board file" }), errors: page.locator(".board-errors li") });

/** Plays the board file on a server that has it. @param {any} setup @param {string} path */
async function playOnServer(setup, path) {
  const server = await Server.start(["--boards", path]);
  try {
    const player = await setup.openPage({ game: "variant=kite", server });
    const state = await player.waitFor("the board is solved", ({ game }) => game.state?.variant === "kite" && game.state.solved && game.state);
    assert.deepEqual(state.players, ["hens", "fox"]);
    await player.play(state.moves[0], mouse);
    await player.waitFor("the engine answers", ({ game }) => game.tree.current.ply === 2);
    // A link to the drawn board opens the game of the server.
    const link = await setup.openPage({ game: `variant=kite&moves=b1&board=${encodeURIComponent(KITE)}`, server });
    await link.waitForText("#status", /there is already a game called 'kite' here\. The game of this name is shown instead\./);
    assert.deepEqual(await link.moves(), ["b1"]);
    // Open pages would try to reach the stopped server.
    for (const { page: open } of [player, link]) await open.context().close();
  } finally {
    await server.stop();
  }
}

/** Opens the board file on a phone, and draws a line with a finger. @param {any} setup @param {string} path */
async function drawOnPhone(setup, path) {
  const phone = await setup.openPage({ width: 390, height: 844, touch: true });
  await openBoardEditor(phone);
  const small = await phone.page.evaluate(() => [...document.querySelectorAll(".board-editor :is(button, select, input:not(.off-stage), textarea, .hit)")].map((element) => element.getBoundingClientRect()).filter(({ width, height }) => width > 0 && Math.min(width, height) < 44).length);
  assert.equal(small, 0, "every target has 44 px");
  assert.ok(await phone.page.evaluate(() => [".board-editor .scroll", "dialog"].every((name) => { const box = document.querySelector(name); return box && box.scrollWidth <= box.clientWidth; })), "nothing scrolls sideways");
  await phone.page.locator(".board-editor input[type=file]").setInputFiles(path);
  const text = phone.page.getByRole("textbox", { name: "Board file" });
  await waitUntil("the file is open", async () => (await text.inputValue()) === KITE);
  await chooseTool(phone, "point");
  await press(phone, "2,1", "touch");
  await swipe(phone, await placeCenter(phone, "c2"), await placeCenter(phone, "d1"));
  await waitUntil("the line goes on to the new point", async () => (await text.inputValue()).includes("line a1 b2 c2 d1\n"));
}

/** Opens the dialog again: undo, errors, another board, a reload, the keyboard. @param {any} setup @param {any} visitor */
async function editAgain(setup, visitor) {
  const { page } = visitor;
  const { file, errors } = editorParts(page);
  await openBoardEditor(visitor);
  assert.equal(await file.inputValue(), KITE);
  for (const theme of ["dark", "light"]) {
    await visitor.setPreference("theme", theme);
    await page.evaluate(readFileSync(setup.axe, "utf8"));
    assert.deepEqual((await runAxe(page)).serious, [], theme);
  }
  // Undo, and the same line again.
  await chooseTool(visitor, "line");
  for (const at of ["c1", "c3"]) await press(visitor, at, "mouse");
  await waitUntil("the line is removed", async () => (await errors.allInnerTexts()).length === 0 && !(await file.inputValue()).includes("c1 c2 c3"));
  await page.locator(".board-editor").getByRole("button", { name: "Undo" }).click();
  assert.equal(await file.inputValue(), KITE);
  // A wrong word in the text: its place is named, and the drawing stays.
  await file.fill(KITE.replace("line a1 b2 c2", "line a1 b9 c2"));
  const message = "Line 7, column 9: expected the name of a point, b1 to b3 in this row, found 'b9'.";
  await waitUntil("the error is shown", async () => (await errors.allInnerTexts())[0] === message);
  await errors.getByRole("button", { name: message }).click();
  assert.equal(await file.evaluate((/** @type {HTMLTextAreaElement} */ area) => area.value.slice(area.selectionStart, area.selectionEnd)), "b9 c2");
  assert.equal(await page.locator(".board-editor .point").count(), 7);
  const play = page.getByRole("button", { name: "Play this board" });
  assert.equal(await play.isEnabled(), false);
  // What the file alone does not show has a place too.
  await file.fill(KITE.replace("kite", "kaooa"));
  await play.click();
  const taken = "Line 1, column 6: expected another name, there is already a game called 'kaooa' here.";
  await waitUntil("the name is refused", async () => (await errors.allInnerTexts())[0] === taken);
  await errors.getByRole("button", { name: taken }).click();
  assert.equal(await file.evaluate((/** @type {HTMLTextAreaElement} */ area) => area.value.slice(area.selectionStart, area.selectionEnd)), "kaooa");
  // Another board takes the place of the first one, and Undo returns to it. A long file does not fit into a link.
  await file.fill(`${KITE.replace("kite", "second")}# ${"long ".repeat(1000)}\n`);
  await play.click();
  await visitor.waitFor("the second board is open", ({ game }) => game.state?.variant === "second" && game.tree.current.state);
  await page.locator("#share").click();
  await page.getByText("The drawn board does not fit into a link.").waitFor();
  await closeDialog(page);
  await page.reload();
  await visitor.waitUntilReady();
  assert.deepEqual(await firstGroup(page), ["Yours", "second"]);
  await visitor.pressButton("undo");
  await visitor.waitFor("the first board is open", ({ game }) => game.state?.variant === "kite" && game.tree.current.state?.variant === "kite");
  await waitUntil("the first board is in the list", async () => (await firstGroup(page)).join() === "Yours,kite");
  await openBoardEditor(visitor);
  await file.fill(KITE.replace("prey 5", "prey 4"));
  await waitUntil("the fields follow the text", async () => (await page.getByLabel("Hens in hand").inputValue()) === "4");
  // The board is kept over a reload, and drawn on with the keyboard alone.
  await page.reload();
  await visitor.waitUntilReady();
  await openBoardEditor(visitor);
  assert.equal(await file.inputValue(), KITE.replace("prey 5", "prey 4"));
  await page.locator('.board-editor [data-at="c3"]').focus();
  for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-at")), "d1", "the focus stays on the place");
  await chooseTool(visitor, "line");
  await page.locator('.board-editor [data-at="d1"]').focus();
  for (const key of ["Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  assert.match(await file.inputValue(), /^line c3 d1$|^line d1 c3$/m);
}

/** Chooses a value of each rule: its line is in the file, and the default takes it away again. @param {any} visitor */
async function chooseRules(visitor) {
  const { page } = visitor;
  const { file, errors } = editorParts(page);
  const before = await file.inputValue();
  const rules = [
    ["Side that begins", "hunters", "first hunters"], ["Captures that win for the fox", "2", "captures 2"], ["Captures in one turn", "chain", "leap chain"],
    ["Captures are", "forced", "capture forced"], ["Fox that could have captured", "remove", "huff remove"], ["Hens that cannot move", "pass", "prey-stuck pass"],
    ["Endless play is", "hunters", "repetition hunters"], ["Steps of the hens", "forward up", "prey-steps forward up"], ["Hens that cannot step ahead", "flag", "prey-turn"],
  ];
  for (const [label, value, line] of rules) {
    if (line === "prey-turn") await page.getByLabel("Steps of the hens").selectOption("forward left");
    await page.getByLabel(label, { exact: true }).selectOption(value);
    assert.ok((await file.inputValue()).includes(`\n${line}\n`), line);
    assert.deepEqual(await errors.allInnerTexts(), [], line);
    await page.getByLabel(label, { exact: true }).selectOption("");
  }
  assert.equal(await file.inputValue(), `${before}prey-steps forward left\n`);
  await page.getByLabel("Steps of the hens").selectOption("");
  assert.equal(await page.getByLabel("Hens that cannot step ahead").isVisible(), false, "without a direction there is none to keep");
  for (const after of [`${before}prey-stacks b2\n`, before]) {
    await chooseTool(visitor, "prey-stacks");
    await press(visitor, "b2", "mouse");
    assert.equal(await file.inputValue(), after);
    assert.equal(await page.locator(".board-editor .ground > .zone.stacks").count(), after === before ? 0 : 1);
  }
}

const drawBoard = { name: "draw-board", feature: "draw a board with mouse, touch or keyboard; its file is checked while one types, saved and opened; play on it, save the game and open it elsewhere", async check(setup) {
  const visitor = await setup.openPage();
  const { page } = visitor;
  await compareReaders(setup, page);
  const start = performance.now();
  const { file, errors } = editorParts(page);
  await openBoardEditor(visitor);
  for (const at of ["1,3", "2,3", "3,3", "2,2", "4,2"]) await press(visitor, at, "mouse");
  await waitUntil("points need lines", async () => (await errors.allInnerTexts()).includes("Expected a line with 'line'."));
  // The first line goes from a place to a place, which become points.
  for (const [from, to] of [["2,4", "0,2"], ["a1", "c2"], ["a1", "c3"], ["b1", "b3"], ["c1", "c3"]]) await drag(visitor, await placeCenter(visitor, from), await placeCenter(visitor, to));
  await page.getByLabel("Name of the hunters").fill("fox");
  await page.getByLabel("Name of the prey").fill("hens");
  await page.getByLabel("Name of the game").fill("kite");
  await chooseTool(visitor, "hunter");
  await press(visitor, "a1", "mouse");
  await page.getByLabel("Hens in hand").fill("5");
  assert.equal(await file.inputValue(), KITE);
  assert.deepEqual(await errors.allInnerTexts(), []);
  await page.getByText("This board is complete.").waitFor();
  const seconds = (performance.now() - start) / 1000;
  await chooseRules(visitor);
  const path = await saveBoard(page, setup.folder);
  assert.equal(path, join(setup.folder, "kite.txt"));
  assert.equal(readFileSync(path, "utf8"), KITE);
  // It is played at once, and the dialog keeps it.
  const text = await playDrawnBoard(visitor);
  await Promise.all([editAgain(setup, visitor), openDrawnGame(setup, text), playOnServer(setup, path), drawOnPhone(setup, path)]);
  return `a board is drawn in ${seconds.toFixed(1)} s; ${DAMAGED_FILES} damaged files`;
} };

export const setupChecks = [setupPosition, drawBoard];
