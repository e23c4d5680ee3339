// The texts of the questions about null windows: Scout and MTD(f).

import { boundWords, listWords, valueWords, windowWords } from "./lessons.js";
import { pluralize } from "./moves.js";

/** @import { SearchEvent, SearchValue, Window } from "../lessons/trace_events.js" */
/** @import { Test } from "../lessons/questions_null_windows.js" */

/** Returns a test as a question: `at least 5?`, `more than 5?`. @param {Test} test */
export function testWords({ relation, value }) {
  return `${relation === "more" ? "more than" : "at least"} ${valueWords(value)}?`;
}

/** Returns the question of a null window: `more than 13`, `at least 5`. @param {Window} window */
function asked([alpha, beta]) {
  return String(alpha).length < String(beta).length ? `more than ${valueWords(alpha)}` : `at least ${valueWords(beta)}`;
}

/** Returns a bound in words: `at least 3`. @param {string | null} bound @param {SearchValue} value */
function proved(bound, value) {
  return bound === "exact" ? `exactly ${valueWords(value)}` : `${bound === "lower" ? "at least" : "at most"} ${valueWords(value)}`;
}

export const NULL_WINDOWS = {
  worthMore: {
    /** @param {string} name @param {Window} window */
    prompt: (name, window) => `Is ${name} worth ${asked(window)}?`,
    hint: "Back up the values below the node, but only as far as you need: each child can settle the question.",
    /** @param {string} path @param {SearchEvent} leave @param {Window} window */
    why: (path, { value, bound }, window) => `${Number(value) >= Number(window[1]) ? "Yes" : "No"}: node ${path} is worth ${proved(bound, value)}.${bound === "exact" ? "" : " That answers the question, and the exact value is not needed for it."}`,
  },
  spared: {
    prompt: () => "Which leaf does alpha-beta look at, but Scout does not? Choose it here or in the tree.",
    hint: "Scout asks only “more than 13?”. A max node that has found a better value has answered its part of the question; alpha-beta still wants to know by how much.",
    /** @param {number} scout @param {number} alphaBeta @param {string} cut */
    why: (scout, alphaBeta, cut) => `Scout looks at ${scout} leaves, alpha-beta at ${alphaBeta}. ${cut}`,
  },
  again: {
    /** @param {string} name */
    prompt: (name) => `Which window does ${name} get when Scout searches it again?`,
    hint: "Max has the value of the best child so far. Nothing limits the value from above at the root.",
    /** @param {SearchEvent} again */
    why: ({ window: [alpha, beta], because: { value } }) => `Only a value above ${valueWords(alpha)} matters${beta === null ? ", and there is no upper end" : ` and below ${valueWords(beta)}`}. The first search has proved only that it is worth ${valueWords(value)} or more; this Scout does not use that bound.`,
    /** @param {Window} window */
    words: (window) => windowWords(window),
  },
  first: {
    /** @param {string} path */
    option: (path) => `child ${path}`,
    /** @param {number} scout @param {number} alphaBeta */
    prompt: (scout, alphaBeta) => `Scout has ${scout} nodes here, and alpha-beta ${alphaBeta}. Which child would have to stand first, so that Scout searches no child of the root again?`,
    hint: "Scout searches a child again when that child is better than all before it. When can that never happen?",
    /** @param {string} path @param {number} before @param {number} after */
    why: (path, before, after) => `Child ${path} is the best one. With it in front, no other child is worth more, so every such question has the answer “no”: ${after} nodes, not ${before}.`,
  },
  looks: {
    prompt: () => "How many leaves does the search look at in all? A leaf that is looked at twice counts twice.",
    hint: "Step through the search in your mind: a cut spares leaves, but a second search or pass can come to a leaf again.",
    /** @param {SearchValue[]} seen @param {number} different */
    why: (seen, different) => `Looked at, in this order: ${listWords(seen.map((value) => valueWords(value)))}. That is ${seen.length}${seen.length === different ? ", each of them once" : `, and ${different} different leaves`}.`,
  },
  twice: {
    prompt: () => "Which leaf does the search look at twice?",
    hint: "The table keeps the values of inner nodes. Go back with the arrows below, and watch which leaf is reached in both passes.",
    /** @param {SearchValue[]} values */
    why: (values) => `The leaf ${listWords(values.map((value) => valueWords(value)))}: each pass starts from the root again. What the table knows of a node as a bound may not be enough for the next question.`,
  },
  rank: {
    prompt: () => "Order the four searches by their nodes, the fewest first.",
    hint: "Without a table every second search of a child costs as much as the first. With a table, much of it is looked up.",
    why: "Without a table, Scout pays for searching again. With one, the second search finds most of its nodes in the table, and the cheap questions pay off.",
  },
  rootAnswer: {
    /** @param {Test} test */
    prompt: (test) => `Is the root worth ${testWords(test)}`,
    hint: "Look for one child of the root that is good enough, or for a reply in each child that is bad enough.",
    /** @param {SearchEvent} leave */
    why: ({ bound, value }) => `${bound === "lower" ? "Yes" : "No"}: this pass proves that the root is worth ${proved(bound, value)}.`,
  },
  nextTest: {
    prompt: () => "What does MTD(f) ask next?",
    hint: "It asks at the edge of what it knows: after “at least v” whether the value is more than v, after “at most v” whether it is at least v.",
    /** @param {SearchEvent} pass */
    why: ({ low, high }) => (high === null ? `It is worth at least ${valueWords(low)}. If it is not more, that is the value. Where all values are whole, “more than ${valueWords(low)}” is “at least ${valueWords(Number(low) + 1)}”.` : low === null ? `It is worth at most ${valueWords(high)}. If it is not less, that is the value.` : `The value lies between ${valueWords(low)} and ${valueWords(high)}. The question stands where the last pass ended.`),
    /** @param {Test} test */
    words: (test) => testWords(test).replace("?", ""),
  },
  rungs: {
    /** @param {Test} test @param {number} count */
    prompt: (test, count) => `The first question is “${testWords(test)}”. Which bound does each of the ${pluralize(count, "pass").replace("passs", "passes")} prove?`,
    hint: "A pass stops at the first child that is good enough: the root is worth at least what that child is worth. When none is, every child has a reply that is bad enough: the root is worth at most the best of those replies.",
    /** @param {Test[]} tests @param {boolean} hasTies */
    why: (tests, hasTies) => `The questions were: ${listWords(tests.map((test) => `“${testWords(test)}”`))}. Then both bounds are the same.${hasTies ? " One more pass asks whether an earlier child is as good. It changes no bound, and is not a rung." : ""}`,
    /** @param {{ bound: string, value: SearchValue }[]} rungs */
    words: (rungs) => rungs.map(({ bound, value }) => boundWords(value, bound)).join(", "),
  },
  bestGuess: {
    /** @param {number} count */
    prompt: (count) => `With first guess 0 this search needs ${count} passes. Slide the first guess to a number with which the passes are fewest.`,
    hint: "Two passes are needed in any case: one to prove “at least v”, one to prove “at most v”. Which guess lets the first pass land on the value?",
    /** @param {{ guess: number, count: number }[]} all @param {SearchValue} value */
    why: (all, value) => {
      /** @type {{ first: number, last: number, count: number }[]} */
      const runs = [];
      for (const { guess, count } of all) {
        const run = runs.at(-1);
        if (run?.count === count) run.last = guess;
        else runs.push({ first: guess, last: guess, count });
      }
      return `First guess ${runs.map(({ first, last, count }) => `${first === last ? first : `${first} to ${last}`}: ${count} passes`).join("; ")}. The value itself, ${valueWords(value)}, is always among the best, so the value of the last iteration is a good first guess.`;
    },
  },
};
