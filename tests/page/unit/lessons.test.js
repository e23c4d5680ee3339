// The lessons against the engine. Needs the program: target/release/puli, or $PULI.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, test } from "node:test";
import { movedTree } from "../../../src/web/page/lessons/answer_forms.js";
import { generateTree, generatedMaterial, randomTree } from "../../../src/web/page/lessons/generated_trees.js";
import { LESSONS as LISTED } from "../../../src/web/page/lessons/lesson_list.js";
import { KINDS, answerWords, askedAt, besideMaterials, fewestLeaves, hintText, isRight, isSameAnswer, kindOf, promptText, readBound, readNumber } from "../../../src/web/page/lessons/questions.js";
import { createSearch, isRefusal, refusedSearch } from "../../../src/web/page/lessons/puzzle_search.js";
import { randomNumbers } from "../../../src/web/page/random_numbers.js";
import { SearchEvents, treePlaces } from "../../../src/web/page/lessons/trace_events.js";
import { REFERENCE_WEIGHTS, WEIGHTS, minimax, readLeafTree } from "../../../src/web/page/lessons/leaf_trees.js";
import { readCount } from "../../../src/web/page/lessons/notation.js";
import { readTest } from "../../../src/web/page/lessons/questions_null_windows.js";
import { windowWords } from "../../../src/web/page/text/lessons.js";
import { sideNoun } from "../../../src/web/page/text/nouns.js";
import { Engine } from "../support/engine.js";
import { Server } from "../support/server.js";

const FOLDER = new URL("../../../src/web/page/lessons/", import.meta.url);
const LESSONS = Object.fromEntries(readdirSync(FOLDER).filter((name) => name.endsWith(".json")).map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"))]));
const FIRST_TREE = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]";

const engine = new Engine();
after(() => engine.stop());

const levels = (tree) => Math.max(...[...treePlaces(tree).values()].map(({ level }) => level));

/** Returns the search of a question. @param {any} lesson @param {any} step @param {any} question @param {number} seed */
async function searchOf(lesson, step, question, seed = 1) {
  const wanted = { algorithm: lesson.algorithm, ...step.material, ...(question.tree ? { tree: question.tree } : {}), cutOn: question.cutOn, ...question.search };
  if (question.tree) delete wanted.generate;
  const search = await searchFor(await generatedMaterial(wanted, seed, (found) => engine.events(found)));
  for (const [beside, other] of Object.entries(besideMaterials(search, question))) search.beside[beside] = await searchFor(other);
  if (question.perft) search.perft = await engine.perft(search.begin.variant, search.begin.fen, question.perft);
  if (kindOf(question).evaluates) search.terms = await engine.evaluation(search.begin.variant, search.begin.fen);
  return search;
}

/** The searches by material: the same ones are asked about again and again. @type {Map<string, Promise<SearchEvents>>} */
const searches = new Map();

/** @param {any} material */
function searchFor(material) {
  const name = JSON.stringify(material);
  const refused = (/** @type {any} */ error) => {
    if (!material.isRefusable || !isRefusal(String(error))) throw error;
    return refusedSearch(material.variant, material.fen);
  };
  if (!searches.has(name)) searches.set(name, engine.events({ depth: material.tree ? levels(material.tree) : 0, ...material }).then(createSearch, refused));
  return /** @type {Promise<SearchEvents>} */ (searches.get(name));
}

/** Calls `use` for every question of every round. @param {(place: string, search: SearchEvents, question: any, step: any) => void} use @param {number} [seed] */
async function forEachQuestion(use, seed) {
  for (const [name, lesson] of Object.entries(LESSONS)) {
    for (const [round, steps] of lesson.rounds.entries()) {
      for (const [at, step] of steps.entries()) {
        for (const [number, question] of step.questions.entries()) use(`${name} ${round + 1}.${at + 1}.${number + 1}`, await searchOf(lesson, step, question, seed), question, step);
      }
    }
  }
}

