// The texts of the list of games.

import { numberText, t, translated } from "../language.js";
import { sentence } from "./labels.js";
import { joinParts } from "./moves.js";

/** @import { Game } from "../types.js" */

export const SECTION_LABELS = { drawn: t("Yours"), first: t("Start here"), hunts: t("Hunts"), others: t("Puzzles and trees") };

export const DIFFICULTY_LABELS = { easy: t("Easy"), medium: t("Medium"), hard: t("Hard") };

export const GAME_LIST = {
  search: t("Search"),
  searchExample: t("Name or country"),
  difficulty: t("Difficulty"),
  anyDifficulty: t("Any"),
  showAll: t("Show all games"),
  note: t("The difficulty follows from the number of positions: an easy game has at most 100,000 and a medium one at most a billion. The year is that of the oldest description known to Puli."),
  /** @param {number} found @param {number} all */
  count: (found, all) => (found === all ? t("{all, plural, one {# game} other {# games}}", { all }) : t("{found} of {all, plural, one {# game} other {# games}}", { found, all })),
  /** @param {string} search */
  nothing: (search) => (search ? t("No game matches “{search}”.", { search }) : t("No game has this difficulty.")),
};

/** Returns `India, 1924`, or what is known of it. @param {Game} listed */
export function originText({ origin, year }) {
  return joinParts([...(origin ? [translated(origin)] : []), ...(year ? [String(year)] : [])]);
}

/** Returns sentences about the sources of the rules and where they differ. @param {Game | null | undefined} listed */
export function sourceTexts(listed) {
  const { sources = [], differences = [] } = listed ?? {};
  const source = t("{count, plural, one {Source} other {Sources}}: {sources}.", { count: sources.length, sources: sources.join("; ") });
  return [...(sources.length ? [source] : []), ...differences.map((text) => sentence(translated(text)))];
}

/** Returns the tooltip of a game. @param {Game} listed @param {"easy" | "medium" | "hard" | null} difficulty */
export function gameTooltip(listed, difficulty) {
  const values = { year: String(listed.year), difficulty: difficulty ? difficultyText(listed, difficulty) : "" };
  if (!listed.year) return values.difficulty;
  return difficulty ? t("Described in {year}. {difficulty}", values) : t("Described in {year}", values);
}

/** Returns `Hard: at most 2.3 × 10¹⁰ positions`. @param {Game} listed @param {"easy" | "medium" | "hard"} difficulty */
export function difficultyText({ positions }, difficulty) {
  return t("{difficulty}: at most {positions} positions", { difficulty: DIFFICULTY_LABELS[difficulty], positions: roundedUp(positions ?? 0) });
}

/** Largest number that is written with all its digits. */
const MAX_WRITTEN_OUT = 1e6;

/** Returns a number with all digits, or with two digits and a power of ten, rounded up. @param {number} number */
function roundedUp(number) {
  if (number <= MAX_WRITTEN_OUT) return numberText(number);
  let exponent = Math.floor(Math.log10(number));
  let digits = Math.ceil(number / 10 ** (exponent - 1));
  if (digits === 100) [digits, exponent] = [10, exponent + 1];
  const superscript = [...String(exponent)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${numberText(digits / 10)} × 10${superscript}`;
}
