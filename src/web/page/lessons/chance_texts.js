// The texts of the questions about chance nodes.

import { valueWords } from "../text/lessons.js";

/** Returns a probability as it stands at an edge: `½`, `0.9`. @param {number} p */
export function chanceWords(p) {
  return p === 0.5 ? "½" : String(Math.round(p * 1000) / 1000);
}

export const CHANCE_PROMPTS = {
  /** @param {string} name */
  expected: (name) => `What is ${name} worth?`,
  /** @param {string} name */
  choose: (name) => `Which child does Max take at ${name}?`,
  lead: "By how many points is the best move better than the next one?",
};

export const CHANCE_HINTS = {
  /** @param {string} kind */
  expected: (kind) => (kind === "chance" ? "Chance moves here. Multiply each child’s value by its probability, and add the products." : "Max moves here. Take the highest of the children’s values."),
  choose: "Compare the values of the children. Max takes the highest.",
  tells: "Compare the two values. A search can only prefer the higher one.",
  lead: "Work out the value of each move first. Then subtract the smaller one from the larger one.",
};

/** The choices. @type {Record<string, string>} */
export const CHANCE_CHOICES = { yes: "Yes", no: "No: both are worth the same" };

export const CHANCE_WHY = {
  /** @param {{ value: number, p: number }[]} children @param {number} sum */
  expected: (children, sum) => `${children.map(({ value, p }) => `${p} × ${valueWords(value)}`).join(" + ")} = ${valueWords(sum)}.`,
  /** @param {string[]} children the best first */
  choose: (children) => `${children.join("; ")}. Max takes the highest.`,
  /** @param {...number} values the highest first */
  tells: (...values) => `${values.map((value) => valueWords(value)).join(" and ")}: ${values[0] === values[1] ? "to minimax, one is as bad as the other. The probabilities do not count." : "the higher one is taken."}`,
  /** @param {number} best @param {number} next @param {number} lead */
  lead: (best, next, lead) => `${valueWords(best)} − ${valueWords(next)} = ${valueWords(lead)}.`,
};