/** The answers that the brief of the lessons gives in brackets, by lesson, step and question of the first round. */
const BRACKETS = {
  "01-max-and-min": [
    ["Max", "Max"], ["3"], ["2", "3", "15", "3", "2", "3"], ["1 1 1 1"], [{ a2: "p1", b3: "p2", c2: "draw" }],
  ],
  "02-the-window": [
    ["(−∞, ∞)"], ["(3, ∞)"], ["cut"], ["25, 0"], ["cut", "go on"], ["4, 6"],
  ],
  "03-first-things-first": [
    ["5", "9"], ["4"], ["5 leaves"], ["5"], ["it captures", "it has cut off elsewhere"],
  ],
  "04-deeper": [
    ["89%"], ["b3d3"], ["c3 a1 b2"], ["yes, it answers", "no, the node is searched", "no, the node is searched"], [{ near: 2862 }],
    ["looked up", "searched", "looked up", "144 nodes"],
  ],
  "05-a-cheaper-question": [
    ["no"], ["2"], ["yes"], ["(5, ∞)"], ["child 2"], ["Scout with a table, alpha-beta with a table, alpha-beta, Scout"],
  ],
  "06-twenty-questions": [
    ["yes"], ["more than 3"], ["7", "3"], ["≥5, ≥7, ≤7"], ["7"],
  ],
  "07-the-edge-of-sight": [
    ["6", "54"], ["The goats, who have moved last"], ["c4"], ["b3d3"], ["deeper, captures to their end, a better guess"], ["0, 1 and 0"],
  ],
  "08-the-other-player-is-a-coin": [
    ["10", "8.5", "child 1"], ["7", "12.5", "5.75", "12.5"], ["14.4"], ["0", "0", "No: both are worth the same"], ["18", "35.8", "right", "17.8"],
  ],
  "09-backwards-from-the-end": [
    ["b2b3"], ["3"], ["b4a3"], ["28"], ["Minimax, which stops at depth 6 and evaluates", "The crows"],
  ],
  "10-states-not-paths": [
    ["1 cannibal; 2 cannibals; 1 missionary and 1 cannibal"], ["state 1", "state 3"], ["New: it goes into the queue", "Seen before: it is not queued again", "Seen before: it is not queued again"],
    ["243"], ["The rings before it: every state that fewer crossings reach is known"], ["No", "Yes", "11"],
  ],
  "11-a-star-and-the-honest-guess": [
    ["3", "4"], ["g 1, h 5", "g 2, h 4", "g 3, h 3"], ["31"], ["A*, linear conflict; A*, Manhattan; A*, misplaced tiles; Breadth first"],
    ["h4: squared, and reversals"], ["When any way will do, and memory or time is short", "h1: Manhattan; h2: Manhattan and reversals"],
  ],
  "12-parity-and-the-ladder": [
    ["The order of all nine cells: an even or an odd permutation; The color of the blank’s cell"], ["No", "No"], ["4"], ["6", "8", "Each move raises or lowers h by one: with g, f stays or grows by two"],
    ["When memory is short: it keeps only the way it is on"], ["18, 20, 22, 24, 26", "6,289"],
  ],
};

test("lessons-hold: the answers in brackets are those of the engine", async () => {
  for (const [name, steps] of Object.entries(BRACKETS)) {
    const lesson = LESSONS[name];
    assert.equal(lesson.rounds[0].length, steps.length, name);
    for (const [at, answers] of steps.entries()) {
      const step = lesson.rounds[0][at];
      assert.equal(step.questions.length, answers.length, `${name} step ${at + 1}`);
      for (const [number, expected] of answers.entries()) {
        const question = step.questions[number];
        const search = await searchOf(lesson, step, question);
        const answer = KINDS[question.ask].answer(search, question);
        if (typeof expected === "object" && "near" in expected) assert.ok(Math.abs(answer - expected.near) <= 5, `${name}: ${answer}`);
        else if (typeof expected === "object") assert.deepEqual(answer, expected);
        else assert.equal(answerWords(answer, search, question), expected, `${name} step ${at + 1} question ${number + 1}`);
      }
    }
  }
});

