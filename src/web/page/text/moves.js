// Texts about moves and results, with the names that the game gives to its sides and pieces.

import { Noun, capitalize, numberText, t } from "../language.js";

/** @import { ClickTarget } from "../move_clicks.js" */
/** @import { State, Move, Piece } from "../types.js" */

export { capitalize };

/** Returns the name of a side: `goats`, `jaguar`, `X`. @param {State} state @param {string} player */
export function sideName(state, player) {
  const at = (player === "p2" || player === "chance") && state.players.length > 1 ? 1 : 0;
  return Noun.side(state.each[at], state.players[at], ["hunts", "numbers"].includes(state.group));
}

/** Returns the name of one piece of a side: `goat`. @param {State} state @param {string} player */
export function pieceName(state, player) {
  const { one, many } = sideName(state, player);
  return new Noun(one, many);
}

/** Returns the name of a side with a capital: `Goats`. @param {State} state @param {string} player */
export function sideTitle(state, player) {
  return capitalize(String(sideName(state, player)));
}

/** Returns `yes` if the side of a hunt has one piece, else `no`. @param {State} state @param {string} player */
function isAlone(state, player) {
  const piles = [...(state.pieces ?? []), ...(state.hand ?? [])].filter((one) => one?.player === player);
  const count = piles.reduce((sum, one) => sum + ((one && "count" in one && one.count) || 1), 0);
  return state.group === "hunts" && count === 1 ? "yes" : "no";
}

/** Returns the other side. @param {string} side */
function opponent(side) {
  return side === "p1" ? "p2" : "p1";
}

/** Returns the name of a piece; of a tile its number. @param {State} state @param {Piece} piece */
function pieceLabel(state, piece) {
  if (piece.kind === "tile") return numberText(piece.value ?? 0);
  const name = piece.player ? pieceName(state, piece.player) : piece.kind;
  return piece.count ? joinParts([name, numberText(piece.count)]) : name;
}

/** Joins the parts of a label: `a1, goat, can move`. @param {(string | Noun)[]} parts @returns {string} */
export function joinParts([first, ...rest]) {
  return rest.reduce((/** @type {string} */ text, part) => t("{text}, {part}", { text, part }), String(first ?? ""));
}

/**
 * Returns the screen reader's text of a point: `a1, goal of the hare, tiger, can move`.
 * @param {State} state
 * @param {string} at
 * @param {Piece | undefined} piece
 * @param {ClickTarget | undefined} [target] what a click on the point does, if it does anything
 */
export function spotLabel(state, at, piece, target) {
  const zones = (state.board.zones ?? []).filter((zone) => zone.points.includes(at)).map((zone) => zoneText(state, zone));
  const content = piece && (piece.kind !== "tile" || piece.value) ? pieceLabel(state, piece) : t("empty");
  return joinParts([at, ...zones, content, ...targetLabel(piece, target)]);
}

/** Returns what a click on a point does. @param {Piece | undefined} piece @param {ClickTarget | undefined} target */
function targetLabel(piece, target) {
  if (!target) return [];
  if (piece) return [t("can move")];
  return [target.captures ? t("can be reached by a capture") : t("can be reached")];
}

/** Returns the name of a marked part of the board. @param {State} state @param {{ kind: string, player?: string }} zone */
function zoneText(state, { kind, player = "p1" }) {
  const side = sideName(state, player);
  if (kind === "trap") return t("trap of {side.the}", { side });
  if (kind === "stacks") return t("stacks of {side.the}", { side });
  return kind === "goal" ? t("goal of {side.the}", { side }) : t("area that {side.the} may not leave", { side });
}

/** Returns the legend of a marked part of the board. @param {State} state @param {{ kind: string, player?: string }} zone */
export function zoneLabel(state, zone) {
  return capitalize(zoneText(state, zone));
}

