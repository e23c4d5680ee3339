//! Reports every node of a search to an observer, from which `puli trace` draws the tree.

use crate::value::{Score, Window};

/// The reason why a search left a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The game is over or the depth is reached.
    Leaf,
    /// The transposition table held the value.
    Remembered,
    /// All moves were searched.
    Searched,
    /// A cutoff: the remaining moves could not change the result.
    CutOff,
    /// The value was already known, and MTD(f) only searched for a move of equal value that comes earlier in notation
    /// order.
    TieBreak,
}

/// Receives an event when a search enters or leaves a node. MTD(f) searches the root moves in several passes, each with
/// another window.
pub trait SearchObserver<M>: Send {
    /// The search plays `m` and enters a node with `window`.
    fn enter(&mut self, m: M, window: Window);
    /// The search leaves the last entered node.
    fn leave(&mut self, score: Score, reason: ExitReason);
    /// A pass over the root moves starts with `window`. Searches with only one pass do not call this.
    fn begin_pass(&mut self, _window: Window) {}
    /// The current pass ends with `score`.
    fn end_pass(&mut self, _score: Score, _reason: ExitReason) {}
}

/// An observer that ignores all events. The compiler removes the calls of its methods.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl<M> SearchObserver<M> for NoObserver {
    #[inline]
    fn enter(&mut self, _m: M, _window: Window) {}

    #[inline]
    fn leave(&mut self, _score: Score, _reason: ExitReason) {}
}