test("lessons-hold: the numbers in the sentences are those of the engine", async () => {
  const minimax = new SearchEvents(await engine.events({ tree: FIRST_TREE, algorithm: "minimax", depth: 4 }));
  assert.deepEqual(minimax.leaves("1 1 1").map(({ value }) => value), [3, 17], "Min stands above 3 and 17");
  const search = new SearchEvents(await engine.events({ tree: FIRST_TREE, depth: 4 }));
  assert.equal(search.backFrom("1 1 1").value, 3, "the first max node has found 3");
  assert.equal(search.place("1 1").kind, "max");
  assert.equal(search.backFrom("1 1 2 1").value, 2, "its first leaf is 2");
  assert.ok(!search.nodes.has("1 1 2 2"), "12 is never seen");
  assert.equal(search.place("1 1 2 2").value, 12);
  assert.deepEqual(search.backFrom("1 2 1").window, [15, 3], "Min has 3, the next max node has found 15");
  assert.deepEqual(search.backFrom("2 1").window, [3, 3], "Min can hold Max to 3, and Max has 3");
  assert.deepEqual([search.end.counts.last.leaves, search.leaves().length, search.end.value], [6, 12, 3], "six leaves of twelve, and still 3");
  const books = new SearchEvents(await engine.events({ tree: "[[3,12,8],[2,4,6],[14,5,2]]", depth: 2 }));
  assert.deepEqual([books.end.counts.last.leaves, books.leaves().length], [7, 9], "seven of nine are seen");
  const moved = movedTree("[[3,12,8],[2,4,6],[14,5,2]]", "3 3", 0);
  assert.equal(moved, "[[3,12,8],[2,4,6],[2,14,5]]");
  assert.equal((await engine.events({ tree: moved, depth: 2 })).at(-1).counts.last.leaves, 5, "the last 2 to the front of its node");
  for (const tree of ["[[6,8,9],[4,5,7],[1,2,3]]", "[[3,2,1],[7,5,4],[9,8,6]]"]) assert.equal(treePlaces(tree).size, 13, "nine leaves");
  assert.equal(fewestLeaves(3, 2), 5);
  assert.equal((await engine.events({ tree: "[[6,8,9],[4,5,7],[1,2,3]]", depth: 2 })).at(-1).counts.last.leaves, fewestLeaves(3, 2));
});

test("lessons-hold: the numbers of lesson 4 are those of the engine", async () => {
  const tutorial = { variant: "aadu-puli", fen: "startpos", algorithm: "minimax", deepen: true };
  const perft = await engine.perft("aadu-puli", "T/2TT2/6/6/4 g 15", 6);
  /** @param {number} depth */
  const nodes = (depth) => perft.slice(0, depth).reduce((sum, count) => sum + count, 0);
  const all = (/** @type {number} */ depth) => Array.from({ length: depth }, (_, at) => nodes(at + 1)).reduce((sum, count) => sum + count, 0);
  // The positions of each ply are the nodes that minimax visits.
  const { counts } = (await engine.events({ ...tutorial, depth: 4, max: 2 })).at(-1);
  assert.deepEqual([nodes(4), all(4)], [counts.last.nodes, counts.all.nodes]);
  assert.deepEqual([nodes(6), all(6)], [3_371_220, 3_769_060]);
  const game = { variant: "tic-tac-toe", fen: "startpos", algorithm: "minimax", depth: 9 };
  assert.equal((await engine.events({ ...game, max: 2 })).at(-1).counts.last.leaves, 255_168);
  const events = await engine.events({ ...game, memory: true });
  assert.equal(new Set(events.filter(({ e }) => e === "make").map(({ key }) => key)).size, 5478, "positions");
  // With a table that loses no entry, 2,862 leaves remain; a few entries of the engine's table share a place.
  assert.ok(Math.abs(events.at(-1).counts.last.leaves - 2862) <= 5);
  const small = { ...game, fen: "3 3 3 XO1/1X1/2O x", depth: 5 };
  const plain = (await engine.events(small)).at(-1).counts.last;
  const table = (await engine.events({ ...small, memory: true })).at(-1).counts.last;
  assert.deepEqual([plain.nodes, table.nodes, table.hits], [237, 144, 38]);
});

test("lessons-hold: the numbers of lessons 5 and 6 are those of the engine", async () => {
  const last = async (/** @type {any} */ search) => (await engine.events(search)).at(-1);
  const [first, second] = ["[[[4,13],[20,10]],[[19,2],[1,11]]]", "[[5,9],[7,8],[2,6]]"];
  const scout = new SearchEvents(await engine.events({ tree: first, algorithm: "scout", depth: 3 }));
  assert.deepEqual([scout.backFrom("1").value, scout.backFrom("2").value, scout.find("leave", "2").bound], [13, 11, "upper"], "the first child is worth 13, the second 11 at most");
  assert.deepEqual([scout.end.counts.last.leaves, (await last({ tree: first, depth: 3 })).counts.last.leaves], [6, 7], "six leaves, not seven");
  const again = new SearchEvents(await engine.events({ tree: second, algorithm: "scout", depth: 2 }));
  assert.equal(again.backFrom("1").value, 5, "now the first child is worth 5");
  assert.deepEqual(again.events.find(({ e }) => e === "again")?.because, { value: 7, bound: "lower" }, "at least 7");
  assert.deepEqual([again.end.counts.last.nodes, (await last({ tree: second, depth: 2 })).counts.last.nodes], [11, 8], "11 nodes against 8");
  const nodes = [];
  for (const memory of [false, true]) for (const algorithm of ["alphabeta", "scout"]) nodes.push((await last({ variant: "aadu-puli", fen: "startpos", algorithm, memory, ordering: "full", deepen: true, depth: 6, max: 2 })).counts.all.nodes);
  assert.deepEqual(nodes, [30_445, 32_381, 19_798, 17_790]);
  const passes = new SearchEvents(await engine.events({ tree: FIRST_TREE, algorithm: "mtdf", memory: true, depth: 4 }));
  const ends = passes.events.filter(({ e, n }) => e === "leave" && n === 0).map(({ value, bound }) => [value, bound]);
  assert.deepEqual(ends, [[3, "lower"], [3, "upper"]], "3 or more, then no: at most 3");
  for (const [guess, count] of [[0, 3], [5, 3], [6, 2], [7, 2], [20, 2]]) {
    const events = await engine.events({ tree: second, algorithm: "mtdf", memory: true, guess, depth: 2 });
    assert.equal(events.filter(({ e, why }) => e === "pass" && why === "close-in").length, count, `first guess ${guess}`);
  }
});