/** Returns what the person to move can do now. @param {State} state @param {string[]} clicks */
export function turnPrompt(state, clicks) {
  const { board, turn, moves } = state;
  const piece = pieceName(state, turn);
  if (board.kind === "river") return t("Click the people who cross, then the boat.");
  if (board.kind === "tree" && turn === "chance") return t("Chance moves: click a child.");
  if (board.kind === "tree") return t("{Side} to move: click a child.", { side: sideName(state, turn) });
  if (board.kind === "tiles" && board.slides === "one") return t("Click a tile in line with the gap, or use the arrow keys.");
  if (turn === "chance" || (board.kind === "tiles" && turn === "p2")) return t("Place a tile: click an empty cell.");
  if (board.kind === "tiles") return t("Slide the tiles: arrow keys, or swipe.");
  const dropCount = Math.max(0, ...moves.map((move) => move.drops?.length ?? 0));
  if (clicks.length && dropCount > 1) return t("Click {count, plural, one {# more point} other {# more points}}.", { count: dropCount - clicks.length });
  if (clicks.length > 1) return t("Click the next point, or click the same point again to stop there.");
  if (clicks.length) return t("Click where {piece.the} goes.", { piece });
  const placements = moves.filter((move) => move.to && !move.from || move.drops);
  const values = { piece, count: dropCount, isAlone: isAlone(state, turn) };
  if (placements.length && placements.length === moves.length) {
    if (dropCount > 1) return t("Place {count} {piece.many}: click the points.", values);
    if (board.kind === "grid") return t("Place {piece.a}: click a cell.", values);
    return t("Place {isAlone, select, yes {{piece.the}} other {{piece.a}}}: click a point.", values);
  }
  return moves.some((move) => move.captures?.length)
    ? t("Move {isAlone, select, yes {{piece.the}} other {{piece.a}}}: click it, then a point; it can capture.", values)
    : t("Move {isAlone, select, yes {{piece.the}} other {{piece.a}}}: click it, then a point.", values);
}

/** Returns the direction of a tile. Cells are named by column letter and row number, rows counted from the bottom. @param {string} from @param {string} to */
function direction(from, to) {
  if (from[0] !== to[0]) return from < to ? "right" : "left";
  return Number(from.slice(1)) < Number(to.slice(1)) ? "up" : "down";
}

/**
 * Returns the instruction to play a move, without a capital: `slide tile 1 right`, `move the goat from a2 to b3`.
 * @param {State} state the position before the move
 * @param {Move} move
 */
export function instructionText(state, move) {
  const { board, turn, pieces } = state;
  const piece = pieceName(state, turn);
  if (move.crew) return t("cross to the {bank, select, left {left} other {right}} bank with {people}", { bank: move.to ?? "", people: peopleText(move.crew) });
  if (board.kind === "tree") return t("choose child {child}", { child: move.move });
  if (board.slides === "one" && move.from && move.to) return t("slide tile {tile} {direction, select, left {left} right {right} up {up} other {down}}", slideOf(pieces, move));
  if (move.slides) return t("slide all tiles {direction, select, left {left} right {right} up {up} other {down}}", { direction: move.move });
  if (move.value && move.to) return t("place a {value} on {point}", { value: move.value, point: move.to });
  if (move.drops && move.drops.length > 1) return t("place {piece.many} on {points}", { piece, points: move.drops });
  if (move.from && move.to) {
    const { from, captures = [] } = move;
    const captured = (captures.length > 1 ? sideName : pieceName)(state, opponent(turn));
    const values = { piece, from, path: pathText(move), captured, points: captures };
    return captures.length ? t("move {piece.the} from {from} to {path}, capturing {captured.the} on {points}", values) : t("move {piece.the} from {from} to {path}", values);
  }
  const point = move.to ?? move.drops?.[0];
  return point ? t("place {piece.a} on {point}", { piece, point }) : moveName(move.move);
}

/** Returns the instruction to play a move: `Slide tile 1 right`. @param {State} state the position before the move @param {Move} move */
export function moveInstruction(state, move) {
  return capitalize(instructionText(state, move));
}

/** Returns the instruction to slide a tile without its first words: `12 left`. @param {State} state @param {Move} move */
export function shortInstruction(state, move) {
  return state.board.slides === "one" ? t("{tile} {direction, select, left {left} right {right} up {up} other {down}}", slideOf(state.pieces, move)) : moveInstruction(state, move);
}

/** Returns the name of a move without points. @param {string} move */
export function moveName(move) {
  return move === "pass" ? t("pass") : move;
}

/** Returns the tile that a move slides, and its direction. @param {Piece[]} pieces @param {Move} move */
function slideOf(pieces, { from = "", to = "" }) {
  return { tile: pieces.find(({ at }) => at === from)?.value ?? "", direction: direction(from, to) };
}

/**
 * Returns the moves of a puzzle's solution as instructions. It tracks the positions in between without the engine.
 * @param {State} state the position before the first move
 * @param {string[]} moves
 * @param {(state: State, move: Move) => string} instruction
 */
