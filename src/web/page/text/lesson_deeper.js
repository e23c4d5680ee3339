// The texts of the questions about iterative deepening and the transposition table.

import { numberText, t } from "../language.js";
import { boundWords, valueWords, windowWords } from "./lessons.js";
import { sideNoun } from "./nouns.js";

/** @import { SearchEvent, SearchEvents, SearchValue, Window } from "../lessons/trace_events.js" */

/** Returns a value with its unit: `52 points for the goats`, `X wins`. @param {SearchValue} value @param {SearchEvents} search */
export function reportedValue(value, search) {
  const { variant, players } = /** @type {{ variant: string, players: string[] }} */ (/** @type {any} */ (search.begin));
  if (typeof value !== "number" || variant === "tree" || (value === 0 && variant === "tic-tac-toe")) return valueWords(value, { variant, players });
  return t("{points, plural, one {# point} other {# points}} for {side.the}", { points: Math.abs(value), side: sideNoun(players[value < 0 ? 1 : 0]) });
}

/** Returns the moves with their players: `X b2, then O a1, then X c3`. @param {string} path @param {string} first the player who begins */
function playedMoves(path, first) {
  const sides = first === "o" ? ["O", "X"] : ["X", "O"];
  return path.split(" ").map((move, at) => `${sides[at % 2]} ${move}`).reduce((before, move) => t("{before}, then {move}", { before, move }));
}

export const DEEPER = {
  share: {
    prompt: () => t("Which share of all nodes does the last of the six iterations have? Within five points is right."),
    hint: t("Compare each search with the one before: how many times as many nodes are there? So what do the first five add up to, beside the sixth?"),
    /** @param {number} last @param {number} all @param {number} share in percent */
    why: (last, all, share) => {
      const percent = (/** @type {number} */ number) => numberText(number, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
      return t("{last} of {all} nodes: {share}%. The five searches before it cost {rest}% together, and they find a good first move.", { last, all, share: percent(share), rest: percent(100 - share) });
    },
    /** @param {number} depth */
    row: (depth) => t("to depth {depth}", { depth }),
  },
  nextFirst: {
    /** @param {number} depth */
    prompt: (depth) => t("Iteration {last} has given these values. Which move does iteration {next} search first?", { last: depth - 1, next: depth }),
    hint: t("Who moves here, and does that side want a high or a low value? The best move of the last iteration comes first."),
    /** @param {string} move @param {SearchValue} value @param {SearchEvents} search */
    why: (move, value, search) => {
      const found = { move, value: reportedValue(value, search) };
      return search.place("").kind === "min"
        ? t("{move} was the best move of the last iteration: {value}, the least of all, and the tigers move. A good first move lets alpha-beta cut off more of the others.", found)
        : t("{move} was the best move of the last iteration: {value}. A good first move lets alpha-beta cut off more of the others.", found);
    },
  },
  meets: {
    /** @param {string} path @param {string} side the side to move */
    prompt: (path, side) => t("{moves}. Find another order of moves that leads to the same position.", { moves: playedMoves(path, side) }),
    hint: t("All pieces must end up on the same cells, and X may only place an X. Which two moves can change places?"),
    /** @param {string} path @param {string[]} others */
    why: (path, others) => t("{orders} lead to the same position, so it needs to be searched only once. The board forgets the order of the moves; a tree does not.", { orders: [path, ...others] }),
  },
  entry: {
    options: { yes: t("Yes: no search is needed"), no: t("No: the node is searched") },
    answers: { yes: t("yes, it answers"), no: t("no, the node is searched") },
    /** @param {SearchEvent} table @param {{ window: Window, plies: number }} need */
    prompt: ({ value, bound, depth }, { window, plies }) => t("The table has: {entry}, searched {depth, plural, one {# ply} other {# plies}} deep. Now the search needs {plies, plural, one {# ply} other {# plies}}, in the window {window}. Does the entry answer?", { entry: boundWords(value, bound), depth, plies, window: windowWords(window) }),
    hint: t("First: was it searched deep enough? Then: does the bound lie outside the window? “≥” answers if it is beta or more, “≤” if it is alpha or less."),
    /** @param {SearchEvent} table @param {{ window: Window, plies: number }} need */
    why: ({ value, bound, depth }, { window: [alpha, beta], plies }) => {
      if (depth < plies) return t("{depth, plural, one {# ply} other {# plies}} deep is not enough where {plies, plural, one {# ply} other {# plies}} are needed. The entry can still name a move to try first.", { depth, plies });
      const entry = boundWords(value, bound);
      if (bound === "lower") {
        return Number(value) >= Number(beta)
          ? t("It is deep enough, and beta is {beta}: {entry} is outside the window, whatever the exact value is.", { entry, beta: valueWords(beta) })
          : t("It is deep enough, but beta is {beta}: {entry} leaves open whether the value is {beta} or more.", { entry, beta: valueWords(beta) });
      }
      return Number(value) <= Number(alpha)
        ? t("It is deep enough, and alpha is {alpha}: {entry} is outside the window, whatever the exact value is.", { entry, alpha: valueWords(alpha) })
        : t("It is deep enough, but alpha is {alpha}: {entry} leaves open whether the value is {alpha} or less.", { entry, alpha: valueWords(alpha) });
    },
  },
  leaves: {
    prompt: () => t("And how many leaves with a table? Place the dot: within a factor of three is right."),
    hint: t("A position is searched only once. The game has 5,478 positions, and a leaf is one at which the game is over."),
    without: t("without a table"),
    with: t("with a table"),
    /** @param {number} without @param {any} counts */
    why: (without, { leaves, hits }) => t("{leaves} leaves, not {without}: the table answers {hits} times, and each answer spares all that lies below. Ends of the game are not stored, so some leaves are met more than once.", { leaves, without, hits }),
  },
  lookedUp: {
    /** @type {Record<string, string>} */
    options: { searched: t("Searched: it is new"), "looked up": t("Looked up: the table has it") },
    /** @type {Record<string, string>} */
    answers: { searched: t("searched"), "looked up": t("looked up") },
    /** @param {string} path */
    prompt: (path) => t("The search has come to {path}. Is this position searched, or looked up?", { path }),
    hint: t("The moves are tried in the order above. Let the player’s two moves change places: would that order have come earlier?"),
    /** @param {string} path */
    searched: (path) => t("No other order of these moves came before {path}, so the position is new and has to be searched.", { path }),
    /** @param {string} path @param {string} first @param {SearchValue} value @param {SearchEvents} search */
    known: (path, first, value, search) => t("{first} came before, and is the same position as {path}. The table has its value: {value}.", { first, path, value: reportedValue(value, search) }),
  },
  nodes: {
    /** @param {number} nodes @param {number} tolerance */
    prompt: (nodes, tolerance) => t("Without a table this search has {nodes} nodes. How many with it? Within {tolerance} nodes is right.", { nodes, tolerance }),
    hint: t("Near the root no two orders meet yet; deeper down most positions can be reached in two ways or more."),
    /** @param {number} nodes */
    words: (nodes) => t("{nodes, plural, one {# node} other {# nodes}}", { nodes }),
    /** @param {number} without @param {any} counts */
    why: (without, { nodes, hits }) => t("{nodes} nodes, not {without}: {hits, plural, one {# look-up} other {# look-ups}} answered.", { nodes, without, hits }),
  },
};
