// What to do, what happened and how it ended, said of any game by its own names.

/** @import { State, Move, Piece } from "../types.js" */

/** @param {string} word */
export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `a goat`, `an X`. @param {string} word */
function a(word) {
  return /^([aeio]|X$)/i.test(word) ? `an ${word}` : `a ${word}`;
}

/** What people call a side. @param {State} state @param {string} player */
export function side(state, player) {
  return state.players[player === "p2" || player === "chance" ? 1 : 0] ?? state.players[0];
}

/** What people call one of a side. @param {State} state @param {string} player */
export function one(state, player) {
  return state.each[player === "p2" || player === "chance" ? 1 : 0] ?? state.each[0];
}

/** Whether a side is many, so that they win, or one, so that it wins. @param {State} state @param {string} player */
function many(state, player) {
  return side(state, player) !== one(state, player);
}

/** `win` or `wins`. @param {State} state @param {string} player */
export function wins(state, player) {
  return many(state, player) ? "win" : "wins";
}

/** `the goats`, `the jaguar`, `X`. @param {State} state @param {string} player */
export function theSide(state, player) {
  return ["hunts", "numbers"].includes(state.group) ? `the ${side(state, player)}` : side(state, player);
}

/** What a piece is called. @param {State} state @param {Piece} piece */
export function called(state, piece) {
  if (piece.kind === "tile") return String(piece.value);
  return piece.player ? one(state, piece.player) : piece.kind;
}

/** A place of the board, for those who hear it. @param {State} state @param {string} at @param {Piece | undefined} piece */
export function place(state, at, piece) {
  const zones = (state.board.zones ?? []).filter((zone) => zone.points.includes(at)).map((zone) => `, ${zoneWords(state, zone).toLowerCase()}`);
  return `${at}${zones.join("")}, ${piece && (piece.kind !== "tile" || piece.value) ? called(state, piece) : "empty"}`;
}

/** What a marked part of the board is for. @param {State} state @param {{ kind: string, player?: string }} zone */
export function zoneWords(state, { kind, player = "p1" }) {
  return kind === "goal" ? `Goal of the ${side(state, player)}` : `Only ${side(state, player)} stay in here`;
}

/** What the person to move may do, in one line. @param {State} state @param {string[]} made */
export function task(state, made) {
  const { board, turn, moves } = state;
  const mine = one(state, turn);
  if (board.kind === "river") return "Click the people who cross, then the boat.";
  if (board.kind === "tree") return `${capital(mine)} to move: click a child.`;
  if (board.kind === "tiles" && board.slides === "one") return "Click a tile beside the gap, or use the arrow keys.";
  if (turn === "chance" || (board.kind === "tiles" && turn === "p2")) return "Place a tile: click an empty cell.";
  if (board.kind === "tiles") return "Slide the tiles: arrow keys, or swipe.";
  if (made.length) return made.length > 1 ? "Go on, or click the same point again to stop here." : `Click where the ${mine} goes.`;
  const drops = moves.filter((move) => move.to && !move.from || move.drops);
  const cell = board.kind === "grid" ? "cell" : "point";
  if (drops.length && drops.length === moves.length) {
    const several = Math.max(...drops.map((move) => move.drops?.length ?? 1));
    return several > 1 ? `Place ${several} ${side(state, turn)}: click the points.` : `Place ${a(mine)}: click a ${cell}.`;
  }
  const captures = moves.some((move) => move.captures?.length);
  return `Move ${a(mine)}: click it, then a ${cell}${captures ? "; it can capture" : ""}.`;
}

/** Where a tile goes: the place is a column letter and a row number from the bottom. @param {string} from @param {string} to */
function direction(from, to) {
  if (from[0] !== to[0]) return from < to ? "right" : "left";
  return Number(from.slice(1)) < Number(to.slice(1)) ? "up" : "down";
}

/**
 * Returns what to do to play a move, in words about pieces: `Slide tile 1 right`, `Move the goat from a2 to b3`.
 * @param {State} state the position before the move
 * @param {Move} move
 */
export function instruction(state, move) {
  const { board, turn, pieces } = state;
  const mine = one(state, turn);
  if (move.crew) return `Cross to the ${move.to} bank with ${crew(move.crew).toLowerCase()}`;
  if (board.kind === "tree") return `Choose child ${move.move}`;
  if (board.slides === "one" && move.from && move.to) return `Slide tile ${pieces.find((piece) => piece.at === move.from)?.value ?? ""} ${direction(move.from, move.to)}`;
  if (move.slides) return `Slide all tiles ${move.move}`;
  if (move.value && move.to) return `Place a ${move.value} on ${move.to}`;
  if (move.drops && move.drops.length > 1) return `Place ${side(state, turn)} on ${list(move.drops)}`;
  if (move.from && move.to) {
    const way = (move.path ?? [move.from, move.to]).slice(1).join(", then ");
    const taken = move.captures?.length ? `, capturing the ${(move.captures.length > 1 ? side : one)(state, turn === "p1" ? "p2" : "p1")} on ${list(move.captures)}` : "";
    return `Move the ${mine} from ${move.from} to ${way}${taken}`;
  }
  const to = move.to ?? move.drops?.[0];
  return to ? `Place ${a(mine)} on ${to}` : capital(move.move);
}

/**
 * Returns the steps of a puzzle's solution, each as an instruction. The positions between are worked out here.
 * @param {State} state the position before the first move
 * @param {string[]} moves
 */
