// The kinds of question about puzzles. Every answer is found in the events of searches.

import { numberText, t } from "../language.js";
import { stateName } from "../text/events.js";
import { goalTiles, readRiver, readTiles, tileDistances } from "./puzzle_boards.js";
import { ESTIMATE_NAMES, PUZZLE_CHOICES, PUZZLE_HINTS, PUZZLE_PROMPTS, PUZZLE_WHY, SEARCH_NAMES, crewText, entryText } from "./puzzle_texts.js";

/** @import { PuzzleSearch } from "./puzzle_search.js" */
/** @import { Kind, Question } from "./questions.js" */
/** @import { SearchEvent, SearchEvents } from "./trace_events.js" */

/** The algorithms; any other name is an estimate of A*. */
const ALGORITHMS = ["bfs", "iddfs", "greedy", "astar", "idastar"];
/** Events that are asked for where only counts and the first estimate matter. */
const FEW_EVENTS = 4;
/** Guesses of a number of states are right within this factor. */
const MADE_FACTOR = 2;
const MADE_SCALE = { min: 1, max: 1000000, unit: "" };

/** @param {SearchEvents} search */
function puzzleOf(search) {
  return /** @type {PuzzleSearch} */ (search);
}

/** Returns the states that are expanded where there is a choice. @param {PuzzleSearch} search @param {boolean} isClear whether one of three or more is better than all others */
export function choicesOf(search, isClear) {
  return search.events.filter(({ e, i }) => {
    if (e !== "expand") return false;
    const open = search.openAt(i - 1);
    return isClear ? open.length >= 3 && open[0].f < open[1].f : open.length >= 2;
  });
}

/** Returns the states that are made from the first known one on, except the last one of all. @param {PuzzleSearch} search */
export function doubtsOf(search) {
  const made = search.events.filter(({ e, parent }) => e === "make" && parent !== null);
  const first = made.findIndex(({ i }) => search.events[i + 1].e === "seen");
  return first < 0 ? [] : made.slice(first, -1);
}

/** The lists of events that `event` can name. @type {Record<string, (search: PuzzleSearch) => SearchEvent[]>} */
const LISTS = {
  choice: (search) => choicesOf(search, false),
  clear: (search) => choicesOf(search, true),
  child: (search) => search.events.filter(({ e, parent }) => e === "make" && parent !== null),
  doubt: doubtsOf,
  bound: (search) => search.events.filter(({ e }) => e === "bound"),
};

/** Returns the event that a question names. @param {SearchEvents} search @param {Question} question */
function namedEvent(search, { event = "" }) {
  const [name, text] = event.split(":");
  const position = Number(text);
  const list = LISTS[name](puzzleOf(search));
  const found = position > 0 ? list[position - 1] : list.at(position);
  if (!found) throw new Error(`the search has no ${event}`);
  return found;
}

/** Returns the searches that a question compares, by name. @param {SearchEvents} search @param {Question} question */
function compared(search, { compare = [] }) {
  const { heuristic } = search.begin;
  return Object.fromEntries(compare.map((name) => [name, ALGORITHMS.includes(name) ? { algorithm: name, heuristic: heuristic ?? "manhattan", max: FEW_EVENTS } : { algorithm: "astar", heuristic: name, max: FEW_EVENTS }]));
}

/** @param {SearchEvents} search */
function madeBy(search) {
  return search.end.counts.all.nodes;
}

/** Returns the names of the searches that a question compares, the one that makes the fewest states first. @param {SearchEvents} search @param {Question} question */
function byMade(search, { compare = [] }) {
  return [...compare].sort((one, other) => madeBy(search.beside[one]) - madeBy(search.beside[other]));
}

/** Returns the estimate of the start. @param {SearchEvents} search */
function startEstimate(search) {
  return Number(puzzleOf(search).state(0).h);
}

/** Returns the length of a shortest way, which one of the compared searches has proved. @param {SearchEvents} search */
function optimum(search) {
  const proved = Object.values(search.beside).find(({ end }) => end.proved && end.value !== null);
  if (!proved) throw new Error("no search has proved its way");
  return proved.end.value;
}

/** Returns the name of the search that is asked about. @param {SearchEvents} search */
function searchName({ begin }) {
  return begin.algorithm === "astar" ? SEARCH_NAMES[begin.heuristic] ?? SEARCH_NAMES.astar : SEARCH_NAMES[begin.algorithm];
}

