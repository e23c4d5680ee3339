// The texts of the lessons: the list, the player, the questions and the reasons of their answers.

import { language, numberText, t } from "../language.js";
import { pieceName } from "./moves.js";
import { sideNoun } from "./nouns.js";

/** @import { SearchValue, Window } from "../lessons/trace_events.js" */

export const LESSON_LABELS = {
  title: t("Lessons"),
  list: t("Every step asks something. The engine computes all answers. Your counts stay in this browser."),
  close: t("Close the lesson"),
  rounds: [t("Explained"), t("Last steps"), t("On your own")],
  round: t("Round"),
  check: t("Check"),
  skip: t("Skip"),
  next: t("Continue"),
  again: t("Another tree"),
  nextRound: t("Next round"),
  finish: t("Close the lesson"),
  scrubber: t("Event of the search"),
  restart: t("Before the first event"),
  back: t("One event back"),
  forward: t("One event forward"),
  play: t("Play the events"),
  pause: t("Pause"),
  alpha: t("Alpha (α)"),
  beta: t("Beta (β)"),
  left: t("Earlier"),
  right: t("Later"),
  switch: t("Cut only if the value is worse"),
  tree: t("Tree of the search"),
  start: t("start"),
  loading: t("Asking the engine …"),
  answered: t("This round is done."),
  undo: t("Take back the last move"),
  logAxis: t("each mark is ten times the one before"),
};

export const NAMING = t("A node is named by the way down to it: 1 2 is the second child of the root’s first child.");

export const NEVER_SEEN = t("Every leaf is searched here.");

/** Returns the name of a node in a sentence. @param {string} path */
export function nodeName(path) {
  return path ? t("node {path}", { path }) : t("the root");
}

const valueFormat = new Intl.NumberFormat(language, { numberingSystem: "latn", useGrouping: false, maximumFractionDigits: 20, signDisplay: "negative" });

/** Returns a value in words: `3`, `X wins`, `draw`. @param {SearchValue} value @param {{ variant: string, players: string[] }} [game] the game; a tree if it is left out */
export function valueWords(value, game) {
  if (value === null) return "";
  if (value === 0 && game?.variant === "tic-tac-toe") return t("draw");
  if (typeof value === "number") return valueFormat.format(value).replace("-", "−");
  const side = sideNoun(String(game?.players[value.win === "p1" ? 0 : 1]));
  return t("{side} {side.number, select, one {wins} many {win}}", { side });
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
  return isMax ? t("yes") : t("no");
}

/** @param {string} word the word of a choice */
export function choiceText(word) {
  return CHOICES[word] ?? word;
}

/** @type {Record<string, string>} */
const CHOICES = {
  max: t("▲ Max"), min: t("▼ Min"), chance: t("● Chance"), cut: t("Cut: skip the rest of this node"), "go on": t("Go on: search the next child"),
  p1: t("X wins"), draw: t("Draw"), p2: t("O wins"),
  yes: t("Yes"), no: t("No"),
  notation: t("It comes first in the usual order"), capture: t("It captures a piece"), killer: t("It has cut off the search elsewhere: a killer move"),
};

/** What `cut` and `go on` are in the answer. @type {Record<string, string>} */
const ANSWERS = { cut: t("cut"), "go on": t("go on"), max: t("Max"), min: t("Min"), yes: t("yes"), no: t("no"), notation: t("the usual order"), capture: t("it captures"), killer: t("it has cut off elsewhere") };

/**
 * The words of each kind of question.
 * @type {Record<string, (name: string, search: import("../lessons/trace_events.js").SearchEvents, question: import("../lessons/questions.js").Question) => string>}
 */
export const prompts = {
  mover: (name) => t("Who moves at {name}?", { name }),
  value: (name) => t("What is {name} worth?", { name }),
  line: () => t("Which moves do both play? Choose the child at each step, or click the nodes in the tree."),
  label: () => t("X moves. Where does each move lead if both play as well as they can?"),
  window: (name) => t("Which window does {name} get when the search enters it?", { name }),
  cut: (name, _, { after, where }) => (where || after ? t("The marked node is {name}. Does the search go on with its next child, or cut?", { name }) : t("The marked node is {name}.", { name })),
  skipped: (name, _, { after }) => (after ? t("Which leaves below {name} are never looked at? Choose them here or in the tree.", { name }) : t("Strike out every leaf that is never searched. Choose them here or in the tree.")),
  count: () => t("How many leaves does alpha-beta look at?"),
  refuter: (name) => t("Which reply refutes {name}? One is enough.", { name }),
  fewest: () => t("How many leaves must be seen at least?"),
  order: () => t("Reorder the children so that alpha-beta sees as few leaves as possible. Drag them in the tree, or choose one and move it."),
  first: () => t("Why does the first of these moves come first?"),
};

