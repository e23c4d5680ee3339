// The texts of the lessons about puzzles: rivers, boards of tiles, and the searches that solve them.

/** @import { PuzzleState, OpenEntry, Rung } from "./puzzle_search.js" */

export const PUZZLE_LABELS = {
  picture: "The search so far",
  numbers: "for example 10, 12, 14",
  open: "Open list", closed: "Closed", ladder: "Bounds", path: "The way that is kept", start: "Start", goal: "Goal",
  sorted: "The next one first: lowest f, then the farthest from the start, then the newest.",
  unsorted: "In no order. Add g and h yourself.",
  queue: "The next one first: the oldest.",
  unsortedQueue: "In no order. The numbers tell in which order the states were made.",
  missionary: "missionary", cannibal: "cannibal",
  riverKey: ["●", "missionary", "▲", "cannibal"],
};

export const PUZZLE_ERRORS = {
  several: "Choose at least one.",
  state: "Choose a state.",
  numbers: "Type whole numbers with commas between them.",
};

/** Returns a number and its thing: `1 missionary`, `2 missionaries`. @param {number} number @param {string} one @param {string} [many] */
function pluralize(number, one, many = `${one}s`) {
  return `${countText(number)} ${number === 1 ? one : many}`;
}

/** Returns a number with commas between thousands. @param {number} count */
export function countText(count) {
  return count.toLocaleString("en-US");
}

/** @param {number} n */
export function stateName(n) {
  return n === 0 ? "the start" : `state ${n}`;
}

/** Returns the line below a small picture of a state, without its f. @param {PuzzleState | OpenEntry} state */
export function entryText({ n, g, h }) {
  return h === null ? (n === 0 ? "start" : `state ${n}`) : `g ${g}, h ${h}`;
}

/** Returns the sum below a small picture. @param {number} g @param {number} h */
export function sumText(g, h) {
  return `${g} + ${h} = ${g + h}`;
}

/** @param {PuzzleState} state @param {string} words */
export function stateLabel({ n, g, h }, words) {
  return `${stateName(n)}: ${words}${h === null ? "" : `; g ${g}, h ${h}`}`;
}

/** Returns who stands where. @param {number[]} left @param {number[]} right @param {boolean} isLeft */
export function crowdWords(left, right, isLeft) {
  const bank = (/** @type {number[]} */ [missionaries, cannibals]) => `${pluralize(missionaries, "missionary", "missionaries")} and ${pluralize(cannibals, "cannibal")}`;
  return `${bank(left)} on the left, ${bank(right)} on the right, the boat on the ${isLeft ? "left" : "right"}`;
}

/** Returns a crew in words: `1 missionary and 1 cannibal`. @param {string} move */
export function crewText(move) {
  const [missionaries = 0, cannibals = 0] = ["m", "c"].map((kind) => Number(move.match(new RegExp(`(\\d+)${kind}`))?.[1] ?? 0));
  return [missionaries && pluralize(missionaries, "missionary", "missionaries"), cannibals && pluralize(cannibals, "cannibal")].filter(Boolean).join(" and ");
}

/** Returns the sizes of the rings of closed states. @param {number} total @param {[number, number][]} rings g and the number of states */
export function closedText(total, rings) {
  return total === 0 ? "No state is expanded yet." : `${pluralize(total, "state")} expanded: ${rings.map(([g, count]) => `${count} at g ${g}`).join(", ")}.`;
}

/** Returns the name of a ring. @param {number} g */
export function ringText(g) {
  return g === 0 ? "start" : `after ${g}`;
}

/** Returns a rung of the ladder. @param {Rung} rung @param {boolean} isAsked whether its least f beyond is asked about */
export function rungText({ bound, made, beyond }, isAsked) {
  const counts = [...new Set(beyond)].sort((one, other) => one - other).map((f) => `f ${f}${beyond.filter((one) => one === f).length > 1 ? ` (${beyond.filter((one) => one === f).length}×)` : ""}`);
  const turned = counts.length === 0 ? "none turned away" : isAsked ? `turned away: ${counts.join(", ")}` : `turned away from f ${Math.min(...beyond)} on`;
  return { bound: `f ≤ ${bound}`, text: `${pluralize(made, "state")} made, ${turned}` };
}

/** The names of searches and estimates. @type {Record<string, string>} */
export const SEARCH_NAMES = {
  bfs: "Breadth first", iddfs: "Deepening without memory", greedy: "Greedy", astar: "A*", idastar: "IDA*",
  misplaced: "A*, misplaced tiles", manhattan: "A*, Manhattan", "linear-conflict": "A*, linear conflict", reversal: "A*, reversal", squared: "A*, squared", "squared-discounted": "A*, squared less 15%",
};

