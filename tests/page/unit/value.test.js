import assert from "node:assert/strict";
import { test } from "node:test";
import { known, level, softened } from "../../../src/web/page/levels.js";
import { expectation, given, hope, rank } from "../../../src/web/page/value.js";

const win = { end: "p1win", plies: 9 };
const loss = { end: "p2win", plies: 8 };
const draw = { end: "draw", plies: null };

test("only what is proved is quite won", () => {
  assert.equal(expectation(win), 1);
  assert.equal(expectation(loss), 0);
  assert.equal(expectation(draw), 0.5);
  assert.ok(expectation({ points: 50 }) < 1);
  assert.ok(expectation({ points: -50 }) > 0);
  assert.equal(hope(win, "p2"), 0);
});

test("a quick win is best, and a slow loss is better than a quick one", () => {
  const order = [{ end: "p1win", plies: 3 }, win, draw, { end: "p2win", plies: 20 }, loss];
  const ranks = order.map((one) => rank(one, "p1"));
  assert.deepEqual(ranks, ranks.toSorted((one, other) => other - one));
});

test("a move that keeps the verdict gives nothing away, however much longer it takes", () => {
  assert.equal(given(win, { end: "p1win", plies: 99 }, "p1"), null);
  assert.equal(given(draw, draw, "p2"), null);
  assert.equal(given(loss, draw, "p1"), null);
});

test("what is thrown away is named", () => {
  assert.equal(given(win, draw, "p1")?.lost, "win");
  assert.equal(given(win, loss, "p1")?.lost, "win");
  assert.equal(given(draw, win, "p2")?.lost, "draw");
  assert.equal(given({ points: 1 }, { points: -1 }, "p1")?.lost, "chances");
  assert.equal(given({ points: 0.2 }, { points: -0.2 }, "p1"), null);
  assert.equal(given({ points: 0 }, loss, "p1")?.lost, "chances", "an estimate is no proof of a draw");
  assert.equal(given(win, { points: -1 }, "p1")?.lost, "chances", "an estimate is no proof that the win is gone");
  assert.equal(given(null, loss, "p1"), null);
});

const state = {
  turn: "p1",
  moves: [{ move: "a" }, { move: "b" }, { move: "c" }],
  solved: { verdict: "draw", plies: null, moves: [
    { move: "a", verdict: "draw", plies: null }, { move: "b", verdict: "p2win", plies: 30 }, { move: "c", verdict: "p2win", plies: 4 }] },
};
const own = { limit: "depth", amount: 3, errs: 4, algorithm: "auto" };

test("a level that errs gives the value away about once in so many moves", () => {
  const four = level("own", own);
  let lost = 0;
  let seed = 7;
  const dice = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let game = 0; game < 4000; game++) if (known(state, four, dice) !== "a") lost++;
  assert.ok(lost > 850 && lost < 1150, `${lost} of 4000`);
});

test("its mistakes are those that are hard to punish", () => {
  const chosen = known(state, level("beginner", own), () => 0);
  assert.equal(chosen, "b");
});

test("a level that does not err, or a position that no table knows, is left to the search", () => {
  assert.equal(known(state, level("quick", own), () => 0), null);
  assert.equal(known({ ...state, solved: null }, level("easy", own), () => 0), null);
});

test("a softened choice prefers what is better, and takes every move some time", () => {
  const choices = [{ move: "best", hope: 0.6 }, { move: "good", hope: 0.55 }, { move: "bad", hope: 0.1 }];
  const count = { best: 0, good: 0, bad: 0 };
  for (let at = 0; at < 1000; at++) count[softened(choices, 0.1, () => (at + 0.5) / 1000)]++;
  assert.ok(count.best > count.good && count.good > count.bad && count.bad > 0, JSON.stringify(count));
});
