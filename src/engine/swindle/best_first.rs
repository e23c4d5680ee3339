//! Best-first search for a predicted error of the opponent. Its nodes are drawn positions with our side to move, and
//! its edges are our drawing moves, each followed by the predicted reply.
//!
//! Positions with the most permanent gains come first. A permanent gain, such as a capture, makes an error more likely.
//! Between two captures, the evaluation is a bad guide. Only for a side that cannot gain anything permanently, such as
//! goats, it determines the order.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::{DISTANCE_PENALTY, GAIN_VALUE, MovePair, PairOutcome, prospect};
use crate::rules::Game;

/// Positions with equal gains are ordered by turn, the lowest first. The turn is a pseudorandom number below
/// `RANDOM_TURNS` plus [`TURNS_PER_MOVE`] for each move. This variety finds more errors than a strict order.
const RANDOM_TURNS: u64 = 40;
/// The number that is added to the turn of a position for each of our moves from the root.
const TURNS_PER_MOVE: u64 = 2;
/// Positions whose evaluations are in the same step of this size are treated as equal, if nothing can be gained
/// permanently.
const EVALUATION_STEP: f64 = 0.5;

/// The state of a best-first search: the positions found so far.
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
    /// The number of the evaluation's step ([`EVALUATION_STEP`]) if nothing can be gained permanently; otherwise 0.
    level: i64,
    /// Decides between positions of equal gains and level: the lowest turn comes first.
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

    /// Takes the most promising position that is not expanded yet and returns it.
    pub(super) fn next(&mut self) -> Option<G::Position> {
        self.present = self.open.pop();
        self.present.map(|open| open.position)
    }

    /// Expands the position that [`Self::next`] returned last: adds the positions after our moves and the predicted
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
