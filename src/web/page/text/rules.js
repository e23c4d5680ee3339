// The rules and the titles of the games. The engine gives each sentence as a key with arguments.

import { Noun, language, numberText, t, translated } from "../language.js";

/** @import { Message, Pieces, State } from "../types.js" */
/** @typedef {"up" | "down" | "left" | "right"} Direction */

/** English words for small numbers, by number. */
const NUMBER_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"];

/** Returns the text of a number of pieces: a word in English up to twenty, otherwise digits. @param {number} count */
function countText(count) {
  return (language === "en" && NUMBER_WORDS[count]) || numberText(count);
}

/** Returns the noun of a side's pieces: several, unless the side has one. @param {Pieces} pieces */
function nounOf({ one, many, count }) {
  return new Noun(one, many, { isMany: count !== 1 });
}

/** The sentences of the rules by key. @type {Record<string, (values: any) => string>} */
const RULES = {
  sides: ({ hunters, prey }) => t("{HunterCount} {hunters} {hunters.number, select, one {is} many {are}} against {preyCount} {prey}. Pieces stand on the points of the board and move along its lines.", {
    hunterCount: countText(hunters.count), hunters: nounOf(hunters), preyCount: countText(prey.count), prey: nounOf(prey),
  }),
  begins: ({ side }) => t("{Side.the} {side.number, select, one {begins} many {begin}}.", { side: nounOf(side) }),
  "first-turn-drop": ({ side }) => t("In its first turn {side.the} is placed on any empty point.", { side: nounOf(side) }),
  "first-turn-drops": ({ side, count }) => t("In {side.the}' first turn {count} {side} are placed on empty points.", { side: nounOf(side), count: countText(count) }),
  "first-turn-prey-drops": ({ side, count, zone }) => (zone
    ? t("In their first turn {count} {side} are placed on empty points of their zone.", { count: countText(count), side: nounOf(side) })
    : t("In their first turn {count} {side} are placed on empty points.", { count: countText(count), side: nounOf(side) })),
  "one-drop-per-turn": ({ side, zone }) => (zone
    ? t("One {side.one} per turn is placed on any empty point of their zone. None moves until all are placed.", { side: nounOf(side) })
    : t("One {side.one} per turn is placed on any empty point. None moves until all are placed.", { side: nounOf(side) })),
  steps: ({ side }) => t("{Side.a} moves to an adjacent empty point.", { side: nounOf(side) }),
  "steps-forward": ({ side, direction }) => t("{Side.a} moves to an adjacent empty point, but only {direction, select, up {up the board} down {down the board} left {to the left} other {to the right}}.", { side: nounOf(side), direction }),
  "steps-forward-or-sideways": ({ side, direction }) => t("{Side.a} moves to an adjacent empty point, but only {direction, select, up {up the board} down {down the board} left {to the left} other {to the right}} or sideways, never back.", { side: nounOf(side), direction }),
  turns: ({ side }) => t("When no {side.one} can step ahead, all {side} turn round and go the other way.", { side: nounOf(side) }),
  stacks: ({ side, chain }) => (chain
    ? t("On some points several {side} stand in a stack. A step or a leap takes one of them. A turn leaps over a stack only once.", { side: nounOf(side) })
    : t("On some points several {side} stand in a stack. A step or a leap takes one of them.", { side: nounOf(side) })),
  joins: ({ side, points }) => t("{Side} may step onto others on {points}.", { side: nounOf(side), points }),
  zone: ({ side, points }) => t("The zone of {side.the}, which they may not leave: {points}.", { side: nounOf(side), points: points.join(", ") }),
  "no-captures": ({ side }) => t("{Side.a} moves to an adjacent empty point too. There are no captures.", { side: nounOf(side) }),
  captures: ({ side, prey, forced }) => (forced
    ? t("{Side.a} moves to an adjacent empty point too, or captures {prey.a} by leaping over it, along a line, to the empty point behind. It captures one per turn, and must capture if it can.", { side: nounOf(side), prey: nounOf(prey) })
    : t("{Side.a} moves to an adjacent empty point too, or captures {prey.a} by leaping over it, along a line, to the empty point behind. It captures one per turn, and is never forced to.", { side: nounOf(side), prey: nounOf(prey) })),
  "captures-in-chains": ({ side, prey, forced }) => (forced
    ? t("{Side.a} moves to an adjacent empty point too, or captures {prey.a} by leaping over it, along a line, to the empty point behind. It must capture if it can, and leaps again in the same turn until it cannot. What it leaps over leaves the board at once.", { side: nounOf(side), prey: nounOf(prey) })
    : t("{Side.a} moves to an adjacent empty point too, or captures {prey.a} by leaping over it, along a line, to the empty point behind. It may leap again in the same turn, as often as it can, and is never forced to. What it leaps over leaves the board at once.", { side: nounOf(side), prey: nounOf(prey) })),
  huffs: ({ side }) => t("After a step in place of a capture, every {side.one} that could have captured is removed.", { side: nounOf(side) }),
  wins: ({ side, ways }) => t("{Side.the} {side.number, select, one {wins} many {win}} {ways}.", { side: nounOf(side), ways: waysText(ways) }),
  passes: ({ side }) => t("When no {side.one} can move, {side.the} pass.", { side: nounOf(side) }),
  "repetition-draws": () => t("When a position occurs for the third time, the game is a draw."),
  "repetition-wins": ({ side }) => t("When a position occurs for the third time, {side.the} {side.number, select, one {has} many {have}} won.", { side: nounOf(side) }),

  "grid-turns": ({ rows, columns }) => t("X and O take turns on a board of {rows} rows and {columns} columns. X moves first.", { rows, columns }),
  "grid-move": () => t("A move puts your mark on an empty cell. Marks are never moved or removed."),
  "row-wins": ({ length }) => t("The first player with {length} or more marks in a row wins. The row can be horizontal, vertical or diagonal.", { length }),
  "full-board-draws": () => t("If the board is full and neither player has won, the game is a draw."),

  "2048-slide": () => t("A slide moves all tiles up, down, left or right as far as possible."),
  "2048-merge": () => t("Two equal tiles that meet merge into their sum, which is added to your score. A tile merges at most once per slide."),
  "2048-appear": () => t("After each slide a random tile appears on a random empty cell: 2 with probability 90%, 4 with 10%. The game starts with two tiles."),
  "2048-end": () => t("A slide must move or merge at least one tile. The game is over if no slide can."),
  "2048-win": ({ target }) => t("The player wins by making a tile of {target} and can continue for a higher score.", { target: String(target) }),

  "tile-board": ({ tiles, cells }) => t("The board has {tiles} tiles on {cells} cells; one cell is blank.", { tiles, cells }),
  "tile-move": () => t("A tile that is horizontally or vertically adjacent to the blank slides into it."),
  "tile-goal": () => t("Bring all tiles to their goal cells in as few moves as possible."),
  "tile-move-name": () => t("A move is named by the direction in which the blank moves."),

  "river-people": ({ missionaries, cannibals }) => t("{missionaries} missionaries and {cannibals} cannibals stand on the left bank of a river and want to cross to the right bank.", { missionaries, cannibals }),
  "river-boat": ({ seats }) => t("The boat holds {seats} and never crosses empty.", { seats }),
  "river-safety": () => t("Wherever there are missionaries, cannibals must not outnumber them: on neither bank, nor in the boat."),
  "river-goal": () => t("Bring all people to the right bank in as few crossings as possible."),

  "tree-turns": () => t("Starting at the root, max and min take turns choosing one branch."),
  "tree-payoff": () => t("The number at the leaf is the payoff that max gets from min."),
  "tree-chance": () => t("At a chance node a branch is drawn. Its probability is its weight divided by the sum of the weights there."),
  "tree-value": () => t("Max wants a high payoff and min a low one. What is the value of the tree if both play perfectly?"),
};

