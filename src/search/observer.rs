//! The interface for observers of a search, such as the recorder of [`crate::trace`].

use super::root::RootMove;
use crate::value::{Bound, Score, Window};

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
}

/// The purpose of a pass over the root moves. Only MTD(f) has several passes per depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassPurpose {
    /// The only pass: find the value and the best move.
    Whole,
    /// MTD(f): prove a bound.
    Bound,
    /// MTD(f): find an earlier move of equal value, in notation order.
    TieBreak,
}

/// The reason for a move's place in the order of a node's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderReason {
    /// Notation order.
    Notation,
    /// The best move of the last iteration.
    Iteration,
    /// The best move in the transposition table.
    Table,
    /// The game's own score of the move, such as a capture or a threat.
    Capture,
    /// A cutoff in another node of this ply.
    Killer,
    /// Cutoffs in other nodes.
    History,
}

/// A transposition table entry in the form for observers: plies to a win are counted from the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenEntry<M> {
    /// Value of the position.
    pub value: Score,
    /// The relation of `value` to the true value.
    pub bound: Bound,
    /// Depth to which it was searched, in plies.
    pub depth: u32,
    /// The best move, if one is known.
    pub best: Option<M>,
}

/// Receives the events of a search in the order in which they happen. The methods about moves and tables do nothing
/// by default.
pub trait SearchObserver<M>: Send {
    /// `true` if the search must prepare events that take time.
    const IS_RECORDING: bool = true;
    /// The search plays `m` and enters a node with `window`.
    fn enter(&mut self, m: M, window: Window);
    /// The search leaves the last entered node.
    fn leave(&mut self, score: Score, reason: ExitReason);
    /// The search to `depth` starts a pass over the root moves with `window`.
    fn begin_pass(
        &mut self,
        _depth: u32,
        _purpose: PassPurpose,
        _window: Window,
        _moves: &[RootMove<M>],
    ) {
    }
    /// The pass over the root moves ends.
    fn end_pass(&mut self, _score: Score, _reason: ExitReason) {}
    /// The last entered node has these moves, in search order. `reasons` is empty for notation order.
    fn order(&mut self, _moves: &[M], _reasons: &[OrderReason]) {}
    /// The search has probed the table for the last entered node. `answers` is `true` if the entry makes
    /// a search unnecessary.
    fn look_up(&mut self, _key: u64, _entry: Option<SeenEntry<M>>, _answers: bool) {}
    /// The value of the last entered node is stored. It replaces the entry with key `dropped`.
    fn store(&mut self, _key: u64, _entry: SeenEntry<M>, _dropped: Option<u64>) {}
}

/// An observer that ignores all events. The compiler removes the calls of its methods.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl<M> SearchObserver<M> for NoObserver {
    const IS_RECORDING: bool = false;

    #[inline]
    fn enter(&mut self, _m: M, _window: Window) {}

    #[inline]
    fn leave(&mut self, _score: Score, _reason: ExitReason) {}
}

impl<M, W: SearchObserver<M>> SearchObserver<M> for &mut W {
    const IS_RECORDING: bool = W::IS_RECORDING;

    fn enter(&mut self, m: M, window: Window) {
        (**self).enter(m, window);
    }

    fn leave(&mut self, score: Score, reason: ExitReason) {
        (**self).leave(score, reason);
    }

    fn begin_pass(
        &mut self,
        depth: u32,
        purpose: PassPurpose,
        window: Window,
        moves: &[RootMove<M>],
    ) {
        (**self).begin_pass(depth, purpose, window, moves);
    }

    fn end_pass(&mut self, score: Score, reason: ExitReason) {
        (**self).end_pass(score, reason);
    }

    fn order(&mut self, moves: &[M], reasons: &[OrderReason]) {
        (**self).order(moves, reasons);
    }

    fn look_up(&mut self, key: u64, entry: Option<SeenEntry<M>>, answers: bool) {
        (**self).look_up(key, entry, answers);
    }

    fn store(&mut self, key: u64, entry: SeenEntry<M>, dropped: Option<u64>) {
        (**self).store(key, entry, dropped);
    }
}
