import assert from "node:assert/strict";
import { test } from "node:test";
import { click, clicks, complete, spoken, targets } from "../../../src/web/page/move_clicks.js";

const steps = [
  { move: "a1b2", from: "a1", to: "b2" },
  { move: "a1c3", from: "a1", to: "c3", captures: ["b3"] },
  { move: "b4b5", from: "b4", to: "b5" },
];

test("a drop takes one click", () => {
  const moves = [{ move: "c1", to: "c1" }, { move: "c2", to: "c2" }];
  assert.deepEqual(click(moves, [], "c2"), { play: moves[1] });
  assert.deepEqual(click(moves, [], "a1"), { made: [] });
});

test("a step takes two clicks, and its targets say what is captured", () => {
  assert.deepEqual(click(steps, [], "a1"), { made: ["a1"] });
  const next = targets(steps, ["a1"]);
  assert.deepEqual([...next.keys()], ["b2", "c3"]);
  assert.equal(next.get("c3").captures, true);
  assert.equal(next.get("b2").captures, false);
  assert.deepEqual(click(steps, ["a1"], "c3"), { play: steps[1] });
});

test("a click on another piece chooses that one, and anywhere else lets go", () => {
  assert.deepEqual(click(steps, ["a1"], "b4"), { made: ["b4"] });
  assert.deepEqual(click(steps, ["a1"], "e1"), { made: [] });
  assert.deepEqual(click(steps, ["a1"], "a1"), { made: [] });
});

test("a chain of leaps goes on, and stops with a click where it stands", () => {
  const chain = [
    { move: "a1c1", from: "a1", to: "c1", path: ["a1", "c1"], captures: ["b1"] },
    { move: "a1c1e1", from: "a1", to: "e1", path: ["a1", "c1", "e1"], captures: ["b1", "d1"] },
  ];
  assert.deepEqual(click(chain, ["a1"], "c1"), { made: ["a1", "c1"] });
  assert.deepEqual(complete(chain, ["a1", "c1"]), [chain[0]]);
  assert.deepEqual(click(chain, ["a1", "c1"], "c1"), { play: chain[0] });
  assert.deepEqual(click(chain, ["a1", "c1"], "e1"), { play: chain[1] });
});

test("several drops of one turn may be clicked in any order", () => {
  const drops = [{ move: "b2+c3", drops: ["b2", "c3"] }, { move: "b2+d4", drops: ["b2", "d4"] }];
  assert.deepEqual(click(drops, [], "c3"), { made: ["c3"] });
  assert.deepEqual(click(drops, ["c3"], "b2"), { play: drops[0] });
  assert.deepEqual([...targets(drops, ["b2"]).keys()], ["c3", "d4"]);
});

test("where one place says two moves, the person is asked", () => {
  const tiles = [{ move: "a1=2", to: "a1", value: 2 }, { move: "a1=4", to: "a1", value: 4 }];
  assert.deepEqual(click(tiles, [], "a1"), { ask: tiles });
});

test("moves that no place says are chosen by their names", () => {
  const moves = [{ move: "pass" }, { move: "left", slides: [{ from: "b1", to: "a1" }] }, { move: "c1", to: "c1" }];
  assert.deepEqual(spoken(moves), [moves[0]]);
  assert.deepEqual(clicks(moves[1]), []);
});
