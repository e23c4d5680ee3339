import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTree, formatGame, parseGame } from "../../../src/web/page/game_tree.js";

test("playing a known move reuses its node", () => {
  const tree = new GameTree();
  const first = tree.play("c1");
  tree.stepBack();
  assert.equal(tree.play("c1"), first);
  assert.equal(tree.nodes.size, 2);
});

test("another move in an old position becomes a variation", () => {
  const tree = parseGame(null, "c1 b3c3 c2");
  tree.goTo(tree.root.children[0]);
  tree.play("b3b2");
  assert.equal(formatGame(tree), "c1 b3c3 ( b3b2 * ) c2");
  assert.deepEqual(tree.moves(), ["c1", "b3b2"]);
});

test("steps back and forward follow the line visited last", () => {
  const tree = parseGame(null, "c1 b3c3 ( b3b2 d1 ) c2");
  const variation = tree.root.children[0].children[1];
  tree.goTo(variation);
  assert.ok(tree.stepBack());
  assert.ok(tree.stepForward());
  assert.equal(tree.current, variation);
  assert.ok(tree.stepForward());
  assert.equal(tree.current.move, "d1");
  assert.equal(tree.stepForward(), false);
});

test("parsing a formatted game restores it at every position", () => {
  const text = "c1 b3c3 ( b3b2 c2 ( c5 d1 ) b2b1 ) ( a1b2 ) c2 c3d3";
  const tree = parseGame("T/2TT2/6/6/4 g 15", text);
  for (const node of tree.nodes.values()) {
    tree.goTo(node);
    const parsed = parseGame(tree.fen, formatGame(tree));
    assert.equal(formatGame(parsed), formatGame(tree));
    assert.deepEqual(parsed.moves(), tree.moves());
  }
});

test("unbalanced brackets lose no moves", () => {
  assert.equal(formatGame(parseGame(null, "c1 ( c2 b3c3")), "c1 ( c2 b3c3 )");
  assert.equal(formatGame(parseGame(null, ") c1 ) c2")), "c1 c2");
  assert.equal(formatGame(parseGame(null, "( c1 c2")), "c1 c2");
});

test("promoting a node makes its whole line the main line", () => {
  const tree = parseGame(null, "a ( b c ( d e ) ) f");
  const node = [...tree.nodes.values()].find((one) => one.move === "e");
  tree.promote(node);
  assert.equal(formatGame(tree).replace(" *", ""), "b ( a f ) d ( c ) e");
});

test("removing a node removes its line and goes to its parent", () => {
  const tree = parseGame(null, "a b ( c ) d");
  tree.remove(tree.root.children[0].children[0]);
  assert.deepEqual(tree.moves(), ["a"]);
  assert.equal(tree.nodes.size, 3);
  assert.equal(formatGame(tree), "a * c");
});

test("a position is formatted for the command position", () => {
  assert.equal(new GameTree().position(), "startpos");
  assert.equal(parseGame(null, "c1 b3c3").position(), "startpos moves c1 b3c3");
  assert.equal(parseGame("3/3/3 x", "a1").position(), "fen 3/3/3 x moves a1");
});
