//! The best of the root moves searched so far. Among moves of equal value, the move with the lowest rank is the best.

use super::SearchResult;
use super::root::RootMove;
use crate::value::{Bound, Score, Side, Value, Window};

/// Maximum difference, in points, of expectations that count as equal. Their rounding errors depend on the order of the
/// moves.
pub(crate) const EQUAL_POINTS: f64 = 1e-9;

/// The best root move by value.
#[derive(Clone, Debug)]
pub(crate) struct Best<M> {
    /// The side to move.
    pub side: Side,
    /// Value of the best move, or the worst value before the first move.
    value: Value,
    /// The best move, or `None` before the first move.
    chosen: Option<RootMove<M>>,
    /// The result so far. The search sets the line and the number of leaves.
    pub found: SearchResult<M>,
}

impl<M: Copy> Best<M> {
    /// Creates the state before the first move.
    pub(crate) fn none(side: Side) -> Self {
        Self {
            side,
            value: side.worst(),
            chosen: None,
            found: no_result(side.worst().into()),
        }
    }

    /// Returns `true` before the first move.
    pub(crate) fn is_none(&self) -> bool {
        self.chosen.is_none()
    }

    /// Returns the window of values that make `candidate` the best move.
    pub(crate) fn open_window(&self, candidate: RootMove<M>) -> Window {
        Window::FULL.narrowed(self.side, self.bound_to_beat(candidate))
    }

    /// Returns the value that `candidate` must exceed to become the best move.
    ///
    /// If `candidate` has a lower rank than the best move, an equal value suffices. The returned value is then
    /// 0.01 points worse than the best value.
    fn bound_to_beat(&self, candidate: RootMove<M>) -> Value {
        match self.chosen {
            Some(chosen) if candidate.rank < chosen.rank => self.value.worse(self.side),
            _ => self.value,
        }
    }

    /// Makes `candidate` the best move and returns `true` if its `value` is better.
    pub(crate) fn offer(&mut self, candidate: RootMove<M>, value: Value) -> bool {
        let is_better = self.side.prefers(value, self.bound_to_beat(candidate));
        if is_better {
            self.value = value;
            self.chosen = Some(candidate);
            self.found.score = value.into();
        }
        is_better
    }
}

/// The best root move by expected points.
#[derive(Clone, Debug)]
pub(crate) struct BestExpectation<M> {
    side: Side,
    /// Maximum relative difference of expectations that count as equal, in addition to
    /// [`EQUAL_POINTS`].
    rounding_error: f64,
    /// The best move and its expectation, or `None` before the first move.
    chosen: Option<(RootMove<M>, f64)>,
    /// The result so far. The search sets the number of leaves.
    pub found: SearchResult<M>,
}

impl<M: Copy> BestExpectation<M> {
    /// Creates the state before the first move.
    pub(crate) fn none(side: Side, rounding_error: f64) -> Self {
        Self {
            side,
            rounding_error,
            chosen: None,
            found: no_result(Score::Points(0.0)),
        }
    }

    /// Makes `candidate` the best move and returns `true` if its expectation `points` is better.
    pub(crate) fn offer(&mut self, candidate: RootMove<M>, points: f64) -> bool {
        let is_better = self.chosen.is_none_or(|(chosen, best)| {
            let tolerance = EQUAL_POINTS + self.rounding_error * best.abs();
            let slack = if candidate.rank < chosen.rank {
                -tolerance
            } else {
                tolerance
            };
            advantage(self.side, points, best) > slack
        });
        if is_better {
            self.chosen = Some((candidate, points));
            self.found.score = Score::Points(points);
            self.found.line = vec![candidate.m];
        }
        is_better
    }
}

/// Returns the result before the first move.
fn no_result<M>(score: Score) -> SearchResult<M> {
    SearchResult {
        score,
        bound: Bound::Exact,
        line: Vec::new(),
        leaves: 0,
    }
}

/// Returns the advantage of `points` over `other` for `side`, in points.
#[inline]
pub(crate) fn advantage(side: Side, points: f64, other: f64) -> f64 {
    match side {
        Side::P1 => points - other,
        Side::P2 => other - points,
    }
}
