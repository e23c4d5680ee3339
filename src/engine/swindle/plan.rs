//! A way to the opponent's mistake: drawn positions in which we are to move, searched best first along the answers that are
//! foreseen.
//!
//! Those come first in which most was gained for good: a capture makes a mistake likelier, and what the evaluation says between
//! two captures leads nowhere. Who has nothing to gain for good, as goats have not, goes by the evaluation.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::{DISTANCE, GAIN, MovePair, PairOutcome, hope};
use crate::rules::Game;

/// Of positions with as many gains those that are nearer come first, but by chance also ones that are so many turns farther
/// away: variety finds more than order does.
const SPREAD: u64 = 40;
/// What a move of ours counts in turns.
const TURNS: u64 = 2;
/// Of positions in which nothing can be gained for good those come first that the judge thinks better by so much.
const STEP: f64 = 0.5;

/// The positions seen so far.
pub struct BestFirst<'a, G: Game> {
    /// What the root is worth.
    centre: f64,
    /// Whether there is anything that can be gained for good.
    has_gains: bool,
    /// Positions that must not occur again: they would be a draw.
    exhausted: &'a [G::Position],
    seen: HashSet<G::Position>,
    open: BinaryHeap<Open<G::Position>>,
    /// What was taken out of it last.
    present: Option<Open<G::Position>>,
    /// The best that was found after each first move of ours.
    worths: HashMap<G::Position, f64>,
    is_done: bool,
}

/// A position to look at.
#[derive(Clone, Copy)]
struct Open<P> {
    position: P,
    /// The position after our first move on the way; none at the root.
    first: Option<P>,
    /// How many moves of ours away it is.
    moves: u32,
    /// What was gained for good on the way, less what was lost.
    gains: i32,
    /// What it is worth by the judge, in steps, where nothing can be gained for good.
    level: i64,
    /// Of as many the least comes first.
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
    /// A plan that begins here.
    pub fn new(
        root: G::Position,
        centre: f64,
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
            centre,
            has_gains,
            exhausted,
            seen: HashSet::from([root]),
            open: BinaryHeap::from([begin]),
            present: None,
            worths: HashMap::new(),
            is_done: false,
        }
    }

    /// The most promising position that was not looked at yet.
    pub fn next(&mut self) -> Option<G::Position> {
        self.present = self.open.pop();
        self.present.map(|open| open.position)
    }

    /// Takes what our moves there lead to.
    pub fn expand(&mut self, game: &G, exchanges: &[MovePair<G>]) {
        let Some(present) = self.present else {
            return;
        };
        for exchange in exchanges {
            let MovePair {
                ours,
                theirs,
                fate,
                gains,
            } = exchange;
            if self.exhausted.contains(ours) || self.exhausted.contains(theirs) {
                continue;
            }
            let first = present.first.unwrap_or(*ours);
            let moves = present.moves + 1;
            let worth = match fate {
                PairOutcome::Won => {
                    self.is_done = true;
                    1.0
                }
                PairOutcome::Over => continue,
                PairOutcome::Open(worth) => {
                    if !self.seen.insert(*theirs) {
                        continue;
                    }
                    let gains = present.gains + gains;
                    let level = if self.has_gains {
                        0
                    } else {
                        (worth / STEP).floor() as i64
                    };
                    self.open.push(Open {
                        position: *theirs,
                        first: Some(first),
                        moves,
                        gains,
                        level,
                        turn: game.key(theirs) % SPREAD + TURNS * u64::from(moves),
                    });
                    hope(GAIN * f64::from(gains) + worth - self.centre)
                }
            };
            let worth = worth - DISTANCE * f64::from(moves);
            let best = self.worths.entry(first).or_insert(worth);
            *best = best.max(worth);
        }
    }

    /// The best that was found after a first move of ours, if anything was.
    pub fn worth(&self, first: &G::Position) -> Option<f64> {
        self.worths.get(first).copied()
    }

    /// Whether the opponent has erred.
    pub fn is_done(&self) -> bool {
        self.is_done
    }
}
