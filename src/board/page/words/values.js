// What a position is worth, in words and in a few letters.

import { expectation, verdict } from "../worth.js";
import { capital, count, side, theSide, wins } from "./moves.js";

/** @import { State, Worth, Turn, Line } from "../types.js" */

/**
 * `Goats win in 12`, `Tigers slightly better`, `Even`.
 * @param {State} state
 * @param {Worth} worth
 */
export function worthWords(state, worth) {
  if ("end" in worth) {
    if (worth.end === "draw") return "A draw with best play";
    const winner = worth.end === "p1win" ? "p1" : "p2";
    const distance = worth.plies === null ? "" : worth.plies === 0 ? "" : ` in ${worth.plies}`;
    return `${capital(side(state, winner))} ${wins(state, winner)}${distance}`;
  }
  if (state.board.slides === "all") return `${Math.round(worth.points)} points still to come`;
  if (state.board.kind === "tree") return `Worth ${short(worth)}`;
  const share = expectation(worth);
  const better = share > 0.5 ? "p1" : "p2";
  const much = Math.abs(share - 0.5);
  if (much < 0.06) return "Even";
  const how = much < 0.16 ? "slightly better" : much < 0.32 ? "better" : "much better";
  return `${capital(side(state, better))} ${how}`;
}

/** A worth in a few letters: `+1.25`, `#12` for the first player, `-#9` for the second, `=`. @param {Worth} worth */
export function short(worth) {
  if ("end" in worth) return worth.end === "draw" ? "=" : `${worth.end === "p1win" ? "" : "−"}#${worth.plies ?? ""}`;
  const points = Math.abs(worth.points) >= 100 ? worth.points.toFixed(0) : worth.points.toFixed(2).replace(/\.00$/, "");
  return `${worth.bound === "lower" ? "≥ " : worth.bound === "upper" ? "≤ " : ""}${worth.points > 0 ? "+" : ""}${points.replace("-", "−")}`;
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
 * A move that throws the game away.
 * @param {State} state before the move
 * @param {string} move
 * @param {{ lost: "win" | "draw" | "chances", now: Worth }} given
 */
export function blunder(state, move, given) {
  const what = given.lost === "win" ? "throws the win away" : given.lost === "draw" ? "throws the draw away" : "gives much away";
  return `${move} ${what}: ${lowered(state, worthWords(state, given.now))}.`;
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

/** A mistake of the game's summary. @param {State} before @param {string} move @param {number} number @param {{ lost: string, now: Worth }} given */
export function mistake(before, move, number, given) {
  const what = given.lost === "win" ? "a win thrown away" : given.lost === "draw" ? "a draw thrown away" : "much given away";
  return `Move ${number}, ${move} by ${theSide(before, before.turn)}: ${what}. ${worthWords(before, given.now)}.`;
}

/** The summary's first line. @param {number} moves @param {number} mistakes @param {boolean} sure */
export function summaryHead(moves, mistakes, sure) {
  const how = sure ? "by the tables" : "by the engine's judgement";
  return mistakes === 0 ? `${count(moves, "move")}, none of them threw anything away, ${how}.` : `${count(moves, "move")}, ${count(mistakes, "turning point")} ${how}:`;
}