/** The ways to win by key, as they follow “You win” and “The goats win”. @type {Record<string, (values: any) => string>} */
const WAYS = {
  "by-capturing-all": ({ prey }) => t("by capturing every {prey.one}", { prey: nounOf(prey) }),
  "by-capturing-one": ({ prey }) => t("by capturing {prey.a}", { prey: nounOf(prey) }),
  "by-capturing": ({ prey, count }) => t("by capturing {count} {prey}", { prey: nounOf(prey), count: countText(count) }),
  "by-reaching": ({ points }) => t("by reaching {points, or}", { points }),
  "by-coming-back": ({ points }) => t("by coming back to {points, or}", { points }),
  "when-trapped": ({ loser, points }) => t("when {loser.a} comes to {points, or}", { loser: nounOf(loser), points }),
  "when-none-is-left": ({ loser }) => t("when no {loser.one} is left", { loser: nounOf(loser) }),
  "when-blocked": ({ loser }) => t("when no {loser.one} can move", { loser: nounOf(loser) }),
  "when-standing-on": ({ points }) => t("when they stand on {points}", { points }),
};

/** Returns several ways to win. @param {Message[]} ways */
function waysText(ways) {
  return ways.map((way) => WAYS[way.key](way.arguments)).reduce((before, last) => t("{before}, or {last}", { before, last }));
}

