// The sentences of events that the page words, against those of the engine.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { EventTexts } from "../../../src/web/page/text/events.js";
import { Engine } from "../support/engine.js";

const engine = new Engine();
after(() => engine.stop());

const TREE = "[[[[3,17],[2,12]],[[15],[25,0]]],[[[2,5],[3]],[[2,14]]]]";
const DUAL = "X2/1O1/3 x";
const DEEP = { depth: 2, ordering: "full" };

/** @type {Parameters<Engine["events"]>[0][]} */
const SEARCHES = [
  ...["minimax", "expectimax", "alphabeta", "scout", "pvs", "mtdf"].flatMap((algorithm) => [
    { tree: TREE, algorithm, depth: 4, memory: true }, { tree: "[[2.5,0.25],[-1,4],7]", algorithm, depth: 2, memory: algorithm === "mtdf" }, { variant: "aadu-puli", algorithm, ...DEEP, memory: true, max: 1200 },
    { variant: "tic-tac-toe", fen: DUAL, algorithm, depth: 6, ordering: "full", memory: true, max: 3000 }, { variant: "fox-and-geese-13", algorithm, ...DEEP, memory: algorithm === "mtdf", max: 500 },
  ]),
  { tree: "[(1:3,1:17),(9:8,1:30)]", algorithm: "expectimax", depth: 2 },
  { tree: TREE, depth: 4, cutOn: "worse", deepen: true, memory: true, ordering: "full" },
  { tree: TREE, algorithm: "mtdf", depth: 4, guess: 3, memory: true },
  { variant: "hare-and-hounds", fen: "2G/1G1T1/2G g 0", algorithm: "backward", depth: 9 },
  { variant: "hare-and-hounds", fen: "2G/1G1T1/2G g 0", algorithm: "backward", depth: 1 },
  ...["bfs", "iddfs", "greedy", "astar", "idastar"].map((algorithm) => ({ variant: "8-puzzle", fen: "1,2,5/3,4,0/6,7,8", algorithm, depth: 3, heuristic: "manhattan" })),
  { variant: "8-puzzle", fen: "8,2,5/3,4,0/7,6,1", algorithm: "astar", depth: 40, heuristic: "squared", max: 2000 },
  { variant: "missionaries", algorithm: "bfs", depth: 20 }, { variant: "missionaries", algorithm: "iddfs", depth: 3 },
];

/** Returns the events of a search with the engine's sentences. @param {Parameters<Engine["events"]>[0]} search */
async function explained(search) {
  const asked = engine.ask;
  engine.ask = (commands, last) => asked.call(engine, commands.map((command) => command.replace(/^trace (.*)events/, "trace $1events explain").replace("explain backward", "backward explain")), last);
  try {
    return await engine.events(search);
  } finally {
    engine.ask = asked;
  }
}

test("the page words events as the engine does", async () => {
  /** @type {Set<string>} */
  const kinds = new Set();
  for (const search of SEARCHES) {
    const events = await explained(search);
    const texts = new EventTexts(events);
    for (const event of events) {
      // The page separates thousands, and has no name for a position.
      const worded = texts.sentence(event).replace(/(\d),(?=\d{3})/g, "$1").replace("A position is settled", event.fen);
      assert.equal(worded, event.text ?? "", `${JSON.stringify(search)}: ${JSON.stringify({ ...event, text: "" })}`);
      assert.equal(texts.has(event), worded !== "");
      kinds.add([event.e, event.purpose, event.found, event.how, event.better].filter((one) => one !== undefined).join(" "));
    }
  }
  const expected = "again, back, back false, back true, begin, beyond, bound, cut, end, enter again, enter full, enter null, expand, iteration, leaf, leave, leave cut, leave leaf, leave remembered, leave searched, make, open, order, pass, seen, settle, store, table answers, table nothing, table order-only";
  assert.deepEqual([...kinds].sort(), expected.split(", "));
});
