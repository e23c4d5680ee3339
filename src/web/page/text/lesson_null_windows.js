// The texts of the questions about null windows: Scout and MTD(f).

import { t } from "../language.js";
import { boundWords, eachValue, valueWords, windowWords } from "./lessons.js";

/** @import { SearchEvent, SearchValue, Window } from "../lessons/trace_events.js" */
/** @import { Test } from "../lessons/questions_null_windows.js" */

/** Returns a test: `at least 5`, `more than 5`. @param {Test} test */
function testWords({ relation, value }) {
  return relation === "more" ? t("more than {value}", { value: valueWords(value) }) : t("at least {value}", { value: valueWords(value) });
}

/** Returns a test as a question: `at least 5?`, `more than 5?`. @param {Test} test */
function testQuestion({ relation, value }) {
  return relation === "more" ? t("more than {value}?", { value: valueWords(value) }) : t("at least {value}?", { value: valueWords(value) });
}

/** The searches that are ranked, by name. @type {Record<string, string>} */
const SEARCHES = { "alpha-beta": "alpha-beta", Scout: "Scout", "alpha-beta with a table": t("alpha-beta with a table"), "Scout with a table": t("Scout with a table") };

export const NULL_WINDOWS = {
  worthMore: {
    /** @param {string} name @param {Window} window */
    prompt: (name, [alpha, beta]) => (String(alpha).length < String(beta).length
      ? t("Is {name} worth more than {value}?", { name, value: valueWords(alpha) })
      : t("Is {name} worth at least {value}?", { name, value: valueWords(beta) })),
    hint: t("Back up the values below the node, but only as far as you need: each child can settle the question."),
    /** @param {string} path @param {SearchEvent} leave @param {Window} window */
    why: (path, { value, bound }, window) => {
      const found = { answer: Number(value) >= Number(window[1]) ? "yes" : "no", path, value: valueWords(value) };
      if (bound === "exact") return t("{answer, select, yes {Yes} other {No}}: node {path} is worth exactly {value}.", found);
      return bound === "lower"
        ? t("{answer, select, yes {Yes} other {No}}: node {path} is worth at least {value}. That answers the question, and the exact value is not needed for it.", found)
        : t("{answer, select, yes {Yes} other {No}}: node {path} is worth at most {value}. That answers the question, and the exact value is not needed for it.", found);
    },
  },
  spared: {
    prompt: () => t("Which leaf does alpha-beta look at, but Scout does not? Choose it here or in the tree."),
    hint: t("Scout asks only “more than 13?”. A max node that has found a better value has answered its part of the question; alpha-beta still wants to know by how much."),
    none: t("none"),
    /** @param {number} scout @param {number} alphaBeta @param {string} cut the sentence of the last cutoff */
    why: (scout, alphaBeta, cut) => `${t("Scout looks at {scout} leaves, alpha-beta at {alphaBeta}.", { scout, alphaBeta })} ${cut}`,
  },
  again: {
    /** @param {string} name */
    prompt: (name) => t("Which window does {name} get when Scout searches it again?", { name }),
    hint: t("Max has the value of the best child so far. Nothing limits the value from above at the root."),
    /** @param {SearchEvent} again */
    why: ({ window: [alpha, beta], because }) => {
      const found = { alpha: valueWords(alpha), beta: valueWords(beta), value: valueWords(because.value) };
      return beta === null
        ? t("Only a value above {alpha} matters, and there is no upper end. The first search has proved only that it is worth {value} or more; this Scout does not use that bound.", found)
        : t("Only a value above {alpha} matters and below {beta}. The first search has proved only that it is worth {value} or more; this Scout does not use that bound.", found);
    },
    /** @param {Window} window */
    words: (window) => windowWords(window),
  },
  first: {
    /** @param {string} path */
    option: (path) => t("child {path}", { path }),
    /** @param {number} scout @param {number} alphaBeta */
    prompt: (scout, alphaBeta) => t("Scout has {scout} nodes here, and alpha-beta {alphaBeta}. Which child would have to stand first, so that Scout searches no child of the root again?", { scout, alphaBeta }),
    hint: t("Scout searches a child again when that child is better than all before it. When can that never happen?"),
    /** @param {string} path @param {number} before @param {number} after */
    why: (path, before, after) => t("Child {path} is the best one. With it in front, no other child is worth more, so every such question has the answer “no”: {after} nodes, not {before}.", { path, before, after }),
  },
  looks: {
    prompt: () => t("How many leaves does the search look at in all? A leaf that is looked at twice counts twice."),
    hint: t("Step through the search in your mind: a cut spares leaves, but a second search or pass can come to a leaf again."),
    /** @param {SearchValue[]} seen @param {number} different */
    why: (seen, different) => {
      const found = { values: eachValue(seen), count: seen.length, different };
      return seen.length === different
        ? t("Looked at, in this order: {values}. That is {count}, each of them once.", found)
        : t("Looked at, in this order: {values}. That is {count}, and {different} different leaves.", found);
    },
  },
  twice: {
    prompt: () => t("Which leaf does the search look at twice?"),
    hint: t("The table keeps the values of inner nodes. Go back with the arrows below, and watch which leaf is reached in both passes."),
    /** @param {SearchValue[]} values */
    why: (values) => t("The leaf {values}: each pass starts from the root again. What the table knows of a node as a bound may not be enough for the next question.", { values: eachValue(values) }),
  },
  rank: {
    prompt: () => t("Order the four searches by their nodes, the fewest first."),
    hint: t("Without a table every second search of a child costs as much as the first. With a table, much of it is looked up."),
    why: t("Without a table, Scout pays for searching again. With one, the second search finds most of its nodes in the table, and the cheap questions pay off."),
    /** @param {string} name */
    option: (name) => SEARCHES[name],
  },
  rootAnswer: {
    /** @param {Test} test */
    prompt: ({ relation, value }) => (relation === "more" ? t("Is the root worth more than {value}?", { value: valueWords(value) }) : t("Is the root worth at least {value}?", { value: valueWords(value) })),
    hint: t("Look for one child of the root that is good enough, or for a reply in each child that is bad enough."),
    /** @param {SearchEvent} leave */
    why: ({ bound, value }) => {
      if (bound === "exact") return t("No: this pass proves that the root is worth exactly {value}.", { value: valueWords(value) });
      return bound === "lower" ? t("Yes: this pass proves that the root is worth at least {value}.", { value: valueWords(value) }) : t("No: this pass proves that the root is worth at most {value}.", { value: valueWords(value) });
    },
  },
  nextTest: {
    prompt: () => t("What does MTD(f) ask next?"),
    hint: t("It asks at the edge of what it knows: after “at least v” whether the value is more than v, after “at most v” whether it is at least v."),
    /** @param {SearchEvent} pass */
    why: ({ low, high }) => {
      const found = { low: valueWords(low), high: valueWords(high) };
      if (high === null) return t("It is worth at least {low}. If it is not more, that is the value. Where all values are whole, “more than {low}” is “at least {next}”.", { ...found, next: valueWords(Number(low) + 1) });
      return low === null ? t("It is worth at most {high}. If it is not less, that is the value.", found) : t("The value lies between {low} and {high}. The question stands where the last pass ended.", found);
    },
    words: testWords,
  },
  rungs: {
    /** @param {Test} test @param {number} count */
    prompt: (test, count) => t("The first question is “{question}”. Which bound does each of the {count, plural, one {# pass} other {# passes}} prove?", { question: testQuestion(test), count }),
    hint: t("A pass stops at the first child that is good enough: the root is worth at least what that child is worth. When none is, every child has a reply that is bad enough: the root is worth at most the best of those replies."),
    /** @param {Test[]} tests @param {boolean} hasTies */
    why: (tests, hasTies) => {
      const found = { questions: tests.map((test) => t("“{question}”", { question: testQuestion(test) })) };
      return hasTies
        ? t("The questions were: {questions}. Then both bounds are the same. One more pass asks whether an earlier child is as good. It changes no bound, and is not a rung.", found)
        : t("The questions were: {questions}. Then both bounds are the same.", found);
    },
    /** @param {{ bound: string, value: SearchValue }[]} rungs */
    words: (rungs) => rungs.map(({ bound, value }) => boundWords(value, bound)).join(", "),
  },
  bestGuess: {
    /** @param {number} count */
    prompt: (count) => t("With first guess 0 this search needs {count} passes. Slide the first guess to a number with which the passes are fewest.", { count }),
    hint: t("Two passes are needed in any case: one to prove “at least v”, one to prove “at most v”. Which guess lets the first pass land on the value?"),
    /** @param {{ guess: number, count: number }[]} all @param {SearchValue} value */
    why: (all, value) => {
      /** @type {{ first: number, last: number, count: number }[]} */
      const runs = [];
      for (const { guess, count } of all) {
        const run = runs.at(-1);
        if (run?.count === count) run.last = guess;
        else runs.push({ first: guess, last: guess, count });
      }
      const passes = runs.map((run) => (run.first === run.last ? t("{first}: {count} passes", run) : t("{first} to {last}: {count} passes", run)));
      return t("First guess {passes}. The value itself, {value}, is always among the best, so the value of the last iteration is a good first guess.", { passes: passes.join("; "), value: valueWords(value) });
    },
  },
};
