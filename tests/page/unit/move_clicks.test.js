import assert from "node:assert/strict";
import { test } from "node:test";
import { clickSequence, completedMoves, handleClick, movesWithoutClicks, nextClicks } from "../../../src/web/page/move_clicks.js";

const steps = [
  { move: "a1b2", from: "a1", to: "b2" },
  { move: "a1c3", from: "a1", to: "c3", captures: ["b3"] },
  { move: "b4b5", from: "b4", to: "b5" },
];

test("a placement takes one click", () => {
  const moves = [{ move: "c1", to: "c1" }, { move: "c2", to: "c2" }];
  assert.deepEqual(handleClick(moves, [], "c2"), { play: moves[1] });
  assert.deepEqual(handleClick(moves, [], "a1"), { clicks: [] });
});

test("a step takes two clicks and its targets show captures", () => {
  assert.deepEqual(handleClick(steps, [], "a1"), { clicks: ["a1"] });
  const next = nextClicks(steps, ["a1"]);
  assert.deepEqual([...next.keys()], ["b2", "c3"]);
  assert.equal(next.get("c3").captures, true);
  assert.equal(next.get("b2").captures, false);
  assert.deepEqual(handleClick(steps, ["a1"], "c3"), { play: steps[1] });
});

test("a click elsewhere selects another piece or nothing", () => {
  assert.deepEqual(handleClick(steps, ["a1"], "b4"), { clicks: ["b4"] });
  assert.deepEqual(handleClick(steps, ["a1"], "e1"), { clicks: [] });
  assert.deepEqual(handleClick(steps, ["a1"], "a1"), { clicks: [] });
});

test("a second click on the same point ends a chain of jumps", () => {
  const chain = [
    { move: "a1c1", from: "a1", to: "c1", path: ["a1", "c1"], captures: ["b1"] },
    { move: "a1c1e1", from: "a1", to: "e1", path: ["a1", "c1", "e1"], captures: ["b1", "d1"] },
  ];
  assert.deepEqual(handleClick(chain, ["a1"], "c1"), { clicks: ["a1", "c1"] });
  assert.deepEqual(completedMoves(chain, ["a1", "c1"]), [chain[0]]);
  assert.deepEqual(handleClick(chain, ["a1", "c1"], "c1"), { play: chain[0] });
  assert.deepEqual(handleClick(chain, ["a1", "c1"], "e1"), { play: chain[1] });
});

test("several placements can be clicked in any order", () => {
  const drops = [{ move: "b2+c3", drops: ["b2", "c3"] }, { move: "b2+d4", drops: ["b2", "d4"] }];
  assert.deepEqual(handleClick(drops, [], "c3"), { clicks: ["c3"] });
  assert.deepEqual(handleClick(drops, ["c3"], "b2"), { play: drops[0] });
  assert.deepEqual([...nextClicks(drops, ["b2"]).keys()], ["c3", "d4"]);
});

test("two moves with the same clicks ask for a choice", () => {
  const tiles = [{ move: "a1=2", to: "a1", value: 2 }, { move: "a1=4", to: "a1", value: 4 }];
  assert.deepEqual(handleClick(tiles, [], "a1"), { ask: tiles });
});

test("moves without a point are listed by name", () => {
  const moves = [{ move: "pass" }, { move: "left", slides: [{ from: "b1", to: "a1" }] }, { move: "c1", to: "c1" }];
  assert.deepEqual(movesWithoutClicks(moves), [moves[0]]);
  assert.deepEqual(clickSequence(moves[1]), []);
});