export function solutionSteps(state, moves, instruction = moveInstruction) {
  const { board } = state;
  if (board.kind === "river") {
    let bank = board.boat ?? "left";
    return moves.map((move) => {
      /** @param {string} letter */
      const count = (letter) => Number(move.match(new RegExp(`(\\d+)${letter}`))?.[1] ?? 0);
      bank = bank === "left" ? "right" : "left";
      return instruction(state, { move, to: bank, crew: { missionaries: count("m"), cannibals: count("c") } });
    });
  }
  const tiles = new Map(state.pieces.map((piece) => [piece.at, piece.value ?? 0]));
  /** @param {number} column @param {number} row */
  const name = (column, row) => `${String.fromCharCode(97 + column)}${row + 1}`;
  const cells = Array.from({ length: (board.rows ?? 0) * (board.columns ?? 1) }, (_, at) => [at % (board.columns ?? 1), Math.floor(at / (board.columns ?? 1))]);
  let [column, row] = cells.find(([x, y]) => !tiles.get(name(x, y))) ?? [0, 0];
  return moves.map((move) => {
    const gap = name(column, row);
    // The notation of a move is the direction of the gap.
    const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, 1], down: [0, -1] }[move] ?? [0, 0];
    [column, row] = [column + dx, row + dy];
    const from = name(column, row);
    const pieces = [...tiles].map(([at, value]) => ({ at, kind: "tile", value }));
    tiles.set(gap, tiles.get(from) ?? 0).delete(from);
    return instruction({ ...state, pieces }, { move, from, to: gap });
  });
}

/** Returns a move as a sentence in the past tense. @param {State} before @param {Move} move */
export function moveReport(before, move) {
  const { board, turn } = before;
  const [side, piece] = [sideName(before, turn), pieceName(before, turn)];
  if (move.crew) return t("{People} crossed to the {bank, select, left {left} other {right}} bank.", { bank: move.to ?? "", people: peopleText(move.crew) });
  if (move.slides && move.gain) return t("The tiles slid {direction, select, left {left} right {right} up {up} other {down}}: {gain} points.", { direction: move.move, gain: move.gain });
  if (move.slides) return t("The tiles slid {direction, select, left {left} right {right} up {up} other {down}}.", { direction: move.move });
  if (move.value && move.to) return t("A {value} appeared on {point}.", { value: move.value, point: move.to });
  const { from = "", to = "", captures = [] } = move;
  if (board.kind === "tiles") return t("Tile {tile} went from {from} to {to}.", { tile: before.pieces.find(({ at }) => at === from)?.value ?? "", from, to });
  if (board.kind === "tree") return t("{Side} chose child {child}.", { side, child: move.move });
  if (move.drops && move.drops.length > 1) return t("{Piece.many} were placed on {points}.", { piece, points: move.drops });
  if (from && to) {
    const captured = pieceName(before, opponent(turn));
    const values = { piece, from, path: pathText(move), captured, points: captures, count: captures.length };
    if (!captures.length) return t("{Piece.the} moved from {from} to {path}.", values);
    if (captures.length === 1) return t("{Piece.the} captured {captured.the} on {points}: {from} to {path}.", values);
    return t("{Piece.the} captured {count} {captured.many} on {points}: {from} to {path}.", values);
  }
  const point = to || move.drops?.[0];
  if (!point) return t("{Side.the} played {move}.", { side, move: moveName(move.move) });
  if (board.kind === "grid") return t("{Side} went to {point}.", { side, point });
  return t("{isAlone, select, yes {{Piece.the}} other {{Piece.a}}} was placed on {point}.", { piece, point, isAlone: isAlone(before, turn) });
}

/** Returns a slide of several tiles as a sentence in the past tense. @param {Move} move the move of the first tile @param {number} count */
export function slideReport({ from = "", to = "" }, count) {
  return t("{count} tiles slid {direction, select, left {left} right {right} up {up} other {down}}.", { count, direction: direction(from, to) });
}

/** Returns the people in the boat: `2 missionaries and a cannibal`. @param {{ missionaries: number, cannibals: number }} crew */
function peopleText({ missionaries, cannibals }) {
  if (missionaries && cannibals) return t("{missionaries, plural, one {a missionary} other {# missionaries}} and {cannibals, plural, one {a cannibal} other {# cannibals}}", { missionaries, cannibals });
  if (missionaries) return t("{missionaries, plural, one {a missionary} other {# missionaries}}", { missionaries });
  return cannibals ? t("{cannibals, plural, one {a cannibal} other {# cannibals}}", { cannibals }) : t("nobody");
}

/** Returns the people in the boat with a capital: `A missionary`. @param {{ missionaries: number, cannibals: number }} crew */
export function crewText(crew) {
  return capitalize(peopleText(crew));
}

