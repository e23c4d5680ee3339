//! Reports what a search does, event by event, to an observer. The recorder of [`crate::trace`] is one.

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

/// Why a search goes over the root moves. Only MTD(f) does so several times for one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassPurpose {
    /// To find the value and the best move: the only pass.
    Whole,
    /// MTD(f): to prove a bound.
    Bound,
    /// MTD(f): the value is known, but a move of equal value may come earlier in notation order.
    TieBreak,
}

/// Why a move has its place in the order of a node's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderReason {
    /// The order of the notation.
    Notation,
    /// It was the best move of the last iteration.
    Iteration,
    /// It is the best move in the transposition table.
    Table,
    /// The game's own score: it captures, or threatens something.
    Capture,
    /// It caused a cutoff in another node of this ply.
    Killer,
    /// It caused cutoffs elsewhere.
    History,
}

/// An entry of the transposition table as an observer sees it: the value is counted from the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenEntry<M> {
    /// Value of the position.
    pub value: Score,
    /// How it relates to the true value.
    pub bound: Bound,
    /// Depth to which it was searched, in plies.
    pub depth: u32,
    /// The best move, if one is known.
    pub best: Option<M>,
}

/// Receives the events of a search in the order in which they happen. The methods about moves and tables do nothing
/// unless they are implemented.
pub trait SearchObserver<M>: Send {
    /// `true` if the observer uses events that cost time to prepare.
    const IS_RECORDING: bool = true;
    /// The search plays `m` and enters a node with `window`.
    fn enter(&mut self, m: M, window: Window);
    /// The search leaves the last entered node.
    fn leave(&mut self, score: Score, reason: ExitReason);
    /// The search to `depth` starts to go over the root moves with `window`.
    fn begin_pass(
        &mut self,
        _depth: u32,
        _purpose: PassPurpose,
        _window: Window,
        _moves: &[RootMove<M>],
    ) {
    }
    /// It has gone over the root moves.
    fn end_pass(&mut self, _score: Score, _reason: ExitReason) {}
    /// The last entered node has these moves, in search order. `reasons` is empty if that is the notation's order.
    fn order(&mut self, _moves: &[M], _reasons: &[OrderReason]) {}
    /// The table was asked for the last entered node. `answers` if the entry makes a search unnecessary.
    fn look_up(&mut self, _key: u64, _entry: Option<SeenEntry<M>>, _answers: bool) {}
    /// The value of the last entered node is stored. The entry with key `dropped` has to go.
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
