//! Best-first search for a predicted error of the opponent. Its nodes are drawn positions with our side to move, and
//! its edges are our drawing moves, each followed by the predicted reply.
//!
//! Positions with the most permanent gains come first. A permanent gain, such as a capture, makes an error more likely.
//! Between two captures, the evaluation is a poor predictor. It determines the order only for a side without permanent
//! gains, such as the goats.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::{DISTANCE_PENALTY, GAIN_VALUE, MovePair, PairOutcome, prospect};
use crate::rules::Game;

/// Positions with equal gains and level are ordered by `turn`, lowest first: a pseudorandom number below
/// `RANDOM_TURNS`, plus [`TURNS_PER_MOVE`] for each move. The random part finds more errors than a strict
/// order by moves.
const RANDOM_TURNS: u64 = 40;
/// Increment of a position's `turn` for each of our moves from the root.
const TURNS_PER_MOVE: u64 = 2;
/// Evaluations are rounded to steps of this size if no permanent gain is possible. Positions in the same step
/// count as equal.
const EVALUATION_STEP: f64 = 0.5;

/// The state of a best-first search: the positions found so far.
pub(crate) struct BestFirst<'a, G: Game> {
    /// Evaluation of the root.
    root_value: f64,
    /// `true` if a permanent gain is possible.
    has_gains: bool,
    /// Positions whose next occurrence would be a draw.
    exhausted: &'a [G::Position],
    seen: HashSet<G::Position>,
    open: BinaryHeap<Open<G::Position>>,
    /// The position returned last.
    present: Option<Open<G::Position>>,
    /// The best value found after each of our first moves. The key is the position after the move.
    values: HashMap<G::Position, f64>,
    is_done: bool,
}

/// A position to expand.
#[derive(Clone, Copy)]
struct Open<P> {
    position: P,
    /// The position after our first move, or `None` at the root.
    first: Option<P>,
    /// Number of our moves from the root.
    moves: u32,
    /// Permanent gains minus permanent losses on the path from the root.
    gains: i32,
    /// The evaluation in steps of [`EVALUATION_STEP`] if no permanent gain is possible; otherwise 0.
    level: i64,
    /// Orders positions of equal gains and level, lowest first.
    turn: u64,
}

impl<P> Open<P> {
    fn rank(&self) -> (i32, i64, Reverse<u64>) {
        (self.gains, self.level, Reverse(self.turn))
    }
}

impl<P> PartialEq for Open<P> {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl<P> Eq for Open<P> {}

impl<P> PartialOrd for Open<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P> Ord for Open<P> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl<'a, G: Game> BestFirst<'a, G> {
    /// Creates a search from a root.
    pub(super) fn new(
        root: G::Position,
        root_value: f64,
        has_gains: bool,
        exhausted: &'a [G::Position],
    ) -> Self {
        let begin = Open {
            position: root,
            first: None,
            moves: 0,
            gains: 0,
            level: 0,
            turn: 0,
        };
        Self {
            root_value,
            has_gains,
            exhausted,
            seen: HashSet::from([root]),
            open: BinaryHeap::from([begin]),
            present: None,
            values: HashMap::new(),
            is_done: false,
        }
    }

    /// Removes and returns the most promising unexpanded position.
    pub(super) fn next(&mut self) -> Option<G::Position> {
        self.present = self.open.pop();
        self.present.map(|open| open.position)
    }

    /// Expands the last position returned by [`Self::next`]: adds the positions after our moves and the predicted
    /// replies.
    pub(crate) fn expand(&mut self, game: &G, move_pairs: &[MovePair<G>]) {
        let Some(present) = self.present else {
            return;
        };
        for move_pair in move_pairs {
            let MovePair {
                ours,
                theirs,
                outcome,
                gains,
            } = move_pair;
            if self.exhausted.contains(ours) || self.exhausted.contains(theirs) {
                continue;
            }
            let first = present.first.unwrap_or(*ours);
            let moves = present.moves + 1;
            let value_after = match outcome {
                PairOutcome::Won => {
                    self.is_done = true;
                    1.0
                }
                PairOutcome::Unusable => continue,
                PairOutcome::Drawn(value_after) => {
                    if !self.seen.insert(*theirs) {
                        continue;
                    }
                    let gains = present.gains + gains;
                    let level = if self.has_gains {
                        0
                    } else {
                        (value_after / EVALUATION_STEP).floor() as i64
                    };
                    self.open.push(Open {
                        position: *theirs,
                        first: Some(first),
                        moves,
                        gains,
                        level,
                        turn: game.key(theirs) % RANDOM_TURNS + TURNS_PER_MOVE * u64::from(moves),
                    });
                    prospect(GAIN_VALUE * f64::from(gains) + value_after - self.root_value)
                }
            };
            let value_after = value_after - DISTANCE_PENALTY * f64::from(moves);
            let best = self.values.entry(first).or_insert(value_after);
            *best = best.max(value_after);
        }
    }

    /// Returns the best value found after our first move to the position `first`.
    pub(super) fn value_after(&self, first: &G::Position) -> Option<f64> {
        self.values.get(first).copied()
    }

    /// Returns `true` if the search has found a predicted error.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }
}
