// The texts of the lessons about puzzles: rivers, boards of tiles, and the searches that solve them.

import { t } from "../language.js";
import { stateName } from "../text/events.js";

/** @import { PuzzleState, OpenEntry, Rung } from "./puzzle_search.js" */

export const PUZZLE_LABELS = {
  picture: t("The search so far"),
  numbers: t("for example 10, 12, 14"),
  open: t("Open list"), ladder: t("Bounds"),
  sorted: t("The next one first: lowest f, then the farthest from the start, then the newest."),
  unsorted: t("In no order. Add g and h yourself."),
  queue: t("The next one first: the oldest."),
  unsortedQueue: t("In no order. The numbers tell in which order the states were made."),
  riverKey: ["●", t("missionary"), "▲", t("cannibal")],
};

export const PUZZLE_ERRORS = {
  several: t("Choose at least one."),
  state: t("Choose a state."),
  numbers: t("Type whole numbers with commas between them."),
};

/** Returns the line below a small picture of a state, without its f. @param {PuzzleState | OpenEntry} state */
export function entryText({ n, g, h }) {
  if (h !== null) return `g ${g}, h ${h}`;
  return n === 0 ? t("start") : stateName(n);
}

/** Returns the sum below a small picture. @param {number} g @param {number} h */
export function sumText(g, h) {
  return `${g} + ${h} = ${g + h}`;
}

/** @param {number} count */
export function openText(count) {
  return t("Open list: {count}.", { count });
}

/** @param {PuzzleState} state @param {string} content what the state shows */
export function stateLabel({ n, g, h }, content) {
  const state = stateName(n);
  return h === null ? `${state}: ${content}` : t("{state}: {content}; g {g}, h {h}", { state, content, g, h });
}

/** Returns the people of a group as words: `1 missionary and 2 cannibals`. @param {number} missionaries @param {number} cannibals */
function peopleText(missionaries, cannibals) {
  return t("{missionaries, plural, one {# missionary} other {# missionaries}} and {cannibals, plural, one {# cannibal} other {# cannibals}}", { missionaries, cannibals });
}

/** Returns who stands where. @param {number[]} left missionaries and cannibals @param {number[]} right @param {boolean} isLeft whether the boat is on the left */
export function crowdWords([leftMissionaries, leftCannibals], [rightMissionaries, rightCannibals], isLeft) {
  const banks = { left: peopleText(leftMissionaries, leftCannibals), right: peopleText(rightMissionaries, rightCannibals) };
  return isLeft ? t("{left} on the left, {right} on the right, the boat on the left", banks) : t("{left} on the left, {right} on the right, the boat on the right", banks);
}

/** Returns a crew in words: `1 missionary and 1 cannibal`. @param {string} move */
export function crewText(move) {
  const [missionaries = 0, cannibals = 0] = ["m", "c"].map((kind) => Number(move.match(new RegExp(`(\\d+)${kind}`))?.[1] ?? 0));
  if (missionaries && cannibals) return peopleText(missionaries, cannibals);
  return cannibals ? t("{cannibals, plural, one {# cannibal} other {# cannibals}}", { cannibals }) : t("{missionaries, plural, one {# missionary} other {# missionaries}}", { missionaries });
}

/** Returns the sizes of the rings of closed states. @param {number} total @param {[number, number][]} rings g and the number of states */
export function closedText(total, rings) {
  if (total === 0) return t("No state is expanded yet.");
  const counts = rings.map(([g, count]) => t("{count} at g {g}", { count, g })).join(", ");
  return t("{total, plural, one {# state} other {# states}} expanded: {counts}.", { total, counts });
}

/** Returns the name of a ring. @param {number} g */
export function ringText(g) {
  return g === 0 ? t("start") : t("after {g}", { g });
}

