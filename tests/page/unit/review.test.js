import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "../../../src/web/page/game_tree.js";
import { review } from "../../../src/web/page/review.js";
import { lossWords, reviewHead } from "../../../src/web/page/text/values.js";

/** A finished game whose positions have these worths; the first player moves first. @param {any[]} worths @param {string | null} outcome */
function played(worths, outcome) {
  const game = read(null, worths.slice(1).map((_, at) => `m${at + 1}`).join(" "));
  const line = game.line();
  line.forEach((node, at) => {
    node.worth = worths[at];
    node.state = { turn: at % 2 ? "p2" : "p1", outcome: at === line.length - 1 ? outcome : null, group: "hunts", players: ["goats", "tigers"], each: ["goat", "tiger"], board: { kind: "graph" }, ply: at };
  });
  return line;
}

/** @param {any[]} line */
function words(line) {
  const found = review(line);
  return [reviewHead(line[0].state, found), ...found.losses.map((loss) => lossWords(loss.node.parent.state, loss))].join("\n");
}

const points = (value, depth = 6) => ({ points: value, depth });
const draw = { end: "draw", plies: null, sure: true };
const lost = { end: "p2win", plies: 6, sure: true };
const over = { end: "p2win", plies: 0, sure: true };

test("a game lost by many small steps says so and never that nothing was given away", () => {
  // Every move of the goats costs less than the margin; together they cost the game.
  const line = played([points(0), points(-0.4, 5), points(-0.4), points(-0.9), points(-0.9), points(-1.6), points(-1.6), points(-2.6, 9), points(-2.6), points(-4), points(-4), over], "p2win");
  const text = words(line);
  assert.match(text, /^11 moves, judged by estimates of depth 5 to 9, which prove nothing\. No single move stands out: the goats lost by many small steps, the largest:/);
  assert.match(text, /Move \d+, m\d+ by the goats: \d+ of 100 chances, an estimate\./);
  assert.doesNotMatch(text, /no move gave|none/i);
});

test("nothing given away is claimed only if every verdict is proved", () => {
  const proved = [lost, lost, lost, over];
  assert.match(words(played(proved, "p2win")), /^3 moves\. By exact values no move gave a win or a draw away\.$/);
  for (let at = 0; at < proved.length; at++) {
    const worths = proved.map((worth, index) => (index === at ? points(-3) : worth));
    assert.doesNotMatch(words(played(worths, "p2win")), /exact|no move/, `position ${at} is an estimate`);
    const gaps = proved.map((worth, index) => (index === at ? null : worth));
    assert.doesNotMatch(words(played(gaps, "p2win")), /exact|no move/, `position ${at} has no value`);
  }
});

test("a value that is proved to be given away is named, with what it was and what it became", () => {
  const text = words(played([draw, lost, lost, over], "p2win"));
  assert.match(text, /^3 moves\. By exact values 1 move gave a win or a draw away:/);
  assert.match(text, /Move 1, m1 by the goats, gave away the draw: from a draw with best play to tigers win in 6\./);
});

test("a turning point between estimates is called one, not a win or a draw thrown away", () => {
  const text = words(played([points(1), { end: "p2win", plies: 9 }, points(-3), over], "p2win"));
  assert.match(text, /1 turning point:/);
  assert.match(text, /Move 1, m1 by the goats: from goats better \(estimate, depth 6\) to tigers win within 9\./);
  assert.doesNotMatch(text, /gave away/);
});

test("of many turning points the worst three are listed, the worst first", () => {
  const found = review(played([points(1), points(-1), points(1), points(-1), points(1), points(-2), points(1), points(-1), over], "p2win"));
  assert.equal(found.turning, 7);
  assert.equal(found.losses.length, 3);
  assert.ok(found.losses[0].fall >= found.losses[1].fall && found.losses[1].fall >= found.losses[2].fall);
});

test("a game without a loser and one whose loss does not show claim nothing", () => {
  assert.match(words(played([points(0), points(0.1), points(0), { end: "draw", plies: 0, sure: true }], "draw")), /which prove nothing\. No single move stands out\.$/);
  assert.match(words(played([points(-4), points(-4), points(-4), over], "p2win")), /the estimates do not show where the goats lost\.$/);
});
