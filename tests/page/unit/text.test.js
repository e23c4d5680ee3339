import assert from "node:assert/strict";
import { test } from "node:test";
import { illegalClickText, illegalCrossingText } from "../../../src/web/page/text/illegal.js";
import { moveInstruction, moveReport, solutionSteps, turnPrompt } from "../../../src/web/page/text/moves.js";
import { solutionText } from "../../../src/web/page/text/searches.js";
import { moveValueText, shortValue, solvedText, valueText, warningText } from "../../../src/web/page/text/values.js";

const hunt = { group: "hunts", players: ["goats", "tigers"], each: ["goat", "tiger"], turn: "p1", board: { kind: "graph" }, pieces: [] };

test("an instruction names the piece and its target", () => {
  assert.equal(moveInstruction(hunt, { move: "c1", to: "c1" }), "Place a goat on c1");
  assert.equal(moveInstruction(hunt, { move: "a2b3", from: "a2", to: "b3" }), "Move the goat from a2 to b3");
  assert.equal(moveInstruction(hunt, { move: "b2+c3", drops: ["b2", "c3"] }), "Place goats on b2 and c3");
  assert.equal(moveInstruction(hunt, { move: "pass" }), "Pass");
  const jump = { move: "a1c3e3", from: "a1", to: "e3", path: ["a1", "c3", "e3"], captures: ["b2", "d3"] };
  assert.equal(moveInstruction({ ...hunt, turn: "p2" }, jump), "Move the tiger from a1 to c3, then e3, capturing the goats on b2 and d3");
  const lines = { ...hunt, group: "lines", players: ["X", "O"], each: ["X", "O"], board: { kind: "grid" } };
  assert.equal(moveInstruction(lines, { move: "b2", to: "b2" }), "Place an X on b2");
  assert.equal(moveInstruction({ ...hunt, board: { kind: "tree" } }, { move: "2" }), "Choose child 2");
});

test("an instruction gives the direction of the tile, not the gap", () => {
  const board = { kind: "tiles", slides: "one", rows: 2, columns: 2 };
  const state = { ...hunt, board, pieces: [{ at: "b2", kind: "tile", value: 1 }, { at: "a1", kind: "tile", value: 2 }, { at: "b1", kind: "tile", value: 3 }] };
  assert.equal(moveInstruction(state, { move: "right", from: "b2", to: "a2" }), "Slide tile 1 left");
  assert.equal(moveInstruction(state, { move: "down", from: "a1", to: "a2" }), "Slide tile 2 up");
  assert.deepEqual(solutionSteps(state, ["down", "right", "up"]), ["Slide tile 2 up", "Slide tile 3 left", "Slide tile 1 down"]);
  assert.equal(moveInstruction({ ...hunt, board: { kind: "tiles", slides: "all" } }, { move: "left", slides: [] }), "Slide all tiles left");
  assert.equal(moveInstruction({ ...hunt, board: { kind: "tiles", slides: "all" } }, { move: "a1=2", to: "a1", value: 2 }), "Place a 2 on a1");
});

test("a crossing names the people and the bank", () => {
  const state = { ...hunt, board: { kind: "river", boat: "left" } };
  assert.deepEqual(solutionSteps(state, ["2c", "1m", "1m1c"]), [
    "Cross to the right bank with 2 cannibals", "Cross to the left bank with a missionary", "Cross to the right bank with a missionary and a cannibal"]);
});

test("a value says whether it is estimated, proved or exact", () => {
  assert.equal(valueText(hunt, { points: -0.4, depth: 9 }), "Tigers slightly better (estimate, depth 9)");
  assert.equal(valueText(hunt, { points: 0, depth: 2 }), "About even (estimate, depth 2)");
  assert.equal(valueText(hunt, { outcome: "p1win", plies: 12 }), "Goats win within 12");
  assert.equal(valueText(hunt, { outcome: "p1win", plies: 12, exact: true }), "Goats win in 12");
  assert.equal(valueText(hunt, { outcome: "p2win", plies: 0, exact: true }), "Tigers won");
  assert.equal(valueText(hunt, { outcome: "draw", plies: 0, exact: true }), "A draw");
  assert.equal(valueText(hunt, { outcome: "draw", plies: null, exact: true }), "A draw with best play");
  assert.equal(valueText({ ...hunt, board: { kind: "tiles", slides: "all" } }, { points: 1234.5, depth: 3 }), "About 1,235 more points if played well");
  const tree = { ...hunt, board: { kind: "tree", root: [[3, [17, 4]], [2]], at: [1] } };
  assert.equal(valueText(tree, { points: 0, depth: 1 }), "Not known at depth 1");
  assert.equal(valueText(tree, { points: 4, depth: 2 }), "Value +4");
});

test("a short value has no zero distance and shows bounds", () => {
  assert.equal(shortValue({ outcome: "p2win", plies: 0 }), "lost");
  assert.equal(shortValue({ outcome: "p1win", plies: 0 }), "won");
  assert.equal(shortValue({ outcome: "p2win", plies: 3 }), "−#3");
  assert.equal(shortValue({ outcome: "p1win", plies: 7, bound: "lower" }), "≥ #7");
});

test("a warning claims a lost win only between proved values", () => {
  const win = { outcome: "p1win", plies: 5 };
  const draw = { outcome: "draw", plies: null, exact: true };
  assert.equal(warningText(hunt, "c1", { lost: "win", before: win, after: draw }), "This gives away the win: a draw with best play after c1, goats win within 5 before.");
  assert.equal(warningText(hunt, "c1", { lost: "chances", before: { points: 0, depth: 4 }, after: { outcome: "p2win", plies: 3 } }), "This seems to lose a lot: tigers win within 3 after c1, about even (estimate, depth 4) before.");
});

