// The order of the list of games, their difficulty, and the search in the list.

import { language, translated } from "./language.js";
import { traditionalName } from "./text/game_names.js";
import { sideName } from "./text/moves.js";
import { titleText } from "./text/rules.js";

/** @import { Game } from "./types.js" */

/** The games that are shown first: one or two of each kind, those that most people have heard of. */
const FIRST = ["aadu-puli", "bagh-chal", "tic-tac-toe", "2048", "15-puzzle", "fox-and-geese-13"];

/** The difficulties, with the maximum number of positions of each. @type {["easy" | "medium" | "hard", number][]} */
export const DIFFICULTIES = [["easy", 1e5], ["medium", 1e9], ["hard", Infinity]];

/** Returns the difficulty of a game by its number of positions; `null` if no bound of this number is known. @param {Game} listed */
export function difficultyOf({ positions }) {
  return positions ? DIFFICULTIES.find(([, most]) => positions <= most)?.[0] ?? null : null;
}

/**
 * Returns the sections of the list, in order, without the empty ones.
 * @param {Game[]} games
 * @returns {["drawn" | "first" | "hunts" | "others", Game[]][]}
 */
export function sectionsOf(games) {
  /** @param {Game} listed */
  const section = ({ variant, group, isDrawn }) => (isDrawn ? "drawn" : FIRST.includes(variant) ? "first" : group === "hunts" ? "hunts" : "others");
  /** @param {Game} listed */
  const rank = ({ variant }) => FIRST.indexOf(variant);
  const ordered = games.toSorted((one, other) => rank(one) - rank(other) || one.group.localeCompare(other.group) || (one.group === "hunts" ? titleText(one).localeCompare(titleText(other), language) : 0));
  return /** @type {("drawn" | "first" | "hunts" | "others")[]} */ (["drawn", "first", "hunts", "others"]).flatMap((name) => {
    const members = ordered.filter((listed) => section(listed) === name);
    return members.length ? [[name, members]] : [];
  });
}

/**
 * Returns `true` if a game has the difficulty, unless it is empty, and each word of the search begins one of the game's words:
 * of its title, country, year and pieces.
 * @param {Game} listed
 * @param {string} search
 * @param {string} difficulty
 */
export function matchesFilter(listed, search, difficulty) {
  if (difficulty && difficultyOf(listed) !== difficulty) return false;
  const { title, variant, origin, year, players } = listed;
  const names = [title, variant, origin, year, ...players, titleText(listed), traditionalName(listed)?.name, translated(origin ?? ""), sideName(listed, "p1"), sideName(listed, "p2")];
  const words = wordsOf(names.join(" "));
  // “tictactoe” finds “Tic-tac-toe”.
  const joined = [title, variant].map((name) => wordsOf(name).join(""));
  return wordsOf(search).every((word) => [...words, ...joined].some((other) => other.startsWith(word)));
}

/** Returns the words of a text in lower case without accents. @param {string} text */
function wordsOf(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
