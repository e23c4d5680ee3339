import assert from "node:assert/strict";
import { test } from "node:test";
import { difficultyOf, matchesFilter, sectionsOf } from "../../../src/web/page/game_filter.js";
import { difficultyText, gameTooltip, originText } from "../../../src/web/page/text/games.js";

/** @param {object} facts @returns {any} */
const entry = (facts) => ({ variant: "x", title: "X", group: "hunts", players: ["goats", "tigers"], each: ["goat", "tiger"], origin: null, year: null, positions: null, ...facts });

test("the difficulty follows from the number of positions", () => {
  const difficulties = [1, 100000, 100001, 1e9, 1e9 + 1, 7.8e24, null].map((positions) => difficultyOf(entry({ positions })));
  assert.deepEqual(difficulties, ["easy", "easy", "medium", "medium", "hard", "hard", null]);
});

test("a bound is rounded up, so that it stays one", () => {
  const texts = [2640, 1e6, 2013760, 2.23e10, 9.96e11].map((positions) => difficultyText(entry({ positions }), "hard").replace(/^Hard: at most (.+) positions$/, "$1"));
  assert.deepEqual(texts, ["2,640", "1,000,000", "2.1 × 10⁶", "2.3 × 10¹⁰", "1 × 10¹²"]);
});

test("an unknown country or year is left out", () => {
  assert.deepEqual([{ origin: "India", year: 1924 }, { origin: "India" }, { year: 1951 }, {}].map((facts) => originText(entry(facts))), ["India, 1924", "India", "1951", ""]);
});

test("the tooltip explains the year and the difficulty", () => {
  assert.equal(gameTooltip(entry({ year: 1924, positions: 40752 }), "easy"), "Described in 1924. Easy: at most 40,752 positions");
  assert.equal(gameTooltip(entry({ positions: 26 }), "easy"), "Easy: at most 26 positions");
  assert.equal(gameTooltip(entry({}), null), "");
});

test("every word of the search begins a word of the game", () => {
  const listed = entry({ variant: "yaguarete-kora", title: "Yaguareté Kora", origin: "Argentina", year: 2006, positions: 5 });
  for (const search of ["", "  ", "yaguarete", "KORA yag", "argen 2006", "goat", "yaguaretekora", "Yaguareté-Kora!"]) assert.ok(matchesFilter(listed, search, ""), search);
  for (const search of ["ora", "argentina 2007", "kora x"]) assert.ok(!matchesFilter(listed, search, ""), search);
  assert.ok(matchesFilter(listed, "kora", "easy"));
  assert.ok(!matchesFilter(listed, "kora", "hard"));
  assert.ok(!matchesFilter(entry({}), "", "easy"), "a game without a bound has no difficulty");
});

test("the best known games come first and hunts by title", () => {
  const games = [entry({ variant: "z", title: "B" }), entry({ variant: "tree", group: "trees" }), entry({ variant: "2048", group: "numbers" }), entry({ variant: "8-puzzle", group: "puzzles" }), entry({ variant: "bagh-chal" }), entry({ variant: "y", title: "A" })];
  assert.deepEqual(sectionsOf(games).map(([name, members]) => [name, members.map(({ variant }) => variant)]), [["first", ["bagh-chal", "2048"]], ["hunts", ["y", "z"]], ["others", ["8-puzzle", "tree"]]]);
  assert.deepEqual(sectionsOf([...games.slice(0, 1), entry({ variant: "own", isDrawn: true })]).map(([name]) => name), ["drawn", "hunts"]);
  assert.deepEqual(sectionsOf(games.slice(0, 1)).map(([name]) => name), ["hunts"]);
});
