// A session with the engine in a web worker. A worker that searches hears no message, so `stop` is a number in shared memory.
// Where the browser shares no memory, `stop` ends the worker, and a new one gets the settings and the position.

/** @import { Transport, TransportHandlers } from "./transport.js" */

/** The numbers in the shared memory: the last line to stop, and the count of the engine's looks at it. */
export const STOP_INDEX = 0;
export const POLL_INDEX = 1;

/** Maximum number of failures of a loaded engine. After that the page must be reloaded. */
const MAX_FAILURES = 10;
/** The delay before the engine is loaded again. */
const RETRY_DELAY_MS = 3000;
/** The time in which a search that is alive looks at the shared memory. */
const POLL_WAIT_MS = 50;

/** The memory of the device that is assumed if the browser does not tell, in GiB. */
const DEFAULT_DEVICE_GIB = 4;
/** The engine's default of `Hash`, in MiB. */
const DEFAULT_HASH_MIB = 64;
/** The share of the device's memory that an option may use. A page runs up to three engines. @type {Record<string, number>} */
const MAX_MEMORY_SHARES = { hash: 1 / 32, memorylimit: 1 / 4 };

/** The compiled engine, which every further worker uses. @type {WebAssembly.Module | null} */
let compiledEngine = null;

/**
 * A line that the worker has not finished. The output of a `silent` one is dropped.
 * @typedef {{ id: number, line: string, mustStop: boolean, silent: boolean }} PendingLine
 */

/**
 * @typedef {object} Environment
 * @property {() => Worker} createWorker
 * @property {boolean} sharesMemory whether a worker can share memory
 * @property {number} deviceGib the memory of the device in GiB
 */

/** Returns the environment of a page. @returns {Environment} */
export function browserEnvironment() {
  return {
    createWorker: () => new Worker(new URL("engine_worker.js", import.meta.url), { type: "module" }),
    sharesMemory: crossOriginIsolated,
    deviceGib: /** @type {any} */ (navigator).deviceMemory ?? DEFAULT_DEVICE_GIB,
  };
}

/** @implements {Transport} */
export class WorkerTransport {
  /** @param {TransportHandlers} handlers @param {boolean} searches @param {Environment} [environment] */
  constructor(handlers, searches, environment = browserEnvironment()) {
    this.handlers = handlers;
    this.searches = searches;
    this.environment = environment;
    /** @type {Worker | null} */
    this.worker = null;
    this.shared = environment.sharesMemory ? new Int32Array(new SharedArrayBuffer(8)) : null;
    this.isOpen = false;
    this.failures = 0;
    this.lastId = 0;
    /** The lines that the worker has, the running one first. @type {PendingLine[]} */
    this.pending = [];
    /** The best move of the running search so far. @type {string | null} */
    this.bestMove = null;
    this.settings = new EngineSettings();
  }

  connect() {
    if (!this.worker) this.startWorker();
  }

  /** Sends a line. Returns `false` if the engine is not loaded. @param {string} line */
  send(line) {
    if (!this.isOpen) return false;
    if (line === "stop") this.stop();
    else if (line === "isready" && this.shared && this.runningSearch()) void this.answerReady();
    else this.post(capMemory(line, this.environment.deviceGib));
    return true;
  }

  startWorker() {
    const worker = this.environment.createWorker();
    this.worker = worker;
    this.pending = [];
    this.bestMove = null;
    worker.onmessage = ({ data }) => worker === this.worker && this.receive(data);
    worker.onerror = () => worker === this.worker && this.fail("its program cannot be loaded");
    worker.postMessage({ kind: "start", shared: this.shared, searches: this.searches, module: compiledEngine });
  }

  endWorker() {
    this.worker?.terminate();
    this.worker = null;
  }

  /** @param {string} line @param {boolean} [silent] */
  post(line, silent = false) {
    const id = ++this.lastId;
    this.pending.push({ id, line, mustStop: false, silent });
    this.worker?.postMessage({ kind: "line", id, line });
  }

  /** Handles a message of the worker. @param {{ kind: "done" } | { kind: "ready", module: WebAssembly.Module } | { kind: "line", text: string } | { kind: "failed", text: string } | { kind: "progress", share: number | null }} message */
  receive(message) {
    if (message.kind === "line") this.receiveLine(message.text);
    else if (message.kind === "progress") this.handlers.onProgress(message.share);
    else if (message.kind === "failed") this.fail(message.text);
    else if (message.kind === "done") {
      const finished = this.pending.shift();
      if (finished) this.settings.update(finished.line);
      this.bestMove = null;
      this.endStoppedSearch();
    } else {
      compiledEngine = message.module;
      if (this.isOpen) return;
      this.isOpen = true;
      this.settings = new EngineSettings();
      this.post(capMemory(`setoption name Hash value ${DEFAULT_HASH_MIB}`, this.environment.deviceGib));
      this.handlers.onOpen();
    }
  }