/** Returns `true` if an even number of swaps orders the cells. @param {number[]} cells */
export function isEvenOrder(cells) {
  let swaps = 0;
  const left = [...cells];
  for (let at = 0; at < left.length; at++) {
    while (left[at] !== at) {
      const home = left[at];
      [left[at], left[home]] = [left[home], left[at]];
      swaps++;
    }
  }
  return swaps % 2 === 0;
}

/** What may change with a move, as `true` or `false`. @type {Record<string, (fen: string) => boolean>} */
const PARITIES = {
  order: (fen) => {
    const goal = goalTiles(fen).flat();
    return isEvenOrder(readTiles(fen).flat().map((tile) => goal.indexOf(tile)));
  },
  color: (fen) => {
    const rows = readTiles(fen);
    const row = rows.findIndex((one) => one.includes(0));
    return (row + rows[row].indexOf(0)) % 2 === 0;
  },
  row: (fen) => readTiles(fen).findIndex((one) => one.includes(0)) % 2 === 0,
  misplaced: (fen) => [...tileDistances(fen).values()].filter(Boolean).length % 2 === 0,
};

/** Returns why a board cannot be solved, by the two parities that every move changes. @param {string} fen */
function unsolvableWhy(fen) {
  const goal = goalTiles(fen).map((row) => row.join(",")).join("/");
  return PUZZLE_WHY.unsolvable(PARITIES.color(fen) === PARITIES.color(goal), PARITIES.order(fen));
}

/** Returns in how many moves of a search each parity changes, and the number of moves. @param {PuzzleSearch} search */
function parityChanges(search) {
  const moves = search.states.filter(({ parent }) => parent !== null);
  return { moves: moves.length, changes: Object.entries(PARITIES).map(([name, parity]) => /** @type {[string, number]} */ ([name, moves.filter(({ fen, parent }) => parity(/** @type {string} */ (fen)) !== parity(/** @type {string} */ (search.state(/** @type {number} */ (parent)).fen))).length])) };
}

/** Returns by how much f and h change from state to state. @param {PuzzleSearch} search */
function stepsOf(search) {
  const moves = search.states.filter(({ parent, f }) => parent !== null && f !== null);
  const parent = (/** @type {any} */ state) => search.state(state.parent);
  const steps = moves.map((state) => Number(state.f) - Number(parent(state).f));
  const estimates = moves.map((state) => Number(state.f) - state.g - (Number(parent(state).f) - parent(state).g));
  return { moves: moves.length, steps: [...new Set(steps)].sort((one, other) => one - other), estimates: [...new Set(estimates.map(Math.abs))] };
}

/** Returns all crews that fit into the boat. @param {string} fen */
function crewsOf(fen) {
  const { left, seats } = readRiver(fen);
  const crews = [];
  for (let missionaries = 0; missionaries <= Math.min(seats, left[0]); missionaries++) {
    for (let cannibals = 0; cannibals <= Math.min(seats - missionaries, left[1]); cannibals++) {
      if (missionaries + cannibals > 0) crews.push(`${missionaries ? `${missionaries}m` : ""}${cannibals ? `${cannibals}c` : ""}`);
    }
  }
  return crews;
}

/** Returns why a crew is not safe. @param {string} fen @param {string} crew */
function dangerOf(fen, crew) {
  const { left, all } = readRiver(fen);
  const [missionaries, cannibals] = ["m", "c"].map((kind, at) => left[at] - Number(crew.match(new RegExp(`(\\d+)${kind}`))?.[1] ?? 0));
  if (missionaries > 0 && missionaries < cannibals) return PUZZLE_WHY.unsafe(crew, missionaries, cannibals, true);
  return PUZZLE_WHY.unsafe(crew, all[0] - missionaries, all[1] - cannibals, false);
}

/** What all choices of words share. @type {Pick<Kind, "form" | "optionText" | "words">} */
const CHOICE = { form: "choice", optionText: (word) => PUZZLE_CHOICES[word], words: (word) => PUZZLE_CHOICES[word] };
/** Questions that are asked before the search, and answered by its end. @type {Pick<Kind, "at" | "shown">} */
const WHOLE = { at: () => 0, shown: (search) => search.last };

/** Creates the words of several names. @param {Record<string, string>} names @returns {Pick<Kind, "form" | "optionText" | "words">} */
function severalOf(names) {
  return { form: "several", optionText: (name) => names[name] ?? name, words: (list) => list.map((/** @type {string} */ name) => names[name] ?? name).join("; ") || t("none") };
}

