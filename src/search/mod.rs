//! Game-tree search: one file per algorithm, all run by [`deepening`]. Searches know rules but no protocol.

pub mod algorithms;
pub mod alphabeta;
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

pub use evaluator::Evaluator;
pub use root::Root;
pub use tactics::{EvaluatorOnly, FrontierEval, MoveScorer, Pruner, Symmetry, Tactics};

/// The result of a search to one depth.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// The value of the root, from the first player's view.
    pub score: Score,
    /// What `score` says of the true value, from the first player's view.
    pub bound: Bound,
    /// The principal variation. Its first move is the best move.
    pub line: Vec<M>,
    /// Number of leaves: positions that were evaluated or decided.
    pub leaves: u64,
}

/// A line to report: the result of an iteration or of a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PvLine<M> {
    /// Depth of the iteration, in plies; 0 if not even one ply was finished.
    pub depth: u32,
    /// Rank among the requested lines, from 1.
    pub rank: u32,
    /// The result.
    pub found: SearchResult<M>,
}

/// A search to one depth. It keeps its tables between calls.
pub trait Search<G: Game>: Send {
    /// Searches `depth` plies (at least 1) below a root that has moves. Calls `progress` for every new best move.
    ///
    /// # Errors
    /// [`Stopped`] if the search had to end before it had a value.
    fn run(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
    ) -> Result<SearchResult<G::Move>, Stopped>;

    /// Tries to prove that the game is a draw, whatever the evaluation says, by searching to its end.
    ///
    /// Visits at most as many nodes as the search so far, and returns `None` if that does not suffice or seems
    /// hopeless.
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

    /// Returns a warning about helper threads once: more threads than processors, or threads that could not be
    /// started.
    fn take_thread_warning(&mut self) -> Option<String> {
        None
    }

    /// Removes all entries from the tables.
    fn clear(&mut self);

    /// Returns the fullness of the tables in per mille.
    fn hashfull(&self) -> u32;

    /// Returns `true` if the best move of a stopped iteration may be played: the previous best move was searched
    /// first, and the new one proved better.
    fn accepts_partial(&self) -> bool {
        false
    }

    /// Returns the depth of the iteration after `depth`, where `last` is the maximum depth.
    fn next_depth(&self, depth: u32, _last: u32) -> u32 {
        depth + 1
    }

    /// Returns `true` if the last search saw every game to its end, so a deeper search finds the same.
    fn is_exhausted(&self) -> bool {
        false
    }

    /// Returns `true` for textbook searches, whose node counts are published.
    fn is_reference(&self) -> bool {
        true
    }
}
