// Settings in the browser's local storage. Any of them may be missing or damaged.

const PREFIX = "puli.";

/**
 * Returns a saved setting, or `initial` if it is missing, damaged or not valid.
 * @template T
 * @param {string} name
 * @param {T} initial
 * @param {(value: any) => boolean} [isValid]
 * @returns {T}
 */
export function loadSetting(name, initial, isValid = (value) => typeof value === typeof initial) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    if (text === null) return initial;
    const value = JSON.parse(text);
    return isValid(value) ? value : initial;
  } catch {
    return initial;
  }
}

/** Saves a setting. @param {string} name @param {any} value */
export function saveSetting(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // The page works without storage.
  }
}
