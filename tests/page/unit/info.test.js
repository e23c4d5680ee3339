import assert from "node:assert/strict";
import { test } from "node:test";
import { fragment, parse } from "../../../src/web/page/address.js";
import { best, complaint, quest, reading, told } from "../../../src/web/page/info.js";

test("a line of a search is read from the first player's view", () => {
  const text = "info depth 6 seldepth 9 multipv 2 score cp -150 nodes 3000 nps 9000 hashfull 3 time 12 pv c1 b3c3";
  assert.deepEqual(reading(text, "p1"), { rank: 2, depth: 6, worth: { points: -1.5 }, moves: ["c1", "b3c3"], nodes: 3000, speed: 9000, time: 12 });
  assert.deepEqual(reading(text, "p2")?.worth, { points: 1.5 });
  assert.deepEqual(reading(text, "chance", true)?.worth, { points: -1.5 });
});

test("a forced end names the winner and the plies, and bounds turn with the view", () => {
  assert.deepEqual(reading("info depth 3 score mate 5 nodes 1 pv a1", "p2")?.worth, { end: "p2win", plies: 5 });
  assert.deepEqual(reading("info depth 3 score mate -4 nodes 1 pv a1", "p2")?.worth, { end: "p1win", plies: 4 });
  assert.deepEqual(reading("info depth 3 score cp 10 lowerbound nodes 1 pv a1", "p1")?.worth, { points: 0.1, bound: "lower" });
  assert.deepEqual(reading("info depth 3 score cp 10 lowerbound nodes 1 pv a1", "p2")?.worth, { points: -0.1, bound: "upper" });
});

test("lines without a score are not lines of a search", () => {
  assert.equal(reading("info string leaves 12", "p1"), null);
  assert.equal(reading("bestmove c1", "p1"), null);
  assert.equal(told("info string leaves 12", "leaves"), 12);
  assert.equal(told("info string leaves 12", "examined"), null);
});

test("a puzzle's bound and its solution are told apart", () => {
  assert.equal(quest("info depth 10 score mate 10 lowerbound nodes 1 nps 1 time 0")?.bound, true);
  const solution = quest("info depth 12 score mate 2 nodes 7 nps 1 time 3 pv up left");
  assert.deepEqual(solution, { length: 2, bound: false, moves: ["up", "left"], nodes: 7, speed: 1, time: 3 });
});

test("complaints and best moves are read to the word", () => {
  assert.equal(complaint("info string error: column 3: no"), "column 3: no");
  assert.equal(complaint("info string fine"), null);
  assert.equal(best("bestmove c1 ponder c2"), "c1");
  assert.equal(best("bestmove (none)"), null);
});

test("an address says a game and reads back", () => {
  const game = { variant: "bagh-chal", fen: "T3T/5/5/5/T3T g 20", moves: "c1 ( b2+c3 ) a1b2" };
  const text = fragment(game);
  assert.ok(!text.includes(" "));
  assert.deepEqual(parse(text), { ...game, token: null });
  assert.deepEqual(parse(fragment({ variant: "tree", fen: "[[3,17],[2,12]] max", moves: "" })).fen, "[[3,17],[2,12]] max");
  assert.deepEqual(parse("#token=abc"), { variant: null, fen: null, moves: "", token: "abc" });
});
