// Creates jobs for the analysis session and records their results in the game tree.

import { gameCommands } from "./drawn_board.js";
import { parseLine } from "./info.js";
import { analysis, game, hasChance } from "./state.js";

/** @import { Line } from "./types.js" */
/** @import { GameNode } from "./game_tree.js" */

/**
 * Returns the argument of the command `position` for a node. In 2048 it starts from the node's or the parent's FEN:
 * earlier moves do not matter there, and games are long.
 * @param {GameNode} node
 */
export function positionArgument(node) {
  if (hasChance(node.state) && node.state) return `fen ${node.state.fen}`;
  if (hasChance(node.parent?.state ?? null) && node.parent?.state) return `fen ${node.parent.state.fen} moves ${node.move}`;
  return game.tree.position(node);
}

/** Creates a job for a position. Jobs with equal names are the same job. @param {GameNode} node @param {string} kind @param {string} go @param {Record<string, string | number | boolean>} options */
export function createJob(node, kind, go, options) {
  const position = positionArgument(node);
  return { name: [kind, gameCommands(game.variant), position, go, JSON.stringify(options)].join("|"), variant: game.variant, position, go, options };
}

/** Records a line of the analysis, and the value of the position. The exact value of the first move replaces that of the search. @param {GameNode} node @param {Line} line */
export function recordLine(node, line) {
  const solved = node.state?.solved?.moves.find(({ move }) => move === line.moves[0]);
  if (solved?.verdict && solved.points === undefined) line.value = { outcome: solved.verdict, plies: solved.plies, exact: true };
  if (analysis.node !== node) Object.assign(analysis, { node, lines: [], finished: null });
  // A bound does not replace a line.
  if (line.value.bound && analysis.lines[line.rank - 1]) return;
  analysis.lines[line.rank - 1] = line;
  if (line.rank === 1) updateValue(node, line);
}

/** Records the value of a position from an `info` line. @param {GameNode} node @param {string} text */
export function recordValue(node, text) {
  const { state } = node;
  const line = state ? parseLine(text, state.turn, hasChance(state)) : null;
  if (line && line.rank === 1) updateValue(node, line);
}

/**
 * Sets the value of a position from the first line of a search. An exact value is never replaced. A bound counts only if
 * it proves a win, because it then leaves open only whether the win is nearer.
 * @param {GameNode} node
 * @param {Line} line
 */
function updateValue(node, line) {
  const { value, depth } = line;
  const known = node.value;
  if (known && "outcome" in known && known.exact) return;
  const isDeeper = depth > node.depth;
  if ("outcome" in value) {
    if (value.bound && value.bound !== (value.outcome === "p1win" ? "lower" : "upper")) return;
    node.value = { outcome: value.outcome, plies: value.plies };
  } else {
    if (value.bound || depth < node.depth) return;
    node.value = { points: value.points, depth };
  }
  if (isDeeper) node.previousValue = known;
  node.best = line.moves[0] ?? node.best;
  node.depth = depth;
}
