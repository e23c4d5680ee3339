import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineHost } from "../../../src/web/page/engine_host.js";

/** Creates a host with a fake engine, which repeats every line and logs every file. Its memory moves whenever room is made. */
function createHost() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const encoder = new TextEncoder();
  const lines = [];
  const logs = [];
  const host = new EngineHost({ onLine: (line) => lines.push(line), onLog: (line) => logs.push(line), isStopped: () => true });
  const start = 100;
  const text = (length) => new TextDecoder().decode(new Uint8Array(memory.buffer, start, length).slice());
  const emit = (line, channel) => {
    const bytes = encoder.encode(line);
    new Uint8Array(memory.buffer, 30000, bytes.length).set(bytes);
    host.imports.env.emit(30000, bytes.length, channel);
  };
  host.start({
    memory,
    puli_start: () => emit("started", 2),
    puli_room: () => {
      memory.grow(1);
      return start;
    },
    puli_line: (length) => {
      emit(`got ${text(length)}`, 1);
      return text(length) === "quit" ? 0 : 1;
    },
    puli_file: (nameLength, length) => emit(`${text(nameLength)}: ${length} bytes, ${text(nameLength + length).slice(-2)}`, 2),
  });
  return { host, lines, logs };
}

test("lines are handed over as UTF-8 and come back", () => {
  const { host, lines, logs } = createHost();
  assert.equal(host.line("position fen ஆடு"), true);
  assert.equal(host.line("quit"), false);
  assert.deepEqual(lines, ["got position fen ஆடு", "got quit"]);
  assert.deepEqual(logs, ["started"]);
});

test("a file is handed over after its name", () => {
  const { host, logs } = createHost();
  host.file("kaooa.net", new TextEncoder().encode("content"));
  assert.equal(logs.at(-1), "kaooa.net: 7 bytes, nt");
});

test("the engine is told to stop by a number", () => {
  assert.equal(createHost().host.imports.env.stopped(), 1);
});

test("an engine that is not loaded takes no line", () => {
  assert.throws(() => new EngineHost(/** @type {any} */ ({})).line("state"), /not loaded/);
});
