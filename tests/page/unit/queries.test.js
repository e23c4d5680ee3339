import assert from "node:assert/strict";
import { test } from "node:test";
import { QuerySession } from "../../../src/web/page/queries.js";

/** Requests a state that the engine answers after a delay. @param {object} answer @param {number} delay in milliseconds */
async function stateAfter(answer, delay) {
  const session = new QuerySession(() => true);
  session.opened();
  const state = session.state("kaooa", "startpos");
  await new Promise((resolve) => setTimeout(resolve, delay));
  session.line(`state ${JSON.stringify(answer)}`);
  return state;
}

test("a late state without exact values may get them", async () => {
  assert.equal((await stateAfter({ solved: null }, 60)).isSolving, true);
  assert.equal((await stateAfter({ solved: null }, 0)).isSolving, false);
  assert.equal((await stateAfter({ solved: { verdict: "draw" } }, 60)).isSolving, false);
});

test("a forgotten state is requested again", async () => {
  const sent = [];
  const session = new QuerySession((line) => sent.push(line) > 0);
  session.opened();
  for (const forget of [false, true]) {
    if (forget) session.forgetState("kaooa", "startpos");
    const state = session.state("kaooa", "startpos");
    session.line("state {}");
    await state;
    await session.state("kaooa", "startpos");
  }
  assert.equal(sent.filter((line) => line === "state").length, 2);
});

test("a question during which the engine failed is rejected", async () => {
  const session = new QuerySession(() => true);
  session.opened();
  const state = session.state("kaooa", "startpos");
  session.line("info string error: the engine failed (unreachable) and was restarted");
  await assert.rejects(state, /engine failed/);
});
