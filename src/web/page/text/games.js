// The texts of the list of games.

/** @import { Game } from "../types.js" */

export const SECTION_LABELS = { drawn: "Yours", first: "Start here", hunts: "Hunts", others: "Puzzles and trees" };

export const DIFFICULTY_LABELS = { easy: "Easy", medium: "Medium", hard: "Hard" };

export const GAME_LIST = {
  search: "Search",
  searchExample: "Name or country",
  difficulty: "Difficulty",
  anyDifficulty: "Any",
  showAll: "Show all games",
  note: "The difficulty follows from the number of positions: an easy game has at most 100,000 and a medium one at most a billion. The year is that of the oldest description known to Puli.",
  /** @param {number} found @param {number} all */
  count: (found, all) => (found === all ? `${all} games` : `${found} of ${all} games`),
  /** @param {string} search */
  nothing: (search) => (search ? `No game matches “${search}”.` : "No game has this difficulty."),
};

/** Returns `India, 1924`, or what is known of it. @param {Game} listed */
export function originText({ origin, year }) {
  return [origin, year].filter((part) => part !== null && part !== undefined).join(", ");
}

/** Returns sentences about the sources of the rules and where they differ. @param {Game | null | undefined} listed */
export function sourceTexts(listed) {
  const { sources = [], differences = [] } = listed ?? {};
  return [sources.length ? `Source${sources.length > 1 ? "s" : ""}: ${sources.join("; ")}.` : "", ...differences.map((text) => `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}.`)].filter(Boolean);
}

/** Returns the tooltip of a game. @param {Game} listed @param {"easy" | "medium" | "hard" | null} difficulty */
export function gameTooltip(listed, difficulty) {
  return [listed.year && `Described in ${listed.year}`, difficulty && difficultyText(listed, difficulty)].filter(Boolean).join(". ");
}

/** Returns `Hard: at most 2.3 × 10¹⁰ positions`. @param {Game} listed @param {"easy" | "medium" | "hard"} difficulty */
export function difficultyText({ positions }, difficulty) {
  return `${DIFFICULTY_LABELS[difficulty]}: at most ${roundedUp(positions ?? 0)} positions`;
}

/** Largest number that is written with all its digits. */
const MAX_WRITTEN_OUT = 1e6;

/** Returns a number with all digits, or with two digits and a power of ten, rounded up. @param {number} number */
function roundedUp(number) {
  if (number <= MAX_WRITTEN_OUT) return number.toLocaleString("en");
  let exponent = Math.floor(Math.log10(number));
  let digits = Math.ceil(number / 10 ** (exponent - 1));
  if (digits === 100) [digits, exponent] = [10, exponent + 1];
  const superscript = [...String(exponent)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${digits / 10} × 10${superscript}`;
}
