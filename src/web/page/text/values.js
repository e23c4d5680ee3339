// What a position is worth, in words and in a few letters.

import { expectation, verdict } from "../value.js";
import { capital, count, side, theSide, wins } from "./moves.js";

/** @import { State, Tree, Worth, Turn, Line } from "../types.js" */

/** What an estimate rests on. @param {import("../types.js").Points} worth */
function estimate(worth) {
  return worth.depth === undefined ? "estimate" : `estimate, depth ${worth.depth}`;
}

/**
 * Returns what a position is worth in words: `Goats win in 12` where tables say so, `Goats win within 12` where a search
 * proved it, `Tigers slightly better (estimate, depth 9)` where nothing is proved.
 * @param {State} state
 * @param {Worth} worth
 */
export function worthWords(state, worth) {
  if ("end" in worth) {
    if (worth.end === "draw") return worth.plies === 0 ? "A draw" : "A draw with best play";
    const winner = worth.end === "p1win" ? "p1" : "p2";
    if (worth.plies === 0) return `${capital(side(state, winner))} won`;
    const distance = worth.plies === null ? "" : `${worth.sure ? " in" : " within"} ${worth.plies}`;
    return `${capital(side(state, winner))} ${wins(state, winner)}${distance}`;
  }
  // An expectation is over tiles that come by chance.
  if (state.board.slides === "all") return `Expected: about ${Math.round(worth.points)} more points`;
  if (state.board.kind === "tree") {
    const { depth } = worth;
    const all = height(state);
    return depth === undefined || all !== null && depth >= all ? `Worth ${short(worth)}` : `Not known at depth ${depth}`;
  }
  const share = expectation(worth);
  const better = share > 0.5 ? "p1" : "p2";
  const much = Math.abs(share - 0.5);
  if (much < 0.06) return `About even (${estimate(worth)})`;
  const how = much < 0.16 ? "slightly better" : much < 0.32 ? "better" : "much better";
  return `${capital(side(state, better))} ${how} (${estimate(worth)})`;
}

/** Returns how many plies lie between a tree's position and its deepest leaf; `null` if the tree is too large to be sent. @param {State} state */
function height(state) {
  /** @type {Tree | null} */
  let tree = state.board.root ?? null;
  for (const child of state.board.at ?? []) tree = Array.isArray(tree) ? tree[child - 1] : tree;
  /** @param {Tree} from @returns {number} */
  const below = (from) => (Array.isArray(from) ? 1 + Math.max(...from.map(below)) : 0);
  return tree === null ? null : below(tree);
}

/**
 * Returns a worth in a few letters: `+1.25`; `#12` where the first player wins, `−#9` where the second does; `=`; of a
 * finished game `won` or `lost`, the first player's view.
 * @param {Worth} worth
 */
export function short(worth) {
  const sign = worth.bound === "lower" ? "≥ " : worth.bound === "upper" ? "≤ " : "";
  if ("end" in worth) {
    if (worth.end === "draw") return "=";
    const won = worth.end === "p1win";
    return worth.plies === 0 ? (won ? "won" : "lost") : `${sign}${won ? "" : "−"}#${worth.plies ?? ""}`;
  }
  const points = Math.abs(worth.points) >= 100 ? worth.points.toFixed(0) : worth.points.toFixed(2).replace(/\.00$/, "");
  return `${sign}${worth.points > 0 ? "+" : ""}${points.replace("-", "−")}`;
}

/** A number that people can take in: `3.8 M`. @param {number} number */
export function big(number) {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 1e4) return `${(number / 1e3).toFixed(0)} k`;
  return String(Math.round(number));
}

/** @param {number} milliseconds */
export function seconds(milliseconds) {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/**
 * Returns the warning after a move: what it gave away where both verdicts are proved, else that it seems to.
 * @param {State} state before the move
 * @param {string} move
 * @param {{ lost: "win" | "draw" | "chances", was: Worth, now: Worth }} given
 */
export function blunder(state, move, { lost, was, now }) {
  if (lost !== "chances") return `${move} gives away the ${lost}: ${change(state, was, now)}.`;
  return `${move} seems to give much away: ${change(state, was, now)}.`;
}

/** `from about even (estimate, depth 9) to tigers win in 12`. @param {State} state @param {Worth} was @param {Worth} now */
function change(state, was, now) {
  return `from ${lowered(state, worthWords(state, was))} to ${lowered(state, worthWords(state, now))}`;
}

/** The words after a colon; names keep their capitals. @param {State} state @param {string} words */
function lowered(state, words) {
  const name = state.players.some((player) => words.startsWith(player));
  return name ? words : words.charAt(0).toLowerCase() + words.slice(1);
}

/** What tables know of a position, whole. @param {State} state */
export function solvedWords(state) {
  const { solved } = state;
  if (!solved) return "";
  if (solved.verdict === "draw") return "Solved: a draw with best play.";
  const winner = solved.verdict === "p1win" ? "p1" : "p2";
  return `Solved: ${theSide(state, winner)} ${wins(state, winner)}${solved.plies === null ? "" : ` in ${count(solved.plies, "move")}, both sides counted`}.`;
}

/** One move's value for a list: `wins in 12`, `draws, 33% of the answers lose`. @param {import("../types.js").Solved} known @param {Turn} turn */
export function moveWorth(known, turn) {
  const sign = verdict({ end: known.verdict, plies: null }, turn);
  if (sign === 0) return known.traps ? `draws; a trap: ${Math.round(known.traps * 100)}% of the answers lose` : "draws";
  return `${sign > 0 ? "wins" : "loses"}${known.plies === null ? "" : ` in ${known.plies}`}`;
}

/** The name of a verdict for the mover. @param {number} sign */
export function signName(sign) {
  return sign > 0 ? "win" : sign < 0 ? "loss" : "draw";
}

/** `Depth 12 · 3.8 M nodes · 9.1 M a second`. @param {Line} line */
export function effort(line) {
  return `Depth ${line.depth} · ${big(line.nodes)} nodes · ${big(line.speed)} a second`;
}

/** One line of the review. @param {State} before @param {import("../review.js").Loss} loss */
export function lossWords(before, { node, was, now, lost, fall }) {
  const who = `Move ${node.ply}, ${node.move} by ${theSide(before, before.turn)}`;
  if (lost === "step") return `${who}: ${Math.round(fall * 100)} of 100 chances, an estimate.`;
  return `${who}${lost === "chances" ? "" : `, gave away the ${lost}`}: ${change(before, was, now)}.`;
}

/**
 * Returns the first line of the review. It claims that nothing was given away only where every verdict is proved.
 * @param {State} state
 * @param {import("../review.js").Review} review
 */
export function reviewHead(state, { moves, proved, partly, depths, turning, loser, steps, losses }) {
  const worst = turning > losses.length ? `, the worst ${losses.length}` : "";
  if (proved) return `${count(moves, "move")}. By exact values ${turning ? `${count(turning, "move")} gave a win or a draw away${worst}:` : "no move gave a win or a draw away."}`;
  const head = `${count(moves, "move")}, judged ${partly ? "partly " : ""}by estimates${depths ? ` of depth ${depths[0] === depths[1] ? depths[0] : `${depths[0]} to ${depths[1]}`}` : ""}, which prove nothing.`;
  if (turning) return `${head} ${count(turning, "turning point")}${worst}:`;
  if (!loser) return `${head} No single move stands out.`;
  const who = theSide(state, loser);
  return `${head} No single move stands out: ${steps ? `${who} lost by many small steps, the largest:` : `the estimates do not show where ${who} lost.`}`;
}
