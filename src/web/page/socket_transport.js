// A session with `puli board` over a WebSocket. It sends the page's key first and reconnects after it is closed.

import { parseFailure } from "./info.js";

/** The delays before each attempt to reconnect; the last one repeats. */
const RETRY_DELAYS_MS = [300, 700, 1500, 2500];

/** @import { Transport, TransportHandlers } from "./transport.js" */

const KEY_NAME = "puli.token";

/** The key that the server gave to this page. All tabs of the browser share it. */
export const pageKey = {
  /** @returns {string | null} */
  get() {
    try {
      return localStorage.getItem(KEY_NAME) ?? this.current;
    } catch {
      return this.current;
    }
  },
  /** The key of this tab, for browsers without storage. @type {string | null} */
  current: null,
  /** @param {string} token */
  set(token) {
    this.current = token;
    try {
      localStorage.setItem(KEY_NAME, token);
    } catch {
      // `current` keeps the key until the page is closed.
    }
  },
};

/** @implements {Transport} */
export class SocketTransport {
  /** @param {TransportHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.accepted = false;
    this.attempts = 0;
    this.timer = 0;
    // Another tab may receive a new key.
    addEventListener("storage", (event) => {
      if (event.key === KEY_NAME && !this.accepted) this.connect();
    });
  }

  connect() {
    clearTimeout(this.timer);
    const token = pageKey.get();
    if (token === null) {
      this.handlers.onClose("unauthorized");
      return;
    }
    this.socket?.close();
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => socket.send(token);
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      const line = String(event.data);
      if (!this.accepted && line.startsWith("info string welcome")) {
        this.accepted = true;
        this.attempts = 0;
        this.handlers.onOpen();
      } else if (this.accepted) {
        this.handlers.onLine(line);
        // The server has started another session.
        if (parseFailure(line) !== null) this.handlers.onOpen();
      }
    };
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      this.accepted = false;
      this.socket = null;
      const isRejected = event.code === 1008 && event.reason === "token" && pageKey.get() === token;
      this.handlers.onClose(isRejected ? "unauthorized" : "disconnected");
      // After a rejection only a new key helps, and the storage event reports it.
      if (!isRejected) this.retry();
    };
  }

  retry() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.connect(), RETRY_DELAYS_MS[Math.min(this.attempts++, RETRY_DELAYS_MS.length - 1)]);
  }

  /** Sends a line. Returns `false` if there is no connection. @param {string} line */
  send(line) {
    if (!this.accepted || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(line);
    return true;
  }
}
