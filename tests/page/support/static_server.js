// A plain server of static files, as the site is hosted: it knows nothing of the engine and sends no headers of its own.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json",
  ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
};

/** A server with the functions of `Server` that the checks use. */
export class StaticServer {
  /** Serves a folder below the path `/site/`. @param {string} folder */
  static async start(folder) {
    const server = new StaticServer();
    /** The number of bytes of all files that were sent. */
    server.sentBytes = 0;
    server.http = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const path = pathname.startsWith("/site/") ? normalize(decodeURIComponent(pathname.slice("/site/".length))) : "..";
      const file = join(folder, path === "." || path.endsWith("/") ? join(path, "index.html") : path);
      const content = path.startsWith("..") ? null : await readFile(file).catch(() => null);
      if (!content) return void response.writeHead(404).end();
      server.sentBytes += content.length;
      response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Length": content.length });
      response.end(content);
    });
    await new Promise((resolve) => server.http.listen(0, "127.0.0.1", () => resolve(undefined)));
    return server;
  }

  get port() {
    return /** @type {import("node:net").AddressInfo} */ (this.http.address()).port;
  }

  get url() {
    return `http://127.0.0.1:${this.port}/site/`;
  }

  /** Returns the address of a game. @param {string} [game] the fragment */
  at(game = "") {
    return game ? `${this.url}#${game}` : this.url;
  }

  async stop() {
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }
}
