//! The seam between the protocol and the games: above [`Engine`] no game is known, below it everything is compiled
//! for one.

mod board_text;
pub mod game;
mod info_reporter;
mod moves;
mod perft_report;
pub mod puzzle;
pub mod size_dispatch;
pub mod state;
pub mod stochastic;
pub mod swindle;
pub mod tablebases;
pub mod trace;

use std::time::Duration;

use crate::control::{Control, Limits};
use crate::error::EngineError;
use crate::rules::Outcome;
use crate::search::algorithms::ALGORITHMS;
use crate::settings::{Algorithm, HeuristicName, Settings};
use crate::value::{Bound, Score, Side};

use state::State;
/// One word or phrase of a command, and its offset in the line in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned {
    /// Where the text begins.
    pub offset: usize,
    /// The text.
    pub text: String,
}

/// Where a `position` command begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// The variant's start position.
    Start,
    /// A position in the variant's notation.
    Fen(Spanned),
    /// A random solvable position of a puzzle.
    Random {
        /// The same seed gives the same position; none, a new one each time.
        seed: Option<u64>,
    },
    /// A puzzle some random moves away from its goal.
    Scramble {
        /// How many moves, none of which undoes the one before.
        moves: u32,
        /// The same seed gives the same position; none, a new one each time.
        seed: Option<u64>,
    },
}

/// What a search says of itself at the end of an iteration, or of a better move.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Plies of the iteration.
    pub depth: u32,
    /// The deepest ply visited.
    pub seldepth: u32,
    /// The rank of this line, from 1, where several were asked for.
    pub multipv: Option<u32>,
    /// From the side to move's view: [`Side::P1`] in a [`Score::Win`] is the side to move.
    pub score: Score,
    /// Whether the score is exact, or a bound from the side to move's view.
    pub bound: Bound,
    /// Positions visited, in all iterations.
    pub nodes: u64,
    /// Leaves of this iteration, if the search counts them.
    pub leaves: Option<u64>,
    /// How full the transposition table is, per mille.
    pub hashfull: u32,
    /// Positions found in tables, where there are tables.
    pub table_hits: Option<u64>,
    /// Since the search began.
    pub time: Duration,
    /// The principal variation, as the moves are written.
    pub line: Vec<String>,
}

/// What flows from a running search.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// A line of search information.
    Info(Info),
    /// An `info string`.
    Text(String),
    /// An `info string` with a count, as `leaves 2997798`.
    Count(Count, u64),
    /// An `info string` with the points that a search to the end of the game expects.
    Expected(f64),
    /// An `info string`: the algorithm asked for runs elsewhere, and here, of these, `auto`.
    RunsAuto(Algorithm, &'static [Algorithm]),
    /// An `info string` that only `debug on` shows.
    Debug(String),
    /// An `info string error:` line.
    Error(String),
    /// Of `go perft`: the leaves below a move.
    Leaves(String, u64),
    /// Of `go perft`: the leaves below all moves.
    AllLeaves(u64),
    /// Of `bench`: which search of how many, what it was, and its nodes.
    Benched(usize, usize, String, u64),
    /// Of `bench`: the nodes of all searches, and their time.
    AllBenched(u64, Duration),
    /// How the search would end if it were stopped once the line is told that comes next; not told unless it is stopped and does
    /// not come.
    FallbackAnswer(FallbackAnswer),
}

/// The end of a search that was stopped, prepared before it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FallbackAnswer {
    /// The move.
    pub choice: BestMove,
    /// What is said before it.
    pub closing: Vec<Report>,
}

/// What a search counts beside its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Leaves of the last iteration.
    Leaves,
    /// The moves below which there is certainly no solution.
    Bound,
    /// Nodes whose successors were made.
    Examined,
    /// The most bytes that nodes took, where nodes are stored.
    Stored,
}

/// The end of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    /// The best move, if there is a legal one.
    pub best: Option<String>,
    /// The answer expected to it.
    pub ponder: Option<String>,
}

/// How things stand, for `query`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameStatus {
    /// Whose turn it is; meaningless when the game is over.
    pub turn: Side,
    /// How the game has ended, repetition included, if it has.
    pub outcome: Option<Outcome>,
}

/// Makes the engine for some settings, at the variant's start position.
pub type Build = fn(&Settings) -> Result<Box<dyn Engine>, EngineError>;

/// Some game, chosen at run time, with a position and its searches.
///
/// Every method that can refuse leaves everything as it was when it does.
pub trait Engine: Send {
    /// Sets the position and plays the moves from it: all or nothing.
    fn set(&mut self, setup: &Setup, moves: &[Spanned]) -> Result<(), EngineError>;

    /// Takes over the options.
    fn configure(&mut self, settings: &Settings) -> Result<(), EngineError>;

    /// Forgets the transposition table and whatever else was learned.
    fn clear(&mut self);

    /// The side to move, and whether and how the game is over.
    fn status(&self) -> GameStatus;

    /// Searches. An error means that the search did not begin.
    fn go(
        &mut self,
        limits: &Limits,
        control: &mut Control,
        report: &mut dyn FnMut(Report),
    ) -> Result<BestMove, EngineError>;

    /// Counts the leaves `depth` plies down, a [`Report::Leaves`] a move; stopped, it says so in a [`Report::Text`].
    fn perft(&mut self, depth: u32, control: &mut Control, report: &mut dyn FnMut(Report));

    /// Whether a search from here that nothing limits ends by itself before long, so that it is worth waiting for when
    /// nobody is left to stop it.
    fn terminates_soon(&self) -> bool {
        self.is_puzzle()
    }

    /// The algorithms that this game runs, in the order in which to compare them.
    fn algorithms(&self) -> &'static [Algorithm] {
        ALGORITHMS
    }

    /// The estimates that a puzzle has for its present position's board.
    fn heuristics(&self) -> Vec<HeuristicName> {
        Vec::new()
    }

    /// What the scores of the algorithm in use count, for those who set them side by side.
    fn unit(&self) -> &'static str {
        "points"
    }

    /// Makes what a search from here would have to make first and keep, so that it is not made on its clock. What goes
    /// wrong is reported, and is the search's to live with.
    fn prepare(&mut self, _control: &mut Control, _report: &mut dyn FnMut(Report)) {}

    /// Returns `true` if the options select a search made for this puzzle only, which visits nodes faster than the general
    /// searches.
    fn is_specialized(&self) -> bool {
        false
    }

    /// Whether this is a puzzle for one: its scores count moves in both dialects, and its searches end by themselves.
    fn is_puzzle(&self) -> bool {
        false
    }

    /// All that a GUI needs of the position.
    fn state(&self) -> State;

    /// The lines of `d`.
    fn draw(&self) -> Vec<String>;

    /// The lines of `eval`.
    fn explain_evaluation(&self) -> Vec<String>;

    /// Searches `depth` plies once and tells what happened at every node, where the tree is small enough to read.
    fn trace(&self, _extent: trace::Extent) -> Result<trace::Trace, EngineError> {
        Err(EngineError::new(
            "searches of puzzles cannot be traced, only those of two-player games and of games of chance",
        ))
    }

    /// The position, as `position fen` reads it.
    fn fen(&self) -> String;
}
