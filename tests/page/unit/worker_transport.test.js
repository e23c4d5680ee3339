import assert from "node:assert/strict";
import { test } from "node:test";
import { POLL_INDEX, STOP_INDEX, WorkerTransport } from "../../../src/web/page/worker_transport.js";

/** A worker without an engine: the test says what it answers. */
class FakeWorker {
  constructor() {
    /** The lines that it has not finished. @type {{ id: number, line: string }[]} */
    this.lines = [];
    this.ended = false;
  }

  postMessage(message) {
    if (message.kind === "start") this.start = message;
    else this.lines.push(message);
  }

  terminate() {
    this.ended = true;
  }

  tell(message) {
    this.onmessage({ data: message });
  }

  /** Answers the first line and finishes it. @param {...string} answers */
  finish(...answers) {
    for (const text of answers) this.tell({ kind: "line", text });
    this.lines.shift();
    this.tell({ kind: "done" });
  }

  /** Finishes the first lines up to the one that starts with `word`, which runs from then on. @param {string} word */
  runUntil(word) {
    while (!this.lines[0].line.startsWith(word)) this.finish();
  }
}

/** Opens a transport with fake workers, and records what the session is told. @param {{ sharesMemory?: boolean, deviceGib?: number }} [environment] */
function openTransport({ sharesMemory = false, deviceGib = 8 } = {}) {
  /** @type {FakeWorker[]} */
  const workers = [];
  /** @type {string[]} */
  const events = [];
  const transport = new WorkerTransport({
    onOpen: () => events.push("open"),
    onLine: (line) => events.push(line),
    onClose: (reason) => events.push(`closed: ${reason}`),
    onProgress: (share) => events.push(`progress: ${share}`),
  }, true, /** @type {any} */ ({ createWorker: () => {
    workers.push(new FakeWorker());
    return workers.at(-1);
  }, sharesMemory, deviceGib }));
  assert.equal(transport.send("ugi"), false, "nothing is sent before the engine is loaded");
  transport.connect();
  workers[0].tell({ kind: "ready", module: "compiled" });
  return { transport, workers, events, lines: () => workers.at(-1).lines.map(({ line }) => line) };
}

/** Sends the lines of a search. @param {WorkerTransport} transport @param {string} [go] */
function search(transport, go = "go infinite") {
  for (const line of ["ugi", "setoption name UCI_Variant value kaooa", "setoption name MultiPV value 2", "setoption name MultiPV value 3", "position startpos moves a1", go]) transport.send(line);
}

test("lines are passed in both directions", () => {
  const { transport, workers, events, lines } = openTransport();
  assert.equal(transport.send("state"), true);
  assert.deepEqual(lines(), ["setoption name Hash value 64", "state"]);
  workers[0].finish();
  workers[0].finish("state {}");
  assert.deepEqual(events, ["open", "state {}"]);
});

test("the compiled engine goes to the next worker", () => {
  const { workers } = openTransport();
  workers[0].tell({ kind: "failed", text: "unreachable" });
  assert.equal(workers[1].start.module, "compiled");
});

test("memory options are capped by the memory of the device", () => {
  const { transport, lines } = openTransport({ deviceGib: 1 });
  transport.send("setoption name MemoryLimit value 1024");
  transport.send("setoption name MultiPV value 500");
  assert.deepEqual(lines(), ["setoption name Hash value 32", "setoption name MemoryLimit value 256", "setoption name MultiPV value 500"]);
});

test("with shared memory, stop reaches the search and keeps the worker", () => {
  const { transport, workers, lines } = openTransport({ sharesMemory: true });
  search(transport);
  const { shared } = workers[0].start;
  const { id } = workers[0].lines.find(({ line }) => line.startsWith("go"));
  assert.ok(Atomics.load(shared, STOP_INDEX) < id);
  transport.send("stop");
  assert.equal(Atomics.load(shared, STOP_INDEX), id, "the search is stopped even if the worker has not begun it");
  transport.send("go depth 3");
  assert.ok(workers[0].lines.at(-1).id > Atomics.load(shared, STOP_INDEX), "the next search is not stopped");
  assert.equal(workers.length, 1);
  assert.deepEqual(lines().slice(-2), ["stop", "go depth 3"]);
});

test("without shared memory, stop replaces the worker and answers with the best move", () => {
  const { transport, workers, events, lines } = openTransport();
  search(transport);
  workers[0].runUntil("go");
  workers[0].tell({ kind: "line", text: "info depth 4 multipv 1 score cp 3 pv b2 c1" });
  workers[0].tell({ kind: "line", text: "info depth 4 multipv 2 score cp 1 pv e1 c1" });
  transport.send("stop");
  assert.equal(workers[0].ended, true);
  assert.equal(events.at(-1), "bestmove b2");
  // The last value of every option, in order, then the position.
  assert.deepEqual(lines(), ["ugi", "setoption name Hash value 64", "setoption name UCI_Variant value kaooa", "setoption name MultiPV value 3", "position startpos moves a1"]);
  workers[1].tell({ kind: "ready", module: "compiled" });
  workers[1].finish("id name Puli", "ugiok");
  assert.equal(events.at(-1), "bestmove b2", "the session hears nothing of the new worker");
});