/** The four estimates of lesson 11. @type {Record<string, string>} */
export const ESTIMATE_NAMES = { manhattan: "h1: Manhattan", reversal: "h2: Manhattan and reversals", "squared-discounted": "h3: squared less 15%, and reversals", squared: "h4: squared, and reversals" };

/** Words of choices. @type {Record<string, string>} */
export const PUZZLE_CHOICES = {
  new: "New: it goes into the queue", known: "Seen before: it is not queued again",
  way: "The way that was found", rings: "The rings before it: every state that fewer crossings reach is known",
  yes: "Yes", no: "No",
  "any-way": "When any way will do, and memory or time is short", shortest: "When the way must be a shortest one", always: "Always: fewer states are better",
  memory: "When memory is short: it keeps only the way it is on", time: "When time is short: it makes fewer states", never: "Never: it makes more states",
  order: "The order of all nine cells: an even or an odd permutation", color: "The color of the blank’s cell", row: "The row of the blank: even or odd", misplaced: "The number of tiles that are not at their goal: even or odd",
  "h-by-one": "Each move raises or lowers h by one: with g, f stays or grows by two", "g-only": "Each move adds one to g, so f grows by one", rule: "IDA* always adds two to its bound, whatever f is",
};

export const PUZZLE_PROMPTS = {
  crews: "Which crews can leave the left bank so that nobody is eaten? Choose all.",
  next: "Which state is expanded next?",
  lowest: "Which board is expanded next?",
  known: (/** @type {string} */ child, /** @type {string} */ move, /** @type {string} */ parent) => `${child} comes from ${parent} by ${move}. Is it new?`.replace(/^s/, "S"),
  made: (/** @type {string} */ name) => `${name}: how many states does it make? Place the dot; within a factor of two is right.`,
  proof: "What proves that fewer crossings are impossible?",
  crosses: "Can they all cross?",
  length: (/** @type {boolean} */ isRiver) => (isRiver ? "In how many crossings, at least?" : "How many moves has a shortest way from the start?"),
  estimate: (/** @type {string} */ name) => (name === "misplaced" ? "How many tiles are misplaced? The blank does not count." : "What is the Manhattan distance: the sum over all tiles of the rows and columns to their goal?"),
  leastMade: "Which search makes how many states? Put the one with the fewest first.",
  overestimates: "Which of the four is caught overestimating here? Choose all.",
  overestimatesOf: (/** @type {number} */ optimum, /** @type {number[]} */ estimates) => `A shortest way has ${optimum} moves. h1 to h4 say ${estimates.join(", ")}. Which of them is caught overestimating? Choose all.`,
  trade: "When is that a good trade?",
  proved: "Of which of the four ways is it certain that none is shorter? Choose all.",
  changes: "What changes with every move, without exception? Choose all.",
  solvable: "Can this board be solved?",
  bound: (/** @type {number} */ k) => (k === 1 ? "What is the first bound?" : "What is the next bound?"),
  step: "Why do the bounds grow by two, and never by one?",
  keep: "When is that a good trade?",
  bounds: "Which bounds are tried, from the first to the last?",
};

export const PUZZLE_HINTS = {
  crews: "Look at both banks after the crossing. Where missionaries stand, there may not be more cannibals than missionaries. A bank without missionaries is safe.",
  next: "The queue is first in, first out: the state with the lowest number was made first.",
  lowest: "Add g and h for each board. The lowest sum comes next.",
  known: "Compare it with the states that are drawn: the same people on the same banks, and the boat on the same side.",
  made: "Without memory, every way to a state is gone again: the number of states multiplies from ring to ring. With a good estimate it grows slowly.",
  proof: "A way shows that its number of crossings is enough. Ask what shows that fewer are not.",
  crosses: "Try it: who can come back without leaving somebody in danger? A larger boat helps more than you may think.",
  length: "Go on by hand from the state with the lowest f, or from the oldest one if there is no f. The estimate of the start is a lower bound where it is admissible.",
  estimate: "Go through the tiles one by one. A misplaced tile counts once; its Manhattan distance counts every row and every column on its way to its goal.",
  leastMade: "An estimate that is larger, but never too large, leaves fewer states with a small f.",
  overestimates: "An estimate overestimates if it is larger than the length of a shortest way.",
  trade: "Compare both numbers: which search has to keep less, and which finds the shorter way?",
  proved: "Only an estimate that never overestimates gives a proof.",
  changes: "Make two moves in your head: one of the blank to the side, one up or down. What changed both times?",
  solvable: "Count the swaps that bring the tiles home, and compare with the color of the blank’s cell: each move changes both.",
  bound: "The first bound is the estimate of the start. Each next one is the lowest f that was turned away.",
  step: "A move takes one tile one cell nearer to its goal, or one cell farther away. What does that do to h, and what to g + h?",
  keep: "Compare what each search keeps in memory, and how many states each makes.",
  bounds: "Begin with the estimate of the start, and add the step of the last question until the length of the way is reached.",
};

