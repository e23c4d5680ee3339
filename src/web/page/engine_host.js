// Runs the engine in WebAssembly: hands it lines and files, and passes its lines on. Used by the worker and outside a page.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The channel of the protocol; the other one is the log. */
const OUTPUT_CHANNEL = 1;

/**
 * The functions of `puli.wasm`. The host writes into the room that `puli_room` returns, before each of the others.
 * @typedef {object} EngineExports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} puli_start
 * @property {(length: number) => number} puli_room
 * @property {(length: number) => number} puli_line
 * @property {(nameLength: number, length: number) => void} puli_file
 */

/**
 * @typedef {object} HostHandlers
 * @property {(line: string) => void} onLine called for every line of the protocol
 * @property {(line: string) => void} onLog
 * @property {() => boolean} isStopped returns `true` if the running search must end
 */

export class EngineHost {
  /** @param {HostHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {EngineExports | null} */
    this.engine = null;
  }

  /** The functions that the engine imports. */
  get imports() {
    return { env: {
      now: () => performance.now(),
      random_seed: () => Math.random(),
      stopped: () => Number(this.handlers.isStopped()),
      /** @param {number} start @param {number} length @param {number} channel */
      emit: (start, length, channel) => {
        const text = decoder.decode(new Uint8Array(this.exports.memory.buffer, start, length));
        if (channel === OUTPUT_CHANNEL) this.handlers.onLine(text);
        else this.handlers.onLog(text);
      },
    } };
  }

  get exports() {
    if (!this.engine) throw new Error("the engine is not loaded");
    return this.engine;
  }

  /** Starts the session of a loaded engine. @param {EngineExports} engine */
  start(engine) {
    this.engine = engine;
    engine.puli_start();
  }

  /** Carries out a line to its end, for example a whole search. Returns `false` after `quit`. @param {string} line */
  line(line) {
    const bytes = encoder.encode(line);
    this.fillRoom(bytes);
    return this.exports.puli_line(bytes.length) !== 0;
  }

  /** Hands over a file, for example a network. @param {string} name @param {Uint8Array} content */
  file(name, content) {
    const nameBytes = encoder.encode(name);
    this.fillRoom(nameBytes, content);
    this.exports.puli_file(nameBytes.length, content.length);
  }

  /** @param {...Uint8Array} parts */
  fillRoom(...parts) {
    let at = this.exports.puli_room(parts.reduce((sum, part) => sum + part.length, 0));
    for (const part of parts) {
      // The call above may have replaced the buffer of the memory.
      new Uint8Array(this.exports.memory.buffer, at, part.length).set(part);
      at += part.length;
    }
  }
}