/** What the questions about the next state share. @type {Kind} */
const NEXT = {
  form: "state",
  // By their pictures, so that the order tells nothing.
  options: (search, question) => puzzleOf(search).openAt(namedEvent(search, question).i - 1).map(({ n }) => puzzleOf(search).state(n)).sort((one, other) => (String(one.fen) < String(other.fen) ? -1 : 1)).map(({ n }) => String(n)),
  words: (n) => stateName(Number(n)),
  at: (search, question) => namedEvent(search, question).i - 1,
  answer: (search, question) => String(namedEvent(search, question).n),
  shown: (search, question) => namedEvent(search, question).i,
  why: (search, question) => {
    const event = namedEvent(search, question);
    return PUZZLE_WHY.next(search.sentence(event), event.h === null ? null : event.f);
  },
};

/** Returns the kind of question whether the goal can be reached. @param {string} prompt @param {string} hint @param {(length: number) => string} why @returns {Kind} */
const reachable = (prompt, hint, why) => ({
  ...CHOICE, ...WHOLE,
  prompt: () => prompt,
  hint,
  options: () => ["yes", "no"],
  answer: (search) => (search.end.value === null ? "no" : "yes"),
  why: (search) => {
    const { variant, fen } = search.begin;
    if (!puzzleOf(search).isRefused) return why(search.end.value);
    return variant === "missionaries" ? PUZZLE_WHY.refused(variant) : unsolvableWhy(fen);
  },
});

