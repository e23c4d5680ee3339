// The texts of the questions about the evaluation and the horizon.

import { listWords, valueWords } from "./lessons.js";

/** @import { SearchValue } from "../lessons/trace_events.js" */

/** What a term counts, one and several. @type {Record<string, [string, string]>} */
const THINGS = { goats: ["goat", "goats"], "tiger steps": ["step", "steps"], "tiger captures": ["capture", "captures"] };

/** @param {string} term @param {number} count */
function things(term, count) {
  const [one, many] = THINGS[term];
  return `${count} ${count === 1 ? one : many}`;
}

/** Returns `goats` or `tigers` as a subject: `The goats`. @param {string} side */
function subject(side) {
  return `The ${side}`;
}

export const EVALUATION = {
  term: {
    /** @param {string} term */
    prompt: (term) => ({ goats: "How many goats are there, on the board and in hand?", "tiger steps": "How many steps can the tigers make, all three together?", "tiger captures": "How many captures can the tigers make?" })[term] ?? "",
    hint: "A step goes along a line to the next point, if that is empty. A capture leaps along a line over a goat, to the empty point right behind it.",
    /** @param {string} term @param {number} count @param {number} weight */
    why: (term, count, weight) => `${things(term, count)}, at ${valueWords(weight)} each: ${valueWords(count * weight)}.`,
  },
  evaluation: {
    prompt: () => "What is the value of this position, by this evaluation?",
    hint: "Count the goats, also those in hand, and take four times that. Then subtract one for every step that a tiger can make, and two for every capture.",
    /** @param {Record<string, number>} terms @param {number} sum */
    why: (terms, sum) => `4 × ${(terms.goats ?? 0) / 4} goats − ${things("tiger steps", -(terms["tiger steps"] ?? 0))} − 2 × ${things("tiger captures", -(terms["tiger captures"] ?? 0) / 2)} = ${valueWords(sum)}.`,
  },
  flatters: {
    prompt: () => "Whom do the odd depths flatter, and why?",
    hint: "The values are points for the goats. At depth 1 only the goats have moved. Who has moved last at depth 3, and who at depth 4?",
    /** @param {string} word */
    option: (word) => {
      const [side, when] = word.split(" ");
      return when === "last" ? `${subject(side)}, who have moved last` : `${subject(side)}, who move next`;
    },
    /** @param {number[]} values @param {string} answer */
    why: (values, answer) => `Odd depths say ${listWords(values.filter((_, at) => at % 2 === 0).map(String))}, even ones ${listWords(values.filter((_, at) => at % 2 === 1).map(String))}: the odd ones are better for the ${answer.split(" ")[0]}. ${answer.endsWith("last") ? "They have moved last, and the answer to that move is not searched any more." : ""}`,
  },
  play: {
    prompt: () => "Which would you play?",
    hint: "Look at the board after each of them. Which goat could a tiger leap over soon?",
    /** @param {[string, SearchValue][]} values @param {number} depth */
    why: (values, depth) => `To depth ${depth}, ${listWords(values.map(([move, value]) => `${move} is worth ${valueWords(value)}`))}.`,
  },
  reply: {
    /** @param {string} side */
    prompt: (side) => `What do the ${side} do?`,
    hint: "A capture takes four points from the goats at once. Where can a tiger leap over a goat, and how many steps are left afterwards?",
    /** @param {string} move @param {Record<string, number>} terms @param {SearchValue} value @param {string} side */
    why: (move, terms, value, side) => `${move} is best for the ${side}: ${things("goats", (terms.goats ?? 0) / 4)}, ${things("tiger steps", -(terms["tiger steps"] ?? 0))} and ${things("tiger captures", -(terms["tiger captures"] ?? 0) / 2)} are left, which is worth ${valueWords(value)}.`,
  },
  cures: {
    prompt: () => "Which cures find the better move here? Choose all that do.",
    options: { deeper: "Search one ply deeper", captures: "Search captures to their end before evaluating: quiescence search", guess: "A better guess: a capture that is possible costs 3, not 2" },
    names: { deeper: "deeper", captures: "captures to their end", guess: "a better guess" },
    none: "none",
    hint: "The loss is a capture right behind the edge. Which of the three see it, or see it coming?",
    /** @param {{ move: string, deeper: number, captures: number, guess: number }[]} values @param {string[]} working */
    why: (values, working) => {
      const told = (/** @type {"deeper" | "captures" | "guess"} */ cure) => values.map((one) => `${one.move} ${one[cure]}`).join(", ");
      return `One ply deeper: ${told("deeper")}. Captures to their end: ${told("captures")}. A better guess: ${told("guess")}. ${working.length === 3 ? "Each works here, at a price: more nodes at every depth, more nodes at the edge, or a guess that may be worse elsewhere." : ""}`;
    },
  },
  weights: {
    /** @param {string[]} usual @param {string[]} others */
    prompt: (usual, others) => `With 4, 1 and 2, ${listWords(usual)} is better than ${listWords(others)} to depth 4. Find weights with which ${listWords(others)} is better.`,
    hint: "c4 closes one of the two ways over the goat on c3. Make captured goats matter less, and the tigers’ steps matter more.",
    labels: ["A goat", "A step of a tiger", "A capture of a tiger"],
    /** Returns the value of each move. @param {{ move: string, value: number }[]} values */
    result: (values) => `To depth 4: ${values.map(({ move, value }) => `${move} ${valueWords(value)}`).join(", ")}.`,
    /** @param {number[]} weights */
    words: ([goat, step, capture]) => `${goat}, ${step} and ${capture}`,
    /** @param {number[]} weights @param {{ move: string, value: number }[]} values */
    why: (weights, values) => `With ${EVALUATION.weights.words(weights)}, for example: ${values.map(({ move, value }) => `${move} ${valueWords(value)}`).join(", ")}. A search finds the best move for its evaluation, whether or not that is good for the goats.`,
  },
};