test("lessons-hold: the numbers of lesson 7 are those of the engine", async () => {
  const game = { variant: "aadu-puli", algorithm: "minimax" };
  const terms = await engine.evaluation("aadu-puli", "T/2TT2/6/6/4 g 15");
  assert.deepEqual(terms, { goats: 60, "tiger steps": -6, "tiger captures": 0, Evaluation: 54 });
  assert.deepEqual(WEIGHTS, { goats: 4, "tiger steps": -1, "tiger captures": -2 }, "4 a goat, −1 a step, −2 a capture");
  const values = [];
  for (let depth = 1; depth <= 6; depth++) values.push((await engine.events({ ...game, algorithm: "alphabeta", fen: "startpos", depth, max: 2 })).at(-1).value);
  assert.deepEqual(values, [54, 50, 51, 49, 51, 49]);
  for (let depth = 1; depth <= 4; depth++) assert.equal((await engine.events({ ...game, fen: "startpos", depth, max: 2 })).at(-1).value, values[depth - 1], "minimax says the same");
  const fen = "1/3TT1/1TG2G/3G2/4 g 12";
  const third = new SearchEvents(await engine.events({ ...game, fen, depth: 3 }));
  const rootValues = third.place("").children.map((move) => [move, third.find("leave", move).value]);
  assert.deepEqual(rootValues.filter(([, value]) => value >= 50), [["a1", 50], ["c4", 50]], "a1 and c4 are equally good, and no other move is");
  assert.equal((await engine.events({ ...game, fen, depth: 4, max: 2 })).at(-1).value, 50);
  // The tree with its counts gives the values of the engine.
  for (const [move, value] of [["a1", 45], ["c4", 50]]) {
    const events = await engine.events({ ...game, fen, moves: move, depth: 3 });
    assert.equal(events.at(-1).value, value);
    assert.equal(minimax(readLeafTree(events), REFERENCE_WEIGHTS), value);
  }
  const reply = new SearchEvents(await engine.events({ ...game, fen, moves: "a1 b4b3 b6", depth: 1 }));
  assert.deepEqual([reply.end.line, reply.end.value], [["b3d3"], 45]);
  assert.ok((await engine.events({ ...game, fen, moves: "a1", depth: 3, max: 2 })).at(-1).line.join(" ").startsWith("b4b3 b6 b3d3"), "a1 b4b3 b6 is best play to depth 4");
  assert.equal(Object.fromEntries(reply.find("leaf", "b3d3").terms).goats, 56, "b3d3 captures one of 15 goats");
});

test("a new visit of a node sees nothing of the last one below it", async () => {
  const search = new SearchEvents(await engine.events({ tree: "[[5,9],[7,8],[2,6]]", algorithm: "scout", depth: 2 }));
  const again = search.events.find(({ e }) => e === "again");
  const { progress } = search.stateAt(again.i);
  assert.deepEqual(["2", "2 1", "2 2"].map((path) => progress.get(path)?.status), ["done", "done", "done"]);
  const entered = search.stateAt(again.i + 1).progress;
  assert.deepEqual([entered.get("2")?.status, entered.get("2")?.purpose, entered.get("2 1")?.status, entered.get("2 2")?.status, entered.get("1")?.status], ["open", "again", "unseen", "unseen", "done"]);
});

