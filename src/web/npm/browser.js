// The engine in a web worker of a page.

import { startEngine } from "./engine.js";
import { browserEnvironment } from "./worker_transport.js";

/** @param {import("./puli.d.ts").Options} [options] */
export default (options) => startEngine(browserEnvironment(), options);
