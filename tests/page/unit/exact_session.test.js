import assert from "node:assert/strict";
import { test } from "node:test";
import { ExactSession } from "../../../src/web/page/exact_session.js";

/** Opens a session with a fake engine, and records the sent lines. */
function openSession() {
  const sent = [];
  let handlers;
  let changes = 0;
  const session = new ExactSession((given) => {
    handlers = given;
    return { connect: () => given.onOpen(), send: (line) => sent.push(line) > 0 };
  }, () => changes++);
  return { session, sent, answer: (...lines) => lines.forEach((line) => handlers.onLine(line)), lose: () => handlers.onClose("disconnected"), changes: () => changes };
}

/** Solves tic-tac-toe. @param {ReturnType<typeof openSession>} opened */
async function solve({ session, answer }) {
  const solved = session.solve("tic-tac-toe", "startpos", () => {});
  answer("info string solved 5478 positions: draw");
  await solved;
}

/** A job of the analysis, and the moves that it found. */
function createJob(isExact = true) {
  const found = [];
  return { found, job: { name: "analysis", variant: "tic-tac-toe", position: "startpos moves b2", options: { MultiPV: 2 }, go: "infinite", isExact, onDone: (move) => found.push(move) } };
}

test("the connection is opened for the first question", async () => {
  const { session, sent, answer } = openSession();
  assert.equal(session.transport, null);
  const forecast = session.forecast("kaooa", "startpos");
  answer("info string solving takes about 1 s and 3 MiB for 30896 positions");
  assert.match(await forecast, /30896/);
  assert.deepEqual(sent, ["ugi", "setoption name UCI_Variant value kaooa", "solve forecast"]);
});

test("progress is reported, and a stopped solution keeps nothing", async () => {
  const { session, sent, answer } = openSession();
  const lines = [];
  const solved = session.solve("tic-tac-toe", "startpos", (line) => lines.push(line));
  answer("info string solving 100 positions");
  session.stop();
  assert.equal(sent.at(-1), "stop");
  answer("info string error: solving was stopped after 100 positions; nothing is kept");
  await assert.rejects(solved, /solving was stopped/);
  assert.equal(lines.length, 2);
  assert.equal(session.hasSolved("tic-tac-toe"), false);
});

test("only exact jobs of the solved game are taken", async () => {
  const opened = openSession();
  const { session, sent, answer, changes } = opened;
  const { job, found } = createJob();
  assert.equal(session.setJob(job), false);
  await solve(opened);
  assert.equal(session.setJob(createJob(false).job), false);
  assert.equal(session.setJob(job), true);
  assert.deepEqual(sent.slice(-3), ["setoption name MultiPV value 2", "position startpos moves b2", "go infinite"]);
  answer("info depth 1 score cp 0 pv a1", "bestmove a1");
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(found, ["a1"]);
  assert.equal(changes(), 1);
});

test("the result of a replaced job is dropped", async () => {
  const opened = openSession();
  await solve(opened);
  const { job, found } = createJob();
  opened.session.setJob(job);
  opened.session.setJob(null);
  opened.answer("bestmove a1");
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(found, []);
});

test("a forecast of another game, or a lost connection, forgets the solved game", async () => {
  for (const forget of [(opened) => void opened.session.forecast("kaooa", "startpos").catch(() => {}), (opened) => opened.lose()]) {
    const opened = openSession();
    await solve(opened);
    assert.equal(opened.session.hasSolved("tic-tac-toe"), true);
    forget(opened);
    assert.equal(opened.session.hasSolved("tic-tac-toe"), false);
  }
});

test("a lost connection ends the questions", async () => {
  const { session, lose } = openSession();
  const forecast = session.forecast("kaooa", "startpos");
  lose();
  await assert.rejects(forecast, /connection/);
});
