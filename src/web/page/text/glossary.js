// The texts of the glossary: two sentences an entry, and the words that open it.

/**
 * An entry. `words` are those that open it in a sentence, in any case of letters; `see` are entries to go on with.
 * @typedef {{ term: string, words: string[], text: string, see: string[] }} GlossaryEntry
 */

export const GLOSSARY_LABELS = { title: "Glossary", close: "Close the glossary", all: "All words", see: "See also", legend: "Signs of the tree" };

/** The signs in the line below a tree, each with its word and its entry. @type {[string, string, string][]} */
export const LEGEND = [
  ["▲", "max", "max"], ["▼", "min", "min"], ["●", "chance", "chance"], ["▭", "leaf", "leaf"],
  ["═", "cut", "cut"], ["↻", "again", "again"], ["▣", "from the table", "table"], ["┄", "unseen", "unseen"],
];

/** @type {Record<string, GlossaryEntry>} */
export const ENTRIES = {
  max: { term: "Max", words: ["max node", "Max"], text: "Max is the side that wants the highest number. A node where Max moves is worth as much as its best child.", see: ["min", "value"] },
  min: { term: "Min", words: ["min node", "Min"], text: "Min is the other side, and wants the lowest number. A node where Min moves is worth as much as its lowest child.", see: ["max", "value"] },
  chance: { term: "Chance", words: ["chance node", "chance", "coin"], text: "At a chance node nobody chooses: a coin, a die or a new tile decides. Each move has a probability.", see: ["expected"] },
  leaf: { term: "Leaf", words: ["leaf", "leaves"], text: "A leaf is a node without moves below it. The game is over there, or the search stops and evaluates.", see: ["evaluation", "node"] },
  cut: { term: "Cut", words: ["cut off", "cutoff", "cuts", "cut"], text: "A search cuts when the rest of a node can no longer change the result. The children that are left are never looked at.", see: ["window", "alpha-beta"] },
  again: { term: "Again", words: ["again"], text: "A null window has shown that a child is better, but not by how much. So the search looks at this child once more, with a wider window.", see: ["null-window", "scout"] },
  table: { term: "Table", words: ["transposition table", "table"], text: "The table keeps what the search has found about positions. When a position comes back by another way, the table can answer at once.", see: ["bound", "depth"] },
  unseen: { term: "Unseen", words: ["never looked at", "never seen", "unseen"], text: "An unseen node exists in the game, but this search never went there. It counts for nothing: neither as a node nor as a leaf.", see: ["cut"] },
  node: { term: "Node", words: ["node", "nodes", "root", "child", "children"], text: "A node is a place in the tree: a position and the way to it. The root is the position now, and the children of a node are the positions after one move.", see: ["ply", "leaf"] },
  ply: { term: "Ply", words: ["ply", "plies"], text: "A ply is one move of one side. A move and its reply are two plies.", see: ["depth"] },
  depth: { term: "Depth", words: ["depth", "depths"], text: "The depth says how many plies a search looks ahead. One ply more multiplies the nodes by about the number of moves.", see: ["ply", "horizon"] },
  value: { term: "Value", words: ["value", "values", "worth"], text: "The value of a node is the result of best play by both sides from there. Here it is always counted for Max, the first player.", see: ["max", "best-play"] },
  "best-play": { term: "Best play", words: ["best play", "line"], text: "Best play is the way down on which both sides choose the child that gave the value. Chess programs call it the principal variation.", see: ["value"] },
  alpha: { term: "Alpha (α)", words: ["alpha"], text: "Alpha is the value that Max has already, somewhere on the way down. Less than that does not interest Max any more.", see: ["beta", "window"] },
  beta: { term: "Beta (β)", words: ["beta"], text: "Beta is the value that Min has already, somewhere on the way down. Min does not allow more than that.", see: ["alpha", "window"] },
  "alpha-beta": { term: "Alpha-beta", words: ["alpha-beta"], text: "Alpha-beta is minimax with a window: it skips what cannot matter. It finds the same value, often with a small part of the nodes.", see: ["window", "cut", "order"] },
  window: { term: "Window", words: ["window", "windows"], text: "The window (α, β) holds the values that still matter at a node. A value outside it ends the node: the search cuts.", see: ["alpha", "beta", "cut"] },
  "null-window": { term: "Null window", words: ["null window", "null windows", "window with no room"], text: "A null window has no value between its ends. So it asks a question that is answered by yes or no: is this more than 5?", see: ["window", "scout", "pass"] },
  bound: { term: "Bound", words: ["bound", "bounds", "at least", "at most"], text: "A bound is half of a value: at least 5 (≥ 5), or at most 5 (≤ 5). A node that was cut has only a bound.", see: ["cut", "table"] },
  order: { term: "Order of moves", words: ["order"], text: "The search takes the children of a node one after the other. With the best one first, it can cut the others soonest.", see: ["cut", "refute"] },
  deepening: { term: "Deepening", words: ["deepening", "iteration", "iterations"], text: "Search one ply deep, then two, then three: each round is an iteration. Each tells the next one where to begin.", see: ["depth", "order"] },
  evaluation: { term: "Evaluation", words: ["evaluation", "evaluated", "evaluates"], text: "Where a search stops before the end of the game, a rule of thumb gives the position points. It is a guess, made without looking further.", see: ["horizon", "leaf"] },
  horizon: { term: "Horizon", words: ["horizon", "edge"], text: "The horizon is where the search stops. What happens one ply behind it is not in the value, however bad it is.", see: ["evaluation", "depth"] },
  refute: { term: "Refutation", words: ["refutes", "refutation"], text: "A reply refutes a move when it shows that another move is at least as good. One such reply is enough, and the others need no look.", see: ["order", "cut"] },
  scout: { term: "Scout", words: ["Scout"], text: "Scout searches the first child in full, and asks of every other only whether it is better. If so, it searches that child again.", see: ["null-window", "again"] },
  pass: { term: "Pass", words: ["MTD(f)", "passes", "pass"], text: "MTD(f) asks one question after the other at the root; each search is a pass. Every answer raises the lower bound or lowers the upper one, until the two meet.", see: ["null-window", "first-guess", "bound"] },
  "first-guess": { term: "First guess", words: ["first guess"], text: "The first pass has to ask about some number, and that is the first guess. The closer it is to the value, the fewer passes follow.", see: ["pass"] },
  expected: { term: "Expected value", words: ["probability", "probabilities"], text: "Multiply each child’s value by its probability, and add the products. This sum is what a chance node is worth on average.", see: ["chance"] },
  state: { term: "State", words: ["state", "states"], text: "A state is what a puzzle looks like at one moment: who stands where. Two ways that end alike lead to the same state.", see: ["queue"] },
  queue: { term: "Open list", words: ["queue", "open strip", "open list"], text: "The open list holds states that were made, but whose moves were not tried yet. Breadth first takes the oldest of them, A* the one with the lowest f.", see: ["f", "state"] },
  f: { term: "f = g + h", words: ["A*", "g", "h", "f"], text: "g is the number of moves so far, and h is an estimate of those to come. Their sum f guesses the length of the whole way.", see: ["estimate", "queue"] },
  estimate: { term: "Estimate", words: ["estimate", "overestimates", "overestimating", "Manhattan"], text: "An estimate guesses how many moves are left. If it never says too much, A* finds a shortest way.", see: ["f"] },
  ladder: { term: "Limit of f", words: ["IDA*"], text: "IDA* goes deep, and turns back where f is above a limit. The next limit is the lowest f that was turned away.", see: ["f", "estimate"] },
  parity: { term: "Parity", words: ["parity", "parities"], text: "A number is even or odd, and that is its parity. If every move changes two parities together, positions in which only one differs cannot be reached.", see: ["state"] },
  settled: { term: "Settled", words: ["backwards", "settled", "settle"], text: "A position is settled when its winner is certain, counted back from the end of the game. Won: some move leads to a lost position of the other side.", see: ["value", "ply"] },
};
