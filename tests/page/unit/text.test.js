import assert from "node:assert/strict";
import { test } from "node:test";
import { instruction, instructions } from "../../../src/web/page/text/moves.js";
import { number, solutionWords } from "../../../src/web/page/text/searches.js";
import { blunder, short, worthWords } from "../../../src/web/page/text/values.js";

const hunt = { group: "hunts", players: ["goats", "tigers"], each: ["goat", "tiger"], turn: "p1", board: { kind: "graph" }, pieces: [] };

test("a hint names the piece and where it goes", () => {
  assert.equal(instruction(hunt, { move: "c1", to: "c1" }), "Place a goat on c1");
  assert.equal(instruction(hunt, { move: "a2b3", from: "a2", to: "b3" }), "Move the goat from a2 to b3");
  assert.equal(instruction(hunt, { move: "b2+c3", drops: ["b2", "c3"] }), "Place goats on b2 and c3");
  assert.equal(instruction(hunt, { move: "pass" }), "Pass");
  const leap = { move: "a1c3e3", from: "a1", to: "e3", path: ["a1", "c3", "e3"], captures: ["b2", "d3"] };
  assert.equal(instruction({ ...hunt, turn: "p2" }, leap), "Move the tiger from a1 to c3, then e3, capturing the goats on b2 and d3");
  const lines = { ...hunt, group: "lines", players: ["X", "O"], each: ["X", "O"], board: { kind: "grid" } };
  assert.equal(instruction(lines, { move: "b2", to: "b2" }), "Place an X on b2");
  assert.equal(instruction({ ...hunt, board: { kind: "tree" } }, { move: "2" }), "Choose child 2");
});

test("a hint for tiles says where the tile goes, not the gap", () => {
  const board = { kind: "tiles", slides: "one", rows: 2, columns: 2 };
  const state = { ...hunt, board, pieces: [{ at: "b2", kind: "tile", value: 1 }, { at: "a1", kind: "tile", value: 2 }, { at: "b1", kind: "tile", value: 3 }] };
  assert.equal(instruction(state, { move: "right", from: "b2", to: "a2" }), "Slide tile 1 left");
  assert.equal(instruction(state, { move: "down", from: "a1", to: "a2" }), "Slide tile 2 up");
  assert.deepEqual(instructions(state, ["down", "right", "up"]), ["Slide tile 2 up", "Slide tile 3 left", "Slide tile 1 down"]);
  assert.equal(instruction({ ...hunt, board: { kind: "tiles", slides: "all" } }, { move: "left", slides: [] }), "Slide all tiles left");
  assert.equal(instruction({ ...hunt, board: { kind: "tiles", slides: "all" } }, { move: "a1=2", to: "a1", value: 2 }), "Place a 2 on a1");
});

test("a crossing names who crosses and to which bank", () => {
  const state = { ...hunt, board: { kind: "river", boat: "left" } };
  assert.deepEqual(instructions(state, ["2c", "1m", "1m1c"]), [
    "Cross to the right bank with 2 cannibals", "Cross to the left bank with a missionary", "Cross to the right bank with a missionary and a cannibal"]);
});

test("estimates are called estimates, proofs proofs, and facts facts", () => {
  assert.equal(worthWords(hunt, { points: -0.4, depth: 9 }), "Tigers slightly better (estimate, depth 9)");
  assert.equal(worthWords(hunt, { points: 0, depth: 2 }), "About even (estimate, depth 2)");
  assert.equal(worthWords(hunt, { end: "p1win", plies: 12 }), "Goats win within 12");
  assert.equal(worthWords(hunt, { end: "p1win", plies: 12, sure: true }), "Goats win in 12");
  assert.equal(worthWords(hunt, { end: "p2win", plies: 0, sure: true }), "Tigers won");
  assert.equal(worthWords(hunt, { end: "draw", plies: 0, sure: true }), "A draw");
  assert.equal(worthWords(hunt, { end: "draw", plies: null, sure: true }), "A draw with best play");
  assert.equal(worthWords({ ...hunt, board: { kind: "tiles", slides: "all" } }, { points: 1234.5, depth: 3 }), "Expected: about 1235 more points");
  const tree = { ...hunt, board: { kind: "tree", root: [[3, [17, 4]], [2]], at: [1] } };
  assert.equal(worthWords(tree, { points: 0, depth: 1 }), "Not known at depth 1");
  assert.equal(worthWords(tree, { points: 4, depth: 2 }), "Worth +4");
});

test("no worth is written as zero plies from the end, and bounds are written as bounds", () => {
  assert.equal(short({ end: "p2win", plies: 0 }), "lost");
  assert.equal(short({ end: "p1win", plies: 0 }), "won");
  assert.equal(short({ end: "p2win", plies: 3 }), "−#3");
  assert.equal(short({ end: "p1win", plies: 7, bound: "lower" }), "≥ #7");
  assert.equal(number({ win: "p2", plies: 0 }), "lost");
});

test("a warning claims a loss only where both values are proved", () => {
  const win = { end: "p1win", plies: 5 };
  const draw = { end: "draw", plies: null, sure: true };
  assert.equal(blunder(hunt, "c1", { lost: "win", was: win, now: draw }), "c1 gives away the win: from goats win within 5 to a draw with best play.");
  assert.match(blunder(hunt, "c1", { lost: "chances", was: { points: 0, depth: 4 }, now: { end: "p2win", plies: 3 } }), /^c1 seems to give much away: from about even \(estimate, depth 4\) to tigers win within 3\.$/);
});

test("a solution is called shortest only when the search has ended without a lower bound", () => {
  const quest = { length: 12, nodes: 1, time: 1 };
  assert.match(solutionWords(quest, null, false), /perhaps not the fewest/);
  assert.match(solutionWords(quest, 10, true), /at least 10 are needed/);
  assert.match(solutionWords(quest, null, true), /the fewest there are/);
});
