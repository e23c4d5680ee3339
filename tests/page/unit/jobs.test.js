import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTree } from "../../../src/web/page/game_tree.js";
import { recordLine, recordValue } from "../../../src/web/page/jobs.js";

/** Returns the value of a position after a search with these scores; the first player is to move. @param {string[]} scores @param {any} [value] the value before the search */
function valueAfter(scores, value = null) {
  const node = new GameTree().root;
  node.state = /** @type {any} */ ({ turn: "p1", board: { kind: "graph" } });
  node.value = value;
  scores.forEach((score, at) => recordValue(node, `info depth ${at + 1} score ${score} nodes 1 pv a`));
  return node.value;
}

test("an estimate keeps its depth", () => {
  assert.deepEqual(valueAfter(["cp 30", "cp 40"]), { points: 0.4, depth: 2 });
});

test("a bound sets the value only if it proves a win", () => {
  assert.deepEqual(valueAfter(["mate 5 lowerbound"]), { outcome: "p1win", plies: 5 });
  assert.deepEqual(valueAfter(["mate -4 upperbound"]), { outcome: "p2win", plies: 4 });
  assert.equal(valueAfter(["mate 5 upperbound"]), null);
  assert.equal(valueAfter(["cp 30 lowerbound"]), null);
});

test("a search does not replace an exact value", () => {
  const exact = { outcome: "p1win", plies: 3, exact: true };
  assert.deepEqual(valueAfter(["cp 5", "mate 9"], exact), exact);
});

test("a position without a search has no value", () => {
  assert.equal(valueAfter([]), null);
});

test("the exact value of its first move replaces the value of a line", () => {
  const node = new GameTree().root;
  node.state = /** @type {any} */ ({ turn: "p1", board: { kind: "graph" }, solved: { verdict: "draw", plies: null, moves: [{ move: "a", verdict: "draw", plies: null }] } });
  const line = /** @type {any} */ ({ rank: 1, depth: 1, value: { points: 0.3 }, moves: ["a", "b"] });
  recordLine(node, line);
  assert.deepEqual(line.value, { outcome: "draw", plies: null, exact: true });
});
