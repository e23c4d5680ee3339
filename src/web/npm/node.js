// The engine in a worker thread of Node.

import { totalmem } from "node:os";
import { Worker } from "node:worker_threads";

import { startEngine } from "./engine.js";

/** Creates a worker with the functions of a web worker that the transport uses. */
function createWorker() {
  const thread = new Worker(new URL("node_worker.js", import.meta.url));
  const worker = {
    onmessage: /** @type {((event: { data: any }) => void) | null} */ (null),
    onerror: /** @type {((error: unknown) => void) | null} */ (null),
    postMessage: (/** @type {any} */ message) => thread.postMessage(message),
    terminate: () => void thread.terminate(),
  };
  thread.on("message", (data) => worker.onmessage?.({ data }));
  thread.on("error", (error) => worker.onerror?.(error));
  return worker;
}

/** @param {import("./puli.d.ts").Options} [options] */
export default (options) =>
  startEngine({ createWorker: /** @type {any} */ (createWorker), sharesMemory: true, deviceGib: totalmem() / 2 ** 30 }, options);
