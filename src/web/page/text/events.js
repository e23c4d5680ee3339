// The sentences of the events of a search, worded from their fields. In English they are those of `puli trace --explain`.

import { Noun, numberText, t } from "../language.js";
import { nodeName } from "./lessons.js";
import { sideNoun } from "./nouns.js";

/** @import { SearchEvent, SearchValue, Window } from "../lessons/trace_events.js" */

/** @type {Record<string, string>} */
const ALGORITHMS = {
  minimax: "Minimax", expectimax: "Expectimax", alphabeta: "Alpha-beta", scout: "Scout", mtdf: "MTD(f)", pvs: "PVS",
  bfs: t("Breadth-first search"), iddfs: t("Iterative deepening"), greedy: t("Greedy best-first search"), astar: "A*", idastar: "IDA*",
};

/** What is off in a traced principal variation search. @type {Record<string, string>} */
const PARTS = {
  threads: t("threads"), "win-distance-pruning": t("win distance pruning"), tablebases: t("tablebases"),
  "static-pruning": t("static pruning"), "frontier-evaluation": t("frontier evaluation"), symmetry: t("symmetry"),
};

/** Why a move has its place in the order of its node. @type {Record<string, (move: string) => string>} */
const REASONS = {
  iteration: (move) => t("{move} (best before)", { move }),
  table: (move) => t("{move} (from the table)", { move }),
  capture: (move) => t("{move} (captures)", { move }),
  killer: (move) => t("{move} (has cut off at this depth)", { move }),
  history: (move) => t("{move} (has cut off elsewhere)", { move }),
};

/** Returns the name of a state of a puzzle. @param {number} n */
export function stateName(n) {
  return n === 0 ? t("the start") : t("state {n}", { n });
}

/** Returns a number with at most two decimals. @param {number} number */
function rounded(number) {
  return numberText(Math.sign(number) * Math.round(Math.abs(number) * 100) / 100 + 0).replace("-", "−");
}

/** Returns the name of a term of an evaluation. @param {string} term */
function termText(term) {
  const { piece, what } = /^(?<piece>.+) (?<what>steps|captures)$/.exec(term)?.groups ?? {};
  if (what === "steps") return t("{piece} steps", { piece: new Noun(piece) });
  if (what === "captures") return t("{piece} captures", { piece: new Noun(piece) });
  const [, player] = /^lines open to (.+)$/.exec(term) ?? [];
  if (player) return t("lines open to {player}", { player });
  const [, name] = /^the way of the (.+) to (?:its|their) goal$/.exec(term) ?? [];
  if (name) return t("the way of {side.the} to {side.number, select, one {its} many {their}} goal", { side: sideNoun(name) });
  if (term === "rest") return t("rest");
  return term === "nearness" ? t("nearness") : String(sideNoun(term));
}

/** Returns the length of a value in the engine's text. Of the ends of a null window, the tested value is the shorter one. @param {SearchValue} value */
function digits(value) {
  if (value === null || typeof value === "number") return String(Math.round(Number(value) * 10000) / 10000).length;
  return `${value.win === "p1" ? "win" : "loss"} in ${value.plies}`.length;
}

/** Returns the greatest value below another one, as the engine counts: in hundredths or plies. @param {Exclude<SearchValue, null>} value @returns {SearchValue} */
function below(value) {
  if (typeof value === "number") return Math.round(value * 100 - 1) / 100;
  return { ...value, plies: value.plies + (value.win === "p1" ? 1 : -1) };
}

export class EventTexts {
  /** @param {SearchEvent[]} events all events of a search, from `begin` to `end` */
  constructor(events) {
    this.events = events;
    this.begin = events[0];
    this.isTree = this.begin.variant === "tree";
    this.isPuzzle = this.begin.unit === "moves";
    this.sides = this.isTree ? [new Noun("Max", "Max", { hasArticle: false }), new Noun("Min", "Min", { hasArticle: false })] : this.begin.players.map(sideNoun);
    /** The events in which the nodes were made, by number. @type {SearchEvent[]} */
    this.made = [];
    for (const event of events) if (event.e === "make") this.made[event.n] = event;
  }

  /** Returns `true` if an event has a sentence. @param {SearchEvent} event */
  has({ e, how, p }) {
    return !(e === "make" && p === undefined && !this.isPuzzle || e === "leave" && how === "leaf");
  }

  /** Returns the sentence of an event; empty if it has none. @param {SearchEvent} event */
  sentence(event) {
    return this.has(event) ? this.words(event) : "";
  }