test("a null window is shown as its question", () => {
  assert.deepEqual([[13, 13.01], [4.99, 5], [-0.01, 0], [3, 4], [null, 3], [2.5, 2.51], [-3, -2.99], [3, 2], [3, 3]].map((window) => windowWords(/** @type {any} */ (window))), ["> 13?", "≥ 5?", "≥ 0?", "(3, 4)", "(−∞, 3)", "> 2.5?", "> −3?", "(3, 2)", "(3, 3)"]);
  assert.deepEqual([3.01, 0, 7, -2, -2.99].map(readTest), [{ relation: "more", value: 3 }, { relation: "least", value: 0 }, { relation: "least", value: 7 }, { relation: "least", value: -2 }, { relation: "more", value: -3 }]);
});

test("every reply that refutes a node is right, and so are both ways to ask for the next whole number", async () => {
  const search = new SearchEvents(await engine.events({ tree: "[[6,8,9],[4,5,7],[1,2,3]]", algorithm: "alphabeta", depth: 2 }));
  const question = { ask: "refuter", node: "2" };
  assert.deepEqual(["2 1", "2 2", "2 3"].map((guess) => isRight(guess, search, question)), [true, true, false]);
  const passes = new SearchEvents(await engine.events({ tree: FIRST_TREE, algorithm: "mtdf", memory: true, depth: 4 }));
  const next = { ask: "next-test", where: "pass:2" };
  assert.deepEqual([{ relation: "more", value: 3 }, { relation: "least", value: 4 }, { relation: "least", value: 3 }, { relation: "more", value: 4 }].map((guess) => isRight(guess, passes, next)), [true, true, false, false]);
});

test("lessons-hold: the moves of the last step of lesson 3 are a capture and one that has cut off elsewhere", async () => {
  const lesson = LESSONS["03-first-things-first"];
  const step = lesson.rounds[0].at(-1);
  const search = await searchOf(lesson, step, step.questions[0]);
  const [capture, killer] = step.questions.map((/** @type {any} */ question) => KINDS.first.why(search, question));
  assert.match(capture, /captures a goat/);
  assert.match(killer, /captures nothing/);
});

test("lessons-hold: the numbers in the sentences of lesson 8 are those of the engine", async () => {
  const small = "[[3,17],[8,9]]";
  const minimax = new SearchEvents(await engine.events({ tree: small, algorithm: "minimax", depth: 2 }));
  assert.deepEqual(["1", "2"].map((path) => minimax.backFrom(path).value), [3, 8], "the second child is better: 8, not 3");
  assert.equal((await engine.events({ tree: FIRST_TREE, algorithm: "minimax", depth: 4 })).at(-1).value, 3, "there it was worth 3");
  const slides = { variant: "2048", fen: "0,2/16,8 p 0", depth: 3 };
  const search = new SearchEvents(await engine.events({ ...slides, algorithm: "expectimax" }));
  const [two, four] = search.place("left").children.map((path) => search.place(path));
  assert.deepEqual([two.move, two.p, search.backFrom(two.path).value], ["b2=2", 0.9, 16], "a 2 comes nine times in ten: then 16");
  assert.deepEqual([four.move, four.kind], ["b2=4", "leaf"], "a 4 ends the game");
  assert.equal(search.find("leaf", four.path).why, "over");
  assert.ok(search.place("up").children.every((path) => search.find("leaf", path).why === "over"), "after up, every tile ends the game");
  assert.equal((await engine.evaluation("2048", "4,0/16,8 t 4")).Evaluation, 12, "the evaluation gives 12 for the empty cell");
  assert.equal((await engine.evaluation("2048", "4,0/16,8 t 4")).room, 12);
  const values = new Set();
  for (let seed = 1; seed <= 12; seed++) values.add(await generateTree(seed, { shape: [2, 2, 2], demands: ["leaves-differ", "one-best-child", "coin-differs"] }, (wanted) => engine.events(wanted)));
  for (const tree of values) {
    const lines = await Promise.all(["minimax", "expectimax"].map(async (algorithm) => (await engine.events({ tree, algorithm, depth: 3 })).at(-1).line[0]));
    assert.notEqual(lines[0], lines[1], tree);
  }
});

