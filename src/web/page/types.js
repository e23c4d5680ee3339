// The shapes of what the page passes around, as JSDoc: nothing runs here. `State` is the object that the engine's line
// `state` carries, key for key.

/**
 * Whose turn it is.
 * @typedef {"p1" | "p2" | "chance"} Turn
 */

/**
 * What a position is worth: a number of points from the first player's view, or an end so many plies away (`null`:
 * nobody knows how far). `bound` says that it is at least (`"lower"`) or at most (`"upper"`) that, again from the first
 * player's view; `sure` that tables say so. Points are an estimate; `depth` is the depth in plies that it rests on.
 * @typedef {{ points: number, bound?: "lower" | "upper", depth?: number }} Points
 * @typedef {{ end: "p1win" | "p2win" | "draw", plies: number | null, bound?: "lower" | "upper", sure?: boolean }} End
 * @typedef {Points | End} Worth
 */

/** @typedef {{ at: string, kind: string, player?: "p1" | "p2", value?: number, count?: number }} Piece */

/**
 * @typedef {object} Move
 * @property {string} move as it is written
 * @property {string} [from]
 * @property {string} [to]
 * @property {string[]} [captures]
 * @property {string[]} [path] of a chain of leaps, first to last
 * @property {string[]} [drops] several pieces placed in one turn
 * @property {{ from: string, to: string }[]} [slides] every tile that travels
 * @property {number} [gain]
 * @property {number} [value] of a tile that appears
 * @property {number} [chance]
 * @property {{ missionaries: number, cannibals: number }} [crew]
 */

/**
 * @typedef {object} Board
 * @property {"graph" | "grid" | "tiles" | "river" | "tree"} kind
 * @property {{ name: string, x: number, y: number }[]} [points]
 * @property {string[][]} [lines]
 * @property {{ kind: string, player?: string, points: string[] }[]} [zones]
 * @property {number} [rows]
 * @property {number} [columns]
 * @property {number} [length] how many in a row win
 * @property {"one" | "all"} [slides]
 * @property {number[][] | null} [goal]
 * @property {number} [target]
 * @property {number} [missionaries]
 * @property {number} [cannibals]
 * @property {number} [seats]
 * @property {"left" | "right"} [boat]
 * @property {Tree | null} [root]
 * @property {"p1" | "p2"} [first]
 * @property {number[]} [at]
 */

/** @typedef {number | NestedTree} Tree */
/** @typedef {Array<number | NestedTree>} NestedTree */

/** @typedef {{ move: string, verdict: "p1win" | "p2win" | "draw", plies: number | null, traps?: number }} Solved */

/**
 * @typedef {object} State
 * @property {string} variant
 * @property {string} title
 * @property {string} group
 * @property {string[]} rules
 * @property {string} fen
 * @property {number} ply
 * @property {Turn} turn
 * @property {string[]} players
 * @property {string[]} each
 * @property {"p1win" | "p2win" | "draw" | null} outcome
 * @property {{ why: string, points?: string[] } | null} ending
 * @property {number | null} score
 * @property {Board} board
 * @property {Piece[]} pieces
 * @property {{ kind: string, player: "p1" | "p2", count: number }[]} hand
 * @property {{ kind: string, player: "p1" | "p2", count: number, wins: number | null }[]} captured
 * @property {Move[]} moves
 * @property {{ verdict: "p1win" | "p2win" | "draw", plies: number | null, moves: Solved[] } | null} solved
 * @property {number | null} occurrences how often the position has come up
 * @property {string[]} algorithms that can search it
 * @property {string[]} heuristics
 * @property {boolean} tables whether tables of this game were given
 */

/**
 * A line of a search.
 * @typedef {object} Line
 * @property {number} rank from 1
 * @property {number} depth
 * @property {Worth} worth
 * @property {string[]} moves
 * @property {number} nodes
 * @property {number} speed nodes a second
 * @property {number} time milliseconds
 */

/**
 * What the engine's line `trace` carries; a value is a number of points, or who wins how many plies from the root.
 * @typedef {number | { win: "p1" | "p2", plies: number } | null} TraceValue
 * @typedef {{ window: [TraceValue, TraceValue], value: TraceValue, bound: string, left: string | null }} Visit
 * @typedef {{ move: string | null, parent: number | null, kind: "max" | "min" | "chance" | "leaf", children: number[],
 *   value: TraceValue, visits: Visit[] }} TraceNode
 * @typedef {{ algorithm: string, memory: boolean, depth: number, value: TraceValue, line: string[], nodes: TraceNode[],
 *   steps: [number, "in" | "out"][], leaves: number, visited: number, at_limit: number, at_limit_visited: number }} Trace
 */

export {};
