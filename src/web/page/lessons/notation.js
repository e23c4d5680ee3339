// Trees in notation, and numbers as a person types them.

import { numberText } from "../language.js";

/** The separator of thousands. */
const GROUP_MARK = numberText(1e6).match(/\D/)?.[0] ?? ",";

/** Returns a tree in notation in which a node has moved to another place among its siblings. @param {string} notation @param {string} path @param {number} place */
export function movedTree(notation, path, place) {
  const tree = JSON.parse(notation);
  const way = path.split(" ").map((move) => Number(move) - 1);
  const at = /** @type {number} */ (way.pop());
  const siblings = way.reduce((node, child) => node[child], tree);
  siblings.splice(place, 0, ...siblings.splice(at, 1));
  return JSON.stringify(tree);
}

/** Reads a number that a person has typed; `undefined` if it is none. @param {string} text */
export function readNumber(text) {
  const plain = text.trim().replace(/^[−–]/, "-");
  return /^-?\d+([.,]\d+)?$/.test(plain) ? Number(plain.replace(",", ".")) : undefined;
}

/** Reads a whole number that may have separators; `undefined` if it is none. @param {string} text @param {string} [mark] the separator */
export function readCount(text, mark = GROUP_MARK) {
  return readNumber(text.replace(/[^\d−–-](?=\d{2,3})/g, (sign) => (sign === mark || /\s/.test(sign) ? "" : sign)));
}

/** Reads a bound: a number, or `null` for infinity on its side; `undefined` if it is neither. @param {string} text @param {"alpha" | "beta"} side */
export function readBound(text, side) {
  const plain = text.trim().toLowerCase().replace(/^[−–]/, "-").replace(/\s/g, "");
  const infinite = side === "alpha" ? ["-∞", "-inf", "-infinity"] : ["∞", "+∞", "inf", "+inf", "infinity"];
  return infinite.includes(plain) ? null : readNumber(text);
}
