import assert from "node:assert/strict";
import { test } from "node:test";
import { Thinker } from "../../../src/web/page/analysis_session.js";

/** A session that has begun a job, and what was sent and done. */
function begun(go) {
  const sent = [];
  const done = [];
  const thinker = new Thinker((line) => sent.push(line) > 0, () => {});
  thinker.opened();
  thinker.want({ name: go, variant: "tic-tac-toe", position: "startpos", options: {}, go, done: (move) => done.push(move) });
  return { thinker, sent, done };
}

test("an answer that is hurried comes at once", () => {
  const { thinker, sent, done } = begun("movetime 5000");
  thinker.hurry();
  assert.equal(sent.at(-1), "stop");
  thinker.line("bestmove b2");
  assert.deepEqual(done, ["b2"]);
});

test("a job without an end cannot be hurried, so that its end means that nothing is left to find", () => {
  const { thinker, sent, done } = begun("infinite");
  thinker.hurry();
  assert.equal(sent.at(-1), "go infinite");
  thinker.line("bestmove b2");
  assert.deepEqual(done, ["b2"]);
});
