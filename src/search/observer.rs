//! Watching a search node by node, for those who draw what it did.

use crate::value::{Score, Window};

/// Why a search left a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The game is over there, or the depth used up.
    Leaf,
    /// The memory knew the value.
    Remembered,
    /// All moves were searched.
    Searched,
    /// The rest of the moves could not matter.
    CutOff,
    /// The value was known. The pass looked for an equal move among those earlier in the notation.
    TieBreak,
}

/// Hears of every node that a search enters and leaves.
pub trait SearchObserver<M>: Send {
    /// The search goes down `m` to a node where only values in `window` matter.
    fn enter(&mut self, m: M, window: Window);
    /// The search comes back from the node entered last.
    fn leave(&mut self, score: Score, left: ExitReason);
    /// A pass over the root's moves begins in `window`. Searches that make one pass do not report it.
    fn begin_pass(&mut self, _window: Window) {}
    /// The pass that began last returns `score`.
    fn end_pass(&mut self, _score: Score, _left: ExitReason) {}
}

/// Watches nothing, and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl<M> SearchObserver<M> for NoObserver {
    #[inline]
    fn enter(&mut self, _m: M, _window: Window) {}

    #[inline]
    fn leave(&mut self, _score: Score, _left: ExitReason) {}
}