  /** @param {SearchEvent} event */
  words(event) {
    const { e, n, value, depth, k } = event;
    const node = n === undefined ? "" : this.name(n);
    switch (e) {
      case "begin": return this.beginText();
      case "iteration": return t("Iteration to depth {depth}.", { depth });
      case "pass": return this.passText(event);
      case "make": return this.makeText(event);
      case "order": return this.orderText(event);
      case "enter": return this.enterText(event);
      case "leaf": return this.leafText(event);
      case "table": return this.tableText(event);
      case "store": return t("The table keeps {node}: {value}, searched {depth, plural, one {# ply} other {# plies}} deep.", { node, value: this.bounded(value, event.bound), depth });
      case "back": return this.backText(event);
      case "cut": return this.cutText(event);
      case "again": return t("The search looks at {node} again with a wider window, because it is worth {value}.", { node, value: this.bounded(event.because.value, event.because.bound) });
      case "leave": return this.leaveText(event);
      case "open": return event.h === null
        ? t("{Node} goes into the open list: {g, plural, one {# move} other {# moves}} from the start.", { node, g: event.g })
        : t("{Node} goes into the open list: g + h = {g} + {h} = {f}.", { node, g: event.g, h: event.h, f: event.f });
      case "seen": return event.shorter
        ? t("That position is known from {node}, but this way is shorter.", { node: this.name(event.as) })
        : t("That position is known from {node}, and this way is not shorter.", { node: this.name(event.as) });
      case "expand": return this.expandText(event);
      case "bound": return t("Iteration {k} goes no further than {bound}.", { k, bound: event.bound });
      case "beyond": return t("{Node} is beyond the limit, at {f}.", { node, f: event.f });
      case "settle": return this.settleText(event);
      case "end": return this.endText(event);
      default: return "";
    }
  }

  /** Returns the name of a node: `the root`, `node 1 2`, `c3 b3b2`, `state 4`. @param {number} n */
  name(n) {
    if (this.isPuzzle) return stateName(n);
    const moves = [];
    for (let made = this.made[n]; made.parent !== null; made = this.made[made.parent]) moves.unshift(made.move);
    const path = moves.join(" ");
    return path && !this.isTree ? path : nodeName(path);
  }

  /** Returns the side to move at a node. @param {number} n */
  mover(n) {
    return this.sides[this.made[n].kind === "min" ? 1 : 0];
  }

  /** Returns the name of a move: of a child in a tree. @param {string} move */
  choice(move) {
    return this.isTree ? t("child {move}", { move }) : move;
  }

  /** @param {string[]} moves */
  choices(moves) {
    const list = moves.join(", ");
    return this.isTree ? t("{count, plural, one {child} other {children}} {list}", { count: moves.length, list }) : list;
  }

  /** Returns a value: `3`, `50 points for the goats`, `a win for X after 5 plies`. @param {SearchValue} value */
  value(value) {
    if (value === null || typeof value === "number") {
      const number = Number(value);
      if (this.isTree || number === 0) return rounded(number);
      return t("{points, plural, one {# point} other {# points}} for {side.the}", { points: Math.round(Math.abs(number) * 100) / 100, side: this.sides[number > 0 ? 0 : 1] });
    }
    return t("a win for {side.the} after {plies, plural, one {# ply} other {# plies}}", { side: this.sides[value.win === "p1" ? 0 : 1], plies: value.plies });
  }

  /** Returns a value in points from the first player's view. @param {SearchValue} value */
  points(value) {
    return typeof value === "number" ? rounded(value) : this.value(value);
  }

  /** Returns a value with its bound: `15 or more`, `at least a win for X after 5 plies`. @param {SearchValue} value @param {string | null} bound */
  bounded(value, bound) {
    if (bound !== "lower" && bound !== "upper") return this.value(value);
    const points = this.points(value);
    if (value === null || typeof value === "number") return bound === "lower" ? t("{points} or more", { points }) : t("{points} or less", { points });
    // A value that is lower for the first player is a better one for the second.
    return (bound === "lower") === (value.win === "p1") ? t("at least {win}", { win: points }) : t("at most {win}", { win: points });
  }

  beginText() {
    const { algorithm, depth, options } = this.begin;
    if (algorithm === "backward") return t("The search settles the positions that are won in at most {depth, plural, one {# ply} other {# plies}}.", { depth });
    const name = ALGORITHMS[algorithm];
    if (this.isPuzzle) return t("{name} looks for the way to the goal.", { name });
    const off = options.off?.map((/** @type {string} */ part) => PARTS[part] ?? part);
    const weights = Object.entries(options.weights ?? {}).map(([term, weight]) => `${termText(term)} ${weight}`);
    return [
      options.memory ? t("{name} with a table looks {depth, plural, one {# ply} other {# plies}} ahead.", { name, depth }) : t("{name} looks {depth, plural, one {# ply} other {# plies}} ahead.", { name, depth }),
      ...(off ? [t("Tuned parts are off: {parts}.", { parts: off.join(", ") })] : []),
      ...(weights.length ? [t("Own weights: {weights}.", { weights: weights.join(", ") })] : []),
    ].join(" ");
  }

