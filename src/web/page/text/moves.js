// Texts about moves and results, with the names that the game gives to its sides and pieces.

/** @import { ClickTarget } from "../move_clicks.js" */
/** @import { State, Move, Piece } from "../types.js" */

/** Makes the first letter upper case. @param {string} word */
export function capitalize(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Returns `a goat`, `an X`. @param {string} word */
export function withArticle(word) {
  return /^([aeio]|X$)/i.test(word) ? `an ${word}` : `a ${word}`;
}

/** Returns the name of a side: `goats`. @param {State} state @param {string} player */
export function sideName(state, player) {
  return state.players[player === "p2" || player === "chance" ? 1 : 0] ?? state.players[0];
}

/** Returns the name of one piece of a side: `goat`. @param {State} state @param {string} player */
export function pieceName(state, player) {
  return state.each[player === "p2" || player === "chance" ? 1 : 0] ?? state.each[0];
}

/** Returns `true` if the name of the side is plural. @param {State} state @param {string} player */
function isPlural(state, player) {
  return sideName(state, player) !== pieceName(state, player);
}

/** Returns `win` or `wins`, to agree with the name of the side. @param {State} state @param {string} player */
export function winVerb(state, player) {
  return isPlural(state, player) ? "win" : "wins";
}

/** Returns the name of a side with its article, if it takes one: `the goats`, `the jaguar`, `X`. @param {State} state @param {string} player */
export function sideWithArticle(state, player) {
  return ["hunts", "numbers"].includes(state.group) ? `the ${sideName(state, player)}` : sideName(state, player);
}

/** Returns `a goat`, and `the vulture` if the side of a hunt has one piece. @param {State} state @param {string} player */
function onePiece(state, player) {
  const piece = pieceName(state, player);
  const piles = [...(state.pieces ?? []), ...(state.hand ?? [])].filter((one) => one?.player === player);
  const count = piles.reduce((sum, one) => sum + ((one && "count" in one && one.count) || 1), 0);
  return state.group === "hunts" && count === 1 ? `the ${piece}` : withArticle(piece);
}

/** Returns the other side. @param {string} side */
function opponent(side) {
  return side === "p1" ? "p2" : "p1";
}

/** Returns the name of a piece; of a tile its number. @param {State} state @param {Piece} piece */
function pieceLabel(state, piece) {
  if (piece.kind === "tile") return String(piece.value);
  return piece.player ? pieceName(state, piece.player) : piece.kind;
}

/**
 * Returns the screen reader's text of a point: `a1, goal of the hare, tiger, can move`.
 * @param {State} state
 * @param {string} at
 * @param {Piece | undefined} piece
 * @param {ClickTarget | undefined} [target] what a click on the point does, if it does anything
 */
export function spotLabel(state, at, piece, target) {
  const zones = (state.board.zones ?? []).filter((zone) => zone.points.includes(at)).map((zone) => `, ${zoneLabel(state, zone).toLowerCase()}`);
  return `${at}${zones.join("")}, ${piece && (piece.kind !== "tile" || piece.value) ? pieceLabel(state, piece) : "empty"}${targetLabel(piece, target)}`;
}

/** Returns what a click on a point does. @param {Piece | undefined} piece @param {ClickTarget | undefined} target */
function targetLabel(piece, target) {
  if (!target) return "";
  if (piece) return ", can move";
  return target.captures ? ", can be reached by a capture" : ", can be reached";
}

/** Returns the legend of a marked part of the board. @param {State} state @param {{ kind: string, player?: string }} zone */
export function zoneLabel(state, { kind, player = "p1" }) {
  return kind === "goal" ? `Goal of the ${sideName(state, player)}` : `Area that the ${sideName(state, player)} may not leave`;
}

/** Returns what the person to move can do now. @param {State} state @param {string[]} clicks */
export function turnPrompt(state, clicks) {
  const { board, turn, moves } = state;
  const piece = pieceName(state, turn);
  if (board.kind === "river") return "Click the people who cross, then the boat.";
  if (board.kind === "tree" && turn === "chance") return "Chance moves: click a child.";
  if (board.kind === "tree") return `${capitalize(piece)} to move: click a child.`;
  if (board.kind === "tiles" && board.slides === "one") return "Click a tile in line with the gap, or use the arrow keys.";
  if (turn === "chance" || (board.kind === "tiles" && turn === "p2")) return "Place a tile: click an empty cell.";
  if (board.kind === "tiles") return "Slide the tiles: arrow keys, or swipe.";
  const dropCount = Math.max(0, ...moves.map((move) => move.drops?.length ?? 0));
  if (clicks.length && dropCount > 1) return `Click ${pluralize(dropCount - clicks.length, "more point")}.`;
  if (clicks.length) return clicks.length > 1 ? "Click the next point, or click the same point again to stop there." : `Click where the ${piece} goes.`;
  const placements = moves.filter((move) => move.to && !move.from || move.drops);
  const cell = board.kind === "grid" ? "cell" : "point";
  if (placements.length && placements.length === moves.length) {
    return dropCount > 1 ? `Place ${dropCount} ${sideName(state, turn)}: click the points.` : `Place ${onePiece(state, turn)}: click a ${cell}.`;
  }
  const canCapture = moves.some((move) => move.captures?.length);
  return `Move ${onePiece(state, turn)}: click it, then a ${cell}${canCapture ? "; it can capture" : ""}.`;
}

/** Returns how a person wins: the sentence of the rules, about `you` if the person has one side; empty if no sentence says it. @param {State} state @param {"p1" | "p2" | null} side */
export function winText(state, side) {
  if (!side) return state.rules.find((rule) => /\bwins?\b/.test(rule)) ?? "";
  const rule = state.rules.map((one) => one.match(/^The (.+) wins? (.*)$/)).find((match) => match?.[1] === sideName(state, side));
  // A side may win only by a game without end.
  const endless = state.rules.map((one) => one.match(/^When (.*), the (.+) ha(?:s|ve) won\.$/)).find((match) => match?.[2] === sideName(state, side));
  return rule ? `You win ${rule[2]}` : endless ? `You win when ${endless[1]}.` : state.rules.flatMap((one) => one.match(/^[^.]+ wins\./) ?? [])[0] ?? "";
}

/** Returns the rule of captures as a sentence of its own; empty if there are no captures. @param {State} state */
export function captureText({ rules }) {
  const [, piece, captures] = rules.map((rule) => rule.match(/^(An? \S+) .*?\bor (captures .*?)\./)).find(Boolean) ?? [];
  return piece ? `${piece} ${captures}. ` : "";
}

/** Returns the direction of a tile. Cells are named by column letter and row number, rows counted from the bottom. @param {string} from @param {string} to */
function direction(from, to) {
  if (from[0] !== to[0]) return from < to ? "right" : "left";
  return Number(from.slice(1)) < Number(to.slice(1)) ? "up" : "down";
}

/**
 * Returns the instruction to play a move: `Slide tile 1 right`, `Move the goat from a2 to b3`.
 * @param {State} state the position before the move
 * @param {Move} move
 */
export function moveInstruction(state, move) {
  const { board, turn, pieces } = state;
  const piece = pieceName(state, turn);
  if (move.crew) return `Cross to the ${move.to} bank with ${crewText(move.crew).toLowerCase()}`;
  if (board.kind === "tree") return `Choose child ${move.move}`;
  if (board.slides === "one" && move.from && move.to) return `Slide tile ${pieces.find(({ at }) => at === move.from)?.value ?? ""} ${direction(move.from, move.to)}`;
  if (move.slides) return `Slide all tiles ${move.move}`;
  if (move.value && move.to) return `Place a ${move.value} on ${move.to}`;
  if (move.drops && move.drops.length > 1) return `Place ${sideName(state, turn)} on ${joinWords(move.drops)}`;
  if (move.from && move.to) {
    const { captures = [] } = move;
    const captured = captures.length ? `, capturing the ${(captures.length > 1 ? sideName : pieceName)(state, opponent(turn))} on ${joinWords(captures)}` : "";
    return `Move the ${piece} from ${move.from} to ${pathText(move)}${captured}`;
  }
  const to = move.to ?? move.drops?.[0];
  return to ? `Place ${withArticle(piece)} on ${to}` : capitalize(move.move);
}

/**
 * Returns the moves of a puzzle's solution as instructions. It tracks the positions in between without the engine.
 * @param {State} state the position before the first move
 * @param {string[]} moves
 */
export function solutionSteps(state, moves) {
  const { board } = state;
  if (board.kind === "river") {
    let bank = board.boat ?? "left";
    return moves.map((move) => {
      /** @param {string} letter */
      const count = (letter) => Number(move.match(new RegExp(`(\\d+)${letter}`))?.[1] ?? 0);
      bank = bank === "left" ? "right" : "left";
      return moveInstruction(state, { move, to: bank, crew: { missionaries: count("m"), cannibals: count("c") } });
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
    return moveInstruction({ ...state, pieces }, { move, from, to: gap });
  });
}

/** Returns the instruction to slide a tile without its first words: `12 left`. @param {string} instruction */
export function shortSlide(instruction) {
  return instruction.replace(/^Slide tile /, "");
}

/** Returns a move as a sentence in the past tense. @param {State} before @param {Move} move */
export function moveReport(before, move) {
  const piece = pieceName(before, before.turn);
  if (move.crew) return `${crewText(move.crew)} crossed to the ${move.to} bank.`;
  if (move.slides) return `The tiles slid ${move.move}${move.gain ? `: ${move.gain} points` : ""}.`;
  if (move.value && move.to) return `A ${move.value} appeared on ${move.to}.`;
  if (before.board.kind === "tiles") {
    const tile = before.pieces.find(({ at }) => at === move.from);
    return `Tile ${tile?.value ?? ""} went from ${move.from} to ${move.to}.`;
  }
  if (before.board.kind === "tree") return `${capitalize(piece)} chose child ${move.move}.`;
  if (move.drops && move.drops.length > 1) return `${capitalize(sideName(before, before.turn))} were placed on ${joinWords(move.drops)}.`;
  if (move.from && move.to) {
    const { captures = [] } = move;
    if (!captures.length) return `The ${piece} moved from ${move.from} to ${pathText(move)}.`;
    const captured = captures.length > 1 ? `${captures.length} ${sideName(before, opponent(before.turn))}` : `the ${pieceName(before, opponent(before.turn))}`;
    return `The ${piece} captured ${captured} on ${joinWords(captures)}: ${move.from} to ${pathText(move)}.`;
  }
  const to = move.to ?? move.drops?.[0];
  if (to) return before.board.kind === "grid" ? `${capitalize(piece)} went to ${to}.` : `${capitalize(onePiece(before, before.turn))} was placed on ${to}.`;
  return `${capitalize(sideWithArticle(before, before.turn))} played ${move.move}.`;
}

/** Returns a slide of several tiles as a sentence in the past tense. @param {Move} move the move of the first tile @param {number} count */
export function slideReport(move, count) {
  return `${count} tiles slid ${direction(move.from ?? "", move.to ?? "")}.`;
}

/** Returns the people in the boat: `2 missionaries and a cannibal`. @param {{ missionaries: number, cannibals: number }} crew */
export function crewText({ missionaries, cannibals }) {
  const parts = [];
  if (missionaries) parts.push(missionaries === 1 ? "a missionary" : `${missionaries} missionaries`);
  if (cannibals) parts.push(cannibals === 1 ? "a cannibal" : `${cannibals} cannibals`);
  return capitalize(parts.join(" and ")) || "Nobody";
}

/** Returns the points that a moving piece visits: `c3`, or `c3, then e3`. @param {Move} move */
function pathText(move) {
  return (move.path ?? [move.from, move.to]).slice(1).join(", then ");
}

/** Joins words with commas and `and`. @param {string[]} items */
function joinWords(items) {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

/**
 * Returns the result of a finished game. That of a puzzle compares the moves with the minimum from the start, or with a lower bound of it.
 * @param {State} state
 * @param {{ minimum: number | null, bound: number }} [progress]
 */
export function resultText(state, { minimum, bound } = { minimum: null, bound: 0 }) {
  const reason = state.ending?.why;
  if (reason === "solved" || state.players.length === 1) {
    if (!state.ply) return "This is the goal.";
    const isMinimum = minimum === state.ply || bound >= state.ply;
    const note = isMinimum ? ", the minimum" : minimum !== null ? `; the minimum is ${minimum}` : bound > 0 ? `; at least ${bound} are needed` : "";
    return `Solved in ${pluralize(state.ply, "move")}${note}.`;
  }
  if (state.board.slides === "all") {
    const highest = Math.max(0, ...state.pieces.map((piece) => piece.value ?? 0));
    return `No tile can move: ${state.score ?? 0} points, highest tile ${highest}.`;
  }
  if (reason === "leaf") return `The leaf has the value ${state.score ?? "?"}.`;
  if (state.outcome === "draw") return reason === "repetition" ? "A draw: the position occurred three times." : reason === "full" ? "A draw: the board is full." : "A draw.";
  const winner = state.outcome === "p2win" ? "p2" : "p1";
  const loser = opponent(winner);
  /** @type {Record<string, string>} */
  const reasons = {
    captured: `${isPlural(state, winner) ? "they have" : "it has"} captured enough ${sideName(state, loser)}`,
    blocked: `the ${sideName(state, state.turn)} cannot move`,
    goal: "the goal is reached",
    line: "a line is complete",
    repetition: "the position occurred three times",
  };
  return `${capitalize(sideWithArticle(state, winner))} ${winVerb(state, winner)}${reason && reasons[reason] ? `: ${reasons[reason]}` : ""}.`;
}

/** Returns a number and its noun: `1 move`, `2 moves`. @param {number} number @param {string} thing */
export function pluralize(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

/** Returns `The goats to move`. @param {State} state */
export function sideToMove(state) {
  return `${capitalize(sideWithArticle(state, state.turn))} to move`;
}

/** Returns the screen reader's text of a person on a bank or in the boat. @param {string} kind @param {string} at */
export function personLabel(kind, at) {
  return at === "boat" ? `${capitalize(kind)} in the boat: get out` : `${capitalize(kind)} on the ${at} bank: get in`;
}

/** Returns the screen reader's text of the boat. @param {{ missionary: number, cannibal: number }} aboard @param {string} side */
export function boatLabel(aboard, side) {
  const people = aboard.missionary + aboard.cannibal ? crewText({ missionaries: aboard.missionary, cannibals: aboard.cannibal }) : "empty";
  return `The boat on the ${side}, ${people}: cross`;
}

/** Returns the screen reader's text of a child of the current tree node. @param {number} child @param {string} kind `max`, `min`, or a leaf's value @param {boolean} leaf */
export function childLabel(child, kind, leaf) {
  return leaf ? `Child ${child}, a leaf with the value ${kind}` : `Child ${child}, ${kind}`;
}
