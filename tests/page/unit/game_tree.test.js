import assert from "node:assert/strict";
import { test } from "node:test";
import { Game, read, written } from "../../../src/web/page/game_tree.js";

test("a move that was played before is gone to, not made again", () => {
  const game = new Game();
  const first = game.play("c1");
  game.undo();
  assert.equal(game.play("c1"), first);
  assert.equal(game.nodes.size, 2);
});

test("another move in an old position becomes a variation and the main line stays", () => {
  const game = read(null, "c1 b3c3 c2");
  game.go(game.root.children[0]);
  game.play("b3b2");
  assert.equal(written(game), "c1 b3c3 ( b3b2 * ) c2");
  assert.deepEqual(game.moves(), ["c1", "b3b2"]);
});

test("undo and redo follow the line that was looked at last", () => {
  const game = read(null, "c1 b3c3 ( b3b2 d1 ) c2");
  const variation = game.root.children[0].children[1];
  game.go(variation);
  assert.ok(game.undo());
  assert.ok(game.redo());
  assert.equal(game.current, variation);
  assert.ok(game.redo());
  assert.equal(game.current.move, "d1");
  assert.equal(game.redo(), false);
});

test("a game reads back exactly as it was written, wherever it is looked at", () => {
  const text = "c1 b3c3 ( b3b2 c2 ( c5 d1 ) b2b1 ) ( a1b2 ) c2 c3d3";
  const game = read("T/2TT2/6/6/4 g 15", text);
  for (const node of game.nodes.values()) {
    game.go(node);
    const again = read(game.fen, written(game));
    assert.equal(written(again), written(game));
    assert.deepEqual(again.moves(), game.moves());
  }
});

test("broken brackets lose nothing that can be read", () => {
  assert.equal(written(read(null, "c1 ( c2 b3c3")), "c1 ( c2 b3c3 )");
  assert.equal(written(read(null, ") c1 ) c2")), "c1 c2");
  assert.equal(written(read(null, "( c1 c2")), "c1 c2");
});

test("a promoted variation is the main line all the way up", () => {
  const game = read(null, "a ( b c ( d e ) ) f");
  const node = [...game.nodes.values()].find((one) => one.move === "e");
  game.promote(node);
  assert.equal(written(game).replace(" *", ""), "b ( a f ) d ( c ) e");
});

test("a removed move takes what follows with it, and the game stands before it", () => {
  const game = read(null, "a b ( c ) d");
  game.remove(game.root.children[0].children[0]);
  assert.deepEqual(game.moves(), ["a"]);
  assert.equal(game.nodes.size, 3);
  assert.equal(written(game), "a * c");
});

test("a position is said as the protocol wants it", () => {
  assert.equal(new Game().position(), "startpos");
  assert.equal(read(null, "c1 b3c3").position(), "startpos moves c1 b3c3");
  assert.equal(read("3/3/3 x", "a1").position(), "fen 3/3/3 x moves a1");
});
