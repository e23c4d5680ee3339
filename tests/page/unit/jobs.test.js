import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../../../src/web/page/game_tree.js";
import { note } from "../../../src/web/page/jobs.js";

/** What a position is worth after these lines; the first player is to move. @param {string[]} scores @param {any} [worth] */
function heard(scores, worth = null) {
  const node = new Game().root;
  node.state = /** @type {any} */ ({ turn: "p1", board: { kind: "graph" } });
  node.worth = worth;
  scores.forEach((score, at) => note(node, `info depth ${at + 1} score ${score} nodes 1 pv a`));
  return node.worth;
}

test("an estimate keeps the depth that it rests on", () => {
  assert.deepEqual(heard(["cp 30", "cp 40"]), { points: 0.4, depth: 2 });
});

test("a bound is taken where it proves a win, and nowhere else", () => {
  assert.deepEqual(heard(["mate 5 lowerbound"]), { end: "p1win", plies: 5 });
  assert.deepEqual(heard(["mate -4 upperbound"]), { end: "p2win", plies: 4 });
  assert.equal(heard(["mate 5 upperbound"]), null);
  assert.equal(heard(["cp 30 lowerbound"]), null);
});

test("a search replaces no exact value", () => {
  const exact = { end: "p1win", plies: 3, sure: true };
  assert.deepEqual(heard(["cp 5", "mate 9"], exact), exact);
});

test("a position of which nothing was heard has no value", () => {
  assert.equal(heard([]), null);
});
