// Jobs for the session that thinks: how they are put, and where what they find is kept.

import { reading } from "./info.js";
import { hasChance, page } from "./state.js";

/** @import { Line } from "./types.js" */
/** @import { Node } from "./game_tree.js" */

/** What `position` takes for a node. Games of chance have no past that matters, and grow long. @param {Node} node */
export function position(node) {
  if (hasChance(node.state) && node.state) return `fen ${node.state.fen}`;
  if (hasChance(node.parent?.state ?? null) && node.parent?.state) return `fen ${node.parent.state.fen} moves ${node.move}`;
  return page.game.position(node);
}

/** A job for a position; jobs with the same name are the same. @param {Node} node @param {string} kind @param {string} go @param {Record<string, string | number | boolean>} options */
export function job(node, kind, go, options) {
  const where = position(node);
  return { name: [kind, page.variant, where, go, JSON.stringify(options)].join("|"), variant: page.variant, position: where, go, options };
}

/** Keeps a line of what the engine found, and the position's worth. @param {Node} node @param {Line} line */
export function keep(node, line) {
  if (page.linesOf !== node) {
    page.linesOf = node;
    page.lines = [];
    page.settled = null;
  }
  if (line.worth.bound && page.lines[line.rank - 1]) return;
  page.lines[line.rank - 1] = line;
  if (line.rank === 1) value(node, line);
}

/** @param {Node} node @param {string} text */
export function note(node, text) {
  const state = node.state;
  const line = state ? reading(text, state.turn, hasChance(state)) : null;
  if (line && line.rank === 1) value(node, line);
}

/**
 * Sets the worth of a position to what a line says. An exact value is never replaced, and a bound counts only where it
 * proves a win: `bound` then says nothing about who wins, only that the win may be nearer.
 * @param {Node} node @param {Line} line
 */
function value(node, line) {
  const { worth, depth } = line;
  const known = node.worth;
  if (known && "end" in known && known.sure) return;
  if ("end" in worth) {
    if (worth.bound && worth.bound !== (worth.end === "p1win" ? "lower" : "upper")) return;
    node.worth = { end: worth.end, plies: worth.plies };
  } else {
    if (worth.bound || depth < node.depth) return;
    node.worth = { points: worth.points, depth };
  }
  node.depth = depth;
}