  /** @param {SearchEvent} event */
  passText({ k, test, low, why }) {
    if (why === "first-of-equals" && low !== null) return t("Pass {k}: the value is {value}. Is an earlier move as good?", { k, value: this.value(low) });
    return this.isMore([below(test), test]) ? t("Pass {k}: is it worth more than {value}?", { k, value: this.points(below(test)) }) : t("Pass {k}: is it worth {value}?", { k, value: this.bounded(test, "lower") });
  }

  /** Returns `true` if a null window asks whether the value is more than alpha, not whether it is at least beta. @param {Window} window */
  isMore([alpha, beta]) {
    return digits(alpha) < digits(beta);
  }

  /** @param {SearchEvent} event */
  makeText({ n, p, move, parent }) {
    if (p !== undefined) return t("Chance goes to {node} with probability {p}.", { node: this.name(n), p: rounded(p) });
    return parent === null ? t("The search begins at the start, which is state 0.") : t("State {n}: {move} from {node}.", { n, move, node: this.name(parent) });
  }

  /** @param {SearchEvent} event */
  orderText({ n, moves, why }) {
    const choices = this.choices(moves.map((/** @type {string} */ move, /** @type {number} */ at) => REASONS[why[at]]?.(move) ?? move));
    const node = this.name(n);
    return this.made[n].kind === "chance" ? t("Chance decides at {node}: {choices}.", { node, choices }) : t("{Side.the} can choose at {node}: {choices}.", { side: this.mover(n), node, choices });
  }

  /** @param {SearchEvent} event */
  enterText({ n, window, purpose, visit }) {
    const node = this.name(n);
    if (window === null) return t("The search enters {node}.", { node });
    const [alpha, beta] = window;
    if (purpose === "null") return this.isMore(window) ? t("The search enters {node}: is it worth more than {value}?", { node, value: this.points(alpha) }) : t("The search enters {node}: is it worth {value}?", { node, value: this.bounded(beta, "lower") });
    return `${visit === 1 ? t("The search enters {node}.", { node }) : t("The search enters {node} again.", { node })} ${this.mattersText(window)}`;
  }

  /** Returns which values matter within a window. @param {Window} window */
  mattersText([low, high]) {
    const [alpha, beta] = [this.points(low), this.points(high)];
    if (low === null && high === null) return t("Every value matters.");
    if (high === null) return t("Only values above {alpha} matter.", { alpha });
    if (low === null) return t("Only values below {beta} matter.", { beta });
    return t("Only values between {alpha} and {beta} matter.", { alpha, beta });
  }

  /** @param {SearchEvent} event */
  leafText({ n, value: worth, why, terms }) {
    const [node, value] = [this.name(n), this.value(worth)];
    if (why === "over") return this.isTree ? t("A leaf: {node} is worth {value}.", { node, value }) : t("The game is over at {node}: {value}.", { node, value });
    const sum = terms.filter((/** @type {[string, number]} */ [, points]) => points !== 0).map((/** @type {[string, number]} */ [term, points]) => `${termText(term)} ${rounded(points)}`).join(", ");
    return sum ? t("The depth is reached: {node} is evaluated at {value} ({sum}).", { node, value, sum }) : t("The depth is reached: {node} is evaluated at {value}.", { node, value });
  }

  /** @param {SearchEvent} event */
  tableText({ n, found, value: worth, bound, best, first }) {
    const node = this.name(n);
    if (found === "answers") {
      const value = this.bounded(worth, bound);
      if (first === null || first === n) return t("The table answers for {node}: {value}.", { node, value });
      return t("The table answers for {node}: {value}, as {other} is the same position.", { node, value, other: this.name(first) });
    }
    if (found === "order-only") return t("The table only says which move to try first at {node}: {move}.", { node, move: this.choice(best) });
    return t("The table does not help at {node}.", { node });
  }

  /** @param {SearchEvent} event */
  backText({ i, n, child, value: worth, better, sum }) {
    const before = this.events[i - 1];
    const words = { side: this.mover(n), node: this.name(n), move: this.choice(this.made[child].move), value: this.bounded(worth, before.e === "leave" ? before.bound : null) };
    if (sum !== undefined) return t("At {node}, {move} adds {value} times its probability: {sum} so far.", { node: words.node, move: words.move, value: words.value, sum: rounded(sum) });
    return better ? t("{Side.the} can have {value} at {node} by {move}: the best so far.", words) : t("{Side.the} would have {value} at {node} by {move}: no better.", words);
  }

