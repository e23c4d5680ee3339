// Checks the review of games between levels against exact values.

import assert from "node:assert/strict";
import { reviewedGame, startEngines } from "../support/reviewed_games.js";

/** The number of games. `review_games.js` plays a hundred, and longer ones. */
const GAMES = 10;
/** The games, and the maximum plies of each. A drawn position takes the search all of its time. */
const VARIANTS = ["hare-and-hounds", "kaooa", "tic-tac-toe"];
const MAX_PLIES = 20;

const namesTheTurn = { name: "review-names-the-turn", feature: "the review of seeded games names moves that gave away a win or a draw, with and without exact values, none falsely, and at most three; warnings at most once in five moves", async check() {
  const engines = startEngines();
  const total = { moves: 0, turns: 0, exact: 0, searched: 0, warned: 0, own: 0 };
  try {
    for (let at = 0; at < GAMES; at++) {
      const { variant, moves, personMoves, turns, isSolved, withExact, without } = await reviewedGame(engines, at, VARIANTS, MAX_PLIES);
      const game = `game ${at}, ${variant}: ${moves.join(" ")}`;
      for (const review of [withExact, without]) {
        assert.deepEqual(review.falseNamed, [], `${game}: ${review.texts.join("; ")}`);
        assert.equal(review.falseWarned, 0, game);
        assert.ok(review.named.length <= 3, game);
        assert.ok(review.warned <= Math.ceil(personMoves / 5), `${game}: ${review.warned} warnings in ${personMoves} moves`);
      }
      if (isSolved) assert.equal(withExact.named.length, Math.min(3, turns.length), `${game}: exact values name all`);
      total.moves += moves.length;
      total.turns += turns.length;
      total.exact += withExact.named.length;
      total.searched += without.named.length;
      total.warned += withExact.warned;
      total.own += personMoves;
    }
  } finally {
    await engines.stop();
  }
  assert.ok(total.searched > 0, "estimates name some");
  return `${GAMES} games, ${total.moves} moves, ${total.turns} gave away a win or a draw; named ${total.exact} with exact values and ${total.searched} without, none falsely; ${total.warned} warnings in ${total.own} moves`;
} };

export const reviewingChecks = [namesTheTurn];
