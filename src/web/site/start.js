// The start of the site: it registers the service worker and then loads the page. A stopped search keeps its memory only on an
// isolated page, and only a server or the service worker can isolate one. On the first visit the page is therefore loaded again
// as soon as the service worker runs.

/** Maximum time to wait for the service worker on the first visit. */
const MAX_WAIT_MS = 1500;
/** Says in the session's storage that the page was loaded again. */
const RELOADED = "puli-reloaded";

const main = /** @type {string} */ (document.querySelector('meta[name="puli-main"]')?.getAttribute("content"));

/** Registers the service worker. Returns the registration once it is active, or `null` if there is none in time. */
async function registerServiceWorker() {
  if (!("serviceWorker" in navigator)) return null;
  try {
    await navigator.serviceWorker.register("service_worker.js");
    const timeout = new Promise((resolve) => setTimeout(() => resolve(null), MAX_WAIT_MS));
    return /** @type {ServiceWorkerRegistration | null} */ (await Promise.race([navigator.serviceWorker.ready, timeout]));
  } catch (error) {
    console.warn(`the page does not work offline: ${error}`);
    return null;
  }
}

/** Returns `true` if the page is being loaded again. */
async function isolate() {
  const registration = await registerServiceWorker();
  if (crossOriginIsolated || !registration || sessionStorage.getItem(RELOADED)) return false;
  sessionStorage.setItem(RELOADED, "1");
  location.reload();
  return true;
}

if (new URLSearchParams(location.search).has("embed")) document.documentElement.classList.add("embed");
if (crossOriginIsolated) void registerServiceWorker();
if (crossOriginIsolated || !(await isolate())) {
  // The browser can load all modules at once, and not one import after the other.
  const modules = /** @type {HTMLTemplateElement | null} */ (document.querySelector("#puli-modules"));
  if (modules) document.head.append(modules.content);
  await import(new URL(main, document.baseURI).href);
  // The rest of the files, so that the page works offline. The service worker has not seen what was loaded before it ran.
  const languages = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.includes("/messages/"));
  const { active } = (await navigator.serviceWorker?.ready) ?? {};
  active?.postMessage({ cache: languages });
}

// The waits above need a module.
export {};
