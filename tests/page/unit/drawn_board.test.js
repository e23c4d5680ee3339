import assert from "node:assert/strict";
import { test } from "node:test";
import { AnalysisSession } from "../../../src/web/page/analysis_session.js";
import { BOARD_COMMAND, boardCommand, boardName, drawnBoard, gameCommands, isTooLarge, setDrawnBoard } from "../../../src/web/page/drawn_board.js";
import { QuerySession } from "../../../src/web/page/queries.js";
import { parseErrors } from "../../../src/web/page/board_file/errors.js";
import { errorText } from "../../../src/web/page/text/board_editor.js";

const BOARD = 'game vee\nabout a "quoted" {text}\nrow 1 0\n';

/** Makes a board the drawn one during a test. @param {import("node:test").TestContext} t @param {string} text */
function draw(t, text) {
  const before = drawnBoard.text;
  t.after(() => setDrawnBoard(before));
  setDrawnBoard(text);
}

test("the command with a board file is one line without braces", () => {
  const command = boardCommand(BOARD);
  assert.match(command, /^setoption name VariantText value "[^{}\n]*"$/);
  assert.equal(JSON.parse(command.slice(BOARD_COMMAND.length)), BOARD);
  assert.deepEqual([isTooLarge(BOARD), isTooLarge("ä".repeat(30000))], [false, true]);
});

test("the name of a game is found anywhere in its file", () => {
  assert.deepEqual([BOARD, "row 1 0\n \tgame  b-2 # c\r\n", "# game x\nrow 1 0", "games x", ""].map(boardName), ["vee", "b-2", "", "", ""]);
});

test("every session sends the board file before the name of its game, and again after a change or a new connection", (t) => {
  draw(t, BOARD);
  const chosen = [boardCommand(BOARD), "setoption name UCI_Variant value vee"];
  const neutral = "setoption name UCI_Variant value tic-tac-toe";
  const sent = /** @type {string[]} */ ([]);
  const choices = () => sent.splice(0).filter((line) => /VariantText|UCI_Variant/.test(line));
  const session = new AnalysisSession((line) => sent.push(line) > 0, () => {});
  const search = (/** @type {string} */ variant) => {
    session.setJob({ name: `${variant} ${sent.length}`, variant, position: "startpos", options: {}, go: "depth 1" });
    session.line("bestmove b1");
    return choices();
  };
  session.opened();
  assert.deepEqual(search("vee"), [neutral, ...chosen]);
  assert.deepEqual(search("vee"), []);
  assert.deepEqual(search("kaooa"), ["setoption name UCI_Variant value kaooa"]);
  assert.deepEqual(search("vee"), [neutral, ...chosen]);
  session.opened();
  assert.deepEqual(search("vee"), [neutral, ...chosen]);
  setDrawnBoard(`${BOARD}row 0 0\n`);
  assert.equal(search("vee").length, 3, "another board with the same name");
  const queries = new QuerySession((line) => sent.push(line) > 0);
  queries.opened();
  void queries.state("vee", "startpos");
  assert.deepEqual(choices(), gameCommands("vee").split("\n"));
});

test("a game that the engine refused is chosen again", async (t) => {
  draw(t, BOARD);
  const sent = /** @type {string[]} */ ([]);
  const queries = new QuerySession((line) => sent.push(line) > 0);
  queries.opened();
  for (let round = 0; round < 2; round++) {
    const state = queries.state("vee", "startpos");
    for (const line of ["info string error: expected a line with 'line'", 'state {"variant":"tic-tac-toe"}']) queries.line(line);
    await assert.rejects(state, /expected a line/);
  }
  assert.equal(sent.filter((line) => line.startsWith(BOARD_COMMAND)).length, 2);
});

test("the check of a board ends with its last line", async () => {
  const queries = new QuerySession(() => true);
  queries.opened();
  const [wrong, right] = [queries.checkBoard("row"), queries.checkBoard(BOARD)];
  for (const line of ["info string error: line 1, column 4: expected the y coordinate of the row, found the end", "readyok", "readyok"]) queries.line(line);
  await assert.rejects(wrong, /^Error: line 1, column 4/);
  await right;
});

test("the errors of the engine have the form of those of the page", () => {
  const message = "line 7, column 9: expected a name, found 'b;9'; line 8, column 1: expected a point; expected a line with 'prey'; and 2 more errors";
  assert.deepEqual(parseErrors(message).map(errorText), ["Line 7, column 9: expected a name, found 'b;9'.", "Line 8, column 1: expected a point.", "Expected a line with 'prey'.", "And 2 more errors."]);
});
