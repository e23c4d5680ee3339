//! Best-first search for a predicted error: drawn positions with our side to move, along the predicted replies.
//!
//! Positions with the most permanent gains come first: a capture makes an error likelier, and the evaluation
//! between two captures is no guide. A side that cannot gain anything permanently, such as goats, goes by the
//! evaluation.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::{DISTANCE, GAIN, MovePair, PairOutcome, prospect};
use crate::rules::Game;

/// Random spread, in turns, of positions with equal gains: variety finds more than strict order.
const RANDOM_TURNS: u64 = 40;
/// Turns per move of distance.
const TURNS_PER_MOVE: u64 = 2;
/// Step of the evaluation by which positions are ordered if nothing can be gained permanently.
const EVALUATION_STEP: f64 = 0.5;

/// The positions seen so far.
pub(crate) struct BestFirst<'a, G: Game> {
    /// Evaluation of the root.
    root_value: f64,
    /// `true` if something can be gained permanently.
    has_gains: bool,
    /// Positions whose next occurrence would be a draw.
    exhausted: &'a [G::Position],
    seen: HashSet<G::Position>,
    open: BinaryHeap<Open<G::Position>>,
    /// The position returned last.
    present: Option<Open<G::Position>>,
    /// Best value found after each of our first moves.
    values: HashMap<G::Position, f64>,
    is_done: bool,
}

/// A position to expand.
#[derive(Clone, Copy)]
struct Open<P> {
    position: P,
    /// The position after our first move; `None` at the root.
    first: Option<P>,
    /// Number of our moves from the root.
    moves: u32,
    /// Permanent gains minus losses on the way.
    gains: i32,
    /// Evaluation in steps, if nothing can be gained permanently; otherwise 0.
    level: i64,
    /// Tie break: the lowest comes first.
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

    /// Returns the most promising position that was not expanded.
    pub(super) fn next(&mut self) -> Option<G::Position> {
        self.present = self.open.pop();
        self.present.map(|open| open.position)
    }

    /// Adds the positions that our moves in the last returned position lead to.
    pub(crate) fn expand(&mut self, game: &G, move_pairs: &[MovePair<G>]) {
        let Some(present) = self.present else {
            return;
        };
        for move_pair in move_pairs {
            let MovePair {
                ours,
                theirs,
                outcome_of,
                gains,
            } = move_pair;
            if self.exhausted.contains(ours) || self.exhausted.contains(theirs) {
                continue;
            }
            let first = present.first.unwrap_or(*ours);
            let moves = present.moves + 1;
            let value_after = match outcome_of {
                PairOutcome::Won => {
                    self.is_done = true;
                    1.0
                }
                PairOutcome::Over => continue,
                PairOutcome::Open(value_after) => {
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
                    prospect(GAIN * f64::from(gains) + value_after - self.root_value)
                }
            };
            let value_after = value_after - DISTANCE * f64::from(moves);
            let best = self.values.entry(first).or_insert(value_after);
            *best = best.max(value_after);
        }
    }

    /// Returns the best value found after a first move of ours.
    pub(super) fn value_after(&self, first: &G::Position) -> Option<f64> {
        self.values.get(first).copied()
    }

    /// Returns `true` if a predicted error was found.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }
}