/** @type {Record<string, Kind>} */
export const PUZZLE_KINDS = {
  crews: {
    form: "several",
    prompt: () => PUZZLE_PROMPTS.crews,
    hint: PUZZLE_HINTS.crews,
    options: (search) => crewsOf(search.begin.fen),
    optionText: crewText,
    words: (crews) => crews.map(crewText).join("; "),
    at: () => 0,
    answer: (search) => {
      const safe = search.events.filter(({ e, parent }) => e === "make" && parent === 0).map(({ move }) => move);
      return crewsOf(search.begin.fen).filter((crew) => safe.includes(crew));
    },
    shown: (search) => /** @type {SearchEvent} */ (search.events.findLast(({ e, parent }) => e === "make" && parent === 0)).i + 1,
    why: (search) => {
      const safe = search.events.filter(({ e, parent }) => e === "make" && parent === 0).map(({ move }) => move);
      return PUZZLE_WHY.crews(crewsOf(search.begin.fen).filter((crew) => !safe.includes(crew)).map((crew) => dangerOf(search.begin.fen, crew)));
    },
  },
  next: { ...NEXT, prompt: () => PUZZLE_PROMPTS.next, hint: PUZZLE_HINTS.next },
  lowest: { ...NEXT, words: (n, search) => entryText(puzzleOf(search).state(Number(n))), prompt: () => PUZZLE_PROMPTS.lowest, hint: PUZZLE_HINTS.lowest },
  known: {
    ...CHOICE,
    prompt: (_, search, question) => {
      const { n, move, parent } = namedEvent(search, question);
      return PUZZLE_PROMPTS.known(n, move, parent);
    },
    hint: PUZZLE_HINTS.known,
    options: () => ["new", "known"],
    at: (search, question) => namedEvent(search, question).i,
    answer: (search, question) => (search.events[namedEvent(search, question).i + 1].e === "seen" ? "known" : "new"),
    shown: (search, question) => namedEvent(search, question).i + 1,
    why: (search, question) => {
      const next = search.events[namedEvent(search, question).i + 1];
      return next.e === "seen" ? PUZZLE_WHY.known(next.as) : PUZZLE_WHY.isNew;
    },
  },
  made: {
    form: "dot",
    ...WHOLE,
    prompt: (_, search) => PUZZLE_PROMPTS.made(searchName(search)),
    hint: PUZZLE_HINTS.made,
    beside: compared,
    scale: () => MADE_SCALE,
    accepts: (guess, search) => guess >= madeBy(search) / MADE_FACTOR && guess <= madeBy(search) * MADE_FACTOR,
    words: (count) => numberText(count),
    answer: madeBy,
    why: (search) => PUZZLE_WHY.made(searchName(search), madeBy(search), search.end.value),
    rows: (search, question, { isAnswered, guesses }) => [
      ...(question.compare ?? []).map((name) => ({ label: SEARCH_NAMES[name], value: madeBy(search.beside[name]) })),
      { label: searchName(search), value: isAnswered ? madeBy(search) : null, guesses }],
  },
  proof: {
    ...CHOICE,
    prompt: () => PUZZLE_PROMPTS.proof,
    hint: PUZZLE_HINTS.proof,
    options: () => ["way", "rings"],
    beside: (search) => compared(search, { ask: "proof", compare: ["greedy"] }),
    at: (search) => search.last,
    shown: (search) => search.last,
    // The rings prove it if no state is left open that fewer moves reach, while another search finds the same way without a proof.
    answer: (search) => {
      const { end, beside: { greedy } } = search;
      const rings = puzzleOf(search).openAt(search.last).every(({ g }) => g >= end.value - 1);
      return end.proved && rings && greedy.end.value === end.value && !greedy.end.proved ? "rings" : "way";
    },
    why: (search) => {
      const { end } = search;
      const expanded = puzzleOf(search).closedAt(search.last).filter((n) => puzzleOf(search).state(n).g <= end.value - 2).length;
      return PUZZLE_WHY.proof(end.value, expanded, search.beside.greedy.end.value);
    },
  },
  crosses: reachable(PUZZLE_PROMPTS.crosses, PUZZLE_HINTS.crosses, PUZZLE_WHY.crosses),
  solvable: reachable(PUZZLE_PROMPTS.solvable, PUZZLE_HINTS.solvable, PUZZLE_WHY.solved),
  length: {
    form: "number",
    ...WHOLE,
    prompt: (_, search) => PUZZLE_PROMPTS.length(search.begin.variant === "missionaries"),
    hint: PUZZLE_HINTS.length,
    answer: (search) => search.end.value,
    why: (search) => search.sentence(search.end),
  },
  estimate: {
    form: "number",
    prompt: (_, search) => PUZZLE_PROMPTS.estimate(search.begin.heuristic),
    hint: PUZZLE_HINTS.estimate,
    at: () => 0,
    shown: () => 2,
    answer: startEstimate,
    why: (search) => {
      const { fen, heuristic } = search.begin;
      const distances = [...tileDistances(fen)].filter(([, distance]) => distance).sort(([one], [other]) => one - other);
      return heuristic === "misplaced" ? PUZZLE_WHY.misplaced(distances.map(([tile]) => tile)) : PUZZLE_WHY.distances(distances, startEstimate(search));
    },
  },
  leastMade: {
    form: "rank",
    ...WHOLE,
    prompt: () => PUZZLE_PROMPTS.leastMade,
    hint: PUZZLE_HINTS.leastMade,
    beside: compared,
    options: (_, { compare = [] }) => compare,
    optionText: (name) => SEARCH_NAMES[name],
    words: (names) => names.map((/** @type {string} */ name) => SEARCH_NAMES[name]).join("; "),
    answer: byMade,
    why: (search, question) => PUZZLE_WHY.leastMade(byMade(search, question).map((name) => `${SEARCH_NAMES[name]}: ${numberText(madeBy(search.beside[name]))}`)),
    rows: (search, { compare = [] }, { isAnswered }) => compare.map((name) => ({ label: SEARCH_NAMES[name], value: isAnswered ? madeBy(search.beside[name]) : null })),
  },
  overestimates: {
    ...severalOf(ESTIMATE_NAMES), ...WHOLE,
    prompt: (_, search, { compare = [], showsEstimates }) => (showsEstimates ? PUZZLE_PROMPTS.overestimatesOf(optimum(search), compare.map((name) => startEstimate(search.beside[name]))) : PUZZLE_PROMPTS.overestimates),
    hint: PUZZLE_HINTS.overestimates,
    beside: compared,
    options: (_, { compare = [] }) => compare,
    answer: (search, { compare = [] }) => compare.filter((name) => startEstimate(search.beside[name]) > optimum(search)),
    why: (search, { compare = [] }) => PUZZLE_WHY.overestimates(optimum(search), compare.map((name) => /** @type {[string, number]} */ ([name, startEstimate(search.beside[name])]))),
  },
  trade: {
    ...CHOICE, ...WHOLE,
    prompt: () => PUZZLE_PROMPTS.trade,
    hint: PUZZLE_HINTS.trade,
    beside: compared,
    options: () => ["shortest", "any-way", "always"],
    // The first search makes more states and finds a shorter way.
    answer: (search, { compare = [] }) => {
      const [careful, quick] = compare.map((name) => search.beside[name]);
      if (madeBy(quick) >= madeBy(careful)) return "shortest";
      return quick.end.value > careful.end.value ? "any-way" : "always";
    },
    why: (search, { compare = [] }) => compare.map((name) => PUZZLE_WHY.oneSearch(ESTIMATE_NAMES[name], madeBy(search.beside[name]), search.beside[name].end.value, search.beside[name].end.proved)).join(" "),
    rows: (search, { compare = [] }) => compare.map((name) => ({ label: ESTIMATE_NAMES[name], value: madeBy(search.beside[name]) })),
  },
  proved: {
    ...severalOf(ESTIMATE_NAMES), ...WHOLE,
    prompt: () => PUZZLE_PROMPTS.proved,
    hint: PUZZLE_HINTS.proved,
    beside: compared,
    options: (_, { compare = [] }) => compare,
    answer: (search, { compare = [] }) => compare.filter((name) => search.beside[name].end.proved),
    why: (search, { compare = [] }) => compare.map((name) => PUZZLE_WHY.oneSearch(ESTIMATE_NAMES[name], madeBy(search.beside[name]), search.beside[name].end.value, search.beside[name].end.proved)).join(" "),
    rows: (search, { compare = [] }, { isAnswered }) => compare.map((name) => ({ label: ESTIMATE_NAMES[name], value: isAnswered ? madeBy(search.beside[name]) : null })),
  },
  changes: {
    ...severalOf(PUZZLE_CHOICES), ...WHOLE,
    prompt: () => PUZZLE_PROMPTS.changes,
    hint: PUZZLE_HINTS.changes,
    options: () => ["row", "order", "misplaced", "color"],
    answer: (search) => {
      const { moves, changes } = parityChanges(puzzleOf(search));
      return ["row", "order", "misplaced", "color"].filter((name) => changes.some(([one, count]) => one === name && count === moves));
    },
    why: (search) => {
      const { moves, changes } = parityChanges(puzzleOf(search));
      return PUZZLE_WHY.changes(moves, changes);
    },
  },
  bound: {
    form: "number",
    prompt: (_, search, question) => PUZZLE_PROMPTS.bound(namedEvent(search, question).k),
    hint: PUZZLE_HINTS.bound,
    at: (search, question) => {
      const { k, i } = namedEvent(search, question);
      return k === 1 ? 0 : i - 1;
    },
    answer: (search, question) => namedEvent(search, question).bound,
    shown: (search, question) => namedEvent(search, question).i,
    why: (search, question) => {
      const { bound, from } = namedEvent(search, question);
      return from === null ? PUZZLE_WHY.firstBound(bound) : PUZZLE_WHY.bound(bound, from);
    },
  },
  step: {
    ...CHOICE,
    prompt: () => PUZZLE_PROMPTS.step,
    hint: PUZZLE_HINTS.step,
    options: () => ["g-only", "h-by-one", "rule"],
    at: (search) => search.last,
    shown: (search) => search.last,
    answer: (search) => {
      const { estimates } = stepsOf(puzzleOf(search));
      if (estimates.every((step) => step === 1)) return "h-by-one";
      return estimates.every((step) => step === 0) ? "g-only" : "rule";
    },
    why: (search) => {
      const { moves, steps } = stepsOf(puzzleOf(search));
      return PUZZLE_WHY.step(moves, steps);
    },
  },
  keep: {
    ...CHOICE, ...WHOLE,
    prompt: () => PUZZLE_PROMPTS.trade,
    hint: PUZZLE_HINTS.keep,
    beside: compared,
    options: () => ["time", "memory", "never"],
    answer: (search, { compare = [] }) => {
      const [one, other] = compare.map((name) => search.beside[name]);
      if (madeBy(one) < madeBy(other)) return "time";
      return one.end.counts.kept < other.end.counts.kept ? "memory" : "never";
    },
    why: (search, { compare = [] }) => compare.map((name) => PUZZLE_WHY.keep(SEARCH_NAMES[name], madeBy(search.beside[name]), search.beside[name].end.counts.kept)).join(" "),
  },
  bounds: {
    form: "numbers",
    ...WHOLE,
    prompt: () => PUZZLE_PROMPTS.bounds,
    hint: PUZZLE_HINTS.bounds,
    words: (bounds) => bounds.join(", "),
    answer: (search) => search.events.filter(({ e }) => e === "bound").map(({ bound }) => bound),
    why: (search) => PUZZLE_WHY.bounds(search.end.value),
  },
};
