// The texts of the questions about iterative deepening and the transposition table.

import { boundWords, valueWords, windowWords } from "./lessons.js";
import { pluralize } from "./moves.js";

/** @import { SearchEvent, SearchEvents, SearchValue, Window } from "../lessons/trace_events.js" */

/** @param {number} number */
function plies(number) {
  return `${number} ${number === 1 ? "ply" : "plies"}`;
}

/** Returns a number with a separator of thousands. @param {number} number */
export function count(number) {
  return number.toLocaleString("en");
}

/** Returns a value with its unit: `52 points for the goats`, `X wins`. @param {SearchValue} value @param {SearchEvents} search */
export function reportedValue(value, search) {
  const { variant, players } = /** @type {{ variant: string, players: string[] }} */ (/** @type {any} */ (search.begin));
  if (typeof value !== "number" || variant === "tree" || (value === 0 && variant === "tic-tac-toe")) return valueWords(value, { variant, players });
  return `${valueWords(Math.abs(value))} ${Math.abs(value) === 1 ? "point" : "points"} for the ${players[value < 0 ? 1 : 0]}`;
}

/** Returns the moves with their players: `X b2, then O a1, then X c3`. @param {string} path @param {string} first the player who begins */
function playedMoves(path, first) {
  const sides = first === "o" ? ["O", "X"] : ["X", "O"];
  return path.split(" ").map((move, at) => `${sides[at % 2]} ${move}`).join(", then ");
}

/** What a table entry says. @param {SearchEvent} table */
function entryText({ value, bound, depth }) {
  return `${boundWords(value, bound)}, searched ${plies(depth)} deep`;
}

export const DEEPER = {
  share: {
    prompt: () => "Which share of all nodes does the last of the six iterations have? Within five points is right.",
    hint: "Compare each search with the one before: how many times as many nodes are there? So what do the first five add up to, beside the sixth?",
    /** @param {number} last @param {number} all @param {number} share */
    why: (last, all, share) => `${count(last)} of ${count(all)} nodes: ${share.toFixed(1)}%. The five searches before it cost ${(100 - share).toFixed(1)}% together, and they find a good first move.`,
    /** @param {number} depth */
    row: (depth) => `to depth ${depth}`,
  },
  nextFirst: {
    /** @param {number} depth */
    prompt: (depth) => `Iteration ${depth - 1} has given these values. Which move does iteration ${depth} search first?`,
    hint: "Who moves here, and does that side want a high or a low value? The best move of the last iteration comes first.",
    /** @param {string} move @param {SearchValue} value @param {SearchEvents} search */
    why: (move, value, search) => `${move} was the best move of the last iteration: ${reportedValue(value, search)}${search.place("").kind === "min" ? ", the least of all, and the tigers move" : ""}. A good first move lets alpha-beta cut off more of the others.`,
  },
  meets: {
    /** @param {string} path @param {string} side the side to move */
    prompt: (path, side) => `${playedMoves(path, side)}. Find another order of moves that leads to the same position.`,
    hint: "All pieces must end up on the same cells, and X may only place an X. Which two moves can change places?",
    /** @param {string} path @param {string[]} others */
    why: (path, others) => `${path} and ${others.join(" and ")} lead to the same position, so it needs to be searched only once. The board forgets the order of the moves; a tree does not.`,
  },
  entry: {
    options: { yes: "Yes: no search is needed", no: "No: the node is searched" },
    answers: { yes: "yes, it answers", no: "no, the node is searched" },
    /** @param {SearchEvent} table @param {{ window: Window, plies: number }} need */
    prompt: (table, { window, plies: needed }) => `The table has: ${entryText(table)}. Now the search needs ${plies(needed)}, in the window ${windowWords(window)}. Does the entry answer?`,
    hint: "First: was it searched deep enough? Then: does the bound lie outside the window? “≥” answers if it is beta or more, “≤” if it is alpha or less.",
    /** @param {SearchEvent} table @param {{ window: Window, plies: number }} need */
    why: ({ value, bound, depth }, { window: [alpha, beta], plies: needed }) => {
      const entry = boundWords(value, bound);
      if (depth < needed) return `${plies(depth)} deep is not enough where ${plies(needed)} are needed. The entry can still name a move to try first.`;
      const end = bound === "lower" ? `beta is ${valueWords(beta)}` : `alpha is ${valueWords(alpha)}`;
      const isEnough = bound === "lower" ? Number(value) >= Number(beta) : Number(value) <= Number(alpha);
      return isEnough ? `It is deep enough, and ${end}: ${entry} is outside the window, whatever the exact value is.` : `It is deep enough, but ${end}: ${entry} leaves open whether the value is ${bound === "lower" ? `${valueWords(beta)} or more` : `${valueWords(alpha)} or less`}.`;
    },
  },
  leaves: {
    prompt: () => "And how many leaves with a table? Place the dot: within a factor of three is right.",
    hint: "A position is searched only once. The game has 5,478 positions, and a leaf is one at which the game is over.",
    without: "without a table",
    with: "with a table",
    /** @param {number} without @param {any} counts */
    why: (without, { leaves, hits }) => `${count(leaves)} leaves, not ${count(without)}: the table answers ${count(hits)} times, and each answer spares all that lies below. Ends of the game are not stored, so some leaves are met more than once.`,
  },
  lookedUp: {
    options: { searched: "Searched: it is new", "looked up": "Looked up: the table has it" },
    /** @param {string} path */
    prompt: (path) => `The search has come to ${path}. Is this position searched, or looked up?`,
    hint: "The moves are tried in the order above. Let the player’s two moves change places: would that order have come earlier?",
    /** @param {string} path */
    searched: (path) => `No other order of these moves came before ${path}, so the position is new and has to be searched.`,
    /** @param {string} path @param {string} first @param {SearchValue} value @param {SearchEvents} search */
    known: (path, first, value, search) => `${first} came before, and is the same position as ${path}. The table has its value: ${reportedValue(value, search)}.`,
  },
  nodes: {
    /** @param {number} nodes @param {number} tolerance */
    prompt: (nodes, tolerance) => `Without a table this search has ${nodes} nodes. How many with it? Within ${tolerance} nodes is right.`,
    hint: "Near the root no two orders meet yet; deeper down most positions can be reached in two ways or more.",
    /** @param {number} without @param {any} counts */
    why: (without, { nodes, hits }) => `${nodes} nodes, not ${without}: ${pluralize(hits, "look-up")} answered.`,
  },
};
