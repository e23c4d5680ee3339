// The texts of the lessons: the list, the player, the questions and the reasons of their answers.

import { capitalize, pluralize } from "./moves.js";

/** @import { SearchValue, Window } from "../lessons/trace_events.js" */

export const LESSON_LABELS = {
  title: "Lessons",
  list: "Every step asks something. The engine computes all answers. Your counts stay in this browser.",
  close: "Close the lesson",
  rounds: ["Explained", "Last steps", "On your own"],
  round: "Round",
  check: "Check",
  skip: "Skip",
  next: "Continue",
  again: "Another tree",
  nextRound: "Next round",
  finish: "Close the lesson",
  scrubber: "Event of the search",
  restart: "Before the first event",
  back: "One event back",
  forward: "One event forward",
  play: "Play the events",
  pause: "Pause",
  alpha: "Alpha (α)",
  beta: "Beta (β)",
  left: "Earlier",
  right: "Later",
  switch: "Cut only if the value is worse",
  tree: "Tree of the search",
  loading: "Asking the engine …",
  answered: "This round is done.",
  hint: "A hint:",
  soFar: "This lesson so far:",
  undo: "Take back the last move",
  counts: "Counts",
  yourTurn: "what it says is your question.",
  logAxis: "each mark is ten times the one before",
};

export const NAMING = "A node is named by the way down to it: 1 2 is the second child of the root’s first child.";

export const NEVER_SEEN = "Every leaf is searched here.";

/** Returns the name of a node in a sentence. @param {string} path */
export function nodeName(path) {
  return path ? `node ${path}` : "the root";
}

/**
 * Returns the sentence of an event of a tree in notation, in which numbers that name nodes and children are told from values:
 * `Min can have 3 at node 1 by child 1`.
 * @param {string} text the sentence of the engine
 * @param {string | null} [bound] what the value that a child hands on is; exact if it is left out
 */
export function treeSentence(text, bound = null) {
  const more = bound === "lower" ? " or more" : bound === "upper" ? " or less" : "";
  return text
    .replace(/\b((?:can|would) have −?[\d.]+) at /, `$1${more} at `)
    // In a null window the other side has nothing: its end is a part of the question.
    .replace(/but (?:Min|Max) has −?\d+\.\d\d elsewhere(?:, and as good is good enough)?/, "which answers the question")
    .replace(", and as good is good enough", ", and an equal value is enough")
    .replace(/\b(Enter|Leave|Cut off at|can choose at|Chance goes to|Chance has at|have −?[\d.]+(?: or more| or less)? at) (\d+(?: \d+)*)/, "$1 node $2")
    .replace(/^At (\d+(?: \d+)*|the root), (\d+) adds/, (_, node, child) => `At ${node === "the root" ? node : `node ${node}`}, child ${child} adds`)
    .replace(/^(Search|The table answers for|The table does not help at|The table keeps) (\d+(?: \d+)*)/, "$1 node $2")
    .replace(/, as (\d+(?: \d+)*) is the same/, ", as node $1 is the same")
    .replace(/ by (\d+):/, " by child $1:")
    .replace(/: (\d+(?:, \d+)*)\.$/, (all, moves) => (/can choose at|Chance has at|Never looked at/.test(text) ? `: ${moves.includes(",") ? "children" : "child"} ${moves}.` : all));
}

/** Returns the sentence of an event, which does not read as a command if a node is left: `Node 1 1 is worth 3.` @param {string} text */
export function worthSentence(text) {
  return text.replace(/^Leave (.+): it is worth /, (_, name) => `${name.startsWith("node ") || name === "the root" ? capitalize(name) : name} is worth `);
}

/** Returns a value in words: `3`, `X wins`, `draw`. @param {SearchValue} value @param {{ variant: string, players: string[] }} [game] the game; a tree if it is left out */
export function valueWords(value, game) {
  if (value === null) return "";
  if (value === 0 && game?.variant === "tic-tac-toe") return "draw";
  if (typeof value === "number") return String(value).replace("-", "−");
  const winner = String(game?.players[value.win === "p1" ? 0 : 1]);
  return `${winner} ${/([^s]s|geese|men|sheep)$/.test(winner) ? "win" : "wins"}`;
}

/** Returns a value with its bound: `3`, `≥15`, `≤2`. @param {SearchValue} value @param {string | null} bound @param {{ variant: string, players: string[] }} [game] */
export function boundWords(value, bound, game) {
  return `${bound === "lower" ? "≥" : bound === "upper" ? "≤" : ""}${valueWords(value, game)}`;
}