test("lessons-hold: the numbers in the sentences of lessons 10 to 12 are those of the engine", async () => {
  const all = async (/** @type {any} */ material) => createSearch(await engine.events(material));
  const river = { variant: "missionaries", fen: "3 3 left", depth: 0 };
  const bfs = await all({ ...river, algorithm: "bfs" });
  assert.deepEqual([bfs.end.counts.all.nodes, bfs.end.value], [17, 11], "17 states are made; eleven crossings");
  assert.deepEqual((await all({ ...river, algorithm: "iddfs" })).end.line.length, 11, "deepening finds a way as short");
  const [easy, medium, hard] = ["0,5,1/3,4,2/6,7,8", "0,4,7/1,5,2/6,8,3", "7,2,4/5,0,6/8,3,1"].map((fen) => ({ variant: "8-puzzle", fen, depth: 0 }));
  const counts = async (/** @type {any} */ material, /** @type {string} */ algorithm, /** @type {string} */ heuristic) => (await all({ ...material, algorithm, heuristic, max: 4 })).end;
  assert.deepEqual([(await counts(easy, "bfs", "auto")).counts.all.nodes, (await counts(easy, "bfs", "auto")).value], [225, 8], "eight moves, breadth first makes 225");
  for (const [name, made] of [["misplaced", 1493], ["manhattan", 218], ["linear-conflict", 126]]) assert.equal((await counts(medium, "astar", name)).counts.all.nodes, made, name);
  assert.equal((await counts(medium, "bfs", "auto")).counts.all.nodes, 19893);
  const names = ["manhattan", "reversal", "squared-discounted", "squared"];
  const estimates = [];
  for (const heuristic of names) estimates.push((await all({ ...hard, algorithm: "astar", heuristic, max: 4 })).events.find(({ e }) => e === "open")?.h);
  assert.deepEqual(estimates, [18, 18, 24, 28], "h1 to h4 say");
  const [h1, h4] = [await counts(hard, "astar", "manhattan"), await counts(hard, "astar", "squared")];
  assert.deepEqual([h1.counts.all.nodes, h1.value, h1.proved, h4.counts.all.nodes, h4.value], [2471, 26, true, 884, 30]);
  const fifteen = { variant: "15-puzzle", fen: "14,5,9,6/8,10,1,2/7,0,4,3/12,13,15,11", depth: 0 };
  const ways = [];
  for (const heuristic of names) ways.push([(await counts(fifteen, "astar", heuristic)).value, (await counts(fifteen, "astar", heuristic)).counts.all.nodes]);
  assert.deepEqual(ways, [[37, 78553], [37, 64056], [41, 10403], [43, 4517]]);
  const [ida, star] = [(await counts(easy, "idastar", "manhattan")).counts, (await counts(easy, "astar", "manhattan")).counts];
  assert.deepEqual([ida.all.nodes, ida.kept, star.all.nodes, star.kept], [35, 9, 31, 31], "35 states made, nine kept; A* makes 31 and keeps what it makes");
  assert.deepEqual((await all({ ...easy, algorithm: "idastar", heuristic: "manhattan" })).events.filter(({ e }) => e === "bound").map(({ bound }) => bound), [4, 6, 8]);
});

test("lessons-hold: the numbers of lesson 9 are those of the engine", async () => {
  const lesson = LESSONS["09-backwards-from-the-end"];
  const [first, , third, rings, last] = lesson.rounds[0];
  const child = async (/** @type {any} */ step) => KINDS.winning.why(await searchOf(lesson, step, step.questions[0]), step.questions[0]);
  assert.match(await child(first), /b2b3: the hounds win in 2 plies/);
  assert.equal((await child(first)).match(/the hare wins in 5 plies/g)?.length, 4, "the others lose in 5");
  assert.match(await child(third), /b4a3: the hounds win in 4 plies/);
  assert.equal((await child(third)).match(/the hare wins in 7 plies/g)?.length, 3, "every other one loses in 7");
  const all = await searchOf(lesson, rings, rings.questions[0]);
  assert.deepEqual([all.end.counts.all.nodes, all.end.value], [2510, { win: "p1", plies: 23 }]);
  const start = await searchOf(lesson, last, last.questions[0]);
  assert.deepEqual([start.beside.minimax.end.value, start.beside.minimax.end.proved], [21, false]);
  assert.deepEqual((await searchOf(lesson, last, last.questions[1])).end.value, { win: "p1", plies: 15 }, "Kaooa: crows, 15 plies");
});

