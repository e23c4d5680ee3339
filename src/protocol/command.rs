//! What a line of the protocol asks for.

use crate::control::Limits;
use crate::engine::{Setup, Spanned};

/// One command, as it was read: what it asks may still be refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci` or `ugi`: introduce yourself, and speak so from now on.
    Introduce(Dialect),
    /// `isready`
    IsReady,
    /// `debug on` and `debug off`
    Debug(bool),
    /// `setoption name N [value V]`
    SetOption {
        /// The option's name, its words one blank apart.
        name: Spanned,
        /// The value, if one was given.
        value: Option<Spanned>,
    },
    /// `ucinewgame` and `uginewgame`
    NewGame,
    /// `position …`
    Position {
        /// Where it begins.
        setup: Setup,
        /// The moves played from there.
        moves: Vec<Spanned>,
    },
    /// `go …`; [`Limits::mate`] is still as it was written, in the dialect's unit.
    Go(Limits),
    /// `go perft N`
    Perft(u32),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `query …`
    Query(Query),
    /// `state`
    State,
    /// `trace depth N`
    Trace(u32),
    /// `d`
    Draw,
    /// `eval`
    Evaluate,
    /// `bench`
    Bench,
    /// `help`
    Help,
    /// `quit`
    Quit,
}

impl Command {
    /// Whether the command is obeyed at once while a search runs; the others wait for its end.
    pub fn overtakes(&self) -> bool {
        matches!(
            self,
            Self::IsReady | Self::Stop | Self::PonderHit | Self::Quit
        )
    }
}

/// The two protocols spoken; they differ in how a forced win is counted, and in what follows a best move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The Universal Chess Interface (2004): wins in moves of the side to move.
    #[default]
    Uci,
    /// The Universal Game Interface (2025): wins in plies, and never a `ponder` after the best move.
    Ugi,
}

/// What `query` asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Whether it is the first player's turn.
    FirstPlayersTurn,
    /// Whether the game has ended.
    GameOver,
    /// How it has ended.
    Result,
}

/// Every command and what it does, for `help`.
pub const SUMMARY: &[(&str, &str)] = &[
    (
        "uci | ugi",
        "introduces the engine and its options, and picks the dialect",
    ),
    ("isready", "answers readyok, also during a search"),
    ("debug on | off", "says more, or no more than is needed"),
    ("setoption name N [value V]", "changes an option"),
    (
        "ucinewgame | uginewgame",
        "forgets the last game; the position stays",
    ),
    ("position startpos | fen F [moves …]", "sets the position"),
    (
        "position random [seed N]",
        "puzzles: a random solvable position",
    ),
    (
        "position scramble K [seed N]",
        "puzzles: K random moves away from the goal",
    ),
    (
        "go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves …] [clocks]",
        "searches until the first limit binds; clocks are p1time p2time p1inc p2inc, wtime btime winc binc, movestogo",
    ),
    (
        "go perft N",
        "counts the positions N plies down, move by move",
    ),
    ("stop", "ends the search"),
    (
        "ponderhit",
        "the pondered move was played: the clock runs from now",
    ),
    (
        "query p1turn | gameover | result",
        "tells how the game stands",
    ),
    ("state", "the position for a GUI, as one line of JSON"),
    (
        "trace depth N",
        "what a textbook search does, node by node, as one line of JSON",
    ),
    ("d", "draws the board"),
    ("eval", "the static evaluation, term by term"),
    (
        "bench",
        "searches a fixed set of positions and counts the nodes",
    ),
    ("help", "this list"),
    ("quit", "exits"),
];