/** The hint of each kind of question, after two misses. @type {Record<string, string | ((kind: string) => string)>} */
export const hints = {
  mover: t("Count the levels: Max moves at the root, Min one level below, and so on. ▲ is Max, ▼ is Min."),
  value: (kind) => (kind === "min" ? t("Min moves here. Look at the children’s values and take the lowest.") : t("Max moves here. Look at the children’s values and take the highest.")),
  line: t("Start at the root. Go to the child whose value the root has, then from there in the same way, down to a leaf."),
  label: t("Try X’s move, then every answer of O, then X’s last move. O takes the answer that is best for O."),
  window: t("Alpha is the best value that Max is sure of on the way from the root to this node, beta the best one of Min. Where a side is sure of nothing, its end is infinite."),
  cut: t("Compare alpha with beta at the marked node. If no value fits between them, nothing below can matter."),
  skipped: t("Go from left to right. When a value closes the window of a node, all its later children are spared."),
  count: t("Go from left to right with the window in mind. Count a leaf when you look at it; after a cut, go to the next node."),
  refuter: t("Max has a value already: alpha. A reply that is worth alpha or less shows that Max gains nothing here."),
  fewest: t("The first node needs all its children. Every other node needs one good reply."),
  order: t("First the best child. Then, in each of the others, the reply that is worst for Max."),
  first: t("Look at the board: is a piece captured by the move? If not, the move has proved its worth elsewhere."),
};

/** Returns the values in words. @param {SearchValue[]} values those of a tree */
export function eachValue(values) {
  return values.map((value) => valueWords(value));
}

/** The reasons that events do not give in words. */
export const WHY = {
  /** @param {import("../lessons/trace_events.js").Place} place */
  mover: ({ kind, level }) => (level
    ? t("{kind, select, max {▲ is Max} other {▼ is Min}}: {level, plural, one {# move} other {# moves}} below the root, and they take turns.", { kind, level })
    : t("▲ is Max: Max begins at the root, and they take turns.")),
  /** @param {SearchValue} value @param {string[]} line */
  line: (value, line) => t("Each of these nodes is worth {value}, the value of the root: {line}.", { value: valueWords(value), line: line.join(" ") }),
  /** @param {string} move @param {SearchValue} value @param {string[]} players */
  label: (move, value, players) => {
    if (value === null || typeof value !== "object") return t("{move}: a draw.", { move });
    const winner = players[value.win === "p1" ? 0 : 1];
    return t("{move}: {winner} wins {plies, plural, =1 {at once} one {# move from now} other {# moves from now}}.", { move, winner, plies: value.plies });
  },
  /** @param {Window} window @param {string | null} alpha the path of the node where alpha was found @param {string | null} beta */
  window: ([low, high], alpha, beta) => [
    low !== null && alpha !== null ? t("Alpha is {value}: Max has it at {name}.", { value: valueWords(low), name: nodeName(alpha) }) : t("Max is sure of nothing yet."),
    high !== null && beta !== null ? t("Beta is {value}: Min has it at {name}.", { value: valueWords(high), name: nodeName(beta) }) : t("Min is sure of nothing yet."),
  ].join(" "),
  /** @param {string} kind @param {SearchValue} value @param {Window} window that of the node after the value came back */
  cut: (kind, value, [alpha, beta]) => (kind === "min" ? `${valueWords(value)} ≤ ${valueWords(alpha)} = α.` : `${valueWords(value)} ≥ ${valueWords(beta)} = β.`),
  /** @param {Window} window */
  goOn: (window) => {
    const [alpha, beta] = eachValue(window);
    return alpha === beta ? t("{alpha} is as good as {beta}, not worse. By this rule only a worse value cuts, so the search goes on.", { alpha, beta }) : t("A value between {alpha} and {beta} is still possible, so the next child matters.", { alpha, beta });
  },
  /** @param {string} kind @param {SearchValue[]} children */
  value: (kind, children) => {
    const values = eachValue(children);
    if (values.length === 1) return t("Its only child is worth {value}.", { value: values[0] });
    return kind === "min" ? t("Min takes the lowest of {values}.", { values }) : t("Max takes the highest of {values}.", { values });
  },
  /** @param {SearchValue[]} seen @param {number} all */
  count: (seen, all) => t("Looked at, in this order: {values}. That is {count} of {all}.", { values: eachValue(seen), count: seen.length, all }),
  /** @param {SearchValue[]} replies those that refute a node, in search order */
  refuters: (replies) => {
    const values = eachValue(replies);
    return values.length > 1 ? t("{values} each refute it. The search needs only the first of them: {first}.", { values, first: values[0] }) : "";
  },
  /** @param {SearchValue[]} seen */
  fewest: (seen) => t("With the best child first the search looks at {values}: {count, plural, one {# leaf} other {# leaves}}. No order needs fewer.", { values: eachValue(seen), count: seen.length }),
  /** @param {number} fewest */
  order: (fewest) => t("{fewest, plural, one {# leaf} other {# leaves}}: all replies to the best child, and one reply that refutes each of the others.", { fewest }),
};