test("a new worker gets the board file before the name of its game", () => {
  const { transport, workers, lines } = openTransport();
  const choice = ["setoption name VariantText value \"game vee value 1\\n\"", "setoption name UCI_Variant value vee"];
  for (const line of ["setoption name UCI_Variant value tic-tac-toe", ...choice, "position startpos", "go infinite"]) transport.send(line);
  workers[0].runUntil("go");
  workers[0].tell({ kind: "line", text: "info depth 1 score cp 0 pv b1" });
  transport.send("stop");
  assert.deepEqual(lines(), ["setoption name Hash value 64", ...choice, "position startpos"]);
});

test("without shared memory and a best move, a short search answers stop", () => {
  const { transport, workers, events, lines } = openTransport();
  search(transport);
  // The lines before the search are carried out first.
  transport.send("stop");
  assert.equal(workers.length, 1);
  workers[0].runUntil("go");
  assert.equal(workers.length, 2);
  assert.equal(lines().at(-1), "go depth 1");
  workers[1].runUntil("go");
  workers[1].finish("bestmove b2");
  assert.deepEqual(events, ["open", "bestmove b2"]);
});

test("lines that wait behind a stopped search are carried out after it", () => {
  const { transport, workers, lines } = openTransport();
  search(transport, "solve");
  transport.send("position startpos");
  transport.send("state");
  workers[0].runUntil("solve");
  transport.send("stop");
  assert.deepEqual(lines().slice(-3), ["position startpos moves a1", "position startpos", "state"]);
});

test("a stopped solution says that nothing is kept", () => {
  const { transport, workers, events } = openTransport();
  search(transport, "solve");
  workers[0].runUntil("solve");
  transport.send("stop");
  assert.match(events.at(-1), /^info string error: solving was stopped/);
});

test("a random position is replayed by its fen", () => {
  const { transport, workers, lines } = openTransport();
  transport.send("position random seed 3");
  transport.send("go");
  workers[0].finish();
  workers[0].finish("info string position fen 1,0,2/3,4,5/6,7,8");
  transport.send("stop");
  assert.deepEqual(lines(), ["setoption name Hash value 64", "position fen 1,0,2/3,4,5/6,7,8", "go depth 1"]);
});

test("another game forgets the position of the one before", () => {
  const { transport, workers, lines } = openTransport();
  search(transport, "setoption name UCI_Variant value tree");
  transport.send("go");
  workers[0].runUntil("go");
  transport.send("stop");
  assert.deepEqual(lines().slice(-2), ["setoption name UCI_Variant value tree", "go depth 1"]);
});

test("stop without a search does nothing", () => {
  const { transport, workers, lines } = openTransport();
  transport.send("state");
  transport.send("stop");
  assert.equal(workers.length, 1);
  assert.deepEqual(lines(), ["setoption name Hash value 64", "state"]);
});

test("isready during a search is answered if the search is alive", async () => {
  for (const isAlive of [true, false]) {
    const { transport, workers, events, lines } = openTransport({ sharesMemory: true });
    search(transport);
    workers[0].runUntil("go");
    transport.send("isready");
    if (isAlive) Atomics.add(workers[0].start.shared, POLL_INDEX, 1);
    await new Promise((resolve) => setTimeout(resolve, 80));
    assert.equal(events.includes("readyok"), isAlive);
    assert.equal(lines().includes("isready"), !isAlive, "a silent engine gets the line after its search");
  }
});

test("a failure is reported, and a fresh worker takes over", () => {
  const { transport, workers, events } = openTransport();
  search(transport);
  workers[0].tell({ kind: "failed", text: "unreachable" });
  assert.equal(workers[0].ended, true);
  assert.match(events.at(-1), /^info string error: the engine failed \(unreachable\)/);
  assert.equal(transport.send("state"), false, "the new engine is not loaded yet");
  workers[1].tell({ kind: "ready", module: "compiled" });
  assert.equal(events.at(-1), "open");
});

test("an engine that keeps failing is not started again", () => {
  const { workers, events } = openTransport();
  for (let failure = 0; failure < 11; failure++) {
    workers[failure].tell({ kind: "failed", text: "unreachable" });
    workers[failure + 1]?.tell({ kind: "ready", module: "compiled" });
  }
  assert.equal(workers.length, 11);
  assert.equal(events.at(-1), "closed: unavailable");
});

test("an engine that cannot be loaded is loaded again", (context) => {
  const { workers, events } = openTransport();
  workers[0].tell({ kind: "failed", text: "unreachable" });
  const delayed = [];
  context.mock.method(globalThis, "setTimeout", (callback) => delayed.push(callback));
  workers[1].onerror();
  assert.equal(events.at(-1), "closed: unavailable");
  delayed[0]();
  assert.equal(workers.length, 3);
  workers[2].tell({ kind: "ready", module: "compiled" });
  assert.equal(events.at(-1), "open");
});

test("messages of a replaced worker are ignored", () => {
  const { workers, events } = openTransport();
  workers[0].tell({ kind: "failed", text: "unreachable" });
  const count = events.length;
  workers[0].tell({ kind: "line", text: "state {}" });
  assert.equal(events.length, count);
});