test("a solution is the minimum only after the search ended", () => {
  const line = { length: 12, nodes: 1, time: 1 };
  assert.match(solutionText(line, null, false), /, maybe not the minimum\./);
  assert.match(solutionText(line, 10, true), /at least 10 are needed/);
  assert.match(solutionText(line, null, true), /, the minimum\./);
});

test("a prompt counts the points of several placements", () => {
  const moves = [{ move: "b2+c3", drops: ["b2", "c3"] }, { move: "b2+d4", drops: ["b2", "d4"] }];
  assert.equal(turnPrompt({ ...hunt, moves }, []), "Place 2 goats: click the points.");
  assert.equal(turnPrompt({ ...hunt, moves }, ["b2"]), "Click 1 more point.");
  assert.equal(turnPrompt({ ...hunt, moves: [{ move: "c1", to: "c1" }] }, []), "Place a goat: click a point.");
  // “Sheep” are many although the word has no plural; the vulture is alone.
  const sheep = { ...hunt, group: "hunts", turn: "p1", players: ["sheep", "vulture"], each: ["sheep", "vulture"], hand: [], pieces: ["a1", "a2"].map((at) => ({ at, kind: "prey", player: "p1" })), moves: [{ move: "a1b1", from: "a1", to: "b1" }] };
  assert.equal(turnPrompt(sheep, []), "Move a sheep: click it, then a point.");
  assert.equal(turnPrompt({ ...sheep, turn: "p2", hand: [{ player: "p2", count: 1 }], moves: [{ move: "c1", to: "c1" }] }, []), "Place the vulture: click a point.");
});

test("a report names the moved and the captured pieces", () => {
  const jump = { move: "a1c3e3", from: "a1", to: "e3", path: ["a1", "c3", "e3"], captures: ["b2", "d3"] };
  assert.equal(moveReport({ ...hunt, turn: "p2" }, jump), "The tiger captured 2 goats on b2 and d3: a1 to c3, then e3.");
  assert.equal(moveReport({ ...hunt, each: ["elephant", "tiger"] }, { move: "c1", to: "c1" }), "An elephant was placed on c1.");
});

test("exact values in points are written in words", () => {
  const tree = { group: "trees", players: ["max", "min"], each: ["max", "min"], turn: "p1", board: { kind: "tree" } };
  const treeValue = (points) => solvedText({ ...tree, solved: { verdict: null, plies: null, points, moves: [] } });
  assert.equal(treeValue(3), "Solved: max wins 3 points.");
  assert.equal(treeValue(-0.5), "Solved: min wins 0.5 points.");
  assert.equal(treeValue(0), "Solved: neither side wins points.");
  assert.equal(moveValueText({ move: "1", verdict: "p1win", plies: null, points: 1 }, tree), "max wins 1 point");
  const tiles = { group: "numbers", players: ["player", "tiles"], each: ["player", "tile"], turn: "p1", board: { kind: "tiles", slides: "all" } };
  const solved = { verdict: null, plies: null, points: 66.964149, moves: [] };
  assert.equal(solvedText({ ...tiles, solved }), "Solved: 66.96 points more on average with best play.");
  assert.equal(moveValueText({ move: "left", verdict: null, plies: null, points: 12.5 }, tiles), "12.5 points");
});

test("a click that is no move says why", () => {
  const pieces = [{ at: "a1", kind: "prey", player: "p1" }, { at: "b2", kind: "hunter", player: "p2" }];
  const moving = { ...hunt, pieces, hand: [], moves: [{ move: "c1c2", from: "c1", to: "c2" }] };
  assert.equal(illegalClickText(moving, [], "a1"), "This goat cannot move.");
  assert.equal(illegalClickText(moving, [], "b2"), "This is a tiger: you move the goats now.");
  assert.equal(illegalClickText(moving, [], "d4"), "This point is empty: click a goat first.");
  assert.equal(illegalClickText(moving, ["c1"], "b2"), "The goat cannot go to b2, where a tiger stands.");
  assert.equal(illegalClickText(moving, ["c1"], "d4"), "The goat cannot go from c1 to d4.");
  const capturing = { ...moving, moves: [{ move: "c1a1", from: "c1", to: "a1", captures: ["b1"] }] };
  assert.equal(illegalClickText(capturing, [], "a1"), "Another piece can capture, and must.");
  assert.equal(illegalClickText(capturing, ["c1"], "d4"), "The goat cannot go from c1 to d4: it must capture.");
  const placing = { ...moving, moves: [{ move: "c1", to: "c1" }] };
  assert.equal(illegalClickText(placing, [], "a1"), "Goats move only after all are placed.");
  assert.equal(illegalClickText(placing, [], "d4"), "No goat can be placed here.");
});

test("a crossing that is not allowed names who would be outnumbered, and where", () => {
  const state = { board: { kind: "river", boat: "left" }, pieces: [["left", "missionary", 2], ["left", "cannibal", 2], ["right", "missionary", 1], ["right", "cannibal", 1]].map(([at, kind, count]) => ({ at, kind, count })) };
  assert.equal(illegalCrossingText(state, { missionaries: 0, cannibals: 0 }), "The boat never crosses empty.");
  assert.equal(illegalCrossingText(state, { missionaries: 0, cannibals: 1 }), "2 cannibals would outnumber 1 missionary on the right bank.");
  assert.equal(illegalCrossingText(state, { missionaries: 1, cannibals: 0 }), "2 cannibals would outnumber 1 missionary on the left bank.");
  assert.equal(illegalCrossingText(state, { missionaries: 1, cannibals: 2 }), "2 cannibals would outnumber 1 missionary in the boat.");
});
