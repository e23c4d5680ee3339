// Gives a worker thread of Node the functions of a web worker that `engine_worker.js` uses.

import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
Object.assign(globalThis, {
  postMessage: (/** @type {any} */ message) => port.postMessage(message),
  addEventListener: (/** @type {string} */ type, /** @type {(event: { data: any }) => void} */ listener) =>
    type === "message" && port.on("message", (data) => listener({ data })),
  fetch: async (/** @type {URL} */ url) => new Response(await readFile(url)),
});
await import("./engine_worker.js");