  /** @param {SearchEvent} event */
  cutText({ i, n, value: worth, window, rule, skipped }) {
    const isMin = this.made[n].kind === "min";
    const limit = window[isMin ? 0 : 1];
    const words = { node: this.name(n), value: this.bounded(worth, isMin ? "upper" : "lower"), side: this.sides[isMin ? 0 : 1], limit: this.points(limit) };
    // One end of a null window is the tested value. No side has the other one, and in MTD(f) neither.
    const entered = this.events.slice(0, i).findLast((one) => one.e === "enter" && one.n === n);
    const isQuestion = entered?.purpose === "null" && (this.begin.algorithm === "mtdf" || digits(limit) > Math.min(...entered.window.map(digits)));
    const isEqual = rule === "equal" && JSON.stringify(worth) === JSON.stringify(limit);
    const why = isQuestion ? t("Cut off at {node}: it is worth {value}, which answers the question.", { node: words.node, value: words.value })
      : isEqual ? t("Cut off at {node}: it is worth {value}, but {side.the} {side.number, select, one {has} many {have}} {limit} elsewhere, and an equal value is enough.", words)
        : t("Cut off at {node}: it is worth {value}, but {side.the} {side.number, select, one {has} many {have}} {limit} elsewhere.", words);
    return `${why} ${t("Never looked at: {choices}.", { choices: this.choices(skipped) })}`;
  }

  /** @param {SearchEvent} event */
  leaveText({ n, value: worth, bound, how }) {
    const node = this.name(n);
    if (this.isPuzzle) return t("The search returns from {node}.", { node });
    const value = this.bounded(worth, bound);
    return how === "remembered" ? t("The value of {node} is {value}, without a search.", { node, value }) : t("The value of {node} is {value}.", { node, value });
  }

  /** @param {SearchEvent} event */
  expandText({ n, g, h, f, open, closed }) {
    const node = this.name(n);
    if (h === null) return open === null ? t("{Node} is expanded: {g, plural, one {# move} other {# moves}} from the start.", { node, g }) : t("{Node} is expanded: {g, plural, one {# move} other {# moves}} from the start ({open} open, {closed} closed).", { node, g, open, closed });
    return open === null ? t("{Node} is expanded: g + h = {g} + {h} = {f}.", { node, g, h, f }) : t("{Node} is expanded: g + h = {g} + {h} = {f} ({open} open, {closed} closed).", { node, g, h, f, open, closed });
  }

  /** @param {SearchEvent} event */
  settleText({ value: { win, plies }, because }) {
    const side = this.sides[win === "p1" ? 0 : 1];
    if (because === "over") return t("A position is settled: {side.the} {side.number, select, one {has} many {have}} won.", { side });
    if (because === "all") return t("A position is settled: {side.the} {side.number, select, one {wins} many {win}} in {plies, plural, one {# ply} other {# plies}}, whatever is played.", { side, plies });
    return t("A position is settled: {side.the} {side.number, select, one {wins} many {win}} in {plies, plural, one {# ply} other {# plies}} by {move}.", { side, plies, move: because });
  }

  /** @param {SearchEvent} event */
  endText({ value, line: moves, counts: { last, all }, proved, truncated }) {
    const line = moves.join(" ");
    const way = proved ? t("A way to the goal has {moves, plural, one {# move} other {# moves}}, and none is shorter: {line}.", { moves: moves.length, line }) : t("A way to the goal has {moves, plural, one {# move} other {# moves}}: {line}.", { moves: moves.length, line });
    const result = value === null ? (this.isPuzzle ? t("No way to the goal was found.") : t("The first position is not settled yet.")) : this.isPuzzle ? way : t("The value is {value}.", { value: this.value(value) });
    const counted = this.isPuzzle ? t("Counted: {nodes, plural, one {# state} other {# states}} made, {expanded} expanded.", { nodes: all.nodes, expanded: all.expanded })
      : this.begin.algorithm === "backward" ? t("Counted: {nodes, plural, one {# position} other {# positions}}, {settled} of them settled.", { nodes: all.nodes, settled: all.settled })
        : t("Counted: {nodes, plural, one {# node} other {# nodes}} below the root, {leaves, plural, one {# leaf} other {# leaves}}.", { nodes: last.nodes, leaves: last.leaves });
    const isDeeper = proved && !this.isPuzzle && this.begin.algorithm !== "backward";
    return [
      result, ...(line && !this.isPuzzle ? [t("Best play: {line}.", { line })] : []), counted,
      ...(isDeeper ? [t("A deeper search finds the same value.")] : []), ...(truncated ? [t("Events before this one are missing.")] : []),
    ].join(" ");
  }
}