  /** @param {string} line */
  receiveLine(line) {
    if (this.pending[0]?.silent) return;
    // A random position is replayed by its FEN.
    const position = line.match(/^info string (position fen .*)$/);
    if (position && this.pending[0]) this.pending[0].line = position[1];
    if (!/ multipv (?!1 )/.test(line)) this.bestMove = line.match(/^info .* pv (\S+)/)?.[1] ?? this.bestMove;
    this.handlers.onLine(line);
  }

  /** Returns the running line if it is a search. */
  runningSearch() {
    const running = this.pending[0];
    return running && isSearch(running.line) ? running : null;
  }

  /** Ends the first search. */
  stop() {
    const search = this.pending.find(({ line }) => isSearch(line));
    if (!search) return;
    if (this.shared) {
      Atomics.store(this.shared, STOP_INDEX, search.id);
      // A search that has ended may hold its answer back until this line.
      this.post("stop");
    } else {
      search.mustStop = true;
      this.endStoppedSearch();
    }
  }

  /** Replaces the worker if its search must stop. The answer is the best move found so far, or that of a short search. */
  endStoppedSearch() {
    const search = this.runningSearch();
    if (!search?.mustStop) return;
    const { bestMove, settings } = this;
    const waiting = this.pending.slice(1);
    this.endWorker();
    this.startWorker();
    for (const line of settings.lines()) this.post(line, true);
    const isSolving = search.line.startsWith("solve");
    if (!isSolving && !bestMove) this.post("go depth 1");
    for (const { line, silent } of waiting) this.post(line, silent);
    if (isSolving) this.handlers.onLine("info string error: solving was stopped; nothing is kept");
    else if (bestMove) this.handlers.onLine(`bestmove ${bestMove}`);
  }

  /** Answers `isready` during a search: at once if the search is alive, else after it. */
  async answerReady() {
    const shared = /** @type {Int32Array} */ (this.shared);
    const search = this.runningSearch();
    const polls = Atomics.load(shared, POLL_INDEX);
    await new Promise((resolve) => setTimeout(resolve, POLL_WAIT_MS));
    if (this.runningSearch() === search && Atomics.load(shared, POLL_INDEX) !== polls) this.handlers.onLine("readyok");
    else this.post("isready");
  }

  /** Replaces a worker that has failed. @param {string} reason */
  fail(reason) {
    const wasOpen = this.isOpen;
    this.isOpen = false;
    this.endWorker();
    this.handlers.onProgress(null);
    if (!wasOpen) {
      this.handlers.onClose("unavailable");
      setTimeout(() => this.connect(), RETRY_DELAY_MS);
    } else if (++this.failures > MAX_FAILURES) this.handlers.onClose("unavailable");
    else {
      this.handlers.onLine(`info string error: the engine failed (${reason}) and was restarted`);
      this.startWorker();
    }
  }
}

/** What a new engine needs to go on: the dialect, the options and the position of the lines that were carried out. */
class EngineSettings {
  constructor() {
    this.dialect = "";
    /** The last line of each option, in the order in which they were set. @type {Map<string, string>} */
    this.options = new Map();
    this.position = "";
  }

  /** @param {string} line */
  update(line) {
    const option = line.match(/^setoption\s+name\s+(.+?)\s+value\s/i)?.[1].toLowerCase();
    if (line === "ugi" || line === "uci") this.dialect = line;
    else if (line.startsWith("position ")) this.position = line;
    else if (option) {
      this.options.delete(option);
      this.options.set(option, line);
      if (option === "uci_variant") this.position = "";
    }
  }

  lines() {
    return [this.dialect, ...this.options.values(), this.position].filter(Boolean);
  }
}

/** Returns `true` if a line starts a search, which can be stopped. @param {string} line */
function isSearch(line) {
  return /^go\b/.test(line) || line === "solve" || line.startsWith("solve positions");
}

/** Lowers the value of an option that sets an amount of memory to what the device can spare. @param {string} line @param {number} deviceGib */
function capMemory(line, deviceGib) {
  return line.replace(/^(setoption\s+name\s+(Hash|MemoryLimit)\s+value\s+)(\d+)/i, (_, start, name, value) =>
    start + Math.min(Number(value), Math.max(1, Math.floor(deviceGib * 1024 * MAX_MEMORY_SHARES[name.toLowerCase()]))));
}

/** Decompresses a file, unless the server has already said that it is compressed. @param {Uint8Array<ArrayBuffer>} content @returns {Promise<BufferSource>} */
export async function decompress(content) {
  const isCompressed = content[0] === 0x1f && content[1] === 0x8b;
  return isCompressed ? new Response(new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : content;
}
