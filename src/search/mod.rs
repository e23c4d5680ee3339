//! Game-tree search: one file per algorithm. `deepening` runs each of them iteratively.
//!
//! The *textbook* searches (minimax, expectimax, alpha-beta, Scout, MTD(f)) follow the publications, so that their
//! node counts are reproducible. The *tuned* search ([`pvs`]) visits as few nodes as possible.
//!
//! These modules depend on the rules of games, not on the protocol.

pub mod algorithms;
pub mod alphabeta;
pub(crate) mod best;
pub(crate) mod deepening;
pub mod evaluator;
pub mod expectimax;
pub mod memory;
pub mod minimax;
pub mod mtdf;
pub mod observer;
pub(crate) mod ordering;
pub mod perft;
pub mod pvs;
pub mod root;
pub mod stochastic;
pub mod tactics;
pub(crate) mod tree_search;
pub mod worst_case;

use crate::control::{Control, Stopped};
use crate::rules::Game;
use crate::value::{Bound, Score};

pub use evaluator::{Evaluator, Feature};
pub use root::Root;
pub use tactics::{EvaluatorOnly, FrontierEval, MoveScorer, Pruner, Symmetry, Tactics};

/// The result of a search to one depth.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// The value of the root, from the first player's view.
    pub score: Score,
    /// The relation of `score` to the true value, from the first player's view.
    pub bound: Bound,
    /// The principal variation. Its first move is the best move.
    pub line: Vec<M>,
    /// Number of leaves: positions that were evaluated, and positions in which the game is over.
    pub leaves: u64,
}

/// A line to report: the result of an iteration or of its part before a stop.
#[derive(Clone, Debug, PartialEq)]
pub struct PvLine<M> {
    /// Depth of the iteration, in plies. 0 if the iteration to depth 1 was not finished.
    pub depth: u32,
    /// Rank among the lines of a search for several lines (option `MultiPV`), from 1.
    pub rank: u32,
    /// The result.
    pub found: SearchResult<M>,
}

/// An algorithm that searches a root to one depth. It keeps its tables between calls.
pub trait Search<G: Game>: Send {
    /// Searches `depth` plies, at least 1, below a root with at least one move. Calls `progress` for every new best
    /// move.
    ///
    /// # Errors
    /// [`Stopped`] if the search ends before it has a value.
    fn run(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
    ) -> Result<SearchResult<G::Move>, Stopped>;

    /// Tries to prove that the game is a draw under perfect play, by searching to the end of the game without
    /// evaluations.
    ///
    /// The number of nodes is limited to a small multiple of the nodes visited so far. Returns `None` if the limit
    /// does not suffice or is unlikely to suffice.
    fn prove_draw(
        &mut self,
        _game: &G,
        _root: &Root<G>,
        _control: &mut Control,
    ) -> Result<Option<SearchResult<G::Move>>, Stopped> {
        Ok(None)
    }

    /// Prepares for a new `go`, which may continue the same game.
    fn begin(&mut self) {}

    /// Returns a new warning about helper threads, if there is one.
    fn take_thread_warning(&mut self) -> Option<String> {
        None
    }

    /// Removes all entries from the tables.
    fn clear(&mut self);

    /// Returns the fullness of the tables in per mille.
    fn hashfull(&self) -> u32;

    /// Returns `true` if the best move of a stopped iteration may be played.
    ///
    /// This requires that an iteration searches the previous best move first, so that a new best move is
    /// better.
    fn accepts_partial(&self) -> bool {
        false
    }

    /// Returns the depth of the iteration that follows `depth`. `_last` is the maximum depth of the search.
    fn next_depth(&self, depth: u32, _last: u32) -> u32 {
        depth + 1
    }

    /// Returns `true` if the game was over at every leaf of the last search. Then a deeper search finds the same value.
    fn is_exhausted(&self) -> bool {
        false
    }

    /// Returns `true` for textbook searches. Their node counts are reproducible, because they neither probe tablebases
    /// nor continue earlier searches.
    fn is_reference(&self) -> bool {
        true
    }
}
