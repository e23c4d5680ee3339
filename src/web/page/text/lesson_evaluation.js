// The texts of the questions about the evaluation and the horizon.

import { t } from "../language.js";
import { eachValue, valueWords } from "./lessons.js";
import { sideNoun } from "./nouns.js";

/** @import { SearchValue } from "../lessons/trace_events.js" */

/** The questions about how many things a term counts. @type {Record<string, string>} */
const TERM_PROMPTS = {
  goats: t("How many goats are there, on the board and in hand?"),
  "tiger steps": t("How many steps can the tigers make, all three together?"),
  "tiger captures": t("How many captures can the tigers make?"),
};

/** What a term counts. @type {Record<string, (count: number) => string>} */
const THINGS = {
  goats: (count) => t("{count, plural, one {# goat} other {# goats}}", { count }),
  "tiger steps": (count) => t("{count, plural, one {# step} other {# steps}}", { count }),
  "tiger captures": (count) => t("{count, plural, one {# capture} other {# captures}}", { count }),
};

/** The goats, steps and captures that the terms of an evaluation count. @param {Record<string, number>} terms */
function countedTerms(terms) {
  return [THINGS.goats((terms.goats ?? 0) / 4), THINGS["tiger steps"](Math.abs(terms["tiger steps"] ?? 0)), THINGS["tiger captures"](Math.abs(terms["tiger captures"] ?? 0) / 2)];
}

/** Returns moves with their values: `a1 45, c4 50`. @param {{ move: string, value: number }[]} values */
function movesWithValues(values) {
  return values.map(({ move, value }) => `${move} ${valueWords(value)}`).join(", ");
}

export const EVALUATION = {
  term: {
    /** @param {string} term */
    prompt: (term) => TERM_PROMPTS[term] ?? "",
    hint: t("A step goes along a line to the next point, if that is empty. A capture leaps along a line over a goat, to the empty point right behind it."),
    /** @param {string} term @param {number} count @param {number} weight */
    why: (term, count, weight) => t("{things}, at {weight} each: {sum}.", { things: THINGS[term](count), weight: valueWords(weight), sum: valueWords(count * weight) }),
  },
  evaluation: {
    prompt: () => t("What is the value of this position, by this evaluation?"),
    hint: t("Count the goats, also those in hand, and take four times that. Then subtract one for every step that a tiger can make, and two for every capture."),
    /** @param {Record<string, number>} terms @param {number} sum */
    why: (terms, sum) => {
      const [goats, steps, captures] = countedTerms(terms);
      return t("4 × {goats} − {steps} − 2 × {captures} = {sum}.", { goats, steps, captures, sum: valueWords(sum) });
    },
  },
  flatters: {
    prompt: () => t("Whom do the odd depths flatter, and why?"),
    hint: t("The values are points for the goats. At depth 1 only the goats have moved. Who has moved last at depth 3, and who at depth 4?"),
    /** @param {string} word a side, and whether it has moved last or moves next */
    option: (word) => {
      const [name, when] = word.split(" ");
      const side = sideNoun(name);
      return when === "last" ? t("{Side.the}, who have moved last", { side }) : t("{Side.the}, who move next", { side });
    },
    /** @param {number[]} values @param {string} answer */
    why: (values, answer) => {
      const [name, when] = answer.split(" ");
      const found = { odd: eachValue(values.filter((_, at) => at % 2 === 0)), even: eachValue(values.filter((_, at) => at % 2 === 1)), side: sideNoun(name) };
      return when === "last"
        ? t("Odd depths say {odd}, even ones {even}: the odd ones are better for {side.the}. They have moved last, and the answer to that move is not searched any more.", found)
        : t("Odd depths say {odd}, even ones {even}: the odd ones are better for {side.the}.", found);
    },
  },
  play: {
    prompt: () => t("Which would you play?"),
    hint: t("Look at the board after each of them. Which goat could a tiger leap over soon?"),
    /** @param {[string, SearchValue][]} values @param {number} depth */
    why: (values, depth) => t("To depth {depth}, {values}.", { depth, values: values.map(([move, value]) => t("{move} is worth {value}", { move, value: valueWords(value) })) }),
  },
  reply: {
    /** @param {string} side */
    prompt: (side) => t("What do {side.the} do?", { side: sideNoun(side) }),
    hint: t("A capture takes four points from the goats at once. Where can a tiger leap over a goat, and how many steps are left afterwards?"),
    /** @param {string} move @param {Record<string, number>} terms @param {SearchValue} value @param {string} side */
    why: (move, terms, value, side) => t("{move} is best for {side.the}: {things} are left, which is worth {value}.", { move, side: sideNoun(side), things: countedTerms(terms), value: valueWords(value) }),
  },
  cures: {
    prompt: () => t("Which cures find the better move here? Choose all that do."),
    options: { deeper: t("Search one ply deeper"), captures: t("Search captures to their end before evaluating: quiescence search"), guess: t("A better guess: a capture that is possible costs 3, not 2") },
    names: { deeper: t("deeper"), captures: t("captures to their end"), guess: t("a better guess") },
    none: t("none"),
    hint: t("The loss is a capture right behind the edge. Which of the three see it, or see it coming?"),
    /** @param {{ move: string, deeper: number, captures: number, guess: number }[]} values @param {string[]} working */
    why: (values, working) => {
      const of = (/** @type {"deeper" | "captures" | "guess"} */ cure) => movesWithValues(values.map((one) => ({ move: one.move, value: one[cure] })));
      const found = { deeper: of("deeper"), captures: of("captures"), guess: of("guess") };
      return working.length === 3
        ? t("One ply deeper: {deeper}. Captures to their end: {captures}. A better guess: {guess}. Each works here, at a price: more nodes at every depth, more nodes at the edge, or a guess that may be worse elsewhere.", found)
        : t("One ply deeper: {deeper}. Captures to their end: {captures}. A better guess: {guess}.", found);
    },
  },
  weights: {
    /** @param {string[]} usual @param {string[]} others */
    prompt: (usual, others) => t("With 4, 1 and 2, {usual} is better than {others} to depth 4. Find weights with which {others} is better.", { usual, others }),
    hint: t("c4 closes one of the two ways over the goat on c3. Make captured goats matter less, and the tigers’ steps matter more."),
    labels: [t("A goat"), t("A step of a tiger"), t("A capture of a tiger")],
    /** Returns the value of each move. @param {{ move: string, value: number }[]} values */
    result: (values) => t("To depth 4: {values}.", { values: movesWithValues(values) }),
    /** @param {number[]} weights */
    words: ([goat, step, capture]) => t("{goat}, {step} and {capture}", { goat, step, capture }),
    /** @param {number[]} weights @param {{ move: string, value: number }[]} values */
    why: (weights, values) => t("With {weights}, for example: {values}. A search finds the best move for its evaluation, whether or not that is good for the goats.", { weights, values: movesWithValues(values) }),
  },
};