/** Returns why a move is first. @param {string} why @param {string} move */
export function reasonText(why, move) {
  if (why === "capture") return t("{move} captures a goat, so it is tried first.", { move });
  if (why === "killer") return t("{move} captures nothing. It has cut off the search in another position at this depth, so it is tried first here too. Such a move is called a killer move.", { move });
  return t("{move} comes first in the usual order.", { move });
}

/** Returns an answer in words. @param {string} ask the kind of question @param {any} answer @param {import("../lessons/trace_events.js").SearchEvents} search */
export function answerText(ask, answer, search) {
  const leaf = (/** @type {string} */ path) => valueWords(search.place(path).value);
  if (ask === "window") return windowWords(answer);
  if (ask === "skipped") return answer.length ? answer.map(leaf).join(", ") : t("none");
  if (ask === "refuter") return leaf(answer);
  if (ask === "label") return Object.entries(answer).map(([move, winner]) => `${move}: ${CHOICES[winner]}`).join(", ");
  if (ask === "order") return t("{count, plural, one {# leaf} other {# leaves}}", { count: answer });
  if (typeof answer === "number" || typeof answer === "object") return valueWords(answer);
  return ANSWERS[answer] ?? answer;
}

/** Returns the answer beside all guesses before it. @param {string[]} guesses @param {string} answer @param {"right" | "wrong" | "skipped" | "open"} result */
export function verdictText(guesses, answer, result) {
  const wrong = result === "right" ? guesses.slice(0, -1) : guesses;
  const said = (/** @type {string[]} */ all) => (all.length ? t("You said: {guesses}.", { guesses: all.reduce((before, guess) => t("{before}; then {guess}", { before, guess })) }) : "");
  if (result === "open") return t("Your answer so far: {guesses}.", { guesses: wrong.join("; ") });
  return result === "right" ? said(guesses) : `${said(wrong)} ${t("The answer: {answer}.", { answer })}`.trim();
}

export const VERDICTS = { right: t("Right."), wrong: t("Not this time."), skipped: t("Skipped."), miss: t("Not yet. Try once more."), hinted: t("Not yet.") };

export const ANSWER_ERRORS = {
  number: t("Type a number, for example 7."),
  window: t("Type two values, for example 3 and ∞. The buttons write −∞ and ∞."),
  choice: t("Choose one answer."),
  leaves: t("Choose at least one leaf."),
  line: t("Choose a child at every step, down to a leaf."),
  labels: t("Choose an answer for every move."),
  /** @param {string} min @param {string} max */
  scale: (min, max) => t("Move the slider, or type a number from {min} to {max}.", { min, max }),
  moves: t("Place all moves first."),
  test: t("Choose “at least” or “more than”, and type a value."),
  rungs: t("Choose ≥ or ≤ and type a value for every pass."),
};

export const LIST_LABELS = {
  /** @param {string} item @param {number} step */
  move: (item, step) => (step < 0 ? t("Move {item} up", { item }) : t("Move {item} down", { item })),
  value: t("Value"), relation: t("Question"), least: t("at least"), more: t("more than"),
  /** @param {string} number */
  pass: (number) => t("Pass {number}", { number }),
  /** @param {string} number */
  rungValue: (number) => t("Value of pass {number}", { number }),
  /** @param {string} number */
  rungBound: (number) => t("Bound of pass {number}", { number }),
};

export const SCALE_LABELS = { number: t("The number in the slider") };

/** Returns a number with separators of thousands. @param {number} number */
export function scaleText(number) {
  return numberText(number).replace("-", "−");
}

/** Returns counts for a screen reader. @param {import("../lessons/counts_picture.js").CountRow[]} rows */
export function countsLabel(rows) {
  const texts = rows.map(({ label, value, guesses = [] }) => {
    const count = value === null ? t("asked") : scaleText(value);
    return guesses.length ? t("{label}: {count}, guessed {guesses}", { label, count, guesses: guesses.map(scaleText) }) : `${label}: ${count}`;
  });
  return t("Counts: {rows}.", { rows: texts.join("; ") });
}

