//! Watching a search node by node, for those who draw what it did.

use crate::value::{Score, Window};

/// Why a search left a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The game is over there, or the depth used up.
    Leaf,
    /// The memory knew the value.
    Remembered,
    /// All moves were searched.
    Searched,
    /// The rest of the moves could not matter.
    CutOff,
}

/// Hears of every node that a search enters and leaves.
pub trait Watch<M>: Send {
    /// The search goes down `m` to a node where only values in `window` matter.
    fn enter(&mut self, m: M, window: Window);
    /// The search comes back from the node entered last.
    fn leave(&mut self, score: Score, left: Left);
}

/// Watches nothing, and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl<M> Watch<M> for Unwatched {
    #[inline]
    fn enter(&mut self, _m: M, _window: Window) {}

    #[inline]
    fn leave(&mut self, _score: Score, _left: Left) {}
}
