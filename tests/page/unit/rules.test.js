// The rules and titles that the page words, against those of the engine. Needs the program: target/release/puli, or $PULI.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { captureText, ruleText, ruleTexts, titleText, winText } from "../../../src/web/page/text/rules.js";
import { Engine } from "../support/engine.js";

const engine = new Engine();
after(() => engine.stop());

/** Positions that change the title or the rules of a built-in game. */
const SIZES = [["tree", "[(1:3,1:17),(9:8,1:30)]"], ["8-puzzle", "1,0,2/3,4,5"], ["2048", "2,2,0/0,4,0 p 8"], ["tic-tac-toe", "5 5 4 5/5/5/5/5 x"]];

/** The head of a board file: three rows of four points. */
const GRID = "names OWLS sheep\nrow 3 0 1 2 3\nrow 2 0 1 2 3\nrow 1 0 1 2 3\nline a1 a2 a3 a4\nline b1 b2 b3 b4\nline c1 c2 c3 c4\nline a1 b1 c1\nline a2 b2 c2\nline a3 b3 c3\nline a4 b4 c4\n";

/** Board files with rules that no built-in game has. */
const BOARDS = [
  "hunters 2\nprey 5\nhunters-drop first\ncaptures 1\ncapture forced\nprey-steps forward left\nrepetition hunters\nhunters-goal a1 c4",
  "hunters 2\nprey 4\nhunters-drop alternate\nfirst hunters\nfirst-drops 2\ncaptures 3\nprey-steps forward-or-sideways down\nprey-stuck pass\nrepetition prey\nprey-zone b1 b2 b3 b4 c1 c2 c3 c4\nprey-goal c1",
  "hunters 1\nprey 1 at c2\ncaptures all\nfirst prey\nprey-steps forward up\nprey-goal a1",
].map((rules, at) => `game own-${at}\n${GRID.replace("OWLS", at === 2 ? "owl" : "owls")}${rules}\n`);

/** @param {string[]} commands */
async function stateAfter(...commands) {
  const lines = await engine.ask([...commands, "state"], "state ");
  return JSON.parse(/** @type {string} */ (lines.at(-1)).slice("state ".length));
}

async function variants() {
  const option = (await engine.ask(["uci"], "uciok")).find((line) => line.startsWith("option name UCI_Variant"));
  return [...String(option).matchAll(/ var (\S+)/g)].map(([, name]) => name);
}

/** @param {any} state */
function expectTexts(state) {
  const { variant, rules, rule_messages: messages, title } = state;
  assert.deepEqual(messages.map((/** @type {any} */ message) => ruleText(message)), rules, variant);
  assert.deepEqual(ruleTexts(state), rules, variant);
  assert.equal(titleText(state), title);
}

test("the page words the rules and the title of every built-in game as the engine does", async () => {
  const names = await variants();
  assert.ok(names.length > 40, String(names.length));
  for (const name of names) expectTexts(await stateAfter(`setoption name UCI_Variant value ${name}`));
  for (const [name, fen] of SIZES) expectTexts(await stateAfter(`setoption name UCI_Variant value ${name}`, `position fen ${fen}`));
});

test("the page words the rules of board files as the engine does", async () => {
  for (const [at, board] of BOARDS.entries()) {
    expectTexts(await stateAfter("setoption name UCI_Variant value aadu-puli", `setoption name VariantText value ${JSON.stringify(board)}`, `setoption name UCI_Variant value own-${at}`));
  }
  await stateAfter("setoption name UCI_Variant value aadu-puli", "setoption name VariantText value <empty>");
});

test("an unknown rule stays in English", () => {
  const state = { rules: ["Nobody moves.", "Owls fly."], rule_messages: [{ key: "no-such-rule", arguments: {} }, { key: "wins", arguments: { ways: [{ key: "no-such-way", arguments: {} }] } }] };
  assert.deepEqual(ruleTexts(state), state.rules);
});

test("the sentence about winning speaks to the person with one side", async () => {
  const hunt = await stateAfter("setoption name UCI_Variant value aadu-puli");
  assert.equal(winText(hunt, "p1"), "You win when no tiger can move.");
  assert.equal(winText(hunt, "p2"), "You win by capturing every goat, or when no goat can move.");
  assert.equal(winText(hunt, null), "The tigers win by capturing every goat, or when no goat can move.");
  const row = await stateAfter("setoption name UCI_Variant value tic-tac-toe");
  assert.equal(winText(row, "p1"), "The first player with 3 or more marks in a row wins.");
  assert.equal(winText(row, null), "The first player with 3 or more marks in a row wins. The row can be horizontal, vertical or diagonal.");
  const numbers = await stateAfter("setoption name UCI_Variant value 2048");
  assert.equal(winText(numbers, "p1"), "You win by making a tile of 2048 and can continue for a higher score.");
  assert.equal(winText(numbers, "p2"), "");
  assert.equal(winText(await stateAfter("setoption name UCI_Variant value 8-puzzle"), "p1"), "");
});

test("the rule of captures is a sentence of its own", async () => {
  assert.equal(captureText(await stateAfter("setoption name UCI_Variant value adugo")), "A jaguar captures a dog by leaping over it, along a line, to the empty point behind.");
  assert.equal(captureText(await stateAfter("setoption name UCI_Variant value hare-and-hounds")), "");
});
