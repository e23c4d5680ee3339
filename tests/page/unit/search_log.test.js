import assert from "node:assert/strict";
import { after, test } from "node:test";
import { SearchEvents } from "../../../src/web/page/lessons/trace_events.js";
import { SearchLog, STATUS } from "../../../src/web/page/trace/search_log.js";
import { ShownTree, countBelow } from "../../../src/web/page/trace/shown_tree.js";
import { Engine } from "../support/engine.js";

const engine = new Engine();
after(() => engine.stop());

/** @param {string} algorithm */
const aaduPuli = (algorithm) => engine.events({ variant: "aadu-puli", algorithm, ordering: "full", depth: 2 });
const noFolds = () => ({ folded: new Set(), opened: new Set() });

test("all nodes are known as the lessons know them, after every event", async () => {
  const tree = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]";
  for (const algorithm of ["minimax", "alphabeta", "scout", "pvs", "mtdf"]) {
    const list = await engine.events({ tree, algorithm, depth: 4, memory: algorithm === "mtdf" });
    const [log, reference] = [new SearchLog(list), new SearchEvents(list)];
    for (let at = 0; at <= log.last; at++) {
      const { progress } = reference.stateAt(at);
      for (let n = 0; n < log.size; n++) {
        const { status, bound, window, isCut } = log.progress(n, at);
        const known = progress.get(log.path(n));
        assert.deepEqual({ status, bound, window, isCut }, { status: known?.status, bound: known?.bound, window: known?.window, isCut: known?.isCut }, `${algorithm}, ${log.path(n)} at ${at}`);
        const bar = log.statuses(at)[n];
        if (bar !== STATUS.current) assert.equal(bar === STATUS.unseen, status === "unseen", `the bar of ${log.path(n)} at ${at}`);
      }
    }
  }
});

test("jumps go to the next cutoff and past a subtree, both ways", async () => {
  const log = new SearchLog(await aaduPuli("alphabeta"));
  const cuts = log.events.filter(({ e }) => e === "cut").map(({ i }) => i);
  assert.equal(log.nextCut(0, 1), cuts[0]);
  assert.equal(log.nextCut(cuts[1], 1), cuts[2]);
  assert.equal(log.nextCut(cuts[1], -1), cuts[0]);
  assert.equal(log.nextCut(cuts[0], -1), 0);
  const entered = log.events.find(({ e, n }) => e === "enter" && n === 1)?.i ?? 0;
  const past = log.pastSubtree(entered, 1);
  assert.deepEqual([log.events[past].e, log.events[past].n, log.events[past].child], ["back", 0, 1]);
});

test("a large tree shows the way, with its siblings as blocks", async () => {
  const log = new SearchLog(await aaduPuli("minimax"));
  assert.equal(log.size, 141);
  const deep = log.events.find(({ e, n }) => e === "leaf" && log.path(n) === "c3 b3b2")?.i ?? 0;
  const shown = new ShownTree(log, deep, true, noFolds());
  const blocks = [...shown.places.values()].filter(({ block }) => block);
  const drawn = [...shown.places.values()].filter(({ block }) => !block);
  assert.deepEqual(drawn.filter(({ path }) => "c3 b3b2".startsWith(path)).map(({ path }) => path), ["", "c3", "c3 b3b2"]);
  for (const parent of ["", "c3"]) {
    const all = log.childMoves(/** @type {number} */ (log.nodeAt(parent))).length;
    const below = shown.place(parent).children.map((path) => shown.place(path));
    assert.equal(below.reduce((sum, { block = 1 }) => sum + block, 0), all, `all children of '${parent}'`);
  }
  assert.ok(blocks.length >= 3);
  const whole = new ShownTree(log, deep, false, noFolds());
  assert.equal(whole.places.size, log.size);
});

test("a folded node hides what is below it and counts it", async () => {
  const log = new SearchLog(await aaduPuli("minimax"));
  const folded = new ShownTree(log, log.last, false, { folded: new Set(["b1"]), opened: new Set() });
  const place = folded.place("b1");
  assert.deepEqual([place.isFolded, place.hidden, place.children], [true, countBelow(log, 1), []]);
  assert.equal(folded.places.size, log.size - countBelow(log, 1));
  const opened = new ShownTree(log, 0, true, { folded: new Set(), opened: new Set([""]) });
  assert.equal(opened.place("").children.length, 20);
});