/** Returns a window: `(3, ∞)`. @param {Window} window @param {{ variant: string, players: string[] }} [game] */
export function windowWords([alpha, beta], game) {
  // A null window contains no value: it asks a question. Values are whole hundredths. A closed window asks nothing.
  if (typeof alpha === "number" && typeof beta === "number" && beta > alpha && beta - alpha < 0.015) return String(alpha).length < String(beta).length ? `> ${valueWords(alpha)}?` : `≥ ${valueWords(beta)}?`;
  return `(${alpha === null ? "−∞" : valueWords(alpha, game)}, ${beta === null ? "∞" : valueWords(beta, game)})`;
}

/** Returns what a cutoff in a null window says. @param {boolean} isMax */
export function nullCutText(isMax) {
  return isMax ? "yes" : "no";
}

/** @param {string} word the word of a choice */
export function choiceText(word) {
  return CHOICES[word] ?? word;
}

/** @type {Record<string, string>} */
const CHOICES = {
  max: "▲ Max", min: "▼ Min", chance: "● Chance", cut: "Cut: skip the rest of this node", "go on": "Go on: search the next child",
  p1: "X wins", draw: "Draw", p2: "O wins",
  yes: "Yes", no: "No",
  notation: "It comes first in the usual order", capture: "It captures a piece", killer: "It has cut off the search elsewhere: a killer move",
};

/** What `cut` and `go on` are in the answer. @type {Record<string, string>} */
const ANSWERS = { cut: "cut", "go on": "go on", max: "Max", min: "Min", notation: "the usual order", capture: "it captures", killer: "it has cut off elsewhere" };

/**
 * The words of each kind of question.
 * @type {Record<string, (name: string, search: import("../lessons/trace_events.js").SearchEvents, question: import("../lessons/questions.js").Question) => string>}
 */
export const prompts = {
  mover: (name) => `Who moves at ${name}?`,
  value: (name) => `What is ${name} worth?`,
  line: () => "Which moves do both play? Choose the child at each step, or click the nodes in the tree.",
  label: () => "X moves. Where does each move lead if both play as well as they can?",
  window: (name) => `Which window does ${name} get when the search enters it?`,
  cut: (name, _, { after, where }) => `The marked node is ${name}. ${where || after ? "Does the search go on with its next child, or cut?" : ""}`.trim(),
  skipped: (name, _, { after }) => (after ? `Which leaves below ${name} are never looked at? Choose them here or in the tree.` : "Strike out every leaf that is never searched. Choose them here or in the tree."),
  count: () => "How many leaves does alpha-beta look at?",
  refuter: (name) => `Which reply refutes ${name}? One is enough.`,
  fewest: () => "How many leaves must be seen at least?",
  order: () => "Reorder the children so that alpha-beta sees as few leaves as possible. Drag them in the tree, or choose one and move it.",
  first: () => "Why does the first of these moves come first?",
};

/** The hint of each kind of question, after two misses. @type {Record<string, string | ((kind: string) => string)>} */
export const hints = {
  mover: "Count the levels: Max moves at the root, Min one level below, and so on. ▲ is Max, ▼ is Min.",
  value: (kind) => (kind === "min" ? "Min moves here. Look at the children’s values and take the lowest." : "Max moves here. Look at the children’s values and take the highest."),
  line: "Start at the root. Go to the child whose value the root has, then from there in the same way, down to a leaf.",
  label: "Try X’s move, then every answer of O, then X’s last move. O takes the answer that is best for O.",
  window: "Alpha is the best value that Max is sure of on the way from the root to this node, beta the best one of Min. Where a side is sure of nothing, its end is infinite.",
  cut: "Compare alpha with beta at the marked node. If no value fits between them, nothing below can matter.",
  skipped: "Go from left to right. When a value closes the window of a node, all its later children are spared.",
  count: "Go from left to right with the window in mind. Count a leaf when you look at it; after a cut, go to the next node.",
  refuter: "Max has a value already: alpha. A reply that is worth alpha or less shows that Max gains nothing here.",
  fewest: "The first node needs all its children. Every other node needs one good reply.",
  order: "First the best child. Then, in each of the others, the reply that is worst for Max.",
  first: "Look at the board: is a piece captured by the move? If not, the move has proved its worth elsewhere.",
};

