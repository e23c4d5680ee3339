import assert from "node:assert/strict";
import { test } from "node:test";
import { findPosition, fits, judgeEndgame, keepingMoves } from "../../../src/web/page/practice.js";
import { randomNumbers } from "../../../src/web/page/random_numbers.js";

/** Returns a state with the verdict and plies of each move, the best first. @param {[string, string, number | null][]} moves @param {any} [changes] */
function stateOf(moves, changes = {}) {
  const solved = moves.length ? { verdict: moves[0][1], plies: moves[0][2], moves: moves.map(([move, verdict, plies]) => ({ move, verdict, plies })) } : null;
  return /** @type {any} */ ({ fen: "x", turn: "p1", outcome: null, moves: moves.map(([move]) => ({ move })), solved, ...changes });
}

test("exactly_one_move_keeps_the_value", () => {
  const only = stateOf([["a", "p1win", 7], ["b", "draw", null], ["c", "p2win", 4]]);
  assert.equal(fits(only, "only", "any"), true);
  assert.equal(fits(only, "only", "medium"), true);
  assert.equal(fits(only, "only", "short"), false);
  assert.equal(fits(only, "only", "draw"), false);
  assert.equal(fits(stateOf([["a", "p1win", 7], ["b", "p1win", 9]]), "only", "any"), false, "a slower win keeps the value");
  assert.equal(fits(stateOf([["a", "p2win", 7], ["b", "p2win", 3]]), "only", "any"), false, "every move of a lost position keeps the loss");
  assert.equal(fits(stateOf([["a", "draw", null], ["b", "p2win", 3]]), "only", "draw"), true);
  assert.equal(fits(stateOf([["a", "p1win", null], ["b", "draw", null]]), "only", "long"), true, "a win by endless play is long");
});

test("moves_without_exact_values_are_not_judged", () => {
  const state = stateOf([["a", "p1win", 7], ["b", "draw", null]]);
  assert.equal(keepingMoves({ ...state, moves: [...state.moves, { move: "c" }] }), null);
  assert.equal(keepingMoves({ ...state, solved: null }), null);
  assert.equal(keepingMoves({ ...state, outcome: "draw" }), null);
  assert.deepEqual(keepingMoves(state)?.map(({ move }) => move), ["a"]);
});

test("an_endgame_is_won_only_within_its_distance", () => {
  assert.equal(judgeEndgame(stateOf([["a", "p1win", 4]]), "p1", 4), "good");
  assert.equal(judgeEndgame(stateOf([["a", "p1win", 6]]), "p1", 4), "slow");
  assert.equal(judgeEndgame(stateOf([["a", "draw", null]]), "p1", 4), "lost");
  assert.equal(judgeEndgame(stateOf([["a", "p1win", null]]), "p1", 4), "slow");
  assert.equal(judgeEndgame(stateOf([], { outcome: "p1win" }), "p1", 0), "won");
  assert.equal(judgeEndgame(stateOf([], { outcome: "p2win" }), "p1", 0), "lost");
  assert.equal(judgeEndgame(stateOf([]), "p1", 4), "lost", "an unknown value proves no win");
});

test("random_games_repeat_with_their_seed", async () => {
  /** @param {number} seed */
  const search = async (seed) => {
    /** @type {string[]} */
    const asked = [];
    const fetch = async (/** @type {string} */ position) => {
      asked.push(position);
      const length = position.split(" ").length;
      return stateOf(length > 25 ? [["a", "p1win", 3], ["b", "draw", null]] : [["a", "draw", null], ["b", "draw", null]], { fen: position });
    };
    const found = await findPosition({ fetch, start: "startpos", exercise: "only", grade: "any", isKnown: () => false, random: randomNumbers(seed), isStopped: () => false });
    return { asked, fen: found?.fen };
  };
  const [one, same, other] = [await search(5), await search(5), await search(6)];
  assert.deepEqual(one, same);
  assert.notDeepEqual(one.asked, other.asked);
});

test("the_position_is_checked_without_its_history", async () => {
  // With its history the position has one keeping move, and without it two.
  const fetch = async (/** @type {string} */ position) => stateOf([["a", "p1win", 3], ["b", position.startsWith("fen") ? "p1win" : "draw", 5]], { fen: "x" });
  assert.equal(await findPosition({ fetch, start: "startpos", exercise: "only", grade: "any", isKnown: () => false, random: randomNumbers(1), isStopped: () => false }), null);
});