export const PUZZLE_WHY = {
  crews: (/** @type {string[]} */ unsafe) => (unsafe.length ? unsafe.join(" ") : "Every crew is safe here."),
  unsafe: (/** @type {string} */ crew, /** @type {number} */ missionaries, /** @type {number} */ cannibals, /** @type {boolean} */ isLeft) => `${crew}: then ${pluralize(missionaries, "missionary stands", "missionaries stand")} against ${pluralize(cannibals, "cannibal")} on the ${isLeft ? "left" : "right"}.`,
  next: (/** @type {string} */ sentence, /** @type {number | null} */ f) => `${f === null ? "It is the oldest in the queue." : `f = ${f} is the lowest.`} ${sentence}`,
  known: (/** @type {number} */ as) => `The same people, and the boat on the same side: ${stateName(as)}.`,
  isNew: "No state before it has the same people on the same banks, with the boat on the same side.",
  made: (/** @type {string} */ name, /** @type {number} */ made, /** @type {number} */ moves) => `${name}: ${countText(made)} states made, for a way of ${pluralize(moves, "move")}.`,
  proof: (/** @type {number} */ length, /** @type {number} */ expanded, /** @type {string} */ other) => `Before the goal is made, all states of the rings 0 to ${length - 2} are expanded (${expanded} states), so ring ${length - 1} is whole, and the goal is in none of them. ${other}`,
  sameLength: (/** @type {number} */ length) => `Greedy search finds a way of ${length} crossings, too, but the way alone does not tell it that none is shorter.`,
  refused: (/** @type {string} */ refusal) => `The engine: ${refusal}.`,
  unsolvable: (/** @type {boolean} */ isHome, /** @type {boolean} */ isEven) => `Every move changes both: the color of the blank’s cell, and whether the order is even or odd. The blank is on ${isHome ? "the color of its goal, so the number of moves would be even" : "the other color, so the number of moves would be odd"}. The order is ${isEven ? "an even permutation, which an odd" : "an odd permutation, which an even"} number of swaps cannot bring home.`,
  crosses: (/** @type {number} */ length) => `Breadth first finds a way of ${length} crossings.`,
  solved: (/** @type {number} */ length) => `A shortest way has ${pluralize(length, "move")}.`,
  estimate: (/** @type {string[]} */ shares, /** @type {number} */ sum) => `${shares.join(", ")}: together ${sum}.`,
  leastMade: (/** @type {string[]} */ counts) => `${counts.join("; ")}.`,
  overestimates: (/** @type {number} */ optimum, /** @type {string[]} */ estimates) => `The shortest way has ${pluralize(optimum, "move")}. ${estimates.join(", ")}.`,
  trade: (/** @type {string} */ few, /** @type {string} */ many) => `${few} ${many}`,
  oneSearch: (/** @type {string} */ name, /** @type {number} */ made, /** @type {number} */ moves, /** @type {boolean} */ isProved) => `${name}: ${countText(made)} states, ${pluralize(moves, "move")}${isProved ? ", certainly the fewest" : ", perhaps not the fewest"}.`,
  changes: (/** @type {number} */ moves, /** @type {string[]} */ counts) => `Over ${countText(moves)} moves of a search: ${counts.join("; ")}.`,
  changed: (/** @type {string} */ what, /** @type {number} */ count) => `${what[0].toLowerCase()}${what.slice(1)} changes in ${countText(count)}`,
  bound: (/** @type {number} */ bound, /** @type {number} */ from) => `State ${from} was turned away at f = ${bound}, and none at less.`,
  firstBound: (/** @type {number} */ h) => `It is the estimate of the start: 0 + ${h} = ${h}.`,
  step: (/** @type {number} */ moves, /** @type {number[]} */ steps) => `In all ${countText(moves)} moves of this search, f changes by ${steps.join(" or ")}.`,
  keep: (/** @type {string} */ name, /** @type {number} */ made, /** @type {number} */ kept) => `${name}: ${countText(made)} states made, ${countText(kept)} kept at once.`,
  bounds: (/** @type {number} */ length) => `The last bound is the length of the shortest way: ${length}.`,
};
