//! The searches for games, one file per algorithm, all run by [`deepening`]. They know rules, never a protocol.

pub mod algorithms;
pub mod alphabeta;
pub mod deepening;
pub mod evaluator;
pub mod expectimax;
pub mod memory;
pub mod minimax;
pub mod mtdf;
pub mod observer;
pub mod ordering;
pub mod perft;
pub mod pvs;
pub mod root;
pub mod stochastic;
pub mod tactics;
pub mod tree_search;
pub mod worst_case;

use crate::control::{Control, Stopped};
use crate::rules::Game;
use crate::value::{Bound, Score};

pub use evaluator::Evaluator;
pub use root::Root;
pub use tactics::{EvaluatorOnly, Tactics};

/// What one search of one depth has found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// The root's value, first player's view.
    pub score: Score,
    /// Whether that is exact, from the first player's view.
    pub bound: Bound,
    /// The principal variation; its first move is the best move.
    pub line: Vec<M>,
    /// Leaf positions evaluated or found decided.
    pub leaves: u64,
}

/// A line to report: the result of an iteration, or of what has been done of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PvLine<M> {
    /// Plies of the iteration; 0 where not even one ply was finished.
    pub depth: u32,
    /// Its rank from 1 among the lines asked for.
    pub rank: u32,
    /// What was found.
    pub found: SearchResult<M>,
}

/// One search of one depth; it keeps its memory between calls.
pub trait Search<G: Game>: Send {
    /// Searches `depth` plies (at least one) below a root that has moves. `progress` hears of every new best move.
    fn run(
        &mut self,
        game: &G,
        root: &mut Root<G>,
        depth: u32,
        control: &mut Control,
        progress: &mut dyn FnMut(&SearchResult<G::Move>, &Control),
    ) -> Result<SearchResult<G::Move>, Stopped>;

    /// Tries to prove that the game is a draw, whatever the evaluation says, by looking to its end, where what was
    /// searched so far makes that worth trying; at the most it visits as many nodes again.
    fn prove_draw(
        &mut self,
        _game: &G,
        _root: &Root<G>,
        _control: &mut Control,
    ) -> Result<Option<SearchResult<G::Move>>, Stopped> {
        Ok(None)
    }

    /// A new `go` begins, perhaps on the next position of the same game.
    fn begin(&mut self) {}

    /// What there is to say of the threads that help, once: that they are more than the machine has, or that some of
    /// them could not be started.
    fn take_thread_warning(&mut self) -> Option<String> {
        None
    }

    /// Forgets all positions.
    fn forget(&mut self);

    /// How full the memory is, per mille.
    fn hashfull(&self) -> u32;

    /// Whether the best move of an iteration that was stopped may be played: the last iteration's best move has been
    /// searched first, and the new one has proved better.
    fn accepts_partial(&self) -> bool {
        false
    }

    /// How deep to search after `depth` plies, where `last` is the depth asked for.
    fn next_depth(&self, depth: u32, _last: u32) -> u32 {
        depth + 1
    }

    /// Whether the last search saw every game to its end, so that a deeper one would find the same.
    fn is_exhausted(&self) -> bool {
        false
    }

    /// Whether the result is that of the textbook, whose counts are wanted.
    fn is_reference(&self) -> bool {
        true
    }
}