export function instructions(state, moves) {
  const { board } = state;
  if (board.kind === "river") {
    let bank = board.boat ?? "left";
    return moves.map((word) => {
      /** @param {string} letter */
      const count = (letter) => Number(word.match(new RegExp(`(\\d+)${letter}`))?.[1] ?? 0);
      bank = bank === "left" ? "right" : "left";
      return instruction(state, { move: word, to: bank, crew: { missionaries: count("m"), cannibals: count("c") } });
    });
  }
  const tiles = new Map(state.pieces.map((piece) => [piece.at, piece.value ?? 0]));
  /** @param {number} column @param {number} row */
  const name = (column, row) => `${String.fromCharCode(97 + column)}${row + 1}`;
  const cells = Array.from({ length: (board.rows ?? 0) * (board.columns ?? 1) }, (_, at) => [at % (board.columns ?? 1), Math.floor(at / (board.columns ?? 1))]);
  let [column, row] = cells.find(([x, y]) => !tiles.get(name(x, y))) ?? [0, 0];
  return moves.map((word) => {
    const gap = name(column, row);
    // The word says where the gap goes.
    const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, 1], down: [0, -1] }[word] ?? [0, 0];
    [column, row] = [column + dx, row + dy];
    const from = name(column, row);
    const pieces = [...tiles].map(([at, value]) => ({ at, kind: "tile", value }));
    tiles.set(gap, tiles.get(from) ?? 0).delete(from);
    return instruction({ ...state, pieces }, { move: word, from, to: gap });
  });
}

/** What a move did. @param {State} before @param {Move} move */
export function happened(before, move) {
  const who = one(before, before.turn);
  if (move.crew) return `${crew(move.crew)} crossed to the ${move.to} bank.`;
  if (move.slides) return `The tiles slid ${move.move}${move.gain ? `: ${move.gain} points` : ""}.`;
  if (move.value && move.to) return `A ${move.value} appeared on ${move.to}.`;
  if (before.board.kind === "tiles") {
    const tile = before.pieces.find((piece) => piece.at === move.from);
    return `Tile ${tile?.value ?? ""} went from ${move.from} to ${move.to}.`;
  }
  if (before.board.kind === "tree") return `${capital(who)} chose child ${move.move}.`;
  if (move.drops) return `${capital(side(before, before.turn))} were placed on ${list(move.drops)}.`;
  if (move.from && move.to) {
    const way = (move.path ?? [move.from, move.to]).slice(1).join(", then ");
    const taken = move.captures?.length ? ` and captured ${move.captures.length === 1 ? `the ${one(before, before.turn === "p1" ? "p2" : "p1")} on ${move.captures[0]}` : `${move.captures.length}, on ${list(move.captures)}`}` : "";
    return `The ${who} moved from ${move.from} to ${way}${taken}.`;
  }
  if (move.to) return before.board.kind === "grid" ? `${capital(who)} went to ${move.to}.` : `A ${who} was placed on ${move.to}.`;
  return `${capital(theSide(before, before.turn))} played ${move.move}.`;
}

/** @param {{ missionaries: number, cannibals: number }} crew */
export function crew({ missionaries, cannibals }) {
  const words = [];
  if (missionaries) words.push(missionaries === 1 ? "a missionary" : `${missionaries} missionaries`);
  if (cannibals) words.push(cannibals === 1 ? "a cannibal" : `${cannibals} cannibals`);
  return capital(words.join(" and ")) || "Nobody";
}

/** @param {string[]} items */
function list(items) {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

/** How the game ended. @param {State} state */
export function ended(state) {
  const why = state.ending?.why;
  if (why === "solved" || state.players.length === 1) return state.ply ? `Solved in ${count(state.ply, "move")}.` : "This is the goal.";
  if (state.board.slides === "all") {
    const high = Math.max(0, ...state.pieces.map((piece) => piece.value ?? 0));
    return `Nothing slides any more: ${state.score ?? 0} points, the highest tile is ${high}.`;
  }
  if (why === "leaf") return `The leaf is worth ${state.score ?? "?"}.`;
  if (state.outcome === "draw") return why === "repetition" ? "A draw: the position has come up three times." : why === "full" ? "A draw: the board is full." : "A draw.";
  const winner = state.outcome === "p2win" ? "p2" : "p1";
  const loser = winner === "p1" ? "p2" : "p1";
  /** @type {Record<string, string>} */
  const because = {
    captured: `${many(state, winner) ? "they have" : "it has"} captured enough ${side(state, loser)}`,
    blocked: `the ${side(state, state.turn)} cannot move`,
    goal: "the goal is reached",
    line: "a line is complete",
    repetition: "the position has come up three times",
  };
  return `${capital(theSide(state, winner))} ${wins(state, winner)}${why && because[why] ? `: ${because[why]}` : ""}.`;
}

/** @param {number} number @param {string} thing */
export function count(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

/** Whose turn it is. @param {State} state */
export function turn(state) {
  return `${capital(theSide(state, state.turn))} to move`;
}

/** Someone on the river. @param {string} kind @param {string} at */
export function personWords(kind, at) {
  return at === "boat" ? `${capital(kind)} in the boat: get out` : `${capital(kind)} on the ${at} bank: get in`;
}

/** @param {{ missionary: number, cannibal: number }} aboard @param {string} side */
export function boatWords(aboard, side) {
  const who = aboard.missionary + aboard.cannibal ? crew({ missionaries: aboard.missionary, cannibals: aboard.cannibal }) : "empty";
  return `The boat on the ${side}, ${who}: cross`;
}

/** A child that may be chosen. @param {number} child @param {string} kind `max`, `min`, or a leaf's value @param {boolean} leaf */
export function childWords(child, kind, leaf) {
  return leaf ? `Child ${child}, a leaf worth ${kind}` : `Child ${child}, ${kind}`;
}