/** Returns a rung of the ladder. @param {Rung} rung @param {boolean} isAsked whether its least f beyond is asked about */
export function rungText({ bound, made, beyond }, isAsked) {
  const rung = `f ≤ ${bound}`;
  if (beyond.length === 0) return { bound: rung, text: t("{made, plural, one {# state} other {# states}} made, none turned away", { made }) };
  if (!isAsked) return { bound: rung, text: t("{made, plural, one {# state} other {# states}} made, turned away from f {f} on", { made, f: Math.min(...beyond) }) };
  const counts = [...new Set(beyond)].sort((one, other) => one - other).map((f) => {
    const count = beyond.filter((one) => one === f).length;
    return count > 1 ? `f ${f} (${count}×)` : `f ${f}`;
  });
  return { bound: rung, text: t("{made, plural, one {# state} other {# states}} made, turned away: {counts}", { made, counts: counts.join(", ") }) };
}

/** The names of searches and estimates. @type {Record<string, string>} */
export const SEARCH_NAMES = {
  bfs: t("Breadth first"), iddfs: t("Deepening without memory"), greedy: t("Greedy"), astar: "A*", idastar: "IDA*",
  misplaced: t("A*, misplaced tiles"), manhattan: t("A*, Manhattan"), "linear-conflict": t("A*, linear conflict"), reversal: t("A*, reversal"), squared: t("A*, squared"), "squared-discounted": t("A*, squared less 15%"),
};

/** The four estimates of lesson 11. @type {Record<string, string>} */
export const ESTIMATE_NAMES = { manhattan: t("h1: Manhattan"), reversal: t("h2: Manhattan and reversals"), "squared-discounted": t("h3: squared less 15%, and reversals"), squared: t("h4: squared, and reversals") };

/** Their short names. @type {Record<string, string>} */
const ESTIMATES = { manhattan: "h1", reversal: "h2", "squared-discounted": "h3", squared: "h4" };

/** Words of choices. @type {Record<string, string>} */
export const PUZZLE_CHOICES = {
  new: t("New: it goes into the queue"), known: t("Seen before: it is not queued again"),
  way: t("The way that was found"), rings: t("The rings before it: every state that fewer crossings reach is known"),
  yes: t("Yes"), no: t("No"),
  "any-way": t("When any way will do, and memory or time is short"), shortest: t("When the way must be a shortest one"), always: t("Always: fewer states are better"),
  memory: t("When memory is short: it keeps only the way it is on"), time: t("When time is short: it makes fewer states"), never: t("Never: it makes more states"),
  order: t("The order of all nine cells: an even or an odd permutation"), color: t("The color of the blank’s cell"), row: t("The row of the blank: even or odd"), misplaced: t("The number of tiles that are not at their goal: even or odd"),
  "h-by-one": t("Each move raises or lowers h by one: with g, f stays or grows by two"), "g-only": t("Each move adds one to g, so f grows by one"), rule: t("IDA* always adds two to its bound, whatever f is"),
};

export const PUZZLE_PROMPTS = {
  crews: t("Which crews can leave the left bank so that nobody is eaten? Choose all."),
  next: t("Which state is expanded next?"),
  lowest: t("Which board is expanded next?"),
  known: (/** @type {number} */ n, /** @type {string} */ move, /** @type {number} */ parent) => (parent === 0 ? t("State {n} comes from the start by {move}. Is it new?", { n, move }) : t("State {n} comes from state {parent} by {move}. Is it new?", { n, move, parent })),
  made: (/** @type {string} */ search) => t("{search}: how many states does it make? Place the dot; within a factor of two is right.", { search }),
  proof: t("What proves that fewer crossings are impossible?"),
  crosses: t("Can they all cross?"),
  length: (/** @type {boolean} */ isRiver) => (isRiver ? t("In how many crossings, at least?") : t("How many moves has a shortest way from the start?")),
  estimate: (/** @type {string} */ name) => (name === "misplaced" ? t("How many tiles are misplaced? The blank does not count.") : t("What is the Manhattan distance: the sum over all tiles of the rows and columns to their goal?")),
  leastMade: t("Which search makes how many states? Put the one with the fewest first."),
  overestimates: t("Which of the four is caught overestimating here? Choose all."),
  overestimatesOf: (/** @type {number} */ length, /** @type {number[]} */ estimates) => t("A shortest way has {length} moves. h1 to h4 say {estimates}. Which of them is caught overestimating? Choose all.", { length, estimates: estimates.join(", ") }),
  trade: t("When is that a good trade?"),
  proved: t("Of which of the four ways is it certain that none is shorter? Choose all."),
  changes: t("What changes with every move, without exception? Choose all."),
  solvable: t("Can this board be solved?"),
  bound: (/** @type {number} */ k) => (k === 1 ? t("What is the first bound?") : t("What is the next bound?")),
  step: t("Why do the bounds grow by two, and never by one?"),
  bounds: t("Which bounds are tried, from the first to the last?"),
};