/** Returns the items of a list as words: `3, 17 and 2`. @param {string[]} items */
export function listWords(items) {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** The reasons that events do not give in words. */
export const WHY = {
  /** @param {import("../lessons/trace_events.js").Place} place */
  mover: ({ kind, level }) => `${kind === "max" ? "▲ is Max" : "▼ is Min"}: ${level ? `${pluralize(level, "move")} below the root` : "Max begins at the root"}, and they take turns.`,
  /** @param {SearchValue} value @param {string[]} line */
  line: (value, line) => `Each of these nodes is worth ${valueWords(value)}, the value of the root: ${line.join(" ")}.`,
  /** @param {string} move @param {SearchValue} value @param {string[]} players */
  label: (move, value, players) => {
    if (value === null || typeof value !== "object") return `${move}: a draw.`;
    const winner = players[value.win === "p1" ? 0 : 1];
    return `${move}: ${winner} wins${value.plies === 1 ? " at once" : ` ${pluralize(value.plies, "move")} from now`}.`;
  },
  /** @param {Window} window @param {string | null} alpha the path of the node where alpha was found @param {string | null} beta */
  window: ([low, high], alpha, beta) => {
    const found = [low !== null && alpha !== null ? `Alpha is ${valueWords(low)}: Max has it at ${nodeName(alpha)}.` : "Max is sure of nothing yet.", high !== null && beta !== null ? `Beta is ${valueWords(high)}: Min has it at ${nodeName(beta)}.` : "Min is sure of nothing yet."];
    return found.join(" ");
  },
  /** @param {string} kind @param {SearchValue} value @param {Window} window that of the node after the value came back */
  cut: (kind, value, [alpha, beta]) => (kind === "min" ? `${valueWords(value)} ≤ ${valueWords(alpha)} = α.` : `${valueWords(value)} ≥ ${valueWords(beta)} = β.`),
  /** @param {Window} window */
  goOn: ([alpha, beta]) => (alpha === beta ? `${valueWords(alpha)} is as good as ${valueWords(beta)}, not worse. By this rule only a worse value cuts, so the search goes on.` : `A value between ${valueWords(alpha)} and ${valueWords(beta)} is still possible, so the next child matters.`),
  /** @param {string} kind @param {SearchValue[]} values those of the children */
  value: (kind, values) => (values.length === 1 ? `Its only child is worth ${valueWords(values[0])}.` : `${kind === "min" ? "Min takes the lowest" : "Max takes the highest"} of ${listWords(values.map((value) => valueWords(value)))}.`),
  /** @param {SearchValue[]} seen @param {number} all */
  count: (seen, all) => `Looked at, in this order: ${listWords(seen.map((value) => valueWords(value)))}. That is ${seen.length} of ${all}.`,
  /** @param {SearchValue[]} values those of all replies that refute a node, in search order */
  refuters: (values) => (values.length > 1 ? `${listWords(values.map((value) => valueWords(value)))} each refute it. The search needs only the first of them: ${valueWords(values[0])}.` : ""),
  /** @param {SearchValue[]} seen */
  fewest: (seen) => `With the best child first the search looks at ${listWords(seen.map((value) => valueWords(value)))}: ${seen.length} leaves. No order needs fewer.`,
  /** @param {number} fewest */
  order: (fewest) => `${fewest} leaves: all replies to the best child, and one reply that refutes each of the others.`,
};

/** Returns why a move is first. @param {string} why @param {string} move */
export function reasonText(why, move) {
  if (why === "capture") return `${move} captures a goat, so it is tried first.`;
  if (why === "killer") return `${move} captures nothing. It has cut off the search in another position at this depth, so it is tried first here too. Such a move is called a killer move.`;
  return `${move} comes first in the usual order.`;
}

/** Returns an answer in words. @param {string} ask the kind of question @param {any} answer @param {import("../lessons/trace_events.js").SearchEvents} search */
export function answerText(ask, answer, search) {
  const leaf = (/** @type {string} */ path) => valueWords(search.place(path).value);
  if (ask === "window") return windowWords(answer);
  if (ask === "skipped") return answer.length ? answer.map(leaf).join(", ") : "none";
  if (ask === "refuter") return leaf(answer);
  if (ask === "label") return Object.entries(answer).map(([move, winner]) => `${move}: ${CHOICES[winner]}`).join(", ");
  if (ask === "order") return `${answer} leaves`;
  if (typeof answer === "number" || typeof answer === "object") return valueWords(answer);
  return ANSWERS[answer] ?? answer;
}

/** Returns the answer beside all guesses before it. @param {string[]} guesses @param {string} answer @param {"right" | "wrong" | "skipped" | "open"} result */
export function verdictText(guesses, answer, result) {
  const wrong = result === "right" ? guesses.slice(0, -1) : guesses;
  if (result === "open") return `Your answer so far: ${wrong.join("; ")}.`;
  if (result === "right") return `You said: ${guesses.join("; then ")}.`;
  return `${wrong.length ? `You said: ${wrong.join("; then ")}. ` : ""}The answer: ${answer}.`;
}

export const VERDICTS = { right: "Right.", wrong: "Not this time.", skipped: "Skipped.", miss: "Not yet. Try once more.", hinted: "Not yet." };

export const ANSWER_ERRORS = {
  number: "Type a number, for example 7.",
  window: "Type two values, for example 3 and ∞. The buttons write −∞ and ∞.",
  choice: "Choose one answer.",
  leaves: "Choose at least one leaf.",
  line: "Choose a child at every step, down to a leaf.",
  labels: "Choose an answer for every move.",
  /** @param {string} min @param {string} max */
  scale: (min, max) => `Move the slider, or type a number from ${min} to ${max}.`,
  moves: "Place all moves first.",
  test: "Choose “at least” or “more than”, and type a value.",
  rungs: "Choose ≥ or ≤ and type a value for every pass.",
};

export const LIST_LABELS = {
  /** @param {string} item @param {number} step */
  move: (item, step) => `Move ${item} ${step < 0 ? "up" : "down"}`,
  value: "Value", relation: "Question", least: "at least", more: "more than",
  /** @param {string} name */
  pass: (name) => `Pass ${name}`,
  /** @param {string} name */
  rungValue: (name) => `Value of pass ${name}`,
  /** @param {string} name */
  rungBound: (name) => `Bound of pass ${name}`,
};

export const SCALE_LABELS = { number: "The number in the slider" };

/** Returns a number with separators of thousands. @param {number} number */
export function scaleText(number) {
  return number.toLocaleString("en").replace("-", "−");
}

/** Returns a row of counts for a screen reader. @param {string} label @param {number | null} value @param {number[]} guesses */
export function countLabel(label, value, guesses) {
  return `${label}: ${value === null ? "asked" : scaleText(value)}${guesses.length ? `, guessed ${guesses.map(scaleText).join(", ")}` : ""}`;
}

/** Returns the label of a cell for a screen reader. @param {string} cell @param {string} piece @param {number} at the number of its move, from 0, or −1 */
export function cellLabel(cell, piece, at) {
  return `${cell}, ${piece || "empty"}${at >= 0 ? `, move ${at + 1}` : ""}`;
}

/** Returns what has been placed so far. @param {string[]} moves @param {number} all */
export function placedText(moves, all) {
  return moves.length ? `Your order: ${moves.join(" ")}${moves.length < all ? " …" : ""}` : "Press the cells in your order.";
}

/** @param {{ right: number, hinted: number, wrong: number, skipped: number }} counts */
export function countsText({ right, hinted, wrong, skipped }) {
  return `Right ${right}${hinted ? ` (${hinted} after a hint)` : ""} · wrong ${wrong} · skipped ${skipped}`;
}

/** @param {number} at from 0 @param {number} count */
export function stepText(at, count) {
  return `Step ${at + 1} of ${count}`;
}

/** @param {number} at @param {number} last @param {string} text the sentence of the event */
export function eventText(at, last, text) {
  return at === 0 ? "The search has not begun." : `Event ${at} of ${last}${text ? `: ${text}` : ""}`;
}

/** @param {number} leaves @param {number} all */
export function seenText(leaves, all) {
  return `Alpha-beta looks at ${leaves} of ${all} leaves.`;
}

/** Returns the label of a leaf for a screen reader. @param {string} path @param {SearchValue} value */
export function leafLabel(path, value) {
  return `leaf ${path}, worth ${valueWords(value)}`;
}

/** Returns the label of an inner node for a screen reader. @param {string} path @param {string} kind @param {string} value what the node shows */
export function nodeLabel(path, kind, value) {
  return [nodeName(path), choiceText(kind), value].filter(Boolean).join(", ");
}

/** @param {string} move @param {boolean} isLeaf @param {string} value */
export function childText(move, isLeaf, value) {
  return isLeaf ? `leaf ${move}: ${value}` : `child ${move}${value ? `: ${value}` : ""}`;
}

/** Returns what stands below a board: the moves to it, and the pieces that are not on it. @param {string} path @param {import("../types.js").State} state */
export function boardCaption(path, state) {
  const pieces = (/** @type {{ player: "p1" | "p2", count: number }[]} */ piles, /** @type {string} */ where) => piles.filter(({ count }) => count > 0).map(({ player, count }) => `${pluralize(count, state.each[player === "p1" ? 0 : 1])} ${where}`);
  return [path === "" ? "The root" : `After ${path}`, ...pieces(state.hand, "in hand"), ...pieces(state.captured, "captured")].join(" · ");
}

/** Number of moves that are listed. */
const MAX_LISTED_MOVES = 8;

/** Returns the moves of a node in search order. @param {string[]} moves */
export function moveOrderText(moves) {
  return `Searched in this order: ${moves.slice(0, MAX_LISTED_MOVES).join(", ")}${moves.length > MAX_LISTED_MOVES ? ", …" : "."}`;
}

/** @param {string} name of the lesson's file, which begins with its number @param {string} title */
export function lessonTitle(name, title) {
  return `${Number.parseInt(name, 10)} ${title}`;
}

/** @param {number} done */
export function roundsText(done) {
  return `${pluralize(done, "round")} of 3 done`;
}