/** Returns the points that a moving piece visits: `c3`, or `c3, then e3`. @param {Move} move */
function pathText(move) {
  const [, first = "", ...rest] = move.path ?? [move.from, move.to];
  return rest.reduce((/** @type {string} */ path, point) => t("{path}, then {point}", { path, point: point ?? "" }), first);
}

/**
 * Returns the result of a finished game. That of a puzzle compares the moves with the minimum from the start, or with a lower bound of it.
 * @param {State} state
 * @param {{ minimum: number | null, bound: number }} [progress]
 */
export function resultText(state, { minimum, bound } = { minimum: null, bound: 0 }) {
  const reason = state.ending?.why;
  if (reason === "solved" || state.players.length === 1) {
    const moves = state.ply;
    if (!moves) return t("This is the goal.");
    if (minimum === moves || bound >= moves) return t("Solved in {moves, plural, one {# move} other {# moves}}, the minimum.", { moves });
    if (minimum !== null) return t("Solved in {moves, plural, one {# move} other {# moves}}; the minimum is {minimum}.", { moves, minimum });
    if (bound > 0) return t("Solved in {moves, plural, one {# move} other {# moves}}; at least {bound} are needed.", { moves, bound });
    return t("Solved in {moves, plural, one {# move} other {# moves}}.", { moves });
  }
  if (state.board.slides === "all") {
    const tile = Math.max(0, ...state.pieces.map((piece) => piece.value ?? 0));
    return t("No tile can move: {score} points, highest tile {tile}.", { score: state.score ?? 0, tile });
  }
  if (reason === "leaf") return t("The leaf has the value {value}.", { value: state.score ?? "?" });
  if (state.outcome === "draw") {
    return reason === "repetition" ? t("A draw: the position occurred three times.") : reason === "full" ? t("A draw: the board is full.") : t("A draw.");
  }
  const winner = state.outcome === "p2win" ? "p2" : "p1";
  const values = { side: sideName(state, winner), loser: sideName(state, opponent(winner)), captured: pieceName(state, opponent(winner)), blocked: sideName(state, state.turn) };
  switch (reason) {
    case "captured": return t("{Side.the} {side.number, select, one {wins: it has} many {win: they have}} captured enough {captured.many}.", values);
    case "blocked": return t("{Side.the} {side.number, select, one {wins} many {win}}: {blocked.the} cannot move.", values);
    case "goal": return t("{Side.the} {side.number, select, one {wins} many {win}}: the goal is reached.", values);
    case "trap": return t("{Side.the} {side.number, select, one {wins} many {win}}: {loser.the} went into the trap.", values);
    case "removed": return t("{Side.the} {side.number, select, one {wins} many {win}}: no {loser.one} is left.", values);
    case "line": return t("{Side.the} {side.number, select, one {wins} many {win}}: a line is complete.", values);
    case "repetition": return t("{Side.the} {side.number, select, one {wins} many {win}}: the position occurred three times.", values);
    default: return t("{Side.the} {side.number, select, one {wins} many {win}}.", values);
  }
}

/** Returns a number and its noun: `1 move`, `2 moves`. @param {number} number @param {string} thing */
export function pluralize(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

/** Returns `The goats to move.` @param {State} state */
export function sideToMove(state) {
  return t("{Side.the} to move.", { side: sideName(state, state.turn) });
}

/** Returns the screen reader's text of a person on a bank or in the boat. @param {string} kind @param {string} at */
export function personLabel(kind, at) {
  return at === "boat"
    ? t("{kind, select, missionary {Missionary} other {Cannibal}} in the boat: get out", { kind })
    : t("{kind, select, missionary {Missionary} other {Cannibal}} on the {bank, select, left {left} other {right}} bank: get in", { kind, bank: at });
}

/** Returns the screen reader's text of the boat. @param {{ missionary: number, cannibal: number }} aboard @param {string} side */
export function boatLabel({ missionary, cannibal }, side) {
  if (missionary + cannibal === 0) return t("The boat on the {side, select, left {left} other {right}}, empty: cross", { side });
  return t("The boat on the {side, select, left {left} other {right}}, {people}: cross", { side, people: peopleText({ missionaries: missionary, cannibals: cannibal }) });
}

/** The kinds of tree nodes. @type {Record<string, string>} */
export const NODE_KINDS = { max: t("max"), min: t("min"), chance: t("chance") };

/** Returns the screen reader's text of a child of the current tree node. @param {number} child @param {string} kind `max`, `min`, or a leaf's value @param {boolean} leaf */
export function childLabel(child, kind, leaf) {
  return leaf ? t("Child {child}, a leaf with the value {value}", { child, value: kind }) : t("Child {child}, {kind}", { child, kind: NODE_KINDS[kind] });
}