export const PUZZLE_HINTS = {
  crews: t("Look at both banks after the crossing. Where missionaries stand, there may not be more cannibals than missionaries. A bank without missionaries is safe."),
  next: t("The queue is first in, first out: the state with the lowest number was made first."),
  lowest: t("Add g and h for each board. The lowest sum comes next."),
  known: t("Compare it with the states that are drawn: the same people on the same banks, and the boat on the same side."),
  made: t("Without memory, every way to a state is gone again: the number of states multiplies from ring to ring. With a good estimate it grows slowly."),
  proof: t("A way shows that its number of crossings is enough. Ask what shows that fewer are not."),
  crosses: t("Try it: who can come back without leaving somebody in danger? A larger boat helps more than you may think."),
  length: t("Go on by hand from the state with the lowest f, or from the oldest one if there is no f. The estimate of the start is a lower bound where it is admissible."),
  estimate: t("Go through the tiles one by one. A misplaced tile counts once; its Manhattan distance counts every row and every column on its way to its goal."),
  leastMade: t("An estimate that is larger, but never too large, leaves fewer states with a small f."),
  overestimates: t("An estimate overestimates if it is larger than the length of a shortest way."),
  trade: t("Compare both numbers: which search has to keep less, and which finds the shorter way?"),
  proved: t("Only an estimate that never overestimates gives a proof."),
  changes: t("Make two moves in your head: one of the blank to the side, one up or down. What changed both times?"),
  solvable: t("Count the swaps that bring the tiles home, and compare with the color of the blank’s cell: each move changes both."),
  bound: t("The first bound is the estimate of the start. Each next one is the lowest f that was turned away."),
  step: t("A move takes one tile one cell nearer to its goal, or one cell farther away. What does that do to h, and what to g + h?"),
  keep: t("Compare what each search keeps in memory, and how many states each makes."),
  bounds: t("Begin with the estimate of the start, and add the step of the last question until the length of the way is reached."),
};

/** Returns how often one of the parities changes. @param {string} name @param {number} count */
function changeText(name, count) {
  if (name === "order") return t("the order of all nine cells changes in {count}", { count });
  if (name === "color") return t("the color of the blank’s cell changes in {count}", { count });
  if (name === "row") return t("the row of the blank changes in {count}", { count });
  return t("the number of tiles that are not at their goal changes in {count}", { count });
}

