// The web worker of a session: it loads `engine/puli.wasm.gz` and carries out one line after the other. The network of a game
// is loaded when the game is chosen.

import { EngineHost } from "./engine_host.js";
import { POLL_INDEX, STOP_INDEX, decompress } from "./worker_transport.js";

/** The folder of the engine, and of `networks.json` with the address of each network, relative to this folder. */
const ENGINE_URL = new URL("engine/", import.meta.url);

/** The games that the engine cannot set up without their network. Other networks are only needed to search. */
const NEEDS_NETWORK = new Set(["2048"]);

/** The game of an engine before one is chosen. */
const DEFAULT_VARIANT = "aadu-puli";

/** The numbers that the page shares. @type {Int32Array | null} */
let shared = null;
let searches = false;
let runningId = 0;
let lastLog = "";
/** The game that was chosen or searched. @type {string | undefined} */
let variant;
/** The network file of each game. @type {Record<string, string>} */
let networks = {};
/** The games whose networks the engine has. @type {Set<string>} */
const loadedNetworks = new Set();
/** The messages are handled one by one. */
let work = Promise.resolve();

/** @param {Record<string, any>} message */
const post = (message) => postMessage(message);

const host = new EngineHost({
  onLine: (text) => post({ kind: "line", text }),
  onLog: (text) => {
    lastLog = text;
    console.warn(text);
  },
  isStopped: () => {
    if (!shared) return false;
    Atomics.add(shared, POLL_INDEX, 1);
    return Atomics.load(shared, STOP_INDEX) >= runningId;
  },
});

addEventListener("message", ({ data }) => {
  work = work.then(() => (data.kind === "start" ? start(data) : carryOut(data.id, data.line))).catch(fail);
});

/** Reports a failure. The page then ends this worker. @param {unknown} error */
function fail(error) {
  post({ kind: "failed", text: lastLog || (error instanceof Error ? error.message : String(error)) });
  // No message after a failure is handled.
  work = new Promise(() => {});
}

/** @param {{ shared: Int32Array | null, searches: boolean, module: WebAssembly.Module | null }} message `module`: the engine, if another worker has compiled it */
async function start(message) {
  ({ shared, searches } = message);
  const [module, list] = await Promise.all([message.module ?? fetchFile("puli.wasm.gz").then(decompress).then(WebAssembly.compile), fetchFile("networks.json")]);
  networks = JSON.parse(new TextDecoder().decode(list));
  const instance = await WebAssembly.instantiate(module, host.imports);
  host.start(/** @type {any} */ (instance.exports));
  post({ kind: "ready", module });
}

/** @param {number} id @param {string} line */
async function carryOut(id, line) {
  const chosen = line.match(/^setoption\s+name\s+UCI_Variant\s+value\s+(\S+)/i)?.[1].toLowerCase();
  // The first search without a choice is one of the default game, and `bench` searches all games.
  const searched = /^\s*(go|eval)\b/.test(line) && !variant ? DEFAULT_VARIANT : undefined;
  variant = chosen ?? searched ?? variant;
  const needed = /^\s*bench\b/.test(line) ? Object.keys(networks) : [chosen ?? searched].filter((name) => name !== undefined);
  for (const name of needed) {
    if (searches || NEEDS_NETWORK.has(name)) await loadNetwork(name);
  }
  runningId = id;
  lastLog = "";
  host.line(line);
  post({ kind: "done" });
}

/** Hands the engine the network of a game. Without it the engine still plays. @param {string} game */
async function loadNetwork(game) {
  const file = Object.hasOwn(networks, game) ? networks[game] : undefined;
  if (file === undefined || loadedNetworks.has(game)) return;
  try {
    const content = await fetchFile(file, (share) => post({ kind: "progress", share }));
    host.file(`${game}.net`, content);
    loadedNetworks.add(game);
  } catch (error) {
    console.warn(`the network of ${game} cannot be loaded: ${error}`);
  }
  post({ kind: "progress", share: null });
}

/** Returns the content of a file of the engine. @param {string} name @param {(share: number) => void} [onProgress] */
async function fetchFile(name, onProgress) {
  const response = await fetch(new URL(name, ENGINE_URL));
  if (!response.ok || !response.body) throw new Error(`${name} cannot be loaded: status ${response.status}`);
  // The length is that of the compressed file if it was compressed on the way.
  const length = response.headers.get("Content-Encoding") ? 0 : Number(response.headers.get("Content-Length"));
  if (!onProgress || !length) return new Uint8Array(await response.arrayBuffer());
  const content = new Uint8Array(length);
  let loaded = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    content.set(part.value, loaded);
    loaded += part.value.length;
    onProgress(loaded / length);
  }
  if (loaded < length) throw new Error(`${name} is incomplete`);
  return content;
}
