import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGame } from "../../../src/web/page/game_tree.js";
import { reviewGame } from "../../../src/web/page/review.js";
import { coachText, lossText, reviewSummary } from "../../../src/web/page/text/values.js";

/** Returns the line of a finished game with these values; the first player moves first. @param {any[]} values @param {string | null} outcome */
function finishedGame(values, outcome) {
  const line = parseGame(null, values.slice(1).map((_, at) => `m${at + 1}`).join(" ")).currentLine();
  line.forEach((node, at) => {
    Object.assign(node, { value: values[at], previousValue: values[at], depth: values[at]?.depth ?? 0 });
    node.state = { turn: at % 2 ? "p2" : "p1", outcome: at === line.length - 1 ? outcome : null, group: "hunts", players: ["goats", "tigers"], each: ["goat", "tiger"], board: { kind: "graph" }, ply: at, moves: [] };
  });
  return line;
}

/** Returns the whole text of a review. @param {any[]} line */
function reviewText(line) {
  const review = reviewGame(line);
  return [reviewSummary(line[0].state, review), ...review.losses.map((loss) => lossText(loss.node.parent.state, loss))].join("\n");
}

const points = (value, depth = 6) => ({ points: value, depth });
const draw = { outcome: "draw", plies: null, exact: true };
const lost = { outcome: "p2win", plies: 6, exact: true };
const over = { outcome: "p2win", plies: 0, exact: true };

test("a game lost in small steps lists the largest steps", () => {
  // Every move of the goats costs less than the minimum of a loss; together they cost the game.
  const line = finishedGame([points(0), points(-0.4, 5), points(-0.4), points(-0.9), points(-0.9), points(-1.6), points(-1.6), points(-2.6, 9), points(-2.6), points(-4), points(-4), over], "p2win");
  const text = reviewText(line);
  assert.match(text, /^11 moves, judged by estimates of depth 5 to 9\. Estimates prove nothing\. No single move stands out: the goats lost step by step, most in these moves:/);
  assert.match(text, /Move \d+: m\d+ by the goats cost \d+ of 100 chances \(estimate\)\./);
  assert.doesNotMatch(text, /no move gave|none/i);
});

test("“no move gave away” requires that all outcomes are proved", () => {
  const proved = [lost, lost, lost, over];
  assert.match(reviewText(finishedGame(proved, "p2win")), /^3 moves\. By exact values, no move gave away a win or a draw\.$/);
  for (let at = 0; at < proved.length; at++) {
    const withEstimate = proved.map((value, index) => (index === at ? points(-3) : value));
    assert.doesNotMatch(reviewText(finishedGame(withEstimate, "p2win")), /exact|no move/, `position ${at} is an estimate`);
    const withGap = proved.map((value, index) => (index === at ? null : value));
    assert.match(reviewText(finishedGame(withGap, "p2win")), /^3 moves\. Some positions have no value\./, `position ${at} has no value`);
    assert.doesNotMatch(reviewText(finishedGame(withGap, "p2win")), /exact|no move|estimates prove/, `position ${at} has no value`);
  }
});

test("a proved loss is named with the values before and after", () => {
  const text = reviewText(finishedGame([draw, lost, lost, over], "p2win"));
  assert.match(text, /^3 moves\. By exact values, 1 move gave away a win or a draw:/);
  assert.match(text, /Move 1: m1 by the goats gave away the draw, from a draw to losing in 6\./);
});

test("a loss between estimates is only called a turning point", () => {
  const text = reviewText(finishedGame([points(1, 10), { outcome: "p2win", plies: 9 }, points(-3), over], "p2win"));
  assert.match(text, /1 turning point:/);
  assert.match(text, /Move 1: m1 by the goats, from better \(estimate, depth 10\) to losing within 9\./);
  assert.doesNotMatch(text, /gave away/);
});

test("values that do not bear out a loss name no turning point", () => {
  /** @param {any[]} values */
  const named = (values) => reviewGame(finishedGame([...values, over], "p2win")).losses.length;
  const soon = { outcome: "p2win", plies: 5 };
  const wins = { outcome: "p1win", plies: 4 };
  assert.equal(named([points(1, 6), soon]), 1);
  assert.equal(named([points(1, 5), soon]), 0, "the loss was beyond the search before");
  assert.equal(named([soon, soon, points(14, 6), soon, soon]), 0, "the loss was proved before, and is only seen again");
  assert.equal(named([wins, points(-1, 6)]), 1);
  assert.equal(named([wins, points(-1, 5)]), 0, "the search is not deep");
  assert.equal(named([{ outcome: "p1win", plies: 9 }, points(-1, 6)]), 0, "the win was beyond the search after");
  assert.equal(named([points(1, 6), points(-1, 6)]), 1);
  assert.equal(named([points(1, 8), points(-1, 6)]), 0, "the search before saw further");
  assert.equal(named([points(14, 6), points(0, 6)]), 0, "fourteen points are no chance");
  assert.equal(named([wins, points(-14, 6)]), 0, "fourteen points are no chance");
});

test("the three largest turning points are listed in order", () => {
  const review = reviewGame(finishedGame([points(1), points(-1), points(1), points(-1), points(1), points(-2), points(1), points(-1), over], "p2win"));
  assert.equal(review.turningPoints, 7);
  assert.equal(review.losses.length, 3);
  assert.ok(review.losses[0].fall >= review.losses[1].fall && review.losses[1].fall >= review.losses[2].fall);
});

test("the sentence after a game claims no more than the values show", () => {
  /** @param {any[]} values @param {string} outcome */
  const sentence = (values, outcome = "p2win") => {
    const line = finishedGame(values, outcome);
    return coachText(line[0].state, reviewGame(line));
  };
  assert.equal(sentence([draw, lost, lost, over]), "Move 1, m1, gave away the draw.");
  assert.equal(sentence([points(1), points(-1), points(-1), over]), "Move 1, m1, seems to have decided it.");
  assert.equal(sentence([lost, lost, lost, over]), "No move gave away a win or a draw.");
  assert.equal(sentence([points(-4), points(-4), points(-4), over]), "");
  assert.equal(sentence([draw, null, null, over]), "", "too few positions have a value");
  assert.equal(sentence([points(0), points(-0.4), points(-0.4), points(-0.9), points(-0.9), points(-1.6), points(-1.6), points(-2.6), points(-2.6), points(-4), points(-4), over]), "The goats lost step by step.");
});

test("an entry names the better move, unless it was played", () => {
  const line = finishedGame([draw, lost, lost, over], "p2win");
  const { state } = line[0];
  state.moves = [{ move: "b2", to: "b2" }, { move: "m1", to: "c3" }];
  line[0].best = "b2";
  assert.match(reviewText(line), /losing in 6\. Better: place a goat on b2\.$/);
  line[0].best = "m1";
  assert.doesNotMatch(reviewText(line), /Better/);
  state.solved = { moves: [{ move: "b2" }] };
  assert.match(reviewText(line), /Better: place a goat on b2\.$/, "exact values win over a search");
});

test("a draw and an unexplained loss claim nothing", () => {
  assert.match(reviewText(finishedGame([points(0), points(0.1), points(0), { outcome: "draw", plies: 0, exact: true }], "draw")), /prove nothing\. No single move stands out\.$/);
  assert.match(reviewText(finishedGame([points(-4), points(-4), points(-4), over], "p2win")), /the estimates do not show where the goats lost\.$/);
});