test("the open list is sorted as the search takes from it", async () => {
  for (const heuristic of ["misplaced", "manhattan", "linear-conflict", "squared"]) {
    const search = /** @type {any} */ (createSearch(await engine.events({ variant: "8-puzzle", fen: "0,4,7/1,5,2/6,8,3", algorithm: "astar", heuristic, depth: 0 })));
    for (const { e, n, i, open } of search.events) {
      if (e !== "expand") continue;
      const list = search.openAt(i - 1);
      assert.equal(list[0].n, n, `${heuristic}, event ${i}`);
    }
    const river = /** @type {any} */ (createSearch(await engine.events({ variant: "missionaries", fen: "3 3 left", algorithm: "bfs", depth: 0 })));
    for (const { e, n, i } of river.events) if (e === "expand") assert.equal(river.openAt(i - 1)[0].n, n, `the queue, event ${i}`);
  }
});

test("questions-computed: no lesson file contains an answer", async () => {
  const keys = new Set(["ask", "node", "after", "where", "prompt", "hint", "tree", "cutOn", "unseen", "event", "compare", "picture", "showsEstimates", "search", "perft", "term", "moves"]);
  await forEachQuestion((place, search, question, step) => {
    for (const key of Object.keys(question)) assert.ok(keys.has(key), `${place}: '${key}'`);
    const answer = kindOf(question).answer(search, question);
    assert.notEqual(answer, undefined, place);
    const words = answerWords(answer, search, question);
    const free = [question.prompt, question.hint, step.note].filter(Boolean).join(" ");
    const pattern = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    assert.doesNotMatch(free, new RegExp(`(^|[^\\p{L}\\p{N}])${pattern}($|[^\\p{L}\\p{N}])`, "u"), place);
  });
});

test("the list names every lesson as its file does", () => {
  assert.deepEqual(LISTED, Object.entries(LESSONS).map(([name, { title, goal }]) => [name, title, goal]));
});

