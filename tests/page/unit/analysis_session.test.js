import assert from "node:assert/strict";
import { test } from "node:test";
import { AnalysisSession } from "../../../src/web/page/analysis_session.js";

/** Starts a job in a new session and records the sent lines and the results. @param {string} go */
function startJob(go) {
  const sent = [];
  const results = [];
  const session = new AnalysisSession((line) => sent.push(line) > 0, () => {});
  session.opened();
  session.setJob({ name: go, variant: "tic-tac-toe", position: "startpos", options: {}, go, onDone: (move) => results.push(move) });
  return { session, sent, results };
}

test("a job with a limit can be stopped early", () => {
  const { session, sent, results } = startJob("movetime 5000");
  session.stopEarly();
  assert.equal(sent.at(-1), "stop");
  session.line("bestmove b2");
  assert.deepEqual(results, ["b2"]);
});

// The end of an unlimited job means that nothing is left to find.
test("a job without a limit cannot be stopped early", () => {
  const { session, sent, results } = startJob("infinite");
  session.stopEarly();
  assert.equal(sent.at(-1), "go infinite");
  session.line("bestmove b2");
  assert.deepEqual(results, ["b2"]);
});

test("a job during which the engine failed is not started again", () => {
  const { session, sent, results } = startJob("depth 9");
  session.line("info string error: the engine failed (unreachable) and was restarted");
  assert.deepEqual(results, [null]);
  session.opened();
  const count = sent.length;
  const job = (go) => ({ name: go, variant: "tic-tac-toe", position: "startpos", options: {}, go });
  session.setJob(job("depth 9"));
  assert.equal(sent.length, count);
  session.setJob(job("depth 8"));
  assert.equal(sent.at(-1), "go depth 8");
});
