// An engine in a worker, with promises.

import { WorkerTransport } from "./worker_transport.js";

/** The line after every answer of `ask`: the engine answers it when it has carried out the line before. */
const READY = "readyok";

/**
 * Starts an engine.
 * @param {import("./worker_transport.js").Environment} environment
 * @param {import("./puli.d.ts").Options} [options]
 * @returns {Promise<import("./puli.d.ts").Engine>}
 */
export async function startEngine(environment, { onLine } = {}) {
  /** The questions that wait for their answers, in order. @type {{ lines: string[], isSearch: boolean, resolve: (lines: string[]) => void, reject: (error: Error) => void }[]} */
  const questions = [];
  /** @param {string} reason */
  const rejectAll = (reason) => questions.splice(0).forEach(({ reject }) => reject(new Error(reason)));
  let isClosed = false;

  /** @param {string} line */
  const receive = (line) => {
    const question = questions[0];
    const isReady = question && !question.isSearch && line === READY;
    if (!isReady) onLine?.(line);
    if (!question) return;
    if (!isReady) question.lines.push(line);
    if (isReady || (question.isSearch && line.startsWith("bestmove "))) {
      questions.shift();
      question.resolve(question.lines);
    }
  };

  const transport = await new Promise((resolve, reject) => {
    const created = new WorkerTransport({
      onOpen: () => resolve(created),
      onLine: receive,
      onClose: (reason) => {
        rejectAll(`the engine is ${reason}`);
        created.endWorker();
        reject(new Error(`the engine is ${reason}`));
      },
      onProgress: () => {},
    }, true, environment);
    created.connect();
  });

  const send = (/** @type {string} */ line) => {
    if (isClosed || !transport.send(line)) throw new Error("the engine is closed");
  };
  return {
    send,
    ask: (line) => new Promise((resolve, reject) => {
      const isSearch = /^\s*go\b(?!\s+perft)/.test(line);
      send(line);
      questions.push({ lines: [], isSearch, resolve, reject });
      if (!isSearch) send("isready");
    }),
    close: () => {
      isClosed = true;
      transport.endWorker();
      rejectAll("the engine is closed");
    },
  };
}
