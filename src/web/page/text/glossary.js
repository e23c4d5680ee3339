// The texts of the glossary: two sentences an entry, and the words that open it.

import { t } from "../language.js";

/**
 * An entry. `words` are those that open it in a sentence, in any case of letters, between bars; `see` are entries to go on with.
 * @typedef {{ term: string, words: string, text: string, see: string[] }} GlossaryEntry
 */

export const GLOSSARY_LABELS = { title: t("Glossary"), close: t("Close the glossary"), all: t("All words"), see: t("See also:"), legend: t("Signs of the tree") };

/** The signs in the line below a tree, each with its word and its entry. @type {[string, string, string][]} */
export const LEGEND = [
  ["▲", t("max"), "max"], ["▼", t("min"), "min"], ["●", t("chance"), "chance"], ["▭", t("leaf"), "leaf"],
  ["═", t("cut"), "cut"], ["↻", t("again"), "again"], ["▣", t("from the table"), "table"], ["┄", t("unseen"), "unseen"],
];

/** @type {Record<string, GlossaryEntry>} */
export const ENTRIES = {
  max: { term: t("Max"), words: t("|max node|Max|"), text: t("Max is the side that wants the highest number. A node where Max moves is worth as much as its best child."), see: ["min", "value"] },
  min: { term: t("Min"), words: t("|min node|Min|"), text: t("Min is the other side, and wants the lowest number. A node where Min moves is worth as much as its lowest child."), see: ["max", "value"] },
  chance: { term: t("Chance"), words: t("|chance node|chance|coin|"), text: t("At a chance node nobody chooses: a coin, a die or a new tile decides. Each move has a probability."), see: ["expected"] },
  leaf: { term: t("Leaf"), words: t("|leaf|leaves|"), text: t("A leaf is a node without moves below it. The game is over there, or the search stops and evaluates."), see: ["evaluation", "node"] },
  cut: { term: t("Cut"), words: t("|cut off|cutoff|cuts|cut|"), text: t("A search cuts when the rest of a node can no longer change the result. The children that are left are never looked at."), see: ["window", "alpha-beta"] },
  again: { term: t("Again"), words: t("|again|"), text: t("A null window has shown that a child is better, but not by how much. So the search looks at this child once more, with a wider window."), see: ["null-window", "scout"] },
  table: { term: t("Table"), words: t("|transposition table|table|"), text: t("The table keeps what the search has found about positions. When a position comes back by another way, the table can answer at once."), see: ["bound", "depth"] },
  unseen: { term: t("Unseen"), words: t("|never looked at|never seen|unseen|"), text: t("An unseen node exists in the game, but this search never went there. It counts for nothing: neither as a node nor as a leaf."), see: ["cut"] },
  node: { term: t("Node"), words: t("|node|nodes|root|child|children|"), text: t("A node is a place in the tree: a position and the way to it. The root is the position now, and the children of a node are the positions after one move."), see: ["ply", "leaf"] },
  ply: { term: t("Ply"), words: t("|ply|plies|"), text: t("A ply is one move of one side. A move and its reply are two plies."), see: ["depth"] },
  depth: { term: t("Depth"), words: t("|depth|depths|"), text: t("The depth says how many plies a search looks ahead. One ply more multiplies the nodes by about the number of moves."), see: ["ply", "horizon"] },
  value: { term: t("Value"), words: t("|value|values|worth|"), text: t("The value of a node is the result of best play by both sides from there. Here it is always counted for Max, the first player."), see: ["max", "best-play"] },
  "best-play": { term: t("Best play"), words: t("|best play|line|"), text: t("Best play is the way down on which both sides choose the child that gave the value. Chess programs call it the principal variation."), see: ["value"] },
  alpha: { term: t("Alpha (α)"), words: t("|alpha|"), text: t("Alpha is the value that Max has already, somewhere on the way down. Less than that does not interest Max any more."), see: ["beta", "window"] },
  beta: { term: t("Beta (β)"), words: t("|beta|"), text: t("Beta is the value that Min has already, somewhere on the way down. Min does not allow more than that."), see: ["alpha", "window"] },
  "alpha-beta": { term: t("Alpha-beta"), words: t("|alpha-beta|"), text: t("Alpha-beta is minimax with a window: it skips what cannot matter. It finds the same value, often with a small part of the nodes."), see: ["window", "cut", "order"] },
  window: { term: t("Window"), words: t("|window|windows|"), text: t("The window (α, β) holds the values that still matter at a node. A value outside it ends the node: the search cuts."), see: ["alpha", "beta", "cut"] },
  "null-window": { term: t("Null window"), words: t("|null window|null windows|window with no room|"), text: t("A null window has no value between its ends. So it asks a question that is answered by yes or no: is this more than 5?"), see: ["window", "scout", "pass"] },
  bound: { term: t("Bound"), words: t("|bound|bounds|at least|at most|"), text: t("A bound is half of a value: at least 5 (≥ 5), or at most 5 (≤ 5). A node that was cut has only a bound."), see: ["cut", "table"] },
  order: { term: t("Order of moves"), words: t("|order|"), text: t("The search takes the children of a node one after the other. With the best one first, it can cut the others soonest."), see: ["cut", "refute"] },
  deepening: { term: t("Deepening"), words: t("|deepening|iteration|iterations|"), text: t("Search one ply deep, then two, then three: each round is an iteration. Each tells the next one where to begin."), see: ["depth", "order"] },
  evaluation: { term: t("Evaluation"), words: t("|evaluation|evaluated|evaluates|"), text: t("Where a search stops before the end of the game, a rule of thumb gives the position points. It is a guess, made without looking further."), see: ["horizon", "leaf"] },
  horizon: { term: t("Horizon"), words: t("|horizon|edge|"), text: t("The horizon is where the search stops. What happens one ply behind it is not in the value, however bad it is."), see: ["evaluation", "depth"] },
  refute: { term: t("Refutation"), words: t("|refutes|refutation|"), text: t("A reply refutes a move when it shows that another move is at least as good. One such reply is enough, and the others need no look."), see: ["order", "cut"] },
  scout: { term: t("Scout"), words: t("|Scout|"), text: t("Scout searches the first child in full, and asks of every other only whether it is better. If so, it searches that child again."), see: ["null-window", "again"] },
  pass: { term: t("Pass"), words: t("|MTD(f)|passes|pass|"), text: t("MTD(f) asks one question after the other at the root; each search is a pass. Every answer raises the lower bound or lowers the upper one, until the two meet."), see: ["null-window", "first-guess", "bound"] },
  "first-guess": { term: t("First guess"), words: t("|first guess|"), text: t("The first pass has to ask about some number, and that is the first guess. The closer it is to the value, the fewer passes follow."), see: ["pass"] },
  expected: { term: t("Expected value"), words: t("|probability|probabilities|"), text: t("Multiply each child’s value by its probability, and add the products. This sum is what a chance node is worth on average."), see: ["chance"] },
  state: { term: t("State"), words: t("|state|states|"), text: t("A state is what a puzzle looks like at one moment: who stands where. Two ways that end alike lead to the same state."), see: ["queue"] },
  queue: { term: t("Open list"), words: t("|queue|open strip|open list|"), text: t("The open list holds states that were made, but whose moves were not tried yet. Breadth first takes the oldest of them, A* the one with the lowest f."), see: ["f", "state"] },
  f: { term: t("f = g + h"), words: t("|A*|g|h|f|"), text: t("g is the number of moves so far, and h is an estimate of those to come. Their sum f guesses the length of the whole way."), see: ["estimate", "queue"] },
  estimate: { term: t("Estimate"), words: t("|estimate|overestimates|overestimating|Manhattan|"), text: t("An estimate guesses how many moves are left. If it never says too much, A* finds a shortest way."), see: ["f"] },
  ladder: { term: t("Limit of f"), words: t("|IDA*|"), text: t("IDA* goes deep, and turns back where f is above a limit. The next limit is the lowest f that was turned away."), see: ["f", "estimate"] },
  parity: { term: t("Parity"), words: t("|parity|parities|"), text: t("A number is even or odd, and that is its parity. If every move changes two parities together, positions in which only one differs cannot be reached."), see: ["state"] },
  settled: { term: t("Settled"), words: t("|backwards|settled|settle|"), text: t("A position is settled when its winner is certain, counted back from the end of the game. Won: some move leads to a lost position of the other side."), see: ["value", "ply"] },
};