/** Returns the label of a cell for a screen reader. @param {string} cell @param {string} piece @param {number} at the number of its move, from 0, or −1 */
export function cellLabel(cell, piece, at) {
  if (at >= 0) return t("{cell}, {piece}, move {number}", { cell, piece, number: at + 1 });
  return piece ? `${cell}, ${piece}` : t("{cell}, empty", { cell });
}

/** Returns what has been placed so far. @param {string[]} moves @param {number} all */
export function placedText(moves, all) {
  return moves.length ? t("Your order: {moves}", { moves: [...moves, ...(moves.length < all ? ["…"] : [])].join(" ") }) : t("Press the cells in your order.");
}

/** @param {{ right: number, hinted: number, wrong: number, skipped: number }} counts */
export function countsText(counts) {
  return counts.hinted ? t("Right {right} ({hinted} after a hint) · wrong {wrong} · skipped {skipped}", counts) : t("Right {right} · wrong {wrong} · skipped {skipped}", counts);
}

/** Returns the line at the end of a round. @param {{ right: number, hinted: number, wrong: number, skipped: number }} counts */
export function soFarText(counts) {
  return t("This lesson so far: {counts}.", { counts: countsText(counts) });
}

/** @param {string} hint */
export function givenHint(hint) {
  return t("A hint: {hint}", { hint });
}

/** Returns why a question cannot be asked. @param {string} reason */
export function notAskedText(reason) {
  return t("This question cannot be asked: {reason}", { reason });
}

/** @param {number} at from 0 @param {number} count */
export function stepText(at, count) {
  return t("Step {number} of {count}", { number: at + 1, count });
}

/** @param {number} at @param {number} last @param {string | null} text the sentence of the event; `null` if it is the question */
export function eventText(at, last, text) {
  if (at === 0) return t("The search has not begun.");
  if (text === null) return t("Event {number} of {last}: what it says is your question.", { number: at, last });
  return text ? t("Event {number} of {last}: {text}", { number: at, last, text }) : t("Event {number} of {last}", { number: at, last });
}

/** @param {number} leaves @param {number} all */
export function seenText(leaves, all) {
  return t("Alpha-beta looks at {leaves} of {all} leaves.", { leaves, all });
}

/** Returns the label of a leaf for a screen reader. @param {string} path @param {SearchValue} value */
export function leafLabel(path, value) {
  return t("leaf {path}, worth {value}", { path, value: valueWords(value) });
}

/** Returns the label of an inner node for a screen reader. @param {string} path @param {string} kind @param {string} value what the node shows */
export function nodeLabel(path, kind, value) {
  return [nodeName(path), choiceText(kind), value].filter(Boolean).join(", ");
}

/** Returns the label of a step of a line of play for a screen reader. @param {string} path that of the node @param {string} kind */
export function stepLabel(path, kind) {
  return `${choiceText(kind)}: ${path || t("root")}`;
}

/** @param {string} move @param {boolean} isLeaf @param {string} value */
export function childText(move, isLeaf, value) {
  if (isLeaf) return t("leaf {move}: {value}", { move, value });
  return value ? t("child {move}: {value}", { move, value }) : t("child {move}", { move });
}

/** Returns what stands below a board: the moves to it, and the pieces that are not on it. @param {string} path @param {import("../types.js").State} state */
export function boardCaption(path, state) {
  const counted = (/** @type {{ player: "p1" | "p2", count: number }[]} */ piles) => piles.filter(({ count }) => count > 0).map(({ player, count }) => ({ count, piece: pieceName(state, player) }));
  return [
    path === "" ? t("The root") : t("After {path}", { path }),
    ...counted(state.hand).map((pile) => t("{count, plural, one {# {piece.one}} other {# {piece.many}}} in hand", pile)),
    ...counted(state.captured).map((pile) => t("{count, plural, one {# {piece.one}} other {# {piece.many}}} captured", pile)),
  ].join(" · ");
}

/** Number of moves that are listed. */
const MAX_LISTED_MOVES = 8;

/** Returns the moves of a node in search order. @param {string[]} moves */
export function moveOrderText(moves) {
  const listed = moves.slice(0, MAX_LISTED_MOVES).join(", ");
  return moves.length > MAX_LISTED_MOVES ? t("Searched in this order: {moves}, …", { moves: listed }) : t("Searched in this order: {moves}.", { moves: listed });
}

/** @param {string} name of the lesson's file, which begins with its number @param {string} title */
export function lessonTitle(name, title) {
  return `${Number.parseInt(name, 10)} ${title}`;
}

/** @param {number} done */
export function roundsText(done) {
  return t("{done, plural, one {# round} other {# rounds}} of 3 done", { done });
}
