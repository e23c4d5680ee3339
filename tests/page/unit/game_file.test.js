import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFile, formatFile, parseFile } from "../../../src/web/page/game_file.js";
import { formatGame, parseGame } from "../../../src/web/page/game_tree.js";

/** @param {import("../../../src/web/page/game_tree.js").GameTree} tree */
const written = (tree) => formatFile({ variant: "tic-tac-toe", tree, title: "A \"quoted\" title", players: ["A person", "Engine, easy"], date: new Date(Date.UTC(2026, 10, 29)) });

test("a file keeps moves, variations, comments and the first position", () => {
  const tree = parseGame("3 3 3 3/3/3 x 0", "b2 a1 ( a2 c3 ( c2 a1 ) b3 ) ( b1 ) c3 a3");
  tree.root.comment = "On the game.";
  tree.nodes.forEach((node) => node.id % 2 && (node.comment = `Comment ${node.id}; with "marks" and (brackets) and a very long text that needs another line`));
  const text = written(tree);
  const { variant, tree: read } = parseFile(text);
  assert.equal(variant, "tic-tac-toe");
  assert.equal(read.fen, tree.fen);
  tree.goToEnd();
  while (tree.current.children.length) tree.goTo(tree.current.children[0]);
  assert.equal(formatGame(read), "b2 a1 ( a2 c3 ( c2 a1 ) b3 ) ( b1 ) c3 a3");
  assert.deepEqual([...read.path(), ...read.nodes.values()].map((node) => [node.move, node.comment]).sort(), [...parseGameWithComments(tree)].sort());
  assert.equal(written(read), text, "a second round gives the same file");
});

/** @param {import("../../../src/web/page/game_tree.js").GameTree} tree */
function* parseGameWithComments(tree) {
  let end = tree.root;
  while (end.children.length) end = end.children[0];
  for (const node of [...tree.path(end), ...tree.nodes.values()]) yield [node.move, node.comment];
}

test("values are written as commands of comments and not read", () => {
  const tree = parseGame(null, "b2 a1");
  Object.assign(tree.root.children[0], { value: { points: 1.256, depth: 9 } });
  Object.assign(tree.current, { value: { outcome: "p2win", plies: 4 }, comment: "lost" });
  const text = written(tree);
  assert.match(text, /\n1\. b2 \{\[%eval 1\.26,9\]\} 1\.\.\. a1 \{\[%eval #-4\] lost\} \*\n$/);
  const { tree: read } = parseFile(text);
  assert.deepEqual(read.path().map(({ value, comment }) => [value, comment]), [[null, ""], [null, ""], [null, "lost"]]);
});

test("a saved game of puli play and a PGN of another program are read", () => {
  const saved = parseFile("setoption name UCI_Variant value aadu-puli\nposition fen T/2TT2/6/6/4 g 15 moves c1 b3c3\n");
  assert.deepEqual([saved.variant, saved.tree.fen, saved.tree.moves()], ["aadu-puli", "T/2TT2/6/6/4 g 15", ["c1", "b3c3"]]);
  const other = parseFile("; a comment line\r\n[Variant \"kaooa\"]\r\n[White \"a\\\"b\"]\r\n\r\n1.a1!? $3 b2 (1...c3) 2.d4?? 1-0\r\nanything");
  assert.equal(formatGame(other.tree), "a1 b2 ( c3 ) d4");
});

test("a game of a drawn board keeps its board file", () => {
  const board = 'game vee\nabout {"quoted"}\nrow 1 0\n';
  const tree = parseGame(null, "b1 a1b2");
  const text = formatFile({ variant: "vee", board, tree, title: "Vee", players: [], date: new Date(0) });
  const [line] = text.match(/(?<=^\{\n).*$/m) ?? [];
  assert.match(String(line), /^setoption name VariantText value "game vee/);
  const read = parseFile(text);
  assert.deepEqual([read.variant, read.board, read.tree.root.comment, formatGame(read.tree)], ["vee", board, "", "b1 a1b2"]);
  assert.equal(text.split("\n")[read.boardLine - 1], line);
  const saved = parseFile(`${line}\nsetoption name UCI_Variant value vee\nposition startpos moves b1\n`);
  assert.deepEqual([saved.variant, saved.board, saved.boardLine, saved.tree.moves()], ["vee", board, 1, ["b1"]]);
  for (const wrong of ["game vee", '"game vee', "7"]) assert.throws(() => parseFile(text.replace(String(line), `setoption name VariantText value ${wrong}`)), { message: new RegExp(`^line ${read.boardLine}: expected the text of a board file as a JSON string`) });
});

test("errors name the line", () => {
  const head = '[Variant "tic-tac-toe"]\n\n';
  for (const [text, error] of [
    ["", /^line 1: expected the tag \[Variant/], ["1. b2", /^line 1: expected the tag \[Variant/], ["setoption name UCI_Variant value x", /^line 1: expected the lines/],
    ['[Event "x"]\n[Variant tic-tac-toe]', /^line 2: expected a tag/], [`${head}1. b2 {open\n\n`, /^line 3: the comment that begins here has no '}'/],
    [`${head}(b2)`, /^line 3: a variation needs a move before it/], [`${head}b2\na1 )`, /^line 4: this '\)' has no '\('/], [`${head}b2\n(a1\nc3`, /^line 4: the variation that begins here has no/],
    [`${head}b2 ${"(b1 ".repeat(50)}`, /^line 3: variations are nested more than 40 deep/], [`${head}${"a1 ".repeat(6000)}`, /^line 3: the game has more than 5,000 moves/],
    ["x".repeat((1 << 20) + 1), /^line 1: the file has more than 1,048,576 characters/],
  ]) assert.throws(() => parseFile(/** @type {string} */ (text)), { message: error });
});

test("an illegal move, an unknown game and a wrong position are reported with their lines", async () => {
  /** @param {string} _ @param {string} position @returns {Promise<any>} */
  const fetchState = async (_, position) => {
    if (position.startsWith("fen bad")) throw new Error("column 14: expected a row");
    return { fen: "", board: {}, moves: ["a1", "b2"].filter((move) => !position.split(" ").includes(move)).map((move) => ({ move })) };
  };
  const check = (/** @type {string} */ text) => checkFile(parseFile(text), ["tic-tac-toe"], fetchState);
  await check('[Variant "tic-tac-toe"]\n\n1. a1 b2 (1... b2)');
  await assert.rejects(check('[Variant "tic-tac-toe"]\n\n1. a1\n(1. b2 b2) *'), { message: "line 4: 'b2' is not a legal move here" });
  await assert.rejects(check('[Site "x"]\n[Variant "chess"]\n\n1. a1'), { message: "line 2: there is no game called 'chess' here" });
  await assert.rejects(check('[Variant "tic-tac-toe"]\n[FEN "bad"]\n\n1. a1'), { message: "line 2: expected a row" });
});
