// The line to the engine: one WebSocket, opened with the page's key, opened again when it drops.

/** How long to wait before trying again, in milliseconds. */
const PATIENCE = [300, 700, 1500, 2500];

/**
 * @typedef {object} Hooks
 * @property {() => void} open the engine listens
 * @property {(line: string) => void} line
 * @property {(why: "gone" | "key") => void} close
 */

/** The key that the server gave to this page, kept where other tabs of it find theirs. */
export const key = {
  /** @returns {string | null} */
  get() {
    try {
      return localStorage.getItem("puli.token") ?? this.here;
    } catch {
      return this.here;
    }
  },
  /** @type {string | null} */
  here: null,
  /** @param {string} token */
  set(token) {
    this.here = token;
    try {
      localStorage.setItem("puli.token", token);
    } catch {
      // The page still has it until it is closed.
    }
  },
};

export class Link {
  /** @param {Hooks} hooks */
  constructor(hooks) {
    this.hooks = hooks;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.welcome = false;
    this.tries = 0;
    this.timer = 0;
    addEventListener("storage", (event) => {
      if (event.key === "puli.token" && !this.welcome) this.connect();
    });
  }

  connect() {
    clearTimeout(this.timer);
    const token = key.get();
    if (token === null) {
      this.hooks.close("key");
      return;
    }
    this.socket?.close();
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => socket.send(token);
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      const line = String(event.data);
      if (!this.welcome && line.startsWith("info string welcome")) {
        this.welcome = true;
        this.tries = 0;
        this.hooks.open();
      } else if (this.welcome) this.hooks.line(line);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      this.welcome = false;
      this.socket = null;
      const refused = event.code === 1008 && event.reason === "token" && key.get() === token;
      this.hooks.close(refused ? "key" : "gone");
      // Where the key is wrong only a new one helps, and that is heard of by itself.
      if (!refused) this.again();
    };
  }

  again() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.connect(), PATIENCE[Math.min(this.tries++, PATIENCE.length - 1)]);
  }

  /** Says a line; false where nobody hears it. @param {string} line */
  send(line) {
    if (!this.welcome || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(line);
    return true;
  }
}
