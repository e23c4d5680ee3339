// What survives a reload of this tab: who plays, how strong the engine is, the open tab, the way the board lies, and the
// settings of every tab. Another tab of the browser has its own.

import { LEVELS, OWN } from "./levels.js";
import { page } from "./state.js";

const NAME = "puli.session";

/** The settings that are kept, by the part of the page's state that has them. */
const SETTINGS = /** @type {const} */ ({
  page: ["tab", "flip", "pace", "difficulty"],
  learn: ["algorithm", "depth", "memory", "speed"],
  compare: ["depth", "seconds"],
  solve: ["algorithm", "heuristic", "seconds", "speed"],
});

/** Who may sit at a side. */
const PLAYERS = new Set(["person", "chance", "worst", OWN, ...LEVELS.map((level) => level.name)]);

let written = "";

/** @param {string} part @returns {Record<string, unknown>} */
function settings(part) {
  return /** @type {any} */ (part === "page" ? page : /** @type {any} */ (page)[part]);
}

/** Writes down what survives, if it has changed. */
export function keep() {
  const { variant, sides, waiting } = page;
  const parts = Object.entries(SETTINGS).map(([part, names]) => [part, Object.fromEntries(names.map((name) => [name, settings(part)[name]]))]);
  const text = JSON.stringify({ address: location.hash, variant, sides, waiting, ...Object.fromEntries(parts) });
  if (text === written) return;
  written = text;
  try {
    sessionStorage.setItem(NAME, text);
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/**
 * Returns what this tab kept; `null` if it is new or what it kept is broken.
 * @returns {{ address: string, variant: string, sides: { p1: string, p2: string }, waiting: boolean } & Record<string, any> | null}
 */
export function kept() {
  try {
    const found = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    const sound = found !== null && typeof found === "object" && PLAYERS.has(found.sides?.p1) && PLAYERS.has(found.sides?.p2) && typeof found.waiting === "boolean";
    return sound ? found : null;
  } catch {
    return null;
  }
}

/** Takes up the settings that were kept. @param {Record<string, any>} found */
export function restore(found) {
  for (const [part, names] of Object.entries(SETTINGS)) {
    const now = settings(part);
    for (const name of names) if (typeof found[part]?.[name] === typeof now[name]) now[name] = found[part][name];
  }
}
