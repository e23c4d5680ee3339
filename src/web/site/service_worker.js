// The service worker of the site. It isolates the page, keeps its files, and serves them when there is no connection.
// `scripts/site` puts `FILES` before this text: the addresses of all files but the networks and the languages, relative to this
// one. A network is kept when its game is opened, and a language when it is chosen.
/* global FILES */

const CACHE = "puli";
/** Files with a hash in their names never change. */
const HASHED = /\/(app|networks)-?[^/]*\//;
/** The time to wait for a new version of the other files before the kept one is used. */
const MAX_WAIT_MS = 3000;

const scope = new URL("./", location.href);

addEventListener("install", () => void skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("message", (event) => {
  if (Array.isArray(event.data?.cache)) event.waitUntil(cacheAll(event.data.cache));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const isOurs = request.method === "GET" && request.url.startsWith(scope.href);
  if (isOurs) event.respondWith(answer(request).then(isolated));
});

/** Returns a response with the headers that isolate the page. */
function isolated(response) {
  if (response.status === 0) return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/** Answers with the kept file if it cannot change or if the server does not answer in time. */
async function answer(request) {
  // The page has one document, whatever its query.
  const url = request.mode === "navigate" ? scope.href : request.url;
  const cache = await caches.open(CACHE);
  const kept = await cache.match(url);
  if (kept && HASHED.test(new URL(url).pathname)) return kept;
  const fetched = fetchOnce(request, url, cache);
  if (!kept) return fetched;
  const timeout = new Promise((resolve) => setTimeout(() => resolve(kept), MAX_WAIT_MS));
  return Promise.race([fetched.then((response) => (response.ok ? response : kept), () => kept), timeout]);
}

/** The answers that are being fetched, by address: two workers ask for the engine at the same time. */
const fetching = new Map();

/** Fetches and keeps a file, once for all requests that wait for it. */
async function fetchOnce(request, url, cache) {
  if (!fetching.has(url)) fetching.set(url, fetch(request).finally(() => fetching.delete(url)));
  const response = (await fetching.get(url)).clone();
  if (response.ok) await cache.put(url, response.clone());
  return response;
}

/** Keeps all files of this version and the used languages, and forgets the files of other versions. */
async function cacheAll(languages) {
  const cache = await caches.open(CACHE);
  const urls = new Set([...FILES.map((file) => new URL(file, scope).href), ...languages]);
  const main = FILES.find((file) => file.endsWith("/main.js"));
  const folders = ["networks/", main.replace("main.js", "messages/")].map((folder) => new URL(folder, scope).href);
  for (const url of urls) {
    if (!(await cache.match(url))) await cache.add(url);
  }
  for (const { url } of await cache.keys()) {
    if (!urls.has(url) && !folders.some((folder) => url.startsWith(folder))) await cache.delete(url);
  }
}
