// The signs that the trees of some lessons have beside the usual ones: each with its word and its entry of the glossary.

import { t } from "../language.js";

const QUESTION = ["> 5?", t("null window"), "null-window"];

/** @type {{ tree: string[][], chance: string[][], scout: string[][], passes: string[][] }} */
export const LEGENDS = { tree: [], chance: [["Σ", t("sum so far"), "expected"]], scout: [QUESTION], passes: [QUESTION] };
