// The texts of the questions about chance nodes.

import { numberText, t } from "../language.js";
import { eachValue, valueWords } from "../text/lessons.js";

/** Returns a probability as it stands at an edge: `½`, `0.9`. @param {number} p */
export function chanceWords(p) {
  return p === 0.5 ? "½" : numberText(Math.round(p * 1000) / 1000);
}

export const CHANCE_PROMPTS = {
  /** @param {string} name */
  expected: (name) => t("What is {name} worth?", { name }),
  /** @param {string} name */
  choose: (name) => t("Which child does Max take at {name}?", { name }),
  lead: t("By how many points is the best move better than the next one?"),
};

export const CHANCE_HINTS = {
  /** @param {string} kind */
  expected: (kind) => (kind === "chance" ? t("Chance moves here. Multiply each child’s value by its probability, and add the products.") : t("Max moves here. Take the highest of the children’s values.")),
  choose: t("Compare the values of the children. Max takes the highest."),
  tells: t("Compare the two values. A search can only prefer the higher one."),
  lead: t("Work out the value of each move first. Then subtract the smaller one from the larger one."),
};

/** The choices. @type {Record<string, string>} */
export const CHANCE_CHOICES = { yes: t("Yes"), no: t("No: both are worth the same") };

export const CHANCE_WHY = {
  /** @param {{ value: number, p: number }[]} children @param {number} sum */
  expected: (children, sum) => `${children.map(({ value, p }) => `${numberText(p)} × ${valueWords(value)}`).join(" + ")} = ${valueWords(sum)}.`,
  /** @param {string[]} children the best first */
  choose: (children) => t("{children}. Max takes the highest.", { children: children.join("; ") }),
  /** @param {...number} values the highest first */
  tells: (...values) => (values[0] === values[1]
    ? t("{values}: to minimax, one is as bad as the other. The probabilities do not count.", { values: eachValue(values) })
    : t("{values}: the higher one is taken.", { values: eachValue(values) })),
  /** @param {number} best @param {number} next @param {number} lead */
  lead: (best, next, lead) => `${valueWords(best)} − ${valueWords(next)} = ${valueWords(lead)}.`,
};
