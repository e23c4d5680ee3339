import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseByWeight, chooseSolvedMove, findLevel } from "../../../src/web/page/levels.js";
import { findLoss, firstPlayerExpectation, moverExpectation, rankOutcome } from "../../../src/web/page/value.js";

const win = { outcome: "p1win", plies: 9 };
const loss = { outcome: "p2win", plies: 8 };
const draw = { outcome: "draw", plies: null };

test("only a proved win has the expectation 1", () => {
  assert.equal(firstPlayerExpectation(win), 1);
  assert.equal(firstPlayerExpectation(loss), 0);
  assert.equal(firstPlayerExpectation(draw), 0.5);
  assert.ok(firstPlayerExpectation({ points: 50 }) < 1);
  assert.ok(firstPlayerExpectation({ points: -50 }) > 0);
  assert.equal(moverExpectation(win, "p2"), 0);
});

test("a quick win ranks first, a quick loss last", () => {
  const order = [{ outcome: "p1win", plies: 3 }, win, draw, { outcome: "p2win", plies: 20 }, loss];
  const ranks = order.map((one) => rankOutcome(one, "p1"));
  assert.deepEqual(ranks, ranks.toSorted((one, other) => other - one));
});

test("a move that keeps the outcome loses nothing", () => {
  assert.equal(findLoss(win, { outcome: "p1win", plies: 99 }, "p1"), null);
  assert.equal(findLoss(draw, draw, "p2"), null);
  assert.equal(findLoss(loss, draw, "p1"), null);
});

test("a lost win or draw must be proved, chances are estimates", () => {
  assert.equal(findLoss(win, draw, "p1")?.lost, "win");
  assert.equal(findLoss(win, loss, "p1")?.lost, "win");
  assert.equal(findLoss(draw, win, "p2")?.lost, "draw");
  assert.equal(findLoss({ points: 1 }, { points: -1 }, "p1")?.lost, "chances");
  assert.equal(findLoss({ points: 0.2 }, { points: -0.2 }, "p1"), null);
  assert.equal(findLoss({ points: 0 }, loss, "p1")?.lost, "chances", "the estimate before proves no draw");
  assert.equal(findLoss(win, { points: -1 }, "p1")?.lost, "chances", "the estimate after does not prove that the win is lost");
  assert.equal(findLoss(null, loss, "p1"), null);
});

const state = {
  turn: "p1",
  moves: [{ move: "a" }, { move: "b" }, { move: "c" }],
  solved: { verdict: "draw", plies: null, moves: [
    { move: "a", verdict: "draw", plies: null }, { move: "b", verdict: "p2win", plies: 30 }, { move: "c", verdict: "p2win", plies: 4 }] },
};
const own = { limit: "depth", amount: 3, errs: 4, algorithm: "auto" };

test("a level loses value about once per error interval", () => {
  const level = findLevel("own", own);
  let errors = 0;
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let game = 0; game < 4000; game++) if (chooseSolvedMove(state, level, random) !== "a") errors++;
  assert.ok(errors > 850 && errors < 1150, `${errors} of 4000`);
});

test("a level prefers errors that are hard to refute", () => {
  assert.equal(chooseSolvedMove(state, findLevel("beginner", own), () => 0), "b");
});

test("a level without errors or without tables searches", () => {
  assert.equal(chooseSolvedMove(state, findLevel("quick", own), () => 0), null);
  assert.equal(chooseSolvedMove({ ...state, solved: null }, findLevel("easy", own), () => 0), null);
});

test("a level with errors does not choose by points", () => {
  const points = [3, 2, 1].map((points, at) => ({ move: "abc"[at], verdict: "p1win", plies: null, points }));
  const tree = { ...state, solved: { verdict: "p1win", plies: null, points: 3, moves: points } };
  assert.equal(chooseSolvedMove(tree, findLevel("easy", own), () => 0), null);
});

test("a better move gets a higher weight, and every move has one", () => {
  const choices = [{ move: "best", expectation: 0.6 }, { move: "good", expectation: 0.55 }, { move: "bad", expectation: 0.1 }];
  const counts = { best: 0, good: 0, bad: 0 };
  for (let at = 0; at < 1000; at++) counts[chooseByWeight(choices, 0.1, () => (at + 0.5) / 1000)]++;
  assert.ok(counts.best > counts.good && counts.good > counts.bad && counts.bad > 0, JSON.stringify(counts));
});
