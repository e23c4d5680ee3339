import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTree } from "../../../src/web/page/game_tree.js";
import { lossToWarnOf } from "../../../src/web/page/warning.js";

/** A line of `plies` moves with known states and no loss. */
function line(plies) {
  const tree = new GameTree();
  for (let ply = 0; ply < plies; ply++) tree.play(`m${ply}`);
  for (const node of tree.path()) {
    Object.assign(node, { state: { turn: node.ply % 2 ? "p2" : "p1" }, value: { points: 0 }, previousValue: { points: 0 }, depth: 8 });
  }
  return tree;
}

test("a clear loss between stable estimates of equal horizon is warned about", () => {
  const tree = line(1);
  const node = tree.current;
  Object.assign(node, { value: { points: -3 }, previousValue: { points: -3 }, depth: 7 });
  assert.equal(lossToWarnOf(node)?.lost, "chances");
  node.previousValue = { points: -1 };
  assert.equal(lossToWarnOf(node), null, "the last depth has changed the value");
  Object.assign(node, { previousValue: { points: -3 }, depth: 6 });
  assert.equal(lossToWarnOf(node), null, "the search before saw further");
  Object.assign(node, { depth: 5 });
  assert.equal(lossToWarnOf(node), null, "the search is not deep");
  Object.assign(node, { value: { points: -0.5 }, previousValue: { points: -0.5 }, depth: 8 });
  assert.equal(lossToWarnOf(node), null, "the margin is small");
});

test("a lost outcome is warned about without any depth", () => {
  const tree = line(1);
  const node = tree.current;
  Object.assign(tree.root, { value: { outcome: "p1win", plies: 5, exact: true }, depth: 0, previousValue: null });
  Object.assign(node, { value: { outcome: "draw", plies: null, exact: true }, depth: 0, previousValue: null });
  assert.equal(lossToWarnOf(node)?.lost, "win");
  node.value = { outcome: "p1win", plies: 9, exact: true };
  assert.equal(lossToWarnOf(node), null, "a slower win is no loss");
});

test("the next warning comes five own moves later", () => {
  const tree = line(13);
  const nodes = tree.path();
  for (const ply of [1, 3, 9, 11]) {
    Object.assign(nodes[ply - 1], { value: { outcome: "draw", plies: null, exact: true } });
    Object.assign(nodes[ply], { value: { outcome: "p2win", plies: 4, exact: true } });
  }
  const warned = nodes.filter((node) => {
    const loss = node.ply % 2 && lossToWarnOf(node);
    if (loss) node.isWarned = true;
    return loss;
  });
  assert.deepEqual(warned.map((node) => node.ply), [1, 11]);
  const again = tree.addMove(nodes[0], "other");
  Object.assign(again, { state: nodes[1].state, value: nodes[1].value });
  assert.equal(lossToWarnOf(again)?.lost, "draw", "another move in the same position is warned about too");
});