export const PUZZLE_WHY = {
  crews: (/** @type {string[]} */ unsafe) => (unsafe.length ? unsafe.join(" ") : t("Every crew is safe here.")),
  unsafe: (/** @type {string} */ crew, /** @type {number} */ missionaries, /** @type {number} */ cannibals, /** @type {boolean} */ isLeft) => (isLeft
    ? t("{crew}: then {missionaries, plural, one {# missionary stands} other {# missionaries stand}} against {cannibals, plural, one {# cannibal} other {# cannibals}} on the left.", { crew, missionaries, cannibals })
    : t("{crew}: then {missionaries, plural, one {# missionary stands} other {# missionaries stand}} against {cannibals, plural, one {# cannibal} other {# cannibals}} on the right.", { crew, missionaries, cannibals })),
  next: (/** @type {string} */ sentence, /** @type {number | null} */ f) => `${f === null ? t("It is the oldest in the queue.") : t("f = {f} is the lowest.", { f })} ${sentence}`,
  known: (/** @type {number} */ as) => t("The same people, and the boat on the same side: {state}.", { state: stateName(as) }),
  isNew: t("No state before it has the same people on the same banks, with the boat on the same side."),
  made: (/** @type {string} */ search, /** @type {number} */ made, /** @type {number} */ moves) => t("{search}: {made} states made, for a way of {moves, plural, one {# move} other {# moves}}.", { search, made, moves }),
  proof: (/** @type {number} */ length, /** @type {number} */ expanded, /** @type {number} */ other) => [
    t("Before the goal is made, all states of the rings 0 to {last} are expanded ({expanded} states), so ring {ring} is whole, and the goal is in none of them.", { last: length - 2, ring: length - 1, expanded }),
    t("Greedy search finds a way of {other} crossings, too, but the way alone does not tell it that none is shorter.", { other }),
  ].join(" "),
  refused: (/** @type {string} */ variant) => (variant === "missionaries"
    ? t("The goal cannot be reached: no sequence of safe crossings brings all people across.")
    : t("The goal cannot be reached: the tiles are an odd permutation of it, and every move keeps the parity.")),
  unsolvable: (/** @type {boolean} */ isHome, /** @type {boolean} */ isEven) => [
    t("Every move changes both: the color of the blank’s cell, and whether the order is even or odd."),
    isHome ? t("The blank is on the color of its goal, so the number of moves would be even.") : t("The blank is on the other color, so the number of moves would be odd."),
    isEven ? t("The order is an even permutation, which an odd number of swaps cannot bring home.") : t("The order is an odd permutation, which an even number of swaps cannot bring home."),
  ].join(" "),
  crosses: (/** @type {number} */ length) => t("Breadth first finds a way of {length} crossings.", { length }),
  solved: (/** @type {number} */ length) => t("A shortest way has {length, plural, one {# move} other {# moves}}.", { length }),
  misplaced: (/** @type {number[]} */ tiles) => t("{tiles}: together {sum}.", { tiles: tiles.map((tile) => t("tile {tile}", { tile })).join(", "), sum: tiles.length }),
  distances: (/** @type {[number, number][]} */ distances, /** @type {number} */ sum) => t("{tiles}: together {sum}.", { tiles: distances.map(([tile, distance]) => t("tile {tile}: {distance}", { tile, distance })).join(", "), sum }),
  leastMade: (/** @type {string[]} */ counts) => `${counts.join("; ")}.`,
  overestimates: (/** @type {number} */ length, /** @type {[string, number][]} */ estimates) => [
    t("The shortest way has {length, plural, one {# move} other {# moves}}.", { length }),
    `${estimates.map(([name, h]) => t("{name} says {h}", { name: ESTIMATES[name], h })).join(", ")}.`,
  ].join(" "),
  oneSearch: (/** @type {string} */ search, /** @type {number} */ made, /** @type {number} */ moves, /** @type {boolean} */ isProved) => (isProved
    ? t("{search}: {made} states, {moves, plural, one {# move} other {# moves}}, certainly the fewest.", { search, made, moves })
    : t("{search}: {made} states, {moves, plural, one {# move} other {# moves}}, perhaps not the fewest.", { search, made, moves })),
  changes: (/** @type {number} */ moves, /** @type {[string, number][]} */ counts) => t("Over {moves} moves of a search: {counts}.", { moves, counts: counts.map(([name, count]) => changeText(name, count)).join("; ") }),
  bound: (/** @type {number} */ bound, /** @type {number} */ from) => t("State {from} was turned away at f = {bound}, and none at less.", { from, bound }),
  firstBound: (/** @type {number} */ h) => t("It is the estimate of the start: {sum}.", { sum: sumText(0, h) }),
  step: (/** @type {number} */ moves, /** @type {number[]} */ steps) => t("In all {moves} moves of this search, f changes by {steps, or}.", { moves, steps }),
  keep: (/** @type {string} */ search, /** @type {number} */ made, /** @type {number} */ kept) => t("{search}: {made} states made, {kept} kept at once.", { search, made, kept }),
  bounds: (/** @type {number} */ length) => t("The last bound is the length of the shortest way: {length}.", { length }),
};
