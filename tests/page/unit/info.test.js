import assert from "node:assert/strict";
import { test } from "node:test";
import { fragment, parse } from "../../../src/web/page/address.js";
import { parseBestMove, parseError, parseForecast, parseInfoNumber, parseLine, parsePuzzleLine } from "../../../src/web/page/info.js";

test("the value of a line is from the first player's view", () => {
  const text = "info depth 6 seldepth 9 multipv 2 score cp -150 nodes 3000 nps 9000 hashfull 3 time 12 pv c1 b3c3";
  assert.deepEqual(parseLine(text, "p1"), { rank: 2, depth: 6, value: { points: -1.5 }, moves: ["c1", "b3c3"], nodes: 3000, speed: 9000, time: 12 });
  assert.deepEqual(parseLine(text, "p2")?.value, { points: 1.5 });
  assert.deepEqual(parseLine(text, "chance", true)?.value, { points: -1.5 });
});

test("a mate score gives winner and plies; bounds follow the view", () => {
  assert.deepEqual(parseLine("info depth 3 score mate 5 nodes 1 pv a1", "p2")?.value, { outcome: "p2win", plies: 5 });
  assert.deepEqual(parseLine("info depth 3 score mate -4 nodes 1 pv a1", "p2")?.value, { outcome: "p1win", plies: 4 });
  assert.deepEqual(parseLine("info depth 3 score cp 10 lowerbound nodes 1 pv a1", "p1")?.value, { points: 0.1, bound: "lower" });
  assert.deepEqual(parseLine("info depth 3 score cp 10 lowerbound nodes 1 pv a1", "p2")?.value, { points: -0.1, bound: "upper" });
});

test("a line without a score is not parsed as a search line", () => {
  assert.equal(parseLine("info string leaves 12", "p1"), null);
  assert.equal(parseLine("bestmove c1", "p1"), null);
  assert.equal(parseInfoNumber("info string leaves 12", "leaves"), 12);
  assert.equal(parseInfoNumber("info string leaves 12", "examined"), null);
});

test("a puzzle's lower bound differs from its solution", () => {
  assert.equal(parsePuzzleLine("info depth 10 score mate 10 lowerbound nodes 1 nps 1 time 0")?.isBound, true);
  const solution = parsePuzzleLine("info depth 12 score mate 2 nodes 7 nps 1 time 3 pv up left");
  assert.deepEqual(solution, { length: 2, isBound: false, moves: ["up", "left"], nodes: 7, speed: 1, time: 3 });
});

test("errors and best moves are parsed", () => {
  assert.equal(parseError("info string error: column 3: no"), "column 3: no");
  assert.equal(parseError("info string fine"), null);
  assert.equal(parseBestMove("bestmove c1 ponder c2"), "c1");
  assert.equal(parseBestMove("bestmove (none)"), null);
});

test("parsing a fragment restores the game", () => {
  const game = { variant: "bagh-chal", fen: "T3T/5/5/5/T3T g 20", moves: "c1 ( b2+c3 ) a1b2", board: "game x\nrow 0   1 2 # + & =\n" };
  const text = fragment(game);
  assert.ok(!text.includes(" "));
  assert.deepEqual(parse(text), { ...game, lang: "", token: null });
  assert.deepEqual(parse(fragment({ variant: "tree", fen: "[[3,17],[2,12]] max", moves: "", board: "" })).fen, "[[3,17],[2,12]] max");
  assert.equal(parse("#variant=tree&lang=ta").lang, "ta");
  assert.deepEqual(parse("#token=abc"), { variant: null, fen: null, moves: "", board: "", lang: "", token: "abc" });
  assert.equal(parse(fragment({ ...game, board: "x".repeat(5000) })).board, "", "a long board file is left out");
});

test("a forecast has numbers in seconds and MiB", () => {
  assert.deepEqual(parseForecast("info string solving takes about 22 s and 300 MiB for 873391 positions"), { time: "22 s", memory: "300 MiB", seconds: 22, mebibytes: 300, positions: 873391, isBound: true });
  const large = parseForecast("info string solving takes about 15 min and 32.2 GiB for about 243517150 positions up to symmetry");
  assert.deepEqual([large?.seconds, large?.mebibytes, large?.positions, large?.isBound], [900, 32.2 * 1024, 243517150, false]);
  const most = parseForecast("info string solving takes about 1 s and 127 MiB for at most 1162800 positions");
  assert.deepEqual([most?.positions, most?.isBound], [1162800, true]);
  assert.equal(parseForecast("info string solving is impossible: more than 10^30 positions fit no memory"), null);
});
