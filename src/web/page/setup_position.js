// A position that a person sets up by hand: its pieces, the side to move, and its FEN. Pure functions, for tests.

/** @import { Piece, State } from "./types.js" */

/**
 * A position being set up. `pieces` is the kind on each point, `heights` the number of pieces where there are several, `hand` the
 * number of pieces in hand of each kind.
 * @typedef {{ pieces: Map<string, string>, heights: Map<string, number>, turn: "p1" | "p2", hand: Record<string, number> }} Draft
 */

/** A kind of piece and its owner. @typedef {{ kind: string, player: "p1" | "p2" }} Kind */

/** Returns the draft of a position. @param {State} state @returns {Draft} */
export function draftOf(state) {
  return {
    pieces: new Map(state.pieces.map((piece) => [piece.at, piece.kind])),
    heights: new Map(state.pieces.flatMap(({ at, count }) => (count ? [[at, count]] : []))),
    turn: state.turn === "p2" ? "p2" : "p1",
    hand: Object.fromEntries(state.hand.map(({ kind, count }) => [kind, count])),
  };
}

/** Returns `true` if the pieces of the game can be set up by hand. @param {State | null} state */
export function canBeSetUp(state) {
  // The FEN of chess GUIs is not written here.
  return state !== null && (state.board.kind === "graph" || (state.board.kind === "grid" && /^\d+ \d+ \d+ /.test(state.fen)));
}

/** Returns the kinds of pieces of the game, the first player's first. @param {State} state @returns {Kind[]} */
export function kindsOf(state) {
  if (state.board.kind === "grid") return [{ kind: "X", player: "p1" }, { kind: "O", player: "p2" }];
  /** @type {Map<string, Kind>} */
  const kinds = new Map();
  for (const { kind, player } of [...state.pieces, ...state.hand, ...state.captured]) if (player) kinds.set(kind, { kind, player });
  return [...kinds.values()].sort((one, other) => one.player.localeCompare(other.player));
}

/** Returns the number of pieces of a kind in the game: on the board, in hand and captured. @param {State} state @param {string} kind */
export function totalOf(state, kind) {
  const count = [...state.hand, ...state.captured].reduce((sum, pile) => sum + (pile.kind === kind ? pile.count : 0), 0);
  return state.pieces.reduce((sum, piece) => sum + (piece.kind === kind ? piece.count ?? 1 : 0), count);
}

/**
 * Puts a piece on a point, or removes the piece if it is the same or `kind` is empty. Pieces in hand follow: never more than
 * the game has left, and of hunters all that are not on the board.
 * @param {Draft} draft
 * @param {State} state
 * @param {string} at
 * @param {string} kind
 */
export function putPiece(draft, state, at, kind) {
  draft.heights.delete(at);
  if (kind === "" || draft.pieces.get(at) === kind) draft.pieces.delete(at);
  else draft.pieces.set(at, kind);
  for (const name of Object.keys(draft.hand)) {
    const left = Math.max(0, totalOf(state, name) - [...draft.pieces].reduce((sum, [on, one]) => sum + (one === name ? draft.heights.get(on) ?? 1 : 0), 0));
    draft.hand[name] = name === "hunter" ? left : Math.min(draft.hand[name], left);
  }
}

/** Returns the pieces of a draft. @param {Draft} draft @param {State} state @returns {Piece[]} */
export function piecesOf(draft, state) {
  const owners = new Map(kindsOf(state).map(({ kind, player }) => [kind, player]));
  return [...draft.pieces].map(([at, kind]) => ({ at, kind, player: owners.get(kind), count: draft.heights.get(at) }));
}

/** Returns the FEN of a draft. @param {Draft} draft @param {State} state a position of the same game */
export function draftFen(draft, state) {
  const { board } = state;
  if (board.kind === "grid") {
    const { rows = 0, columns = 0, length = 0 } = board;
    const lines = Array.from({ length: rows }, (_, row) => rowFen(Array.from({ length: columns }, (_, column) => `${String.fromCharCode(97 + column)}${rows - row}`), draft, (kind) => kind));
    return `${rows} ${columns} ${length} ${lines.join("/")} ${draft.turn === "p1" ? "x" : "o"}`;
  }
  /** @type {Map<string, string[]>} */
  const rows = new Map();
  for (const { name } of board.points ?? []) {
    const row = name.replace(/\d+$/, "");
    rows.set(row, [...(rows.get(row) ?? []), name]);
  }
  const lines = [...rows.values()].map((names) => rowFen(names, draft, (kind, name) => (kind === "hunter" ? "T" : draft.heights.has(name) ? `(${draft.heights.get(name)})` : "G")));
  const mover = kindsOf(state).find(({ player }) => player === draft.turn)?.kind;
  // Only games in which hunters are placed have a field for those in hand.
  const hands = [draft.hand.prey ?? 0, ...(draft.hand.hunter === undefined ? [] : [draft.hand.hunter])];
  const direction = state.fen.match(/ (up|down|left|right)$/)?.[0] ?? "";
  return `${lines.join("/")} ${mover === "hunter" ? "t" : "g"} ${hands.join(" ")}${direction}`;
}

/** Returns a row of the board in FEN. @param {string[]} names @param {Draft} draft @param {(kind: string, name: string) => string} letter */
function rowFen(names, draft, letter) {
  let text = "";
  let empty = 0;
  for (const name of names) {
    const kind = draft.pieces.get(name);
    if (kind === undefined) empty++;
    else {
      text += (empty || "") + letter(kind, name);
      empty = 0;
    }
  }
  return text + (empty || "");
}
