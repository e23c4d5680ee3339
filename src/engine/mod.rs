//! The interface between the protocol and the games. Users of [`Engine`] are independent of the game. Its
//! implementations are compiled for one game each.

mod backward;
mod board_text;
pub mod evaluators;
pub(crate) mod expectation;
pub mod game;
mod info_reporter;
mod memory_solver;
mod moves;
mod own_files;
mod perft_report;
pub mod puzzle;
pub(crate) mod size_dispatch;
pub mod state;
pub mod states;
pub mod stochastic;
pub mod swindle;
pub mod tablebases;
pub mod trace;

use std::time::Duration;

use crate::control::{Control, Limits};
use crate::error::EngineError;
use crate::rules::Outcome;
use crate::search::Feature;
use crate::search::algorithms::ALGORITHMS;
use crate::settings::{Algorithm, HeuristicName, Settings};
use crate::trace::{Event, EventSink, TraceRequest};
use crate::value::{Bound, Score, Side};

use state::State;

/// A word or phrase of a command, with its location in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedText {
    /// Byte offset of the text.
    pub offset: usize,
    /// The text.
    pub text: String,
}

/// The start of a `position` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// The start position of the variant.
    Start,
    /// A position in the variant's notation.
    Fen(LocatedText),
    /// A random solvable position of a puzzle.
    Random {
        /// Seed of the position; `None` gives a new one each time.
        seed: Option<u64>,
    },
    /// A puzzle position some random moves away from the goal.
    Scramble {
        /// Number of moves. No move undoes the previous one.
        moves: u32,
        /// Seed of the position; `None` gives a new one each time.
        seed: Option<u64>,
    },
}

/// The report of a search after an iteration or a better move.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Maximum ply visited.
    pub(crate) seldepth: u32,
    /// Rank of the line, from 1, if several lines were requested.
    pub multipv: Option<u32>,
    /// The score from the view of the side to move: [`Side::P1`] in a [`Score::Win`] is the side to move.
    pub score: Score,
    /// The relation of the score to the true value, from the view of the side to move.
    pub bound: Bound,
    /// Number of nodes visited in all iterations.
    pub nodes: u64,
    /// Number of leaves of this iteration, if the search counts them.
    pub leaves: Option<u64>,
    /// Fullness of the transposition table, in per mille.
    pub(crate) hashfull: u32,
    /// Number of positions found in tables, if there are tables.
    pub(crate) table_hits: Option<u64>,
    /// Time since the `go` command.
    pub time: Duration,
    /// The principal variation, in notation.
    pub line: Vec<String>,
    /// The best move to send if the search is stopped after this line and does not answer in time (on a busy machine).
    pub(crate) fallback: Option<BestMove>,
}

/// A report of a running search.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// A line of search information.
    Info(Info),
    /// An `info string`.
    Text(String),
    /// An `info string` with a count, such as `leaves 2997798`.
    Count(Count, u64),
    /// An `info string` with the expectation of a search to the end of the game.
    Expected(f64),
    /// An `info string`: the game does not support the requested algorithm (first field), so `auto`
    /// runs. The second field lists the supported algorithms.
    RunsAuto(Algorithm, &'static [Algorithm]),
    /// An `info string` that only `debug on` shows.
    Debug(String),
    /// An `info string error:` line.
    Error(String),
    /// For `trace`: an event with its number and, if asked for, a sentence that explains it.
    Traced(u64, Box<Event>, Option<String>),
    /// For `go perft`: the number of leaves below a move.
    Leaves(String, u64),
    /// For `go perft`: the number of leaves below all moves.
    AllLeaves(u64),
    /// For `solve`: number of positions found so far.
    Solving(u64),
    /// For `solve`: number of positions, and the value of the start position in words.
    Solved(u64, String),
    /// For `bench`: number of this search, number of all searches, description, and nodes.
    Benched(usize, usize, String, u64),
    /// For `bench`: total nodes and total time of all searches.
    AllBenched(u64, Duration),
}

/// Counts that a search reports besides its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Leaves of the last iteration.
    Leaves,
    /// Proved lower bound of the solution length.
    Bound,
    /// Expanded nodes.
    Examined,
    /// Peak memory of stored nodes, in bytes.
    Stored,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    /// The best move, or `None` without a legal move.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
}

/// The state of the game, for `query`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameStatus {
    /// The side to move. Unspecified if the game is over.
    pub turn: Side,
    /// The outcome if the game is over, repetition included.
    pub outcome: Option<Outcome>,
}

/// A position after a legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct Child {
    /// The move.
    pub name: String,
    /// The position after it, as `position fen` reads it.
    pub fen: String,
    /// Its side to move and its outcome.
    pub status: GameStatus,
}

/// The error of games that [`Engine::solve_game`] does not solve.
const NOT_SOLVABLE: &str = "this game cannot be solved in memory";

/// A function that creates the engine for some settings, at the start position.
pub type Build = fn(&Settings) -> Result<Box<dyn Engine>, EngineError>;

