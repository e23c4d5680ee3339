// The types that the modules of the page share, as JSDoc. `State` and its parts have the keys of the engine's line
// `state`.

/**
 * The side to move.
 * @typedef {"p1" | "p2" | "chance"} Turn
 */

/**
 * The value of a position, from the first player's view: an estimate in points, found at `depth` plies, or a proved outcome
 * `plies` plies away (`null` if the distance is not known). With `bound` the true value is at least (`"lower"`) or at most
 * (`"upper"`) this one. An `exact` outcome comes from the rules or from tables, any other from a search.
 * @typedef {{ points: number, bound?: "lower" | "upper", depth?: number }} Estimate
 * @typedef {{ outcome: "p1win" | "p2win" | "draw", plies: number | null, bound?: "lower" | "upper", exact?: boolean }} Outcome
 * @typedef {Estimate | Outcome} Value
 */

/** @typedef {{ at: string, kind: string, player?: "p1" | "p2", value?: number, count?: number }} Piece */

/**
 * @typedef {object} Move
 * @property {string} move its notation
 * @property {string} [from]
 * @property {string} [to]
 * @property {string[]} [captures]
 * @property {string[]} [path] the points of a chain of jumps, first to last
 * @property {string[]} [drops] the points of several pieces placed in one move
 * @property {{ from: string, to: string }[]} [slides] every tile that moves, in 2048
 * @property {number} [gain] points
 * @property {number} [value] the number on a tile that appears
 * @property {number} [chance] probability
 * @property {{ missionaries: number, cannibals: number }} [crew] the people in the boat
 */

/**
 * @typedef {object} Board
 * @property {"graph" | "grid" | "tiles" | "river" | "tree"} kind
 * @property {{ name: string, x: number, y: number }[]} [points]
 * @property {string[][]} [lines]
 * @property {string[]} [free] the points that are only places where one can be drawn; not from the engine
 * @property {{ kind: string, player?: string, points: string[] }[]} [zones]
 * @property {number} [rows]
 * @property {number} [columns]
 * @property {number} [length] pieces in a row that win
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

/** A game tree: a leaf, the children of a player, or those of chance with their weights. @typedef {number | NestedTree | ChanceTree} Tree */
/** @typedef {{ chance: Tree[], weights: number[] }} ChanceTree */
/** @typedef {Array<number | NestedTree | ChanceTree>} NestedTree */

/**
 * The exact value of a position: who wins, or `points` in trees and in 2048. In 2048 they are expected, and
 * `verdict` is null.
 * @typedef {{ verdict: "p1win" | "p2win" | "draw" | null, plies: number | null, points?: number }} SolvedValue
 */

/** The exact value of a move. `traps` is the share of replies that lose, from 0 to 1. @typedef {SolvedValue & { move: string, traps?: number }} SolvedMove */

/** A text of the engine: what it says, and with what. @typedef {{ key: string, arguments: Record<string, any> }} Message */
/** The pieces of a side as an argument of a message. @typedef {{ player: "p1" | "p2", one: string, many: string, count: number }} Pieces */

/**
 * @typedef {object} State
 * @property {string} variant
 * @property {string} title
 * @property {Message} [title_message] not of drawn boards
 * @property {string} group
 * @property {string[]} rules
 * @property {Message[]} [rule_messages] the messages of `rules`, in their order
 * @property {string[]} [sources] who wrote the rules down
 * @property {string[]} [differences] where the sources differ, and what the game has
 * @property {string} fen
 * @property {number} ply
 * @property {Turn} turn
 * @property {string[]} players the names of the sides
 * @property {string[]} each the name of one piece of each side
 * @property {"p1win" | "p2win" | "draw" | null} outcome
 * @property {{ why: string, points?: string[] } | null} ending
 * @property {number | null} score
 * @property {Board} board
 * @property {Piece[]} pieces
 * @property {{ kind: string, player: "p1" | "p2", count: number }[]} hand
 * @property {{ kind: string, player: "p1" | "p2", count: number, wins: number | null }[]} captured
 * @property {string | null} direction where the prey step, if they turn round in this game
 * @property {Move[]} moves
 * @property {(SolvedValue & { moves: SolvedMove[] }) | null} solved
 * @property {number | null} occurrences of the position in the game
 * @property {string[]} algorithms the algorithms that can search the game
 * @property {string[]} heuristics
 * @property {boolean} [isSolving] whether the engine may be solving the game, so that a later answer has exact values; not from the engine
 * @property {boolean} tables whether the engine has tables of the game
 */

/**
 * An entry of the list of games: its first position without moves, the country or region of the game, the year of its oldest
 * known source, and an upper bound on the number of its positions. Each is null if it is not known. `isDrawn`: whether it is the game of the
 * drawn board.
 * @typedef {State & { origin: string | null, year: number | null, positions: number | null, isDrawn?: boolean }} Game
 */

/**
 * A line that a search found.
 * @typedef {object} Line
 * @property {number} rank from 1, the best line
 * @property {number} depth in plies
 * @property {Value} value
 * @property {string[]} moves
 * @property {number} nodes
 * @property {number} speed in nodes a second
 * @property {number} time in milliseconds
 */

export {};
