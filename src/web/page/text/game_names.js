// The traditional names of games in their own script. Every language of the page shows them beside the title.

import { titleText } from "./rules.js";

/** @import { State } from "../types.js" */

/** The language and the name by game. Only names that are known for certain. @type {Record<string, [lang: string, name: string]>} */
export const GAME_NAMES = {
  "aadu-puli": ["ta", "ஆடு புலி ஆட்டம்"],
  "bagh-chal": ["ne", "बाघ चाल"],
  "demala-diviyan-keliya": ["si", "දෙමළ දිවියන් කෙළිය"],
  gomokufreestyle: ["ja", "五目並べ"],
  "hat-diviyan-keliya": ["si", "හත් දිවියන් කෙළිය"],
  "hat-diviyan-keliya-large": ["si", "හත් දිවියන් කෙළිය"],
  "huli-mane-ata": ["kn", "ಹುಲಿ ಮನೆ ಆಟ"],
  "juroku-musashi": ["ja", "十六むさし"],
  pulijudamu: ["te", "పులిజూదం"],
};

/** Returns the traditional name of a game and its language; `null` if none is known, or if the title is this name. @param {Pick<State, "variant" | "title" | "title_message">} state */
export function traditionalName(state) {
  const [lang, name] = GAME_NAMES[state.variant] ?? [];
  return lang && name && name !== titleText(state) ? { lang, name } : null;
}