/// A game chosen at run time, with its current position and its searches.
///
/// A method that returns an error leaves the engine unchanged.
pub trait Engine: Send {
    /// Sets the position and plays the moves: all or nothing.
    fn set(&mut self, setup: &Setup, moves: &[LocatedText]) -> Result<(), EngineError>;

    /// Applies the options.
    fn configure(&mut self, settings: &Settings) -> Result<(), EngineError>;

    /// Clears the transposition table and everything else learned during play.
    fn clear(&mut self);

    /// Returns the side to move and the outcome.
    fn status(&self) -> GameStatus;

    /// Returns the positions after all legal moves. There are none if the game is over, unless it is a puzzle, which can go
    /// on after its goal.
    fn children(&self) -> Vec<Child>;

    /// Searches.
    ///
    /// # Errors
    /// If the search cannot start.
    fn go(
        &mut self,
        limits: &Limits,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<BestMove, EngineError>;

    /// Counts the leaves `depth` plies below the position, with one [`Report::Leaves`] per move. If stopped,
    /// reports this.
    fn perft(&mut self, depth: u32, control: &mut Control, report: &mut dyn FnMut(Report));

    /// Returns `true` if an unlimited search of the position ends soon by itself. Such a search may continue
    /// after the end of input.
    fn terminates_soon(&self) -> bool {
        self.is_puzzle()
    }

    /// Returns the algorithms that the game runs, in the order of comparison tables.
    fn algorithms(&self) -> &'static [Algorithm] {
        ALGORITHMS
    }

    /// Returns the heuristics of a puzzle for the size of the current board.
    fn heuristics(&self) -> Vec<HeuristicName> {
        Vec::new()
    }

    /// Returns the features of the textbook evaluation at the position. Returns none for games without features.
    fn features(&self) -> Vec<Feature> {
        Vec::new()
    }

    /// Returns the unit of the scores, for comparison tables.
    fn unit(&self) -> &'static str {
        "points"
    }

    /// Builds and keeps data for the next search, before its clock starts. Reports failures.
    fn prepare(&mut self, _control: &mut Control, _report: &mut dyn FnMut(Report)) {}

    /// Returns `true` if [`Engine::solve_if_small`] would solve the game, or if the game is being solved.
    fn can_solve(&self) -> bool {
        false
    }

    /// Solves the game in memory if it is small, so that [`Engine::state`], [`Engine::draw`] and
    /// [`Engine::explain_evaluation`] have exact values. Waits for at most `wait`.
    fn solve_if_small(&mut self, _wait: Duration) {}

    /// Returns `true` while the game is being solved in memory after [`Engine::solve_if_small`] has stopped waiting.
    fn is_solving(&self) -> bool {
        false
    }

    /// Returns the time and memory for [`Engine::solve_game`] as text. If the memory exceeds the option `MemoryLimit`
    /// and the game supports tables, the text names the command that writes them.
    ///
    /// # Errors
    /// If the game cannot be solved in memory.
    fn solve_forecast(&self) -> Result<String, EngineError> {
        Err(EngineError::new(NOT_SOLVABLE))
    }

    /// Solves the game in memory from the position before the moves, with at most `max_positions` positions. Later
    /// answers about the game are exact. Reports the progress and the result.
    ///
    /// # Errors
    /// If the game cannot be solved in memory, if the positions or the memory exceed the limits, or if the run was
    /// stopped.
    fn solve_game(
        &mut self,
        _max_positions: Option<u64>,
        _control: &mut Control,
        _report: &mut dyn FnMut(Report),
    ) -> Result<(), EngineError> {
        Err(EngineError::new(NOT_SOLVABLE))
    }

    /// Returns `true` if the options select a search specialized for this puzzle. It visits nodes faster than
    /// the general searches.
    fn is_specialized(&self) -> bool {
        false
    }

    /// Returns `true` for puzzles: scores count moves in both dialects, and searches end by themselves.
    fn is_puzzle(&self) -> bool {
        false
    }

    /// Returns an upper bound on the number of positions that can follow the current one, or `None` if no bound is known.
    fn positions_at_most(&self) -> Option<u128> {
        None
    }

    /// Returns the state of the position for GUIs.
    fn state(&self) -> State;

    /// Returns the lines of `d`.
    fn draw(&self) -> Vec<String>;

    /// Returns the lines of `eval`.
    fn explain_evaluation(&self) -> Vec<String>;

    /// Runs one search to the given depth and records every node.
    ///
    /// # Errors
    /// If the tree is too large or the algorithm cannot be traced.
    fn trace(&self, _extent: trace::Extent) -> Result<trace::Trace, EngineError> {
        Err(EngineError::new(
            "searches of puzzles cannot be traced, only those of two-player games and of games of chance",
        ))
    }

    /// Searches to the depth of `request` and hands the events of the search to `sink`.
    ///
    /// # Errors
    /// If the algorithm cannot be traced, or `control` stops the search.
    fn trace_events(
        &mut self,
        _request: TraceRequest,
        _control: &mut Control,
        _sink: EventSink,
    ) -> Result<(), EngineError> {
        Err(EngineError::new("this engine cannot trace searches"))
    }

    /// Returns the position as `position fen` reads it.
    fn fen(&self) -> String;
}