/** Returns the rules, each as a sentence or two. A sentence without a known key stays in English. @param {State} state @returns {string[]} */
export function ruleTexts({ rules, rule_messages: messages = [] }) {
  return rules.map((rule, at) => (messages[at] ? ruleText(messages[at]) : null) ?? rule);
}

/** Returns the sentence of a message; `null` if the page does not know the key. @param {Message} message @returns {string | null} */
export function ruleText({ key, arguments: values }) {
  const isKnown = key in RULES && (values.ways ?? []).every((/** @type {Message} */ way) => way.key in WAYS);
  return isKnown ? RULES[key](values) : null;
}

/** Returns how a person wins: the sentence of the rules, about `you` if the person has one side; empty if no sentence says it. @param {State} state @param {"p1" | "p2" | null} side */
export function winText({ rule_messages: messages = [] }, side) {
  const rule = messages.find(({ key, arguments: values }) => (key === "wins" ? !side || values.side.player === side : key === "row-wins" || (key === "2048-win" && side !== "p2")));
  // A side may win only by a game without end.
  if (!rule) return messages.some(({ key, arguments: values }) => side && key === "repetition-wins" && values.side.player === side) ? t("You win when a position occurs for the third time.") : "";
  const { key, arguments: values } = rule;
  if (!side) return ruleText(rule) ?? "";
  if (key === "wins") return t("You win {ways}.", { ways: waysText(values.ways) });
  if (key === "2048-win") return t("You win by making a tile of {target} and can continue for a higher score.", { target: String(values.target) });
  return t("The first player with {length} or more marks in a row wins.", { length: values.length });
}

/** Returns the rule of captures as a sentence of its own; empty if there are no captures. @param {State} state */
export function captureText({ rule_messages: messages = [] }) {
  const { side, prey } = messages.find(({ key }) => key === "captures" || key === "captures-in-chains")?.arguments ?? {};
  return side ? t("{Side.a} captures {prey.a} by leaping over it, along a line, to the empty point behind.", { side: nounOf(side), prey: nounOf(prey) }) : "";
}

/** The titles that are no names, by key. @type {Record<string, (values: any) => string>} */
const TITLES = {
  "gomoku-size": ({ rows, columns }) => t("Gomoku, {rows}×{columns}", { rows, columns }),
  "in-a-row": ({ length, rows, columns }) => t("{length} in a row on {rows}×{columns}", { length, rows, columns }),
  "2048-size": ({ rows, columns }) => t("2048 on {rows}×{columns}", { rows, columns }),
  "tile-puzzle": ({ tiles }) => t("{tiles}-puzzle", { tiles }),
  "tile-puzzle-size": ({ tiles, rows, columns }) => t("{tiles}-puzzle on {rows}×{columns}", { tiles, rows, columns }),
};

/** Returns the title of the game of a state. @param {Pick<State, "title" | "title_message">} state */
export function titleText({ title, title_message: message }) {
  return message && message.key in TITLES ? TITLES[message.key](message.arguments) : translated(title);
}
