// The browser's history: an entry for each game and for each open dialog, so that Back goes one step back in the page.
//
// Below the first game is an entry that leads forward again, unless the page was opened by a link: then Back returns there.
// Browsers skip entries that a page made before the first click or key, so it is made then.

/**
 * What an entry is for: the game `game`, the `at`th of this tab, or a dialog in front of it. `hasFloor`: whether the first game has an
 * entry below it.
 * @typedef {{ game: string, at: number, hasFloor?: boolean, isDialog?: boolean }} Entry
 */

/**
 * @typedef {object} HistoryHandlers
 * @property {(game: string) => void} leaveGame called before another game is shown
 * @property {(game: string) => void} showGame shows the game of an entry
 * @property {(isOpen: boolean) => void} showDialog opens the last dialog again, or closes it
 * @property {() => void} openAddress opens the game in an address that a person has edited
 * @property {() => void} atStart called when Back finds no earlier game
 * @property {() => void} onSettled called when the address can be written again
 */

/** @type {Entry} */
let entry = { game: newId(), at: 0 };
/** The last game that Forward leads to. A reload forgets those after the present one. */
let newest = 0;
/** Whether the entry below the first game exists, or is not needed. A page that loads itself again is its own referrer. */
let hasFloor = document.referrer !== "" && !document.referrer.startsWith(location.origin);
/** What waits until the browser has left the entry of a closed dialog; `null` if it leaves none. @type {(() => void)[] | null} */
let waiting = null;

function newId() {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
}

/** The entry of the game on the board. */
export function currentGame() {
  return entry.game;
}

/** Returns `true` if an earlier game of this tab can be shown again. */
export function hasEarlierGame() {
  return entry.at > 0;
}

/** Returns `true` if a later game of this tab can be shown again. */
export function hasLaterGame() {
  return newest > entry.at;
}

/** Starts to follow the browser's history. @param {HistoryHandlers} handlers */
export function setUp(handlers) {
  const saved = history.state;
  if (typeof saved?.game === "string" && Number.isInteger(saved.at)) {
    entry = saved;
    newest = entry.at;
    // Every later game was added after the entry below the first one.
    hasFloor ||= entry.hasFloor === true || entry.at > 0;
  } else history.replaceState(entry, "");
  for (const name of ["pointerup", "keydown"]) addEventListener(name, makeFloor, { capture: true, once: true });
  addEventListener("popstate", ({ state }) => onChange(state, handlers));
  if (entry.isDialog) leaveDialog();
}

/** Makes the entry below the first game. */
function makeFloor() {
  if (hasFloor || waiting) return;
  hasFloor = true;
  history.replaceState({ isFloor: true }, "");
  entry = { ...entry, hasFloor };
  history.pushState(entry, "");
}

/** @param {any} state the entry that the browser shows @param {HistoryHandlers} handlers */
function onChange(state, handlers) {
  const done = waiting;
  waiting = null;
  if (state?.isFloor) {
    handlers.atStart();
    return history.forward();
  }
  if (state?.game !== entry.game) handlers.leaveGame(entry.game);
  if (typeof state?.game !== "string") {
    push({ game: newId(), at: entry.at + 1 }, "replaceState");
    handlers.showDialog(false);
    handlers.openAddress();
    return;
  }
  const { game } = entry;
  entry = state;
  if (state.game !== game) handlers.showGame(state.game);
  if (!done) handlers.showDialog(state.isDialog === true);
  for (const action of done ?? []) action();
  handlers.onSettled();
}

/** @param {Entry} next @param {"pushState" | "replaceState"} method */
function push(next, method) {
  if (method === "pushState") makeFloor();
  entry = next;
  newest = next.at;
  history[method](next, "");
}

/** Adds an entry for another game. It replaces the entry of an open dialog. */
export function addGame() {
  const next = { game: newId(), at: entry.at + 1 };
  if (!waiting) return push(next, entry.isDialog ? "replaceState" : "pushState");
  // The browser still leaves the dialog in front of the game before.
  waiting.push(() => push(next, "pushState"));
}

/** Adds an entry for a dialog that was opened. */
export function addDialog() {
  makeFloor();
  if (waiting) waiting.push(() => push({ ...entry, isDialog: true }, "pushState"));
  else if (!entry.isDialog) push({ ...entry, isDialog: true }, "pushState");
}

/** Leaves the entry of a dialog that was closed in another way than by Back. */
export function leaveDialog() {
  if (!entry.isDialog || waiting) return;
  waiting = [];
  history.back();
}

/** Calls a function when the entry of a closed dialog is left. @param {() => void} action */
export function afterDialog(action) {
  leaveDialog();
  if (waiting) waiting.push(action);
  else action();
}

/** Writes the address of the current entry. @param {string} fragment */
export function writeAddress(fragment) {
  if (!waiting && location.hash !== fragment) history.replaceState(entry, "", fragment);
}
