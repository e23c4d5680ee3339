import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "../../../src/web/page/game_tree.js";
import { Travel } from "../../../src/web/page/undo_history.js";

/** Where a person plays: the first side, the second, both, nobody. */
const SEATS = [(node) => node.ply % 2 === 0, (node) => node.ply % 2 === 1, () => true, (node) => [3, 4].includes(node.ply % 5)];

test("undo takes redo back and redo takes undo back, from every position and however often", () => {
  for (const stops of SEATS) {
    for (const start of Array.from({ length: 9 }, (_, ply) => ply)) {
      for (const [there, back] of [["undo", "redo"], ["redo", "undo"]]) {
        for (const times of [1, 2, 3]) {
          const game = read(null, "a b c d e f g h");
          game.go(game.line()[start]);
          const travel = new Travel();
          const seen = [game.current];
          for (let at = 0; at < times; at++) {
            const to = travel[there](game, stops);
            if (!to) break;
            game.go(to);
            seen.push(to);
          }
          for (let at = seen.length - 2; at >= 0; at--) {
            game.go(travel[back](game, stops));
            assert.equal(game.current, seen[at], `${there} and ${back} from ply ${start}`);
          }
        }
      }
    }
  }
});

test("undo and redo stop where a person is to move", () => {
  const game = read(null, "a b c d");
  const travel = new Travel();
  const person = SEATS[0];
  game.go(/** @type {any} */ (travel.undo(game, person)));
  assert.equal(game.current.ply, 2);
  game.go(/** @type {any} */ (travel.redo(game, person)));
  assert.equal(game.current.ply, 4);
  assert.equal(travel.redo(game, person), null);
});

test("steps are forgotten when the game went elsewhere", () => {
  const game = read(null, "a b c d");
  const travel = new Travel();
  game.go(/** @type {any} */ (travel.undo(game, () => true)));
  travel.clear();
  game.play("x");
  game.go(/** @type {any} */ (game.current.parent));
  assert.equal(travel.redo(game, () => true)?.move, "x");
});
