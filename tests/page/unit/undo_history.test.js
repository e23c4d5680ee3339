import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGame } from "../../../src/web/page/game_tree.js";
import { UndoHistory } from "../../../src/web/page/undo_history.js";

/** Where a person is to move: the first side, the second, both, or now and then. */
const STOPS = [(node) => node.ply % 2 === 0, (node) => node.ply % 2 === 1, () => true, (node) => [3, 4].includes(node.ply % 5)];

test("undo and redo reverse each other from every position", () => {
  for (const isStop of STOPS) {
    for (let start = 0; start < 9; start++) {
      for (const [step, reverse] of [["undo", "redo"], ["redo", "undo"]]) {
        for (const times of [1, 2, 3]) {
          const tree = parseGame(null, "a b c d e f g h");
          tree.goTo(tree.currentLine()[start]);
          const history = new UndoHistory();
          const visited = [tree.current];
          for (let at = 0; at < times; at++) {
            const to = history[step](tree, isStop);
            if (!to) break;
            tree.goTo(to);
            visited.push(to);
          }
          for (let at = visited.length - 2; at >= 0; at--) {
            tree.goTo(history[reverse](tree, isStop));
            assert.equal(tree.current, visited[at], `${step} and ${reverse} from ply ${start}`);
          }
        }
      }
    }
  }
});

test("undo and redo stop where a person is to move", () => {
  const tree = parseGame(null, "a b c d");
  const history = new UndoHistory();
  const [isStop] = STOPS;
  tree.goTo(/** @type {any} */ (history.undo(tree, isStop)));
  assert.equal(tree.current.ply, 2);
  tree.goTo(/** @type {any} */ (history.redo(tree, isStop)));
  assert.equal(tree.current.ply, 4);
  assert.equal(history.redo(tree, isStop), null);
});

test("a cleared history does not return to old positions", () => {
  const tree = parseGame(null, "a b c d");
  const history = new UndoHistory();
  tree.goTo(/** @type {any} */ (history.undo(tree, () => true)));
  history.clear();
  tree.play("x");
  tree.goTo(/** @type {any} */ (tree.current.parent));
  assert.equal(history.redo(tree, () => true)?.move, "x");
});
