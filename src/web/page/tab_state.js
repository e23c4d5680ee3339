// Saves the players and the settings of this tab in the session storage, so that a reload restores them.

import { LEVELS, OWN_LEVEL } from "./levels.js";
import { game, tabSettings } from "./state.js";

const STORAGE_KEY = "puli.session";

const PLAYERS = new Set(["person", "chance", "worst", OWN_LEVEL, ...LEVELS.map((level) => level.name)]);

/** @typedef {{ address: string, variant: string, players: { p1: string, p2: string }, paused: boolean, settings?: Record<string, any> }} SavedTab */

let savedText = "";

/** Saves the tab if it has changed. */
export function saveTab() {
  const { variant, players, paused } = game;
  const text = JSON.stringify({ address: location.hash, variant, players, paused, settings: tabSettings });
  if (text === savedText) return;
  savedText = text;
  try {
    sessionStorage.setItem(STORAGE_KEY, text);
  } catch {
    // The page works without storage.
  }
}

/** Returns what this tab saved; `null` if nothing was saved or it is damaged. @returns {SavedTab | null} */
export function loadTab() {
  try {
    const saved = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null");
    const isValid = saved !== null && typeof saved === "object" && PLAYERS.has(saved.players?.p1) && PLAYERS.has(saved.players?.p2) && typeof saved.paused === "boolean";
    return isValid ? saved : null;
  } catch {
    return null;
  }
}

/** Restores the saved settings that still exist and have the right type. @param {SavedTab} saved */
export function restoreSettings({ settings }) {
  for (const [part, current] of Object.entries(tabSettings)) {
    const values = /** @type {Record<string, unknown>} */ (current);
    for (const name of Object.keys(values)) {
      const value = settings?.[part]?.[name];
      if (typeof value === typeof values[name]) values[name] = value;
    }
  }
}