test("every question has words, a hint, an event at which it is asked, and a reason", async () => {
  for (const seed of [1, 2, 3]) {
    await forEachQuestion((place, search, question) => {
      const kind = kindOf(question);
      for (const text of [promptText(search, question), hintText(search, question), kind.why(search, question)]) {
        assert.match(text, /\S{3}/, place);
        assert.doesNotMatch(text, /undefined|null|NaN|\[object/, `${place}: ${text}`);
      }
      const at = askedAt(search, question);
      assert.ok(at >= 0 && at <= kind.shown(search, question) && kind.shown(search, question) <= search.last, `${place}: asked at ${at}`);
    }, seed);
  }
});

test("the events before a question do not show its answer", async () => {
  await forEachQuestion((place, search, question) => {
    const { progress } = search.stateAt(askedAt(search, question));
    if (question.ask === "value") assert.equal(progress.get(question.node)?.status, "open", place);
    if (question.ask === "window" && question.node !== "") assert.equal(progress.get(question.where ? search.paths[search.decisions().at(Number(question.where.split(":")[1]) - (question.where.includes("-") ? 0 : 1)).n] : question.node)?.status, "unseen", place);
    if (question.ask === "cut") assert.ok([...progress.values()].every(({ status, isCut }) => status !== "open" || !isCut), place);
  });
});

test("no earlier question of a step shows the answer of a later one about a puzzle's events", async () => {
  for (let seed = 1; seed <= 8; seed++) {
    for (const name of ["10-states-not-paths", "11-a-star-and-the-honest-guess", "12-parity-and-the-ladder"]) {
      for (const [round, steps] of LESSONS[name].rounds.entries()) {
        for (const [at, step] of steps.entries()) {
          const limits = new Map();
          for (const [number, question] of step.questions.entries()) {
            const search = await searchOf(LESSONS[name], step, question, seed);
            const { event = "" } = question;
            const asked = askedAt(search, question);
            if (event) assert.ok(asked >= (limits.get(search) ?? 0), `${name} ${round + 1}.${at + 1}.${number + 1}, seed ${seed}: asked at ${asked}, but ${limits.get(search)} is shown`);
            limits.set(search, Math.max(limits.get(search) ?? 0, kindOf(question).shown(search, question)));
          }
        }
      }
    }
  }
});

test("generated trees teach", async () => {
  const trees = new Set();
  const wanted = { shape: [2, 2, 2], demands: ["leaves-differ", "one-best-child", "two-cuts", "three-decisions"] };
  for (let seed = 1; seed <= 12; seed++) {
    const tree = await generateTree(seed, wanted, (search) => engine.events(search));
    assert.equal(tree, await generateTree(seed, wanted, (search) => engine.events(search)), "the same seed gives the same tree");
    trees.add(tree);
    const leaves = tree.match(/\d+/g);
    assert.equal(new Set(leaves).size, leaves.length, tree);
    const minimax = new SearchEvents(await engine.events({ tree, algorithm: "minimax", depth: 3 }));
    const [one, other] = ["1", "2"].map((path) => minimax.find("leave", path).value);
    assert.notEqual(one, other, tree);
    const alphaBeta = new SearchEvents(await engine.events({ tree, depth: 3 }));
    assert.ok(alphaBeta.cuts().length >= 2, tree);
    assert.equal(alphaBeta.end.value, minimax.end.value, tree);
  }
  assert.equal(trees.size, 12);
});

test("a tree that cannot teach is refused after 200 tries", async () => {
  // A root with one child has no choice.
  await assert.rejects(generateTree(1, { shape: [1, 1], demands: ["not-leftmost"] }, (search) => engine.events(search)), /no tree of 200/);
});

test("random numbers are spread over 0 to 1", () => {
  const random = randomNumbers(7);
  const numbers = Array.from({ length: 4000 }, random);
  assert.ok(numbers.every((number) => number >= 0 && number < 1));
  assert.ok(Math.abs(numbers.reduce((sum, number) => sum + number, 0) / numbers.length - 0.5) < 0.02);
  assert.match(randomTree([3, 2], random), /^\[(\[\d+,\d+\],){2}\[\d+,\d+\]\]$/);
});

test("the state of a tree follows its events", async () => {
  const search = new SearchEvents(await engine.events({ tree: "[[3,17],[2,12]]", depth: 2 }));
  const begin = search.stateAt(0);
  assert.equal(begin.current, null);
  assert.ok([...begin.progress.values()].every(({ status }) => status === "unseen"));
  const { progress } = search.stateAt(search.last);
  assert.deepEqual(progress.get("2")?.skipped, ["2"]);
  assert.deepEqual([progress.get("2")?.bound, progress.get("2")?.value], ["upper", 2]);
  assert.equal(progress.get("2 2")?.status, "unseen");
  assert.equal(progress.get("")?.value, 3);
});

test("the side of every game is a noun with the name of one piece", async () => {
  const server = await Server.start();
  const { variants } = await fetch(new URL("variants.json", server.url)).then((answer) => answer.json()).finally(() => server.stop());
  for (const { variant, players, each } of variants) assert.deepEqual(players.map((/** @type {string} */ name) => sideNoun(name).one), each, variant);
  assert.deepEqual(["sheep", "geese", "jaguar", "X"].map((name) => sideNoun(name).isMany), [true, true, false, false]);
});

test("sentences tell nodes from values", async () => {
  const search = new SearchEvents(await engine.events({ tree: FIRST_TREE, depth: 4 }));
  const sentences = search.events.map((event) => search.sentence(event));
  for (const expected of ["The search enters node 1 1 2. Only values above 3 matter.", "Cut off at node 1 2: it is worth 15 or more, but Min has 3 elsewhere. Never looked at: child 2.", "The value of node 1 1 1 is 3.", "The value of the root is 3.", "Min can have 3 at node 1 1 1 by child 1: the best so far.", "Max would have 2 or less at node 1 1 by child 2: no better.", "Min can choose at node 1 1 1: children 1, 2."]) {
    assert.ok(sentences.includes(expected), `${expected} is in ${sentences.join(" ")}`);
  }
});

test("typed numbers and bounds are read", () => {
  assert.deepEqual(["7", " −3 ", "2,5", "-1"].map(readNumber), [7, -3, 2.5, -1]);
  assert.deepEqual(["", "x", "3 4", "∞"].map(readNumber), [undefined, undefined, undefined, undefined]);
  assert.deepEqual(["7", "255,168", "1,00,000", "12 500", "1.5", "x"].map((text) => readCount(text)), [7, 255168, 100000, 12500, 1.5, undefined]);
  assert.deepEqual(["255.168", "1,5"].map((text) => readCount(text, ".")), [255168, 1.5]);
  assert.deepEqual(["−∞", "-inf", "∞", "3"].map((text) => readBound(text, "alpha")), [null, null, undefined, 3]);
  assert.deepEqual(["∞", "inf", "−∞", "3"].map((text) => readBound(text, "beta")), [null, null, undefined, 3]);
});

test("answers are compared by content", () => {
  assert.ok(isSameAnswer([3, null], [3, null]));
  assert.ok(!isSameAnswer([3, null], [null, 3]));
  assert.ok(isSameAnswer({ a: "p1", b: "p2" }, { b: "p2", a: "p1" }));
  assert.ok(!isSameAnswer(3, "3"));
});
