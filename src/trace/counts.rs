//! Counts derived from the events of a search.

use std::collections::HashSet;

/// Maximum number of distinct leaves counted per iteration.
const MAX_DIFFERENT_LEAVES: usize = 1 << 22;

/// The counts of a search for two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTally {
    /// Visits to nodes below the root. A second visit counts again.
    pub nodes: u64,
    /// Visits to leaves.
    pub leaves: u64,
    /// Distinct leaves visited. `None` above 4,194,304, where counting stops.
    pub different: Option<u64>,
    /// Nodes searched again after a failed null window.
    pub again: u64,
    /// Nodes that the table answered.
    pub hits: u64,
    /// Cutoffs.
    pub cuts: u64,
}

impl GameTally {
    /// Returns the sum of both counts.
    fn plus(self, other: Self) -> Self {
        let different = self.different.zip(other.different);
        Self {
            nodes: self.nodes + other.nodes,
            leaves: self.leaves + other.leaves,
            different: different.map(|(one, other)| one + other),
            again: self.again + other.again,
            hits: self.hits + other.hits,
            cuts: self.cuts + other.cuts,
        }
    }
}

/// The counts of a search for a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PuzzleTally {
    /// States generated, repetitions included. The root counts once.
    pub nodes: u64,
    /// States whose children were generated.
    pub expanded: u64,
    /// Generated states that had been generated before.
    pub seen: u64,
    /// States beyond the limit.
    pub beyond: u64,
}

impl PuzzleTally {
    /// Returns the sum of both counts.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            expanded: self.expanded + other.expanded,
            seen: self.seen + other.seen,
            beyond: self.beyond + other.beyond,
        }
    }
}

/// The counts of backward analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BackwardTally {
    /// Positions that can follow the root.
    pub nodes: u64,
    /// Positions settled within the depth.
    pub settled: u64,
}

/// Counts of the last iteration and of all iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tallies {
    /// Counts of a search for two players.
    Game {
        /// Of the last iteration.
        last: GameTally,
        /// The sum of all iterations.
        all: GameTally,
    },
    /// Counts of a search for a solution.
    Puzzle {
        /// Of the last iteration.
        last: PuzzleTally,
        /// The sum of all iterations.
        all: PuzzleTally,
    },
    /// Counts of backward analysis, which has no iterations.
    Backward(BackwardTally),
}

/// The counts of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The counts by event.
    pub tallies: Tallies,
    /// Entries in the transposition table at the end, or the maximum number of states in memory.
    pub kept: u64,
}

/// Counts the events of a search for two players.
#[derive(Debug)]
pub(super) struct GameCounter {
    /// Sums of the finished iterations.
    before: GameTally,
    /// Counts of the current iteration, except `different`.
    pub(super) now: GameTally,
    /// Hashes of the paths to the leaves of the current iteration. `None` above
    /// `MAX_DIFFERENT_LEAVES`.
    leaves: Option<HashSet<u64>>,
    /// The keys in the transposition table.
    stored: HashSet<u64>,
}

impl GameCounter {
    pub(super) fn new() -> Self {
        let before = GameTally {
            different: Some(0),
            ..GameTally::default()
        };
        Self {
            before,
            now: GameTally::default(),
            leaves: Some(HashSet::new()),
            stored: HashSet::new(),
        }
    }

    /// Starts an iteration.
    pub(super) fn begin_iteration(&mut self) {
        self.before = self.last().plus(self.before);
        self.now = GameTally::default();
        self.leaves = Some(HashSet::new());
    }

    /// Counts a leaf. `path` is a hash of the moves to it.
    pub(super) fn leaf(&mut self, path: u64) {
        self.now.leaves += 1;
        if let Some(leaves) = &mut self.leaves {
            leaves.insert(path);
            if leaves.len() > MAX_DIFFERENT_LEAVES {
                self.leaves = None;
            }
        }
    }

    /// Counts an entry of the table. `dropped` is the key of the entry that it replaces.
    pub(super) fn store(&mut self, key: u64, dropped: Option<u64>) {
        if let Some(dropped) = dropped {
            self.stored.remove(&dropped);
        }
        self.stored.insert(key);
    }

    /// Returns the counts so far.
    pub(super) fn counts(&self) -> Counts {
        let last = self.last();
        let all = last.plus(self.before);
        Counts {
            tallies: Tallies::Game { last, all },
            kept: self.stored.len() as u64,
        }
    }

    /// Returns the counts of the current iteration.
    fn last(&self) -> GameTally {
        let different = self.leaves.as_ref().map(|leaves| leaves.len() as u64);
        GameTally {
            different,
            ..self.now
        }
    }
}
