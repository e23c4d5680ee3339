// The connection with the engine: a WebSocket to `puli board`, or a web worker that runs the engine in WebAssembly. The
// document chooses the worker by `<meta name="puli-transport" content="worker">`. No other module knows the difference.

import { SocketTransport, pageKey } from "./socket_transport.js";
import { WorkerTransport, decompress } from "./worker_transport.js";

/**
 * Why there is no connection: it was lost, the page has no valid key, or the engine cannot be loaded.
 * @typedef {"disconnected" | "unauthorized" | "unavailable"} CloseReason
 */

/**
 * @typedef {object} TransportHandlers
 * @property {() => void} onOpen called when an engine without any settings is ready, also after a failure
 * @property {(line: string) => void} onLine called for every line of the engine. If the engine fails, the last line is an error, see `parseFailure`
 * @property {(reason: CloseReason) => void} onClose called when the connection is lost. The transport tries to open it again
 * @property {(share: number | null) => void} onProgress called while a file of the engine is loaded: the loaded share, or `null` at the end
 */

/**
 * A connection with one session of the engine.
 * @typedef {object} Transport
 * @property {() => void} connect
 * @property {(line: string) => boolean} send sends a line; returns `false` if there is no connection
 */

const usesWorker = document.querySelector('meta[name="puli-transport"]')?.getAttribute("content") === "worker";

/** Whether the page comes from `puli board`, so that only this machine can open its addresses. */
export const isLocal = !usesWorker;

/** Returns the list of games, or `null` if the server refuses it. The site has it compressed. @returns {Promise<{ variants: import("./types.js").Game[] } | null>} */
export async function fetchGames() {
  const answer = await fetch(usesWorker ? "variants.json.gz" : "variants.json");
  return answer.ok ? JSON.parse(new TextDecoder().decode(await decompress(new Uint8Array(await answer.arrayBuffer())))) : null;
}

/** Creates the connection with a session, without opening it. @param {TransportHandlers} handlers @param {boolean} searches whether the session searches, and needs the networks of the games for that @returns {Transport} */
export function createTransport(handlers, searches) {
  return usesWorker ? new WorkerTransport(handlers, searches) : new SocketTransport(handlers);
}

/** Sets the key of the page, which its address contained. @param {string} key */
export function setKey(key) {
  pageKey.set(key);
}
