// What is remembered on this machine: a few small things, any of which may be missing or broken.

const PREFIX = "puli.";

/**
 * @template T
 * @param {string} name
 * @param {T} otherwise what holds where nothing sound is remembered
 * @param {(value: any) => boolean} [sound]
 * @returns {T}
 */
export function recall(name, otherwise, sound = (value) => typeof value === typeof otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    if (text === null) return otherwise;
    const value = JSON.parse(text);
    return sound(value) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {any} value */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays.
  }
}
