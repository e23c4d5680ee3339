//! The commands of the protocol.

use crate::control::Limits;
use crate::engine::{LocatedText, Setup};
use crate::trace::TraceRequest;

/// A parsed command. It may still be rejected when it is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci` or `ugi`: lists name and options, and selects the dialect.
    Introduce(Dialect),
    /// `isready`
    IsReady,
    /// `debug on` and `debug off`
    Debug(bool),
    /// `setoption name N [value V]`
    SetOption {
        /// The option's name, its words separated by single blanks.
        name: LocatedText,
        /// The value, if given.
        value: Option<LocatedText>,
    },
    /// `ucinewgame` and `uginewgame`
    NewGame,
    /// `position …`
    Position {
        /// The start.
        setup: Setup,
        /// The moves played from there.
        moves: Vec<LocatedText>,
    },
    /// `go …`. [`Limits::mate`] is still in the dialect's unit.
    Go(Limits),
    /// `go perft N`
    Perft(u32),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `query …`
    Query(Query),
    /// `solve` and `solve positions N`
    Solve {
        /// Maximum number of positions.
        max_positions: Option<u64>,
    },
    /// `solve forecast`
    SolveForecast,
    /// `state`
    State,
    /// `trace depth N …`
    Trace(TraceRequest, TraceForm),
    /// `d`
    Draw,
    /// `eval`
    Evaluate,
    /// `features`
    Features,
    /// `bench`
    Bench,
    /// `help`
    Help,
    /// `quit`
    Quit,
}

/// The form in which `trace` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceForm {
    /// One object with the whole tree.
    Tree,
    /// A line for each event.
    Events,
    /// A line for each event, with a sentence that explains it.
    ExplainedEvents,
}

impl Command {
    /// Returns `true` if the command is carried out at once while a search runs. All other commands wait until the
    /// search ends.
    pub(crate) fn overtakes(&self) -> bool {
        matches!(
            self,
            Self::IsReady | Self::Stop | Self::PonderHit | Self::Quit
        )
    }
}

/// The two dialects of the protocol. They differ in the unit of win distances, and in whether `ponder` follows a best
/// move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Universal Chess Interface (2004): win distances in moves of the side to move.
    #[default]
    Uci,
    /// Universal Game Interface (2025): win distances in plies, and no `ponder` after the best move.
    Ugi,
}

/// The subjects of `query`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// `true` if the first player is to move.
    FirstPlayersTurn,
    /// `true` if the game is over.
    GameOver,
    /// The outcome of the game.
    Result,
}

/// Every command with its description, for `help`.
pub(crate) const SUMMARY: &[(&str, &str)] = &[
    (
        "uci | ugi",
        "introduces the engine, lists the options and selects the dialect",
    ),
    ("isready", "answers readyok, also during a search"),
    (
        "debug on | off",
        "turns additional info string lines on or off",
    ),
    ("setoption name N [value V]", "changes an option"),
    (
        "ucinewgame | uginewgame",
        "clears everything learned in the last game; the position stays",
    ),
    ("position startpos | fen F [moves …]", "sets the position"),
    (
        "position random [seed N]",
        "sets a random solvable position of a puzzle",
    ),
    (
        "position scramble K [seed N]",
        "sets a position of a puzzle, K random moves from its goal",
    ),
    (
        "go [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder] [searchmoves …] [clocks]",
        "searches until the first limit is reached; clocks are p1time p2time p1inc p2inc, wtime btime winc binc, movestogo",
    ),
    (
        "go perft N",
        "counts the positions after N plies, separately for each first move",
    ),
    ("stop", "ends the search"),
    (
        "ponderhit",
        "starts the clock of a pondering search, because the expected move was played",
    ),
    (
        "query p1turn | gameover | result",
        "answers whether the first player is to move, whether the game is over, or who won",
    ),
    (
        "solve [positions N]",
        "solves the game in memory, so that later answers are exact; N is the maximum number of positions",
    ),
    (
        "solve forecast",
        "estimates the time and the memory for solving",
    ),
    ("state", "prints the position as one line of JSON"),
    (
        "trace depth N [events]",
        "runs a textbook search; prints its tree as one line of JSON, or one line per event",
    ),
    ("d", "prints the position as text"),
    ("eval", "prints the static evaluation, term by term"),
    (
        "features",
        "prints the features of the textbook evaluation as one line of JSON",
    ),
    (
        "bench",
        "searches a fixed set of positions and counts the nodes",
    ),
    ("help", "prints this list"),
    ("quit", "exits"),
];
